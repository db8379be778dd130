import Declarations
import Host
import SQLite
import Store
import SyncEngine
import Synchronization
import TestSupport
import Testing

/// Answers that come while another program holds the lock of the cache.
@Suite struct KeptAnswerScenarioTests {
    @Test func `an answer that comes while the cache is locked is settled when it can be`()
        async throws
    {
        let world = try EngineWorld(onDisk: true, patience: .milliseconds(20))
        try await world.sync()
        try await world.add("tea")
        let lock = try Lock(world.cachePath())
        world.server.next("POST /todos", .after({ lock.take() }, .works))
        let time = FreeingTime(time: world.time) { lock.free() }
        let engine = try world.synchronizer(time: time)
        let report = try await world.run(.todos, .scheduled, on: engine)
        #expect(report.state == .ok)
        #expect(lock.wasTaken)
        try await world.expect(server: ["1 tea"], todos: ["tea synced 1"])
        let replayed = try await world.store.status().first { $0.list == "todos" }?.replayed
        #expect(replayed?.sent == 1)
        #expect(replayed?.done == 1)
        #expect(replayed?.inDoubt == 0)
        #expect(world.count("POST /todos") == 1)
    }
}

/// Another program's write lock.
private final class Lock: Sendable {
    private let connection: Mutex<Connection>
    private let taken = Mutex(false)
    var wasTaken: Bool { taken.withLock { $0 } }

    init(_ path: String) throws {
        connection = Mutex(
            try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(2)))
    }

    func take() {
        connection.withLock { connection in
            if (try? connection.run("BEGIN IMMEDIATE")) != nil { taken.withLock { $0 = true } }
        }
    }

    func free() {
        connection.withLock { connection in _ = try? connection.run("ROLLBACK") }
    }
}

/// Somebody waits: then the lock is freed.
private struct FreeingTime: TimeSource {
    let time: VirtualTime
    let free: @Sendable () -> Void

    func wallTime() -> WallTime { time.wallTime() }
    func bootTime() -> BootTime { time.bootTime() }

    func wait(for duration: Duration) async {
        free()
        await time.wait(for: duration)
    }
}
