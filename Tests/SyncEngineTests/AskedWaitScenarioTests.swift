import Store
import SyncEngine
import TestSupport
import Testing

/// A server that asks for less than our own backoff: a person waits for what it asked for, and for no
/// more. Chance always draws the largest number here.
@Suite struct AskedWaitScenarioTests {
    private static let ask = CycleCause.asked(acceptsRemovals: false)

    @Test func `a person waits for the Retry-After of a list, not for the backoff around it`()
        async throws
    {
        let world = try EngineWorld()
        world.server.always("GET /todos", .status(503, retryAfter: "3"))
        for _ in 1...6 { try await world.syncWhenDue() }
        #expect(try await world.secondsUntilDue() == 32)
        world.server.forgetLines()
        world.time.advance(by: .milliseconds(2999))
        try await world.sync(Self.ask)
        #expect(world.server.lines.isEmpty)
        world.server.mend()
        world.time.advance(by: .milliseconds(1))
        let report = try await world.sync(Self.ask)
        #expect(report.state == .ok)
    }

    @Test func `the same holds for the movies`() async throws {
        let movies = try MoviesWorld()
        movies.server.always("GET", .status(503, retryAfter: "3"))
        for _ in 1...6 { try await movies.sync() }
        movies.server.forgetLines()
        movies.world.time.advance(by: .milliseconds(2999))
        try await movies.sync(Self.ask)
        #expect(movies.server.lines.isEmpty)
        movies.server.mend()
        try movies.serve([1], [2])
        movies.world.time.advance(by: .milliseconds(1))
        try await movies.sync(Self.ask)
        #expect(try await movies.cached() == [1, 2])
    }

    @Test(arguments: [1, 4])
    func `the same holds for an operation, and for a replay that it pauses`(
        concurrency: Int
    ) async throws {
        let world = try EngineWorld()
        world.concurrency = concurrency
        try await world.add("milk")
        // Longer than the replay itself would wait.
        world.server.always("POST /todos", .status(429, retryAfter: "6"))
        for _ in 1...6 {
            try await world.sync(Self.ask)
            world.time.advance(by: .seconds(6))
        }
        #expect(world.count("POST /todos") == 6)
        try await world.sync(Self.ask)
        #expect(world.count("POST /todos") == 7)
        // 64 s of our own, 6 s of the server's.
        world.time.advance(by: .milliseconds(5999))
        try await world.sync(Self.ask)
        #expect(world.count("POST /todos") == 7)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        #expect(world.count("POST /todos") == 7, "a cycle that is due anyway waits for both")
        world.server.mend()
        try await world.sync(Self.ask)
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }
}
