import Daemon
import Declarations
@preconcurrency import Dispatch
import Foundation
import Glibc
import Host
import Migrations
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing
import Text

/// The watch of the product over a cache in a file: the events are the kernel's, the time the test's.
@Suite(.timeLimit(.minutes(3))) final class CacheWatchTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = try folder.write("cache.sqlite")
    }

    /// A rig over the file. As in the product, one thread carries the watch and the store.
    private func rig() throws -> (Rig, any WakeSource) {
        let queue = QueueExecutor(label: "daemon")
        let rig = try Rig(
            .file(path), executor: QueueExecutor(label: "store", takingTurnsWith: queue))
        let log = Log(
            output: StandardError(descriptor: rig.pipe.writer), level: .info, format: .journal,
            time: rig.time, secrets: Secrets())
        return (rig, CacheWatch(database: path, on: queue.queue, log: log))
    }

    @Test func `a cache whose name leads to another file ends the daemon`() async throws {
        let (rig, watch) = try rig()
        let runner = ScriptedRunner([.todos]) { call, _ throws(StoreError) in
            rig.fine(call.list)
        }
        let ended = try await rig.run(rig.daemon(runner, sources: [rig.wakes, watch])) {
            await rig.armed(in: 60)
            // The watch is to tell of it, not the look of the opening.
            await rig.store.state.wait { $0.signs.count == 1 }
            try #require(rename(path, path + ".old") == 0)
            await rig.store.state.wait { $0.looks.count >= 2 }
        }
        // The end of the test asks to stop, before the daemon has ended or after.
        let ends: [DaemonError] = [
            .store(.replaced(path: path)), .replacedWhileStopping(path: path),
        ]
        #expect { try ended.get() } throws: { ends.contains($0 as? DaemonError ?? .store(.busy)) }
    }

    @Test func `S3: a log that others fill is emptied while no cycle does it`() async throws {
        let (rig, watch) = try rig()
        // An outage: its cycles end before anything is written.
        let runner = ScriptedRunner([.todos]) { call, _ throws(StoreError) in
            rig.offline(call.list, dueIn: 3600)
        }
        let path = path
        _ = try await rig.run(rig.daemon(runner, sources: [rig.wakes, watch])) {
            await rig.armed(in: 3600)
            let other = try CacheStore(
                .file(path), migrations: Migration.all, maxBodyBytes: 1 << 20,
                executor: QueueExecutor(label: "other"), patience: .seconds(2),
                now: rig.time.wallTime(), whileMigrating: {})
            _ = try await other.addTodos(["kept"])
            try await other.withConnection {
                try $0.execute(
                    script: """
                        BEGIN;
                        CREATE TABLE ballast AS
                        SELECT randomblob(2000000) FROM (VALUES (1), (2), (3), (4), (5));
                        COMMIT
                        """)
            }
            // The kernel may tell of the commit only now, and the looks behind it need their moments to come.
            while !Task.isCancelled, rig.store.state.value.signs.last?.mark.ownCommits ?? 0 == 0 {
                try await rig.armedFarAway()
                await Task.yield()
            }
            #expect(await rig.store.cache.walBytes() < CacheStore.longestWAL)
            #expect(try await rig.store.cache.queueCounts().total == 1)
        }
    }

    @Test func `a kernel without watches is told, and the daemon works`() async throws {
        let (rig, _) = try rig()
        let log = Log(
            output: StandardError(descriptor: rig.pipe.writer), level: .info, format: .journal,
            time: rig.time, secrets: Secrets())
        let watch = CacheWatch(
            database: folder.path(of: "missing"), on: DispatchQueue(label: "watch"), log: log)
        let runner = ScriptedRunner([.todos]) { call, _ throws(StoreError) in
            rig.fine(call.list)
        }
        _ = try await rig.run(rig.daemon(runner, sources: [rig.wakes, watch])) {
            await rig.armed(in: 60)
        }
        #expect(rig.pipe.lines().contains { $0.contains("found only when a sync is due") })
    }
}
