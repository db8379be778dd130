import Declarations
import Rules
import SQLite
import Store
import TestSupport
import Testing

/// What programs wrote while the triggers of the todos were not there, or did not run.
@Suite struct SweepTests {
    private static let triggers = ["todos_insert", "todos_update", "todos_delete"]

    /// Three todos of the server, and then what a tool leaves that makes the table anew.
    private static func cache(_ place: StorePlace = .memory) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(list([(7, "a"), (8, "b"), (9, "c")]))
        return cache
    }

    private static func loseTriggers(_ cache: Cache) async throws {
        for name in triggers { try await cache.write("DROP TRIGGER \(name)") }
    }

    private static func rows(_ cache: Cache) async throws -> [String] {
        try await cache.rows("SELECT id, title, state, server_id FROM todos ORDER BY id")
    }

    private static let pulled = ["1|a|synced|7", "2|b|synced|8", "3|c|synced|9"]

    @Test(arguments: StorePlace.allCases)
    func `what is written without triggers becomes what they would have made of it`(
        place: StorePlace
    ) async throws {
        let cache = try await Self.cache(place)
        try await Self.loseTriggers(cache)
        try await cache.write("INSERT INTO todos (title) VALUES ('new')")
        try await cache.write("UPDATE todos SET title = 'x', state = 'mine' WHERE id = 2")
        try await cache.write("DELETE FROM todos WHERE id = 1")
        let found = try await cache.store.beginPull(of: todosTable)
        #expect(found == UnseenWrites(lost: 1, new: 1, changed: 1, orphans: 0, rows: 3))
        #expect(try await Self.rows(cache) == Self.pulled + ["4|new|queued|-"])
        #expect(try await cache.store.outbox().map(\.kind) == ["create"])
        try await cache.expectLawful()
        #expect(try await cache.store.check().allSatisfy { $0.severity == .note })
        // And no more than once.
        #expect(try await cache.store.beginPull(of: todosTable) == nil)
    }

    @Test func `a row that left does not take its delete along, nor a create what it cannot send`()
        async throws
    {
        let cache = try await Self.cache()
        try await cache.store.removeTodos([TodoID(rawValue: 1)])
        _ = try await cache.store.create("gone", in: .queued)
        try await Self.loseTriggers(cache)
        try await cache.write("DELETE FROM todos WHERE title = 'gone'")
        try await cache.write("INSERT INTO todos (id, title) VALUES (1, 'a again')")
        let found = try await cache.store.beginPull(of: todosTable)
        #expect(found?.orphans == 1)
        #expect(try await Self.rows(cache) == Array(Self.pulled.dropFirst()))
        #expect(try await cache.store.outbox().map(\.kind) == ["delete"])
        try await cache.expectLawful()
    }

    @Test func `a row that cannot be sent is rejected, and says why`() async throws {
        let cache = try await Self.cache()
        try await Self.loseTriggers(cache)
        try await cache.write("INSERT INTO todos (title) VALUES (NULL), ('')")
        try await cache.store.beginPull(of: todosTable)
        let outbox = try await cache.store.outbox()
        #expect(outbox.map(\.state) == ["rejected", "rejected"])
        #expect(
            Set(outbox.map(\.lastError)) == [
                "the title cannot be sent as it is: drop the row, and add it again"
            ])
        try await cache.expectLawful()
    }

    @Test func `an id that cannot be given becomes the next one`() async throws {
        let cache = try await Self.cache()
        try await Self.loseTriggers(cache)
        try await cache.write(
            "INSERT INTO todos (id, title) VALUES (0, 'x'), (-7, 'y'), (9223372036854775807, 'z')")
        try await cache.store.beginPull(of: todosTable)
        #expect(
            try await Self.rows(cache)
                == Self.pulled + ["4|y|queued|-", "5|x|queued|-", "6|z|queued|-"])
        try await cache.expectLawful()
        try await cache.write("INSERT INTO todos (title) VALUES ('next')")
        #expect(try await Self.rows(cache).last == "7|next|queued|-")
        try await cache.expectLawful()
    }

    @Test func `what is written while a program has set applying is found`() async throws {
        let cache = try await Self.cache()
        try await cache.write("UPDATE control SET applying = 'todos'")
        try await cache.write("INSERT INTO todos (title) VALUES ('new')")
        try await cache.write("DELETE FROM todos WHERE id = 3")
        #expect(try await cache.store.beginPull(of: todosTable)?.new == 1)
        #expect(try await Self.rows(cache) == Self.pulled + ["4|new|queued|-"])
        try await cache.expectLawful()
    }

    @Test func `a table with rules of others is looked at before each pull`() async throws {
        let cache = try await Self.cache()
        try await cache.write("CREATE UNIQUE INDEX own ON todos (title)")
        #expect(try await cache.store.beginPull(of: todosTable) == nil)
        // It replaces the row of the same title, of which no trigger hears.
        try await cache.write("INSERT OR REPLACE INTO todos (title) VALUES ('a')")
        for _ in 1...2 {
            await #expect {
                try await cache.store.beginPull(of: todosTable)
            } throws: {
                if case StoreError.constraint = $0 { true } else { false }
            }
        }
        try await cache.write("DROP INDEX own")
        #expect(try await cache.store.beginPull(of: todosTable)?.lost == 1)
        #expect(try await Self.rows(cache) == Self.pulled + ["4|a|queued|-"])
        try await cache.expectLawful()
    }

    @Test func `a table whose triggers are there is not read`() async throws {
        let cache = try await Self.cache()
        // What no sweep looks at stays, until the triggers are found missing.
        try await cache.write("UPDATE control SET applying = 'todos'")
        try await cache.write("UPDATE todos SET title = 'x' WHERE id = 1")
        try await cache.write("UPDATE control SET applying = NULL")
        #expect(try await cache.store.beginPull(of: todosTable) == nil)
        try await cache.write("DROP TRIGGER todos_update")
        #expect(try await cache.store.beginPull(of: todosTable)?.changed == 1)
    }

    /// More than 100 rows, and more than a hundredth of all.
    @Test(arguments: [(0, 100, true), (0, 101, false), (10_000, 101, true), (9_900, 101, false)])
    func `too much is not taken unasked`(known: Int, new: Int, isTaken: Bool) async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list((0..<known).map { ($0, "a") }))
        try await Self.loseTriggers(cache)
        try await cache.write(
            """
            INSERT INTO todos (title) WITH RECURSIVE n(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(new)) SELECT 'new' FROM n
            """)
        let found = UnseenWrites(
            lost: 0, new: Int64(new), changed: 0, orphans: 0, rows: Int64(known + new))
        guard !isTaken else {
            #expect(try await cache.store.beginPull(of: todosTable) == found)
            return try await cache.expectLawful()
        }
        let error = StoreError.unseenWrites(found, of: .todos)
        for _ in 1...2 {
            await #expect(throws: error) { try await cache.store.beginPull(of: todosTable) }
        }
        #expect(try await cache.store.outbox().isEmpty)
        // A person accepts it.
        for _ in 1...2 {
            let findings = try await cache.store.check()
            try await cache.store.fix(findings)
        }
        #expect(try await cache.store.outbox().count == new)
        #expect(try await cache.store.beginPull(of: todosTable) == nil)
        try await cache.expectLawful()
    }
}

extension Cache {
    fileprivate func write(_ sql: String) async throws { _ = try await rows(sql) }
}
