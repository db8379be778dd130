import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// No operation waits behind the refusals of others.
@Suite struct KindRunScenarioTests {
    /// Twelve rows are edited, and three are new.
    private static func queued() async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...12).map { #"{"id":\#($0),"title":"row \#($0)"}"# }, paging: .none,
            size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "size": {"integer": "$.size", "write": "both"}
                """#, more: #", "create": true, "update": true, "delete": true"#)
        try await world.sync()
        try await world.write(
            """
            UPDATE notes SET size = 1;
            INSERT INTO notes (title) VALUES ('new 1'), ('new 2'), ('new 3');
            """)
        world.world.server.forgetLines()
        return world
    }

    private static func outbox(_ world: ListWorld) async throws -> [String] {
        try await world.rows(
            "SELECT count(*), op, state FROM outbox GROUP BY op, state ORDER BY op, state")
    }

    @Test(arguments: [403, 404])
    func `D12: ten refused edits keep no create from being sent`(status: Int) async throws {
        let world = try await Self.queued()
        world.world.server.always("PATCH", .status(status))
        let report = try await world.sync(then: .zero)
        #expect(world.atServer.count == 15)
        #expect(report.replay.done == 3)
        #expect(try await Self.outbox(world) == ["12|update|queued"])
        let reason = "10 changes in a row were refused with \(status)"
        #expect(report.halt?.error.contains(reason) == true)
        #expect((10...14).contains(world.world.count("PATCH")))
        // The rows are said to be gone only if each of them is.
        world.world.server.mend()
        for _ in 1...3 { try await world.sync() }
        #expect(try await Self.outbox(world) == [])
        #expect(world.atServer.allSatisfy { $0.contains("new") || $0.contains(#""size":1"#) })
    }

    @Test func `a call that is not allowed keeps no create from being sent, then or later`()
        async throws
    {
        let world = try await Self.queued()
        world.world.server.always("PATCH", .status(405))
        let report = try await world.sync(then: .zero)
        #expect(report.halt?.state == .misconfigured)
        #expect(world.atServer.count == 15)
        #expect(try await Self.outbox(world) == ["12|update|queued"])
        let refused = world.world.count("PATCH")
        #expect((1...4).contains(refused))
        // The backoff of the edits is not that of what is new.
        try await world.write("INSERT INTO notes (title) VALUES ('new 4')")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.atServer.count == 16)
        #expect(world.world.count("PATCH") == refused)
        // A further edit alone begins no cycle.
        world.world.server.always("PATCH", .status(405))
        try await world.sync(then: .zero)
        world.world.server.forgetLines()
        try await world.write("UPDATE notes SET size = 2")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.world.server.lines.isEmpty)
    }

    @Test(arguments: [503, 429])
    func `edits that the server puts off keep no create from being sent`(status: Int) async throws {
        let world = try await Self.queued()
        world.world.server.always("PATCH", .status(status))
        try await world.sync(then: .zero)
        #expect(world.atServer.count == 15)
        #expect(try await Self.outbox(world).allSatisfy { $0.contains("update") })
    }

    @Test func `an outage is asked about once more, by another kind`() async throws {
        let world = try await Self.queued()
        world.world.server.always("P", .status(503))
        try await world.sync(then: .zero)
        #expect(world.world.count("PATCH") == 4)
        #expect(world.world.count("POST") == 1)
    }

    @Test func `D12: each is rejected by its own tenth refusal, with the server's words`()
        async throws
    {
        let world = try await Self.queued()
        world.world.server.always("PATCH", .body(#"{"detail":"not yours"}"#, status: 403))
        for _ in 1...9 { try await world.sync(then: .seconds(1000)) }
        #expect(try await Self.outbox(world) == ["12|update|queued"])
        for _ in 1...10 { try await world.sync(then: .seconds(1000)) }
        #expect(try await Self.outbox(world) == ["12|update|rejected"])
        let words = try await world.rows("SELECT DISTINCT last_error FROM outbox")
        #expect(words.allSatisfy { $0.contains("403") && $0.contains("not yours") })
    }
}
