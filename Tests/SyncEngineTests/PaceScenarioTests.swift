import APIClient
import Declarations
import Host
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// D13: a server that takes only so many requests.
@Suite struct PaceScenarioTests {
    private static let titles = (10..<35).map { "todo \($0)" }

    @Test(arguments: [1, 4, 16])
    func `D13: 25 creates pass a limit of five a second without a burst within 30 seconds`(
        concurrency: Int
    ) async throws {
        let world = try EngineWorld()
        try await world.sync()
        world.concurrency = concurrency
        world.server.withServer {
            $0.behaviour.rateLimit = RateLimit(perSecond: 5, retryAfter: nil)
        }
        _ = try await world.store.addTodos(Self.titles)
        world.time.advance(by: .seconds(60))
        world.server.forgetLines()
        let start = world.time.bootTime()
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(report.replay.done == 25)
        #expect(world.time.bootTime().elapsed(since: start) <= .seconds(30))
        #expect(world.count("GET") == 1)
        #expect(world.count("POST /todos") < 100, "a refusal or two for each that is taken")
        #expect(try await world.store.outbox().isEmpty)
        let rows = world.server.withServer { $0.state.todos.map(\.title).sorted() }
        #expect(rows == Self.titles)
    }

    /// A server that takes one request a second refuses what comes right behind a login, and a login that comes right
    /// behind what was refused for its token.
    @Test func `D13: tokens of 90 seconds at a limit of one a second hold up nothing`() async throws
    {
        let world = try EngineWorld()
        try await world.sync()
        world.server.withServer {
            $0.behaviour.tokenLifetimeSeconds = 90
            $0.behaviour.rateLimit = RateLimit(perSecond: 1, retryAfter: nil)
        }
        for title in Self.titles {
            _ = try await world.store.addTodos([title])
            try await world.sync()
            #expect(try await world.store.outbox().isEmpty)
            world.time.advance(by: .seconds(60))
        }
        let rows = world.server.withServer { $0.state.todos.map(\.title).sorted() }
        #expect(rows == Self.titles)
    }

    @Test func `D13: a wait of up to five seconds that is asked for is waited for in the replay`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .status(429, retryAfter: "5"))
        let start = world.time.bootTime()
        let report = try await world.sync()
        #expect(report.replay.sent == 2)
        #expect(world.time.bootTime().elapsed(since: start) == .seconds(5))
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `D13: a longer one pauses the replay for all, also when a person asks`() async throws
    {
        let world = try EngineWorld()
        world.concurrency = 1
        try await world.add("milk", "bread")
        world.server.next("POST /todos milk", .status(429, retryAfter: "30"))
        try await world.sync()
        try await world.expect(
            server: [], todos: ["milk queued", "bread queued"],
            outbox: ["create milk queued", "create bread queued"])
        #expect(try await world.secondsUntilDue() == 30)
        world.time.advance(by: .milliseconds(29_999))
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(world.count("POST /todos") == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        #expect(world.count("POST /todos") == 3)
        #expect(world.server.withServer { $0.state.todos.count } == 2)
        #expect(try await world.store.outbox().isEmpty)
    }

    @Test func `D13: seven refusals in a row pause the replay until the backoff is over`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.always("POST /todos", .status(429))
        let start = world.time.bootTime()
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(report.replay.sent == 7)
        // The gaps before the second and each later one.
        #expect(world.time.bootTime().elapsed(since: start) == .milliseconds(6300))
        try await world.expect(server: [], todos: ["milk queued"], outbox: ["create milk queued"])
        #expect(try await world.secondsUntilDue() == 54, "the interval; the seventh waits for 64 s")
        try await world.syncWhenDue()
        #expect(world.count("POST /todos") == 7, "paused")
        world.server.mend()
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `D13: a list that is asked for too often is read again in its cycle`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.forgetLines()
        world.server.next("GET /todos", .status(429), .status(429, retryAfter: "5"), .status(429))
        let start = world.time.bootTime()
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(world.server.lines == Array(repeating: "GET /todos", count: 4))
        // 100 ms of ours, the five seconds that were asked for, and 400 ms of ours.
        #expect(world.time.bootTime().elapsed(since: start) == .milliseconds(5500))
    }

    @Test(arguments: [("6", 1), (nil, 5)] as [(String?, Int)])
    func `D13: five refusals of a list, or a longer wait that is asked for, end the cycle`(
        retryAfter: String?, reads: Int
    ) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.forgetLines()
        world.server.always("GET /todos", .status(429, retryAfter: retryAfter))
        let report = try await world.sync()
        #expect(report.state == .waiting)
        #expect(world.count("GET") == reads)
        #expect(try await world.secondsUntilDue() == (reads == 1 ? 6 : 1))
        world.server.mend()
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `D13: one that was refused goes again before the next of its title`() async throws {
        let world = try EngineWorld()
        try await world.add("milk", "milk", "tea")
        world.server.next("POST /todos milk", .status(429))
        try await world.sync()
        try await world.expect(
            server: ["1 tea", "2 milk", "3 milk"],
            todos: ["milk synced 2", "milk synced 3", "tea synced 1"])
        #expect(world.count("POST /todos") == 4)
    }

    @Test func `D13: a 503 leaves doubt as before, and slows the others down`() async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e", "f", "g", "h")
        world.server.next("POST /todos a", .status(503))
        let start = world.time.bootTime()
        let report = try await world.sync()
        #expect(report.replay.inDoubt == 1)
        #expect(report.replay.done == 7)
        #expect(try await world.store.outbox().map(\.state) == ["in doubt"])
        #expect(world.time.bootTime().elapsed(since: start) > .zero)
    }

    @Test func `D13: asked to stop, nobody waits for the pace`() async throws {
        let world = try EngineWorld()
        try await world.add("milk", "bread")
        world.concurrency = 1
        let stop = world.stop
        world.server.next(
            "POST /todos", .after({ stop.stop() }, .status(429, retryAfter: "5")))
        let start = world.time.bootTime()
        try await world.sync()
        #expect(world.time.bootTime().elapsed(since: start) == .zero)
        #expect(world.count("POST /todos") == 1)
        try await world.expect(
            server: [], todos: ["milk queued", "bread queued"],
            outbox: ["create milk queued", "create bread queued"])
    }
}
