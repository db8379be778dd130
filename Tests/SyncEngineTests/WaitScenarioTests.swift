import APIClient
import Declarations
import Host
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// When something is tried again. Chance always draws the largest number here.
@Suite struct WaitScenarioTests {
    private static let ask = CycleCause.asked(acceptsRemovals: false)

    @Test func `a list that fails is tried again after 1, 2, 4 … 900 seconds`() async throws {
        let world = try EngineWorld()
        world.server.always("GET", .status(500))
        world.server.always("POST", .refuses)
        for seconds in [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            let report = try await world.syncWhenDue()
            #expect(report.state == .offline)
            #expect(try await world.secondsUntilDue() == seconds)
        }
        #expect(try await world.store.status()[1].failures == 12)
        world.server.mend()
        try await world.syncWhenDue()
        #expect(try await world.store.status()[1].failures == 0)
        #expect(try await world.secondsUntilDue() == 54)
    }

    @Test func `a local write does not break into a backoff, a person does`() async throws {
        let world = try EngineWorld()
        try await world.sync()
        world.server.next("GET /todos", .status(502))
        try await world.sync()
        try await world.add("milk")
        world.server.forgetLines()
        let report = try await world.sync(.localWrite)
        #expect(world.server.lines.isEmpty)
        #expect(report.state == .failing)
        #expect(try await world.secondsUntilDue() == 1)
        try await world.sync(Self.ask)
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test(arguments: [429, 503])
    func `Retry-After of the list holds for everybody`(status: Int) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.next("GET /todos", .status(status, retryAfter: "30"))
        let report = try await world.sync()
        #expect(report.state == .waiting)
        #expect(try await world.secondsUntilDue() == 30)
        world.server.forgetLines()
        world.time.advance(by: .milliseconds(29_999))
        try await world.sync(Self.ask)
        try await world.add("bread")
        try await world.sync(.localWrite)
        #expect(world.server.lines.isEmpty)
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
    }

    @Test(arguments: [
        ("Wed, 21 Oct 2026 07:28:30 GMT", 30.0), ("Wed, 21 Oct 2026 07:27:00 GMT", 1),
        ("Thu, 22 Oct 2026 07:28:00 GMT", 3600), ("0", 1), ("86400", 3600),
    ])
    func `Retry-After is judged by the answer's own clock, within a second and an hour`(
        wish: String, seconds: Double
    ) async throws {
        let world = try EngineWorld()
        world.server.next(
            "GET /todos",
            .status(503, retryAfter: wish, date: "Wed, 21 Oct 2026 07:28:00 GMT"))
        try await world.sync()
        #expect(try await world.secondsUntilDue() == seconds)
    }

