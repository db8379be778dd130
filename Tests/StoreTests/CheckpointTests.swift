import Declarations
import Foundation
import Rules
import SQLite
import Store
import Testing

@Suite struct `checkpoints and the WAL` {
    private func file(_ cache: Cache) throws -> Data { try cache.contents()[0] }

    /// What the end of a cycle does.
    private func conclude(_ cache: Cache, attempted: Int64) async throws {
        try await cache.store.checkpointIfDue()
        try await cache.store.record(
            CycleRecord(
                list: .todos, state: .ok, attemptedAt: noon,
                pull: PullFacts(began: boot(attempted), rows: nil, complete: nil), failures: 0,
                error: nil, due: boot(attempted + 1), dueShown: noon, dueAskedUntil: nil,
                durationMilliseconds: attempted))
    }

    @Test func `data that was pulled is in the file after the cycle`() async throws {
        let cache = try Cache()
        let before = try file(cache)
        try await cache.store.pull(list((1...100).map { ($0, "todo \($0)") }))
        #expect(try file(cache) == before)
        try await conclude(cache, attempted: 1)
        #expect(try file(cache) != before)
        // The status row is the first commit into the emptied WAL: header and one frame.
        #expect(try cache.walSize == 32 + 4120)
        let alone = try Connection(.file(cache.path), access: .readOnly, busyTimeout: .zero)
        #expect(try alone.count("SELECT count(*) FROM todos") == 100)
    }

    @Test func `unchanged cycles leave the file as it is, and the WAL bounded`() async throws {
        let cache = try Cache()
        let body = list((1...100).map { ($0, "todo \($0)") })
        try await cache.store.pull(body)
        try await conclude(cache, attempted: 1)
        let before = try file(cache)
        var largest = 0
        for cycle in 2...200 {
            let size = try cache.walSize
            try await cache.store.pull(body)
            try await conclude(cache, attempted: Int64(cycle))
            #expect(try cache.walSize - size <= 3 * 4120)
            #expect(try file(cache) == before)
            largest = max(largest, try cache.walSize)
        }
        for cycle in 201...900 {
            try await conclude(cache, attempted: Int64(cycle))
            largest = max(largest, try cache.walSize)
        }
        #expect(largest <= 260 * 4120)
    }

    @Test func `a script that holds the write lock puts it off, and is not disturbed`() async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "a")]))
        let before = try file(cache)
        let script = try cache.script()
        try script.run("BEGIN IMMEDIATE")
        try script.run("INSERT INTO todos (title) VALUES ('under way')")
        try await cache.store.checkpointIfDue()
        #expect(try file(cache) == before)
        try script.run("COMMIT")
        try await cache.store.checkpointIfDue()
        #expect(try file(cache) != before)
        #expect(try await cache.store.todos(search: nil).count == 2)
        try await cache.expectLawful()
    }

    @Test func `a reader keeps its view while the WAL is copied, and writers go on`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "old")]))
        let reader = try cache.script()
        try reader.run("BEGIN")
        #expect(try reader.rows("SELECT title FROM todos") == ["old"])
        try await cache.store.pull(list([(1, "new")]))
        try await cache.store.checkpointIfDue()
        #expect(try reader.rows("SELECT title FROM todos") == ["old"])
        _ = try await cache.store.add("more")
        reader.rollBack()
        #expect(try reader.rows("SELECT title FROM todos ORDER BY id") == ["new", "more"])
        try await cache.expectLawful()
    }

    @Test func `a reader that stays for long does not keep it from being tried again`() async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "old")]))
        try await conclude(cache, attempted: 1)
        let reader = try cache.script()
        try reader.run("BEGIN")
        _ = try reader.rows("SELECT title FROM todos")
        let before = try file(cache)
        try await cache.store.pull(list([(1, "new")]))
        try await cache.store.checkpointIfDue()
        // The status row, which the reader sees, may be copied; what is newer may not.
        let half = try file(cache)
        #expect(half != before)
        reader.rollBack()
        try await cache.store.checkpointIfDue()
        #expect(try file(cache) != half)
    }

    @Test func `nothing was written, so nothing is copied`() async throws {
        let cache = try Cache()
        let before = try cache.contents()
        try await cache.store.checkpointIfDue()
        #expect(try cache.contents() == before)
    }

    @Test func `WAL and index stay when everybody has closed the file`() async throws {
        let cache = try Cache()
        do {
            let other = try cache.reopened()
            _ = try await other.add("milk")
        }
        #expect(FileManager.default.fileExists(atPath: cache.path + "-wal"))
        for name in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: cache.path + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}

@Suite struct `durability` {
    /// `PRAGMA synchronous` of the store's connection: 1 is NORMAL, 2 is FULL.
    private func synchronous(_ cache: Cache) async throws -> String {
        try #require(try await cache.rows("PRAGMA synchronous").first)
    }

    @Test func `P3: what a person must not lose is synced, what a pull brings again is not`()
        async throws
    {
        let cache = try Cache()
        #expect(try await synchronous(cache) == "2")
        try await cache.store.pull(list([(1, "a"), (2, "b")]))
        #expect(try await synchronous(cache) == "1")
        _ = try await cache.store.add("milk")
        #expect(try await synchronous(cache) == "2")
        try await cache.store.pauseReplay(of: .todos, until: boot(1), askedUntil: nil)
        #expect(try await synchronous(cache) == "1")
        try await cache.store.removeTodos([TodoID(rawValue: 1)])
        #expect(try await synchronous(cache) == "2")
        try await cache.store.pull(movies: [movies(1...2)])
        #expect(try await synchronous(cache) == "1")
        let create = try #require(try await cache.store.outbox().first?.sequence)
        _ = try await cache.store.take([create])
        #expect(try await synchronous(cache) == "2")
        _ = try await cache.store.requestSync(of: nil, acceptsRemovals: false)
        #expect(try await synchronous(cache) == "1")
        _ = try await cache.store.settle(create, .rejected(wait(1)))
        #expect(try await synchronous(cache) == "2")
        try await cache.store.pull("[]")
        try await cache.store.retry([create])
        #expect(try await synchronous(cache) == "2")
        try await cache.store.pull("[]")
        try await cache.store.drop([create])
        #expect(try await synchronous(cache) == "2")
    }

    @Test func `the connection is set up for a file that others write to`() async throws {
        let cache = try Cache()
        for (pragma, value) in [
            ("journal_mode", "wal"), ("wal_autocheckpoint", "0"), ("journal_size_limit", "0"),
            ("foreign_keys", "1"), ("cell_size_check", "1"), ("mmap_size", "0"),
            ("temp_store", "1"), ("temp.cache_size", "-65536"), ("temp.auto_vacuum", "1"),
            ("trusted_schema", "0"),
            ("busy_timeout", "2000"),
        ] {
            #expect(try await cache.rows("PRAGMA \(pragma)") == [value], "\(pragma)")
        }
    }
}
