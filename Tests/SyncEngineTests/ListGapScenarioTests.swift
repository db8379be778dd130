import Declarations
import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// D5: lists that are one page of a longer one.
@Suite struct ListGapScenarioTests {
    private static let titles = ["a", "b", "c", "d", "e", "f", "g", "h"]
    private static let rows = titles.enumerated().map { "\($0.offset + 1) \($0.element)" }
    private static let todos = titles.enumerated().map { "\($0.element) synced \($0.offset + 1)" }

    private static func setPages(
        _ world: EngineWorld, _ hint: ReferenceBehaviour.Pages.Hint?
    ) {
        world.server.withServer {
            $0.behaviour.pages = hint.map { ReferenceBehaviour.Pages(size: 5, hint: $0) }
        }
    }

    @Test(arguments: [
        (ReferenceBehaviour.Pages.Hint.link, "tells of more"), (.total, "has 9"),
        (.range, "has 9"),
    ])
    func `D5: a page that tells of others removes nothing and decides no absence`(
        hint: ReferenceBehaviour.Pages.Hint, words: String
    ) async throws {
        let world = try EngineWorld("a", "b", "c", "d", "e", "f", "g", "h")
        try await world.sync()
        try await world.add("new")
        try await world.remove("h")
        world.server.next("POST /todos", .losesAnswer)
        Self.setPages(world, hint)
        try await world.sync()
        world.time.advance(by: .seconds(60))
        for _ in 0..<3 {
            let report = try await world.sync()
            #expect(report.error == "the list is cut: it has 5 rows, and the server \(words)")
            #expect(
                report.hint == """
                    Let the server answer with the whole list, or declare its pages; until then nothing is removed from \
                    the cache.
                    """)
            try await world.expect(
                server: Self.rows + ["9 new"], todos: Self.todos.dropLast() + ["new in doubt"],
                outbox: ["create new in doubt", "delete h queued"])
            #expect(try await world.store.status()[1].complete == false)
            world.time.advance(by: .seconds(60))
        }
        Self.setPages(world, nil)
        let report = try await world.sync()
        #expect(report.error == nil)
        try await world.expect(
            server: Self.rows.dropLast() + ["9 new"],
            todos: Self.todos.dropLast() + ["new synced 9"])
        #expect(world.count("POST /todos") == 1)
    }

    /// Five rows at a server whose pages have five, and one of ours behind them, untold.
    private static func cutWorld() async throws -> EngineWorld {
        var behaviour = ReferenceBehaviour()
        behaviour.ids = .freshIntegers
        behaviour.pages = ReferenceBehaviour.Pages(size: 5, hint: .none)
        let world = try EngineWorld("a", "b", "c", "d", "e", behaviour: behaviour)
        try await world.sync()
        try await world.add("f")
        try await world.sync()
        return world
    }

    /// Whether a person accepts removals makes no difference.
    @Test(arguments: [false, true])
    func `D5: an acknowledged row that lists lack leaves after a minute and two of them, told`(
        acceptsRemovals: Bool
    ) async throws {
        let world = try await Self.cutWorld()
        let id = try await world.id(of: "f")
        let cause = CycleCause.asked(acceptsRemovals: acceptsRemovals)
        // Two within the minute, the first one after it, and one that comes too soon after that.
        for milliseconds in [0, 59_999, 1, 59_999] as [Int64] {
            world.time.advance(by: .milliseconds(milliseconds))
            let report = try await world.sync(cause)
            #expect(report.error == nil)
            #expect(try await world.store.status()[1].complete == true)
            try await world.expect(
                server: Array(Self.rows.prefix(6)), todos: Array(Self.todos.prefix(6)))
            #expect(try await world.store.conflicts().isEmpty)
        }
        world.time.advance(by: .milliseconds(1))
        #expect(try await world.sync(cause).error == nil)
        try await world.expect(
            server: Array(Self.rows.prefix(6)), todos: Array(Self.todos.prefix(5)))
        let told = try await world.store.conflicts()
        #expect(told.map(\.reason) == [.notTaken])
        #expect(told.map(\.row) == [id.rawValue])
        // A list that shows it takes that back.
        Self.setPages(world, nil)
        try await world.sync()
        try await world.expect(
            server: Array(Self.rows.prefix(6)), todos: Array(Self.todos.prefix(6)))
        #expect(try await world.id(of: "f") == id)
        #expect(try await world.store.conflicts().isEmpty)
        #expect(world.count("POST /todos") == 1)
    }

    @Test func `D5: what a list has shown goes with the first one that lacks it after the minute`()
        async throws
    {
        let world = try await Self.cutWorld()
        Self.setPages(world, nil)
        try await world.sync()
        world.removeAtServer(6)
        for milliseconds in [0, 59_999] as [Int64] {
            world.time.advance(by: .milliseconds(milliseconds))
            #expect(try await world.sync().error == nil)
            try await world.expect(
                server: Array(Self.rows.prefix(5)), todos: Array(Self.todos.prefix(6)))
        }
        world.time.advance(by: .milliseconds(1))
        #expect(try await world.sync().error == nil)
        try await world.expect(
            server: Array(Self.rows.prefix(5)), todos: Array(Self.todos.prefix(5)))
        #expect(try await world.store.conflicts().isEmpty)
    }
}