    @Test func `an operation that was not sent waits longer each time, a person skips that`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.always("POST /todos", .refuses)
        for seconds in [1.0, 2, 4, 8, 16, 32, 54, 54] {
            try await world.sync(Self.ask)
            #expect(try await world.secondsUntilDue() == seconds)
        }
        let operation = try await world.store.outbox()[0]
        #expect(operation.attempts == 8)
        #expect(operation.state == "queued")
        world.server.forgetLines()
        try await world.sync()
        #expect(world.count("POST") == 0, "its own moment has not come")
        #expect(try await world.secondsUntilDue() == 54)
        world.server.mend()
        try await world.sync(Self.ask)
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `an operation that is never applied is tried for ever`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.always("POST /todos", .status(429))
        for attempts in 1...100 {
            // A person who asks does not wait for the backoff.
            try await world.sync(.asked(acceptsRemovals: false))
            try await world.expect(
                server: [], todos: ["milk queued"], outbox: ["create milk queued"])
            // As often as the server may refuse in a row before the replay pauses.
            #expect(try await world.store.outbox().map(\.attempts) == [Int64(attempts * 7)])
        }
        world.server.mend()
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `doubt makes a cycle due at its own moment and when it can be decided`() async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        #expect(try await world.secondsUntilDue() == 1)
        try await world.syncWhenDue()
        #expect(try await world.secondsUntilDue() == 54, "the interval")
        try await world.syncWhenDue()
        #expect(try await world.secondsUntilDue() == 5, "a minute after the intent")
        try await world.syncWhenDue()
        #expect(try await world.secondsUntilDue() == 54, "the interval")
        try await world.syncWhenDue()
        #expect(try await world.secondsUntilDue() == 6, "a second list agrees after a minute")
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test(arguments: [ScriptedServer.Act.refuses, .status(503)])
    func `as many failures in a row as may overlap pause the whole replay`(
        act: ScriptedServer.Act
    ) async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e", "f", "g")
        world.concurrency = 2
        world.server.always("POST /todos", act)
        try await world.sync()
        // A third one may have been on its way when the second answer came.
        let sent = world.count("POST /todos")
        #expect((2...3).contains(sent))
        #expect(try await world.secondsUntilDue() == 1)
        world.time.advance(by: .milliseconds(999))
        try await world.sync()
        #expect(world.count("POST /todos") == sent, "paused")
        world.server.mend()
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        // Those in doubt after a 503 wait for their own moment.
        #expect(world.server.withServer { $0.state.todos.count } >= 5)
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        #expect(world.server.withServer { $0.state.todos.count } == 7)
    }

    @Test func `a person skips our own pause, not one that the server asked for`() async throws {
        for (act, isSkipped) in [
            (ScriptedServer.Act.refuses, true), (.status(429, retryAfter: "40"), false),
        ] {
            let world = try EngineWorld()
            try await world.add("a", "b", "c", "d")
            world.concurrency = 2
            world.server.always("POST /todos", act)
            try await world.sync()
            world.server.mend()
            let sent = world.count("POST /todos")
            try await world.sync(Self.ask)
            #expect(world.count("POST /todos") == (isSkipped ? sent + 4 : sent))
            #expect(try await world.secondsUntilDue() == (isSkipped ? 54 : 40))
        }
    }

    @Test func `a pause that is over makes no cycle due, whatever waits for its turn`() async throws
    {
        let world = try EngineWorld()
        world.concurrency = 1
        try await world.add("a")
        world.server.next("POST /todos a", .refuses)
        try await world.sync()
        try await world.syncWhenDue()
        try await world.add("milk", "milk")
        world.server.next("POST /todos milk", .losesRequest)
        try await world.sync()
        #expect(try await world.secondsUntilDue() == 1)
        // The interval, the minute after the intent, the interval, a minute after the first list.
        for seconds in [54.0, 5, 54, 6] {
            try await world.syncWhenDue()
            #expect(try await world.secondsUntilDue() == seconds)
        }
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 a", "2 milk", "3 milk"],
            todos: ["a synced 1", "milk synced 2", "milk synced 3"])
    }

    @Test func `refusals between them are no run of failures`() async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e")
        world.concurrency = 2
        world.server.next("POST /todos a", .refuses)
        world.server.next("POST /todos b", .status(422))
        world.server.next("POST /todos c", .refuses)
        try await world.sync()
        #expect(world.count("POST /todos") == 5)
    }

    @Test func `an operation dropped while others are sent ends nothing twice`() async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.concurrency = 1
        let store = world.store
        world.server.next(
            "POST /todos a",
            .after(
                {
                    do {
                        let queue = try await store.outbox()
                        try await store.drop([queue[1].sequence])
                    } catch {
                        Issue.record(error)
                    }
                }, .refuses))
        let report = try await world.sync()
        #expect(report.replay.sent == 1)
        #expect(report.replay.done == 0)
        #expect(try await world.secondsUntilDue() == 1)
        try await world.syncWhenDue()
        #expect(world.server.withServer { $0.state.todos.map(\.title).sorted() } == ["a", "c"])
    }

    @Test(arguments: 1...20)
    func `intervals are shortened by chance, by a tenth at most`(seed: UInt64) async throws {
        let world = try EngineWorld()
        let random = SeededRandom(seed: seed)
        let engine = Synchronizer(
            store: world.store, lists: [try world.todosSource()], time: world.time,
            random: random, backoff: .standard, stop: StopSignal(),
            tell: { _ in })
        _ = try await engine.cycle(.todos, because: .scheduled)
        let seconds = try await world.secondsUntilDue()
        #expect((54.0...60.0).contains(seconds))
    }

    /// The last one is before 1970, where a machine without a clock of its own begins.
    @Test(arguments: [-3650, 3650, -36500])
    func `a wall clock that steps by years moves no due time`(days: Int) async throws {
        let world = try EngineWorld()
        try await world.sync()
        world.time.stepWall(by: .seconds(days * 86400))
        #expect(try await world.secondsUntilDue() == 54)
        world.server.always("GET", .status(500))
        try await world.sync()
        world.time.stepWall(by: .seconds(-days * 86400))
        #expect(try await world.secondsUntilDue() == 1)
    }

    @Test func `a shorter interval brings in what a longer one left, but no backoff`() async throws
    {
        let world = try EngineWorld()
        world.interval = .seconds(7 * 86400)
        try await world.sync()
        world.interval = .seconds(60)
        #expect(try await world.secondsUntilDue() == 60)
        world.server.always("GET", .status(500))
        for _ in 0..<9 { try await world.sync() }
        #expect(try await world.secondsUntilDue() == 256)
    }

    @Test func `in another boot everything is due at once`() async throws {
        let world = try EngineWorld()
        try await world.sync()
        world.time.reboot()
        #expect(try await world.secondsUntilDue() == 0)
    }
}
