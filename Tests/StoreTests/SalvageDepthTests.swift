import Foundation
import Glibc
import Migrations
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `a salvage` {
    /// The rows of the view `todos`, without times.
    private func todos(_ store: CacheStore) async throws -> [String] {
        try await store.withConnection {
            try $0.rows("SELECT id, title, state, server_id FROM todos ORDER BY id")
        }
    }

    @Test func `finds the tables without the schema, and keeps ids, order and keys`() async throws {
        let cache = try await DamagedCache()
        let store = try Cache.open(.file(cache.path))
        let before = try await store.withConnection { try $0.rows(queueQuery) }
        let rows = try await todos(store)
        var bytes = try cache.bytes()
        for offset in 100..<4096 { bytes[offset] = 0xff }
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        #expect(report.losses == [])
        let again = try Cache.open(.file(cache.path))
        let after = try await again.withConnection { try $0.rows(queueQuery) }
        #expect(
            after == before.map { $0.replacingOccurrences(of: "|sending|", with: "|in doubt|") })
        let saved = try await todos(again)
        #expect(
            saved == rows.map { $0.replacingOccurrences(of: "|sending|", with: "|in doubt|") })
    }

    @Test func `puts what is queued in doubt where a commit of the log is missing`() async throws {
        let cache = try await DamagedCache(inTheLog: true)
        var log = try cache.bytes("-wal")
        log[32 + 24 + 2000] ^= 1
        try cache.write(log, "-wal")
        let report = try #require(try cache.salvage())
        #expect(report.damage.contains("write-ahead log"))
        let store = try Cache.open(.file(cache.path))
        let states = try await store.withConnection {
            try $0.rows("SELECT DISTINCT op, state FROM outbox ORDER BY 1, 2")
        }
        #expect(!states.contains("create|queued"), "\(states)")
        // Since now, and by no key of before.
        let since = try await store.withConnection {
            try $0.rows(
                """
                SELECT DISTINCT sent_boot, sent_ms, first_sent_boot <> sent_boot FROM operation
                WHERE last_error LIKE 'the cache was damaged%'
                """)
        }
        #expect(since == ["first|9000|1"])
    }

    @Test func `names what it could not read`() async throws {
        let cache = try await DamagedCache(todos: 300)
        var bytes = try cache.bytes()
        // The second leaf of the operations, wherever it is: pages that hold keys, but not the root.
        let root = try cache.root(of: "operation")
        let first = (root - 1) * 4096
        #expect(bytes[first] == 5, "an interior page")

        let cell = first + Int(bytes[first + 14]) * 256 + Int(bytes[first + 15])
        let child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        for offset in 0..<4096 { bytes[(child - 1) * 4096 + offset] = 0 }
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        #expect(report.losses.count == 1, "\(report.losses)")
        #expect(report.losses.first?.hasPrefix("operations ") == true, "\(report.losses)")
        #expect(report.hint.contains("backup"))
        let store = try Cache.open(.file(cache.path))
        // Their todos could be read: they may have been sent.
        #expect(report.operations == 304)
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [])
    }

    @Test func `that was cut off in the middle of the switch goes on`() async throws {
        let cache = try await DamagedCache()
        var bytes = try cache.bytes()
        bytes[3] ^= 1
        try cache.write(bytes)
        let report = try #require(try cache.salvage())
        // As it was between the two renames; a starting process has made an empty file meanwhile.
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: cache.path + suffix) {
            try FileManager.default.moveItem(
                atPath: cache.path + suffix, toPath: cache.path + ".salvaged" + suffix)
        }
        try Cache.makeEmptyFile(cache.path)
        let error = #expect(throws: StoreError.self) { try Cache.open(.file(cache.path)) }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try cache.salvage() == nil)
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.outbox().count == report.operations)
    }

    @Test func `refuses a log of another database, and leaves all untouched`() async throws {
        let cache = try await DamagedCache()
        let other = try ScratchDirectory(inMemory: true)
        try Cache.makeEmptyFile(other.database)
        let connection = try Connection(
            .file(other.database), access: .readWrite, busyTimeout: .zero)
        connection.keepWALOnClose()
        try connection.execute(
            script: """
                PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                CREATE TABLE theirs (a); INSERT INTO theirs VALUES (zeroblob(20000));
                """)
        let log = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: other.database + "-wal")))
        try cache.write(log, "-wal")
        let before = try cache.bytes()
        // The pages of the other database hide ours, and they say whose they are.
        #expect(throws: StoreError.foreignDatabase(path: cache.path)) { try cache.salvage() }
        #expect(try cache.bytes() == before)
        #expect(try cache.bytes("-wal") == log)
    }

    @Test func `of a file that was cut off saves what its log has`() async throws {
        let cache = try await DamagedCache(inTheLog: true)
        try cache.write([])
        let report = try cache.salvage()
        #expect(report?.damage.contains("is empty") == true)
        _ = try Cache.open(.file(cache.path))
    }

    @Test func `overwrites none of an earlier one`() async throws {
        let cache = try await DamagedCache()
        var moved: [String] = []
        for _ in 0..<3 {
            var bytes = try cache.bytes()
            bytes[3] ^= 1
            try cache.write(bytes)
            moved.append(try #require(try cache.salvage()).movedTo)
        }
        #expect(Set(moved).count == 3)
        #expect(DamagedCopy.all(of: cache.path).map(\.path) == moved.sorted())
        #expect(DamagedCopy.all(of: cache.path).allSatisfy { $0.note != nil })
    }

    @Test func `waits for a writer, and touches nothing while he writes`() async throws {
        let cache = try await DamagedCache()
        let root = try cache.root(of: "movie")
        var bytes = try cache.bytes()
        for offset in 0..<8 { bytes[(root - 1) * 4096 + offset] ^= 0x55 }
        try cache.write(bytes)
        let writer = try Connection(.file(cache.path), access: .readWrite, busyTimeout: .zero)
        try writer.run("BEGIN IMMEDIATE")
        #expect(throws: StoreError.busy) { try cache.salvage() }
        #expect(try cache.bytes() == bytes)
        writer.rollBack()
        #expect(try cache.salvage() != nil)
    }
}
