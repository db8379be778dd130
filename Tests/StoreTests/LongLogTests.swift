import CFaultVFS
import Declarations
import Foundation
import Host
import SQLite
import Store
import TestSupport
import Testing

/// What scripts leave that keep writing without a checkpoint, as the documents tell them to.
@Suite(.serialized) struct `a log that others let grow` {
    private static let limit = CacheStore.longestWAL

    /// Lets a script commit until the log is longer than what a look leaves.
    private static func fill(_ path: String, upTo size: Int = limit + 65_536) throws {
        let script = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        script.keepWALOnClose()
        try script.execute(script: "PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF")
        let title = String(repeating: "x", count: 4000)
        var number = 0
        while try walSize(path) < size {
            try script.run("BEGIN")
            for _ in 0..<200 {
                number += 1
                try script.run(
                    "INSERT INTO todos(title) VALUES (?)", .text("\(number) \(title)"))
            }
            try script.run("COMMIT")
        }
    }

    private func look(
        _ store: CacheStore, since mark: WriteMark?, work: Bool = false
    ) async throws -> WriteSign {
        try await store.look(
            for: WriteQuestion(since: mark, asksForWriter: false, asksForWork: work), now: boot(1))
    }

    @Test func `S3: it is emptied by the look that sees it`() async throws {
        let cache = try Cache()
        let mark = try await look(cache.store, since: nil).mark
        try Self.fill(cache.path)
        let count = try await cache.rows("SELECT count(*) FROM todos")
        let sign = try await look(cache.store, since: mark)
        #expect(sign.work?.sendable == [.todos])
        #expect(try cache.walSize <= 8 * 4120)
        #expect(try await cache.rows("SELECT count(*) FROM todos") == count)
        // What the look committed itself is known as its own.
        #expect(sign.mark.ownCommits > mark.ownCommits)
        #expect(try await look(cache.store, since: sign.mark).work == nil)
        try await cache.expectLawful()
    }

    @Test func `S3: one whose writer still holds the lock is emptied when that is gone`()
        async throws
    {
        let cache = try Cache()
        var mark = try await look(cache.store, since: nil).mark
        try Self.fill(cache.path)
        // As between the moment at which a commit can be seen and the end of its transaction.
        let writer = try cache.script()
        try writer.run("BEGIN IMMEDIATE")
        let sign = try await look(cache.store, since: mark)
        #expect(sign.isWriterActive == true)
        #expect(try cache.walSize > Self.limit)
        mark = sign.mark
        writer.rollBack()
        _ = try await look(cache.store, since: mark)
        #expect(try cache.walSize <= 8 * 4120)
    }

    @Test func `S3: one that a reader holds is left, and emptied after the next commit`()
        async throws
    {
        let cache = try Cache()
        var mark = try await look(cache.store, since: nil).mark
        let reader = try cache.script()
        try reader.run("BEGIN")
        _ = try reader.rows("SELECT count(*) FROM todos")
        try Self.fill(cache.path)
        mark = try await look(cache.store, since: mark).mark
        #expect(try cache.walSize > Self.limit)
        reader.rollBack()
        // Without a commit nothing is tried again.
        mark = try await look(cache.store, since: mark).mark
        #expect(try cache.walSize > Self.limit)
        try cache.script().run("INSERT INTO todos(title) VALUES ('last')")
        _ = try await look(cache.store, since: mark)
        #expect(try cache.walSize <= 8 * 4120)
    }

    @Test func `S3: on a disk that it has filled everything goes on when there is space again`()
        async throws
    {
        try #require(fault_vfs_install() == 0)
        let scratch = try ScratchDirectory()
        let path = scratch.database
        try Cache.makeEmptyFile(path)
        // A machine that no other test uses, both its owners: the simulations beside this test turn the
        // switch between them.
        let owners: [Int32] = [12, 13]
        fault_vfs_watch(12, path)
        defer { for owner in owners { fault_vfs_calm(owner) } }
        let store = try Cache.open(.file(path))
        try Self.fill(path)
        for owner in owners { fault_vfs_arm_full_disk(owner, 0, .max) }
        // It sees what waits, though the database cannot grow by what the log has.
        let sign = try await look(store, since: nil, work: true)
        #expect(sign.work?.sendable == [.todos])
        try await store.checkpointIfDue()
        await #expect(throws: StoreError.diskFull) { try await store.add("milk") }
        // Space for the log, and none for the database.
        for owner in owners { fault_vfs_calm(owner) }
        _ = try await store.add("milk")
        let first = try #require(try await store.outbox().first?.sequence)
        #expect(try await store.take([first]).count == 1)
        #expect(try Self.walSize(path) > Self.limit)
        _ = try await look(store, since: sign.mark, work: true)
        #expect(try Self.walSize(path) <= 8 * 4120)
        #expect(try await StoreInvariants.violations(in: store) == [])
    }

    private static func walSize(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "-wal")
        return try #require(attributes[.size] as? Int)
    }
}
