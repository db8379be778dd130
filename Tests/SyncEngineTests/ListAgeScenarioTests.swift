import Declarations
import Host
import ReferenceAPI
import Store
import SyncEngine
import Synchronization
import TestSupport
import Testing

/// D8: the list that a delete goes by is at most five seconds old.
@Suite struct ListAgeScenarioTests {
    /// All rows are at the server and in the cache; one request at a time.
    private static func world(_ titles: String...) async throws -> EngineWorld {
        let world = try EngineWorld()
        for title in titles { world.addAtServer(title) }
        try await world.sync()
        world.concurrency = 1
        world.server.forgetLines()
        return world
    }

    private static func slow(_ world: EngineWorld, _ seconds: Int64) -> ScriptedServer.Act {
        let time = world.time
        return .after({ time.advance(by: .seconds(seconds)) }, .works)
    }

    @Test func `D8: deletes go before creates`() async throws {
        let world = try await Self.world("a", "b")
        try await world.add("c", "d")
        try await world.remove("a")
        try await world.remove("b")
        try await world.sync()
        #expect(
            world.server.lines == [
                "GET /todos", "DELETE /todos/1", "DELETE /todos/2", "POST /todos c",
                "POST /todos d",
            ])
    }

    @Test(arguments: [(5, true), (6, false)] as [(Int64, Bool)])
    func `D8: a delete leaves while the list is at most five seconds old, else a new one is read`(
        seconds: Int64, isFresh: Bool
    ) async throws {
        let world = try await Self.world("a", "b")
        try await world.add("c")
        try await world.remove("a")
        try await world.remove("b")
        world.server.next("DELETE /todos/1", Self.slow(world, seconds))
        try await world.sync()
        let first = ["GET /todos", "DELETE /todos/1"]
        let create = ["POST /todos c"]
        #expect(world.server.lines == first + (isFresh ? ["DELETE /todos/2"] : []) + create)
        guard !isFresh else { return }
        #expect(try await world.store.outbox().map(\.state) == ["queued"])
        #expect(try await world.secondsUntilDue() == 0)
        try await world.syncWhenDue()
        #expect(world.server.lines == first + create + ["GET /todos", "DELETE /todos/2"])
        try await world.expect(server: ["3 c"], todos: ["c synced 3"])
    }

    @Test func `D8: a row that got the id meanwhile is not deleted`() async throws {
        let world = try await Self.world("a", "b")
        try await world.remove("a")
        try await world.remove("b")
        let (time, server) = (world.time, world.server)
        world.server.next(
            "DELETE /todos/1",
            .after(
                {
                    time.advance(by: .seconds(6))
                    server.withServer {
                        $0.removeTodo(.integer(2))
                        $0.addTodo(owner: EngineWorld.email, title: "foreign")
                    }
                }, .works))
        try await world.sync()
        try await world.syncWhenDue()
        try await world.expect(server: ["2 foreign"], todos: ["foreign synced 2"])
        #expect(world.count("DELETE") == 1)
    }

    @Test func `D8: a list is as old as the time since it came`() async throws {
        let world = try await Self.world("a")
        try await world.remove("a")
        world.server.next("GET /todos", Self.slow(world, 9))
        try await world.sync()
        #expect(world.server.lines == ["GET /todos", "DELETE /todos/1"])
    }

    @Test func `D8: where each request takes six seconds, every delete has a list of its own`()
        async throws
    {
        let world = try await Self.world("a", "b", "c", "d")
        for title in ["a", "b", "c", "d"] { try await world.remove(title) }
        world.server.always("DELETE", Self.slow(world, 6))
        for _ in 0..<4 { try await world.syncWhenDue() }
        try await world.expect(server: [], todos: [])
        #expect(
            world.server.lines
                == (1...4).flatMap { ["GET /todos", "DELETE /todos/\($0)"] })
    }

    @Test func `D8: where taking a list in takes longer than that, its deletes go all the same`()
        async throws
    {
        let world = try await Self.world("a")
        try await world.remove("a")
        let server = world.server
        let engine = Synchronizer(
            store: world.store, lists: [try world.todosSource()],
            time: BusyTime(world.time, listed: { !server.lines.isEmpty }),
            random: FullRandom(), backoff: .standard, stop: StopSignal(), tell: { _ in })
        _ = try await world.run(.todos, .scheduled, on: engine)
        #expect(world.server.lines == ["GET /todos", "DELETE /todos/1"])
    }
}

/// The clock of a machine that takes ten seconds to take a list in. The first reading since the list was
/// asked for is the moment when it came. At the second one the ten seconds are over.
private final class BusyTime: TimeSource {
    private let time: VirtualTime
    private let listed: @Sendable () -> Bool
    private let readings = Mutex(0)

    init(_ time: VirtualTime, listed: @escaping @Sendable () -> Bool) {
        self.time = time
        self.listed = listed
    }

    func wallTime() -> WallTime { time.wallTime() }

    func wait(for duration: Duration) async { await time.wait(for: duration) }

    func bootTime() -> BootTime {
        guard listed() else { return time.bootTime() }
        let reading = readings.withLock { count in
            count += 1
            return count
        }
        if reading == 2 { time.advance(by: .seconds(10)) }
        return time.bootTime()
    }
}
