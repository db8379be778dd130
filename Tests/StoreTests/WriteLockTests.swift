import CFaultVFS
import Declarations
import Host
import Rules
import SQLite
import Store
import Synchronization
import Tables
import TestSupport
import Testing

@Suite struct `the write lock during a pull` {
    /// Whether somebody holds the write lock of `cache`.
    private static func isLocked(_ script: Connection) -> Bool {
        do {
            try script.run("BEGIN IMMEDIATE")
            script.rollBack()
            return false
        } catch {
            return true
        }
    }

    /// How much of `work` is done beside the write lock and under it, in units of 100 000 steps of
    /// SQLite.
    private func signs(
        of cache: Cache, during work: (CacheStore) async throws -> Void
    ) async throws -> (beside: Int, under: Int) {
        let script = try cache.script()
        nonisolated(unsafe) let other = script
        let signs = Mutex((beside: 0, under: 0))
        cache.store.stopPulls {
            signs.withLock { if Self.isLocked(other) { $0.under += 1 } else { $0.beside += 1 } }
            return false
        }
        try await work(cache.store)
        return signs.withLock { $0 }
    }

    @Test func `S2: a list is read before it is taken`() async throws {
        let cache = try Cache()
        try await cache.store.withConnection { $0.setBusyTimeout(.zero) }
        let script = try cache.script()
        try script.run("BEGIN IMMEDIATE")
        await #expect(
            throws: StoreError.unusableBody("expected a list of todos, found object")
        ) { try await cache.store.pull("{}") }
        await #expect(throws: StoreError.busy) { try await cache.store.pull("[]") }
    }

    @Test func `S2: what is done under it grows with what changes, not with the list`() async throws
    {
        let cache = try Cache()
        let rows = (1...30_000).map { ($0, "todo \($0)") }
        try await cache.store.pull(list(rows))
        let body = list(rows + [(30_001, "added")])
        let (beside, under) = try await signs(of: cache) { try await $0.pull(body) }
        #expect(beside > 0)
        #expect(under == 0)
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["30001"])
    }

    @Test func `S2: pages are read and compared before it is taken`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...20_000)])
        try await cache.store.beginMoviesPull()
        let facts = try await cache.store.stage(envelope(movies(1...20_001)), page: 1)
        let (beside, under) = try await signs(of: cache) {
            _ = try await $0.publish([page(1, facts)], .complete)
        }
        #expect(beside > 0)
        #expect(under == 0)
        #expect(try await cache.rows("SELECT count(*) FROM movies") == ["20001"])
    }

    /// One after the other: each interrupts the next writer of the process that is watched.
    @Suite(.serialized) struct `after the comparison` {
        /// What another program can do to the cache between the comparison and the lock.
        @Test(
            arguments: [
                "UPDATE s_todos SET document = '{\"id\":2,\"title\":\"b\",\"x\":1}' WHERE server_id = '2'",
                "INSERT INTO todos(title) VALUES ('new')",
            ])
        func `S2: what another program commits before it is taken is reconciled, too`(
            change: String
        ) async throws {
            try #require(fault_vfs_install() == 0)
            let scratch = try ScratchDirectory()
            try Cache.makeEmptyFile(scratch.database)
            fault_vfs_watch(Interloper.owner, scratch.database)
            let store = try Cache.open(.file(scratch.database))
            let body = list([(1, "a"), (2, "b"), (3, "c")])
            try await store.pull(body)
            let other = Interloper(path: scratch.database, sql: change)
            other.arm()
            defer { other.disarm() }
            try await store.pull(body)
            #expect(other.outcome == "done")
            let rows = try await store.withConnection {
                try $0.rows(
                    "SELECT server_id, title, document FROM \(EveryTodo.rows) WHERE server_id IS NOT NULL"
                )
            }
            #expect(
                rows.sorted()
                    == [(1, "a"), (2, "b"), (3, "c")].map { id, title in
                        #"\#(id)|\#(title)|{"id":\#(id),"title":"\#(title)"}"#
                    })
            #expect(try await StoreInvariants.violations(in: store) == [])
        }

        @Test func `an edit that another program drops before it is taken is taken back, too`()
            async throws
        {
            try #require(fault_vfs_install() == 0)
            let scratch = try ScratchDirectory()
            try Cache.makeEmptyFile(scratch.database)
            fault_vfs_watch(Interloper.owner, scratch.database)
            let store = try Cache.open(.file(scratch.database))
            let notes = ListTable(
                try Declaration.stored(
                    """
                    {"server": "office", "list": "/notes", "id": "$.id", "update": true,
                     "columns": {"title": {"text": "$.title", "write": "update"}}}
                    """, name: "notes"))
            _ = try await store.table(of: notes)
            try await store.withConnection {
                try $0.execute(
                    script: """
                        UPDATE control SET applying = 'notes';
                        INSERT INTO s_notes VALUES (1, 'n1', '{"id":"n1","title":"a"}'),
                            (2, 'n2', '{"id":"n2","title":"b"}');
                        INSERT INTO notes (_id, title, _server_id, _state)
                        VALUES (1, 'a', 'n1', 'synced'), (2, 'b', 'n2', 'synced');
                        UPDATE control SET applying = NULL;
                        UPDATE notes SET title = 'ours';
                        DELETE FROM outbox WHERE row_id = 1;
                        """)
            }
            let other = Interloper(
                path: scratch.database, sql: "DELETE FROM outbox WHERE row_id = 2")
            other.arm()
            defer { other.disarm() }
            _ = try await store.openCycle(of: notes, now: BootTime(boot: "b", milliseconds: 0))
            #expect(other.outcome == "done")
            let rows = try await store.withConnection {
                try $0.rows("SELECT _id, title, _state FROM notes ORDER BY _id")
            }
            #expect(rows == ["1|a|synced", "2|b|synced"])
        }

        /// No program may write to the table of a list; one can, by the flag that syncd itself sets.
        @Test(
            arguments: [
                "DELETE FROM movies WHERE id = 2", "UPDATE movies SET document = '{}' WHERE id = 2",
                "UPDATE movies SET rank = 9 WHERE id = 2",
            ])
        func `S2: what another program does to a list before it is taken is mended`(
            change: String
        ) async throws {
            try #require(fault_vfs_install() == 0)
            let scratch = try ScratchDirectory()
            try Cache.makeEmptyFile(scratch.database)
            fault_vfs_watch(Interloper.owner, scratch.database)
            let store = try Cache.open(.file(scratch.database))
            try await store.pull(movies: [movies(1...3)])
            let other = Interloper(
                path: scratch.database,
                sql: """
                    UPDATE control SET applying = 'movies'; \(change);
                    UPDATE control SET applying = NULL
                    """)
            other.arm()
            defer { other.disarm() }
            try await store.pull(movies: [movies(1...3)])
            #expect(other.outcome == "done")
            let rows = try await store.withConnection {
                try $0.rows("SELECT id, rank, title, document FROM movies ORDER BY id")
            }
            #expect(
                rows == (1...3).map { #"\#($0)|\#($0)|m\#($0)|{"id":\#($0),"title":"m\#($0)"}"# })
            #expect(try await StoreInvariants.violations(in: store) == [])
        }
    }
}
