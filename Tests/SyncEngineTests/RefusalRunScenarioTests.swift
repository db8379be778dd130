import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// D12: refusals by somebody before the server.
@Suite struct RefusalRunScenarioTests {
    private static let titles = (10..<35).map { "todo \($0)" }

    private static func queued(concurrency: Int = 4) async throws -> EngineWorld {
        let world = try EngineWorld()
        world.concurrency = concurrency
        _ = try await world.store.addTodos(titles)
        return world
    }

    @Test(arguments: [1, 4, 16])
    func `D12: ten refusals in a row by a firewall reject nothing, and later all is accepted`(
        concurrency: Int
    ) async throws {
        let world = try await Self.queued(concurrency: concurrency)
        world.server.always("POST /todos", .status(403))
        let report = try await world.sync()
        #expect(report.halt?.state == .needsCredentials)
        #expect(
            report.halt?.error
                == "the last 10 changes in a row were refused with 403; syncd keeps them all")
        #expect(
            report.haltHint == """
                Look for a firewall or a proxy in front of the server, and check the account's rights.
                """)
        #expect(report.replay.rejected == 0)
        let sent = world.count("POST /todos")
        #expect((10...(10 + concurrency)).contains(sent))
        try await world.expect(
            server: [], todos: Self.titles.map { "\($0) queued" },
            outbox: Self.titles.map { "create \($0) queued" }, halt: .needsCredentials)
        #expect(try await world.secondsUntilDue() == 1)
        world.server.mend()
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(try await world.store.outbox().isEmpty)
        let rows = world.server.withServer { $0.state.todos.map(\.title).sorted() }
        #expect(rows == Self.titles)
        #expect(world.count("POST /todos") == sent + 25)
    }

    @Test(arguments: [403, 404, 405])
    func `D12: deletes that somebody else refuses are not given up either`(status: Int) async throws
    {
        // One stays: deletes of every row would be held.
        let world = try EngineWorld("stays")
        for title in Self.titles { world.addAtServer(title) }
        try await world.sync()
        for title in Self.titles { try await world.remove(title) }
        world.server.always("DELETE", .status(status))
        let report = try await world.sync()
        #expect(report.halt?.state == (status == 403 ? .needsCredentials : .misconfigured))
        #expect(
            try await world.store.outbox().map(\.state)
                == Array(repeating: "queued", count: 25))
        world.server.mend()
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(server: ["1 stays"], todos: ["stays synced 1"])
    }

    @Test func `D12: nine refusals are their operations' own`() async throws {
        let world = try EngineWorld()
        let titles = Array(Self.titles.prefix(9))
        _ = try await world.store.addTodos(titles)
        world.server.always("POST /todos", .status(403))
        let report = try await world.sync()
        #expect(report.replay.rejected == 9)
        try await world.expect(
            server: [], todos: titles.map { "\($0) rejected" },
            outbox: titles.map { "create \($0) rejected" })
    }

    @Test func `D12: one that is accepted, or another status, ends a run`() async throws {
        let world = try await Self.queued(concurrency: 1)
        for (index, title) in Self.titles.enumerated() where index != 9 {
            world.server.next("POST /todos \(title)", .status(index < 18 ? 403 : 402))
        }
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(report.replay.rejected == 24)
        #expect(report.replay.done == 1)
        #expect(world.server.withServer { $0.state.todos.map(\.title) } == ["todo 19"])
    }

    @Test func `D12: another status of the three ends a run, too`() async throws {
        let world = try EngineWorld()
        for title in Self.titles { world.addAtServer(title) }
        try await world.sync()
        world.concurrency = 1
        for title in Self.titles.prefix(18) { try await world.remove(title) }
        for id in 1...18 {
            world.server.next("DELETE /todos/\(id)", .status(id < 10 ? 403 : 405))
        }
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(report.replay.rejected == 18)
    }
}
