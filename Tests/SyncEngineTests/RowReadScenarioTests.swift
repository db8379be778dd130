import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists whose server shows one row, so that an edit does not cost the list.
@Suite struct RowReadScenarioTests {
    private static func world(
        read: String = #", "read": true"#, rows: Int = 3, paging: ReferenceList.Paging = .none,
        more: String = ""
    ) async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...rows).map { #"{"id":\#($0),"title":"t\#($0)","done":false}"# },
            paging: paging, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "done": {"boolean": "$.done", "write": "both"}, "kind": "text $.kind"
                """#, more: #", "create": true, "update": true, "delete": true"# + read + more)
        try await world.sync(then: .zero)
        return world
    }

    private static func lists(_ world: ListWorld) -> Int {
        world.world.server.lines.count { $0 == "GET /lists/notes" }
    }

    private static func reads(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { $0.hasPrefix("GET /lists/notes/") }
    }

    @Test func `an edit reads its row, and no list`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(Self.lists(world) == 1)
        #expect(Self.reads(world) == ["GET /lists/notes/2"])
        #expect(world.atServer[1] == #"{"id":2,"title":"t2","done":true}"#)
        #expect(
            try await world.rows("SELECT done, _state FROM notes WHERE _id = 2") == ["1|synced"])
    }

    @Test func `without such a call an edit waits for its list`() async throws {
        let world = try await Self.world(read: "")
        try await world.write(
            "UPDATE notes SET done = 1 WHERE _id = 2; INSERT INTO notes (title) VALUES ('new')")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(Self.lists(world) == 1)
        #expect(world.world.count("POST") == 1)
        #expect(world.world.count("PATCH") == 0)
        try await world.sync(then: .zero)
        #expect(world.world.count("PATCH") == 1)
    }

    @Test func `what a read shows of another's change is a conflict before the edit is sent`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'ours', done = 1 WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"theirs","done":false}"# }
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.atServer[0] == #"{"id":1,"title":"theirs","done":true}"#)
        #expect(
            try await world.rows("SELECT field, why, mine, theirs FROM conflicts") == [
                "title|edited|ours|theirs"
            ])
    }

    @Test func `a delete reads its row, and goes only if that is there`() async throws {
        let world = try await Self.world()
        try await world.write("DELETE FROM notes WHERE _id < 3")
        world.change { $0.rows.remove(at: 1) }
        try await world.sync(because: .localWrite, then: .zero)
        #expect(Self.lists(world) == 1)
        #expect(
            world.world.server.lines.filter { $0.hasPrefix("DELETE") } == ["DELETE /lists/notes/1"])
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["delete|queued"])
        for _ in 1...3 { try await world.sync() }
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
        #expect(world.world.count("DELETE") == 1)
    }

    @Test func `an edit that another program makes meanwhile waits for its own read`() async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        let store = world.world.store
        world.world.server.next(
            "PATCH /lists/notes/2",
            .after(
                {
                    await #expect(throws: Never.self) {
                        try await store.withConnection {
                            _ = try $0.run("UPDATE notes SET done = 1 WHERE _id = 3")
                        }
                    }
                }, .works))
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.world.count("PATCH") == 1)
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.world.count("PATCH") == 2)
        #expect(Self.reads(world) == ["GET /lists/notes/2", "GET /lists/notes/3"])
    }

    @Test func `for many rows the list is read`() async throws {
        let world = try await Self.world(rows: 20)
        world.world.time.advance(by: .seconds(2))
        try await world.write("UPDATE notes SET done = 1")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(Self.lists(world) == 2)
        #expect(Self.reads(world).isEmpty)
        #expect(world.world.count("PATCH") == 20)
    }

    /// Closing an issue takes it out of the list of those that are open.
    @Test(arguments: [true, false])
    func `an edit in doubt of a row that left a filtered list is decided by its read`(
        arrives: Bool
    ) async throws {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/1", arrives ? .losesAnswer : .losesRequest)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        try await world.sync(because: .localWrite)
        world.change { $0.lie = .missing(0) }
        for _ in 1...4 { try await world.sync() }
        #expect(world.atServer[0] == #"{"id":1,"title":"t1","done":true}"#)
        #expect(world.world.count("PATCH") == (arrives ? 1 : 2))
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(try await world.rows("SELECT _id FROM notes") == ["2", "3"])
    }

    @Test func `a delete of a row that left a filtered list is sent, and not taken for done`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("DELETE FROM notes WHERE _id = 1")
        world.change { $0.lie = .missing(0) }
        for _ in 1...3 { try await world.sync() }
        #expect(world.world.count("DELETE") == 1)
        #expect(world.atServer.count == 2)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `a row that a list lacks, and whose read fails, is not known to be gone`()
        async throws
    {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/1", .losesAnswer)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        try await world.sync(because: .localWrite)
        world.change { $0.lie = .missing(0) }
        world.world.server.always("GET /lists/notes/1", .status(500))
        for _ in 1...3 {
            #expect(try await world.sync().state == .ok)
        }
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|in doubt"])
        world.world.server.mend()
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    /// So many are read in one cycle.
    @Test func `more rows than are read beside a list are not known to be gone`() async throws {
        let world = try await Self.world(rows: 40)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id <= 17")
        let list = "[\(world.atServer[17...].joined(separator: ","))]"
        world.world.server.always("GET /lists/notes/", .works)
        world.world.server.always("GET /lists/notes", .body(list))
        world.world.server.always("PATCH", .status(423))
        for _ in 1...4 { try await world.sync() }
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["17"])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `a read that fails ends the cycle, and nothing is sent`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        world.world.server.next("GET /lists/notes/1", .status(403))
        let report = try await world.sync(because: .localWrite, then: .zero)
        #expect(report.state == .misconfigured || report.state == .needsCredentials)
        #expect(world.world.count("PATCH") == 0)
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|queued"])
    }

    /// The newer edit waits over one whose answer was lost.
    @Test(arguments: [true, false])
    func `an edit that is dropped while its row is read gives back what was sent`(
        arrives: Bool
    ) async throws {
        let world = try await Self.world()
        world.world.server.next("PATCH /lists/notes/2", arrives ? .losesAnswer : .losesRequest)
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 2")
        try await world.sync(because: .localWrite, then: .seconds(30))
        // A list half a minute later decides nothing, and is still fresh when the read decides.
        try await world.sync(then: .seconds(30))
        #expect(try await world.rows("SELECT op, state FROM outbox") == ["update|in doubt"])
        try await world.write("UPDATE notes SET title = 'newer' WHERE _id = 2")
        let store = world.world.store
        world.world.server.next(
            "GET /lists/notes/2",
            .after(
                {
                    await #expect(throws: Never.self) {
                        try await store.withConnection {
                            try $0.execute(script: "DELETE FROM outbox WHERE state = 'queued'")
                        }
                    }
                }, .works))
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.atServer[1] == #"{"id":2,"title":"ours","done":false}"#)
        #expect(world.world.count("PATCH") == (arrives ? 1 : 2))
        #expect(
            try await world.rows("SELECT title, _state FROM notes WHERE _id = 2") == ["ours|synced"]
        )
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    /// A replica shows what another client had set before the list.
    @Test(arguments: [nil, 503])
    func `a read that lags and shows what an edit asks for does not end the edit`(
        failure: Int?
    ) async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        world.world.server.next(
            "GET /lists/notes/2", .body(#"{"id":2,"title":"t2","done":true}"#))
        if let failure { world.world.server.next("PATCH /lists/notes/2", .status(failure)) }
        try await world.sync(because: .localWrite, then: .zero)
        for _ in 1...4 { try await world.sync() }
        #expect(world.atServer[1] == #"{"id":2,"title":"t2","done":true}"#)
        #expect(
            try await world.rows("SELECT done, _state FROM notes WHERE _id = 2") == ["1|synced"])
        #expect(world.world.count("PATCH") == (failure == nil ? 1 : 2))
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `another row in the answer is none`() async throws {
        let world = try await Self.world(more: #", "identity": ["id", "kind"]"#)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        world.change { $0.rows[0] = #"{"id":1,"title":"t1","done":false,"kind":"x"}"# }
        try await world.sync(because: .localWrite, then: .zero)
        #expect(world.world.count("PATCH") == 0)
    }
}
