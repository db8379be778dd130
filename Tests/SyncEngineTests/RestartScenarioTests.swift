import Store
import SyncEngine
import TestSupport
import Testing

/// Processes that are started again and again.
@Suite struct RestartScenarioTests {
    @Test(arguments: [0, 1, 60])
    func `P11: a thousand restarts with a dead server make few requests`(seconds: Int) async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.server.always("", .refuses)
        for _ in 0..<1000 {
            world.restart()
            world.time.advance(by: .seconds(seconds))
            if try await world.secondsUntilDue() <= 0 { try await world.sync() }
        }
        // A backoff of up to 15 minutes, over so many seconds.
        #expect(world.server.lines.count <= 12 + 1000 * seconds / 900)
        #expect(try await world.store.outbox().count == 3)
    }

    @Test func `a thousand reboots with a dead server make a thousand requests at most`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.server.always("", .refuses)
        for _ in 0..<1000 {
            world.restart()
            world.time.reboot()
            if try await world.secondsUntilDue() <= 0 { try await world.sync() }
        }
        #expect(world.server.lines.count <= 1000)
    }

    @Test func `a thousand restarts with a server that only lists make few requests`() async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.server.always("POST /todos", .refuses)
        for _ in 0..<1000 {
            world.restart()
            world.time.advance(by: .seconds(1))
            if try await world.secondsUntilDue() <= 0 { try await world.sync() }
        }
        #expect(world.server.lines.count <= 100)
    }
}
