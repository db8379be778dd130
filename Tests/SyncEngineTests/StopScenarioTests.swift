import APIClient
import APIClientTesting
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Cycles that are told to stop, or are cancelled.
@Suite struct StopScenarioTests {
    @Test func `after the signal a cycle makes no request and writes nothing`() async throws {
        let world = try EngineWorld("milk")
        try await world.add("bread")
        world.stop.stop()
        let report = try await world.sync()
        #expect(report.state == .waiting)
        #expect(world.server.lines.isEmpty)
        try await world.expect(
            server: ["1 milk"], todos: ["bread queued"], outbox: ["create bread queued"],
            status: "waiting")
    }

    @Test func `stopped during the pull, it is taken and nothing is sent`() async throws {
        let world = try EngineWorld("milk")
        try await world.add("bread")
        let stop = world.stop
        world.server.next("GET /todos", .after({ stop.stop() }, .works))
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["bread queued", "milk synced 1"],
            outbox: ["create bread queued"])
        #expect(world.count("POST /todos") == 0)
    }

    @Test func `stopped in mid-drain, what is in flight is finished and no more is sent`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e")
        world.concurrency = 2
        let stop = world.stop
        world.server.next("POST /todos a", .after({ stop.stop() }, .works))
        try await world.sync()
        #expect(world.count("POST /todos") == 2)
        try await world.expect(
            server: ["1 b", "2 a"],
            todos: ["a synced 2", "b synced 1", "c queued", "d queued", "e queued"],
            outbox: ["create c queued", "create d queued", "create e queued"])
        #expect(try await world.secondsUntilDue() == 0, "the rest goes when it starts again")
    }

    /// Cancels the cycle while the request `line` is at the server.
    private static func cancel(
        _ world: EngineWorld, during line: String
    ) async throws -> CycleReport {
        let arrived = MockGate()
        world.server.next(line, .after({ arrived.open() }, .held(MockGate(), .works)))
        let engine = try world.synchronizer()
        let cycle = Task { try await engine.cycle(.todos, because: .scheduled) }
        _ = await arrived.pass()
        cycle.cancel()
        return try await cycle.value
    }

    @Test func `cancelled while a create is in flight, it is in doubt and nothing more is sent`()
        async throws
    {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a", "b", "c")
        world.concurrency = 1
        _ = try await Self.cancel(world, during: "POST /todos a")
        try await world.expect(
            server: [], todos: ["a in doubt", "b queued", "c queued"],
            outbox: ["create a in doubt", "create b queued", "create c queued"])
        #expect(world.count("POST /todos") == 1)
        // A new process decides about the first in time; the others have fewer attempts.
        world.restart()
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.expect(
            server: ["1 b", "2 c", "3 a"], todos: ["a synced 3", "b synced 1", "c synced 2"])
    }

    @Test func `cancelled during the pull, nothing is known about the server`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("bread")
        let before = try await world.store.status()[1]
        let report = try await Self.cancel(world, during: "GET /todos")
        #expect(report.state == .ok)
        let after = try await world.store.status()[1]
        #expect(after.failures == before.failures)
        #expect(after.lastError == nil)
        #expect(after.nextDueAt == before.nextDueAt)
    }

    @Test func `cancelled before they were sent, operations are queued and nothing is paused`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.concurrency = 2
        world.server.next(
            "POST /todos", .fails(.cancelled(mayHaveArrived: false)),
            .fails(.cancelled(mayHaveArrived: false)))
        try await world.sync()
        #expect(try await world.store.memory(of: .todos).pause == nil)
        #expect(try await world.store.outbox().map(\.state).allSatisfy { $0 == "queued" })
    }

    @Test func `cancelled during a login in mid-drain, the credentials are not blamed`()
        async throws
    {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a")
        world.server.next("POST /todos", .status(401))
        let report = try await Self.cancel(world, during: "POST /login")
        #expect(report.state == .ok)
        let status = try await world.store.status()[1]
        #expect(status.state == "ok")
        #expect(status.failures == 0)
        try await world.expect(server: [], todos: ["a queued"], outbox: ["create a queued"])
    }

    /// While `a` waits for a new token, `c` is taken up and waits for it too, for so long.
    private static func worldWaitingForToken(_ wait: Duration) async throws -> EngineWorld {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a", "b", "c")
        world.concurrency = 2
        let (store, time) = (world.store, world.time)
        world.server.next("POST /todos a", .status(401))
        world.server.next(
            "POST /login",
            .after(
                {
                    for _ in 0..<100_000 {
                        let queue = try? await store.outbox()  // A failure shows as no request.
                        if queue?.contains(where: { $0.title == "c" && $0.state == "sending" })
                            ?? false
                        {
                            break
                        }
                        await Task.yield()
                    }
                    time.advance(by: wait)
                }, .works))
        try await world.sync()
        return world
    }

    @Test func `the time of a request runs from its intent`() async throws {
        let world = try await Self.worldWaitingForToken(.seconds(4))
        let create = try #require(
            world.server.requests.first { request in
                request.body.map { String(decoding: $0, as: UTF8.self).contains(#""c""#) } ?? false
            })
        #expect(create.timeout == .seconds(6))
        // What was refused with the old token has waited long enough meanwhile.
        try await world.expect(
            server: ["1 b", "2 c", "3 a"], todos: ["a synced 3", "b synced 1", "c synced 2"],
            outbox: [])
    }

    @Test func `a request whose time is up before it has a token is not sent`() async throws {
        let world = try await Self.worldWaitingForToken(.seconds(10))
        #expect(world.count("POST /todos c") == 0)
        try await world.expect(
            server: ["1 b"], todos: ["a queued", "b synced 1", "c queued"],
            outbox: ["create a queued", "create c queued"])
    }
}
