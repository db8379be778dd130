import Declarations
import ReferenceAPI
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
        (ReferenceBehaviour.Pages.Hint.link, "names a next page"), (.total, "has 9"),
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
        world.time.advance(by: .seconds(20))
        for _ in 0..<3 {
            let report = try await world.sync()
            #expect(report.error == "the list is cut: it has 5 rows, and the server \(words)")
            #expect(
                report.hint == """
                    Let the server answer with the whole list; until then nothing is removed from \
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

    /// Five rows at a server whose pages have five, and one of ours behind them.
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

    private static let cut =
        "the list is cut: it has 5 rows, and lacks 1 that the server acknowledged"

    @Test func `D5: a page that lacks an acknowledged row removes nothing and decides no absence`()
        async throws
    {
        let world = try await Self.cutWorld()
        try await world.add("g")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.time.advance(by: .seconds(20))
        for _ in 0..<3 {
            let report = try await world.sync()
            #expect(report.error == Self.cut)
            #expect(report.hint?.contains("--accept-removals") == true)
            try await world.expect(
                server: Array(Self.rows.prefix(7)),
                todos: Self.todos.prefix(6) + ["g in doubt"], outbox: ["create g in doubt"])
            world.time.advance(by: .seconds(60))
        }
        Self.setPages(world, nil)
        try await world.sync()
        try await world.expect(
            server: Array(Self.rows.prefix(7)), todos: Array(Self.todos.prefix(7)))
        #expect(world.count("POST /todos") == 2)
    }

    @Test func `D5: a person who accepts removals ends it, and the next lists are believed`()
        async throws
    {
        let world = try await Self.cutWorld()
        #expect(try await world.sync().error == Self.cut)
        try await world.expect(
            server: Array(Self.rows.prefix(6)), todos: Array(Self.todos.prefix(6)))
        for cause in [CycleCause.asked(acceptsRemovals: true), .scheduled] {
            let report = try await world.sync(cause)
            #expect(report.error == nil)
            #expect(try await world.store.status()[1].complete == true)
            try await world.expect(
                server: Array(Self.rows.prefix(6)), todos: Array(Self.todos.prefix(5)))
        }
    }

    @Test func `D5: a list of another length is no page, and what it lacks is gone`() async throws {
        let world = try await Self.cutWorld()
        Self.setPages(world, nil)
        world.removeAtServer(6)
        #expect(try await world.sync().error == Self.cut, "as long as a page")
        world.addAtServer("x")
        #expect(try await world.sync().error == nil)
        try await world.expect(
            server: Self.rows.prefix(5) + ["7 x"], todos: Self.todos.prefix(5) + ["x synced 7"])
    }

    @Test func `D5: after a held list of another length, the next one is no page by chance`()
        async throws
    {
        var behaviour = ReferenceBehaviour()
        behaviour.ids = .freshIntegers
        let world = try EngineWorld(
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", behaviour: behaviour)
        try await world.sync()
        try await world.add("ours")
        try await world.sync()
        Self.setPages(world, ReferenceBehaviour.Pages.Hint.none)
        #expect(try await world.sync().error == Self.cut)
        // The server loses everything, and has as many rows as the page in the end.
        Self.setPages(world, nil)
        for id in 1...13 { world.removeAtServer(Int64(id)) }
        world.addAtServer("w", "x", "y", "z")
        #expect(try await world.sync().state == .held)
        world.addAtServer("v")
        world.time.advance(by: .seconds(60))
        #expect(try await world.sync().error == nil)
        let rows = ["w", "x", "y", "z", "v"].enumerated()
        try await world.expect(
            server: rows.map { "\($0.offset + 14) \($0.element)" },
            todos: rows.map { "\($0.element) synced \($0.offset + 14)" })
    }

    @Test func `D5: what a list has shown goes with the next one that does not show it`()
        async throws
    {
        let world = try await Self.cutWorld()
        Self.setPages(world, nil)
        try await world.sync()
        world.removeAtServer(6)
        #expect(try await world.sync().error == nil)
        try await world.expect(
            server: Array(Self.rows.prefix(5)), todos: Array(Self.todos.prefix(5)))
    }

    @Test func `D5: fewer than five rows are never taken for a page`() async throws {
        let world = try EngineWorld("a", "b", "c")
        try await world.sync()
        try await world.add("d", "e")
        try await world.sync()
        world.removeAtServer(5)
        let report = try await world.sync()
        #expect(report.error == nil)
        try await world.expect(
            server: Array(Self.rows.prefix(4)), todos: Array(Self.todos.prefix(4)))
    }
}
