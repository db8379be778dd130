import Migrations
import Recovery
import SQLite
import Store
import TestSupport
import Testing

/// A sound cache that is set aside.
@Suite struct `a reset` {
    private func reset(_ cache: DamagedCache, leavingQueue: Bool) throws -> ResetOutcome {
        try Salvage(of: cache.path, migrations: Migration.all, wall: noon, now: boot(9000))
            .reset(leavingQueue: leavingQueue)
    }

    @Test func `waits for the operations of every list`() async throws {
        let cache = try await DamagedCache.withNotes()
        try cache.directory.sqlite("DELETE FROM operation WHERE list = 'todos'")
        #expect(try reset(cache, leavingQueue: false) == .refused(operations: 9))
        #expect(try cache.rows("SELECT count(*) FROM outbox WHERE list = 'notes'") == ["9"])
        #expect(try await Cache.open(.file(cache.path)).add("again") == TodoID(rawValue: 14))
    }

    @Test func `leaves them in the old file, which takes no more of any list`() async throws {
        let cache = try await DamagedCache.withNotes()
        let queue = "SELECT * FROM operation ORDER BY seq"
        let before = try cache.rows(queue)
        let program = try Connection(.file(cache.path), access: .readWrite, busyTimeout: .zero)
        #expect(try program.count("SELECT count(*) FROM notes") == 10)
        guard case .done(let aside, 17) = try reset(cache, leavingQueue: true) else {
            Issue.record("not done")
            return
        }
        #expect(try DamagedCacheFiles(cache).names.contains { aside.hasSuffix($0) })
        for sql in ["INSERT INTO notes (title) VALUES ('after')", "DELETE FROM notes WHERE nr = 1"]
        {
            let error = #expect(throws: SQLiteError.self) { try program.run(sql) }
            #expect(error?.message == "this cache was moved aside: open the cache again")
        }
        #expect(try program.rows(queue) == before)
        // The new one knows nothing of it, and whoever adds a row makes the table.
        let store = try Cache.open(.file(cache.path))
        #expect(try cache.rows("SELECT name FROM declared_list") == ["movies", "todos"])
        #expect(try cache.rows("SELECT * FROM account") == [])
        let notes = try await store.table(of: DeclaredLists.notes)
        let row = RowToAdd(values: [.text("new"), .null, .null, .null])
        #expect(try await store.addRows([row], to: notes) == [1])
        let violations = try await StoreInvariants.violations(in: store)
        #expect(violations == [])
    }
}
