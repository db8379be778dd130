import Declarations
import Foundation
import Recovery
import SQLite
import Store
import Testing

/// Programs that are connected to a damaged cache when it is moved aside.
@Suite struct `a program that is connected to a moved cache` {
    private let cache: DamagedCache
    private let program: Connection

    /// The queue can be read and written, the movies cannot.
    init() async throws {
        cache = try await DamagedCache()
        program = try Connection(.file(cache.path), access: .readWrite, busyTimeout: .zero)
        program.keepWALOnClose()
        // The schema is read, as by a program that has been at work for long.
        #expect(try program.count("SELECT count(*) FROM todos") > 0)
        try cache.spoil("movies")
    }

    private static let sentence = "this cache was moved aside: open the cache again"

    @Test func `D2: it finds in the new cache what it had committed`() async throws {
        try program.run("INSERT INTO todos (title) VALUES ('just before')")
        let report = try #require(try cache.salvage())
        #expect(report.losses == [])
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.todos(search: "just before").map(\.state) == ["queued"])
    }

    @Test func `D2: a command of ours starts again`() async throws {
        let store = try Cache.open(.file(cache.path))
        #expect(try cache.salvage() != nil)
        await #expect(throws: StoreError.replaced(path: cache.path)) {
            try await store.add("after")
        }
    }

    @Test(arguments: [
        "INSERT INTO todos (title) VALUES ('after')",
        "INSERT OR IGNORE INTO todos (title) VALUES ('a')",
        "DELETE FROM todos WHERE id = 3",
        "UPDATE outbox SET state = 'queued' WHERE state = 'rejected'",
        "DELETE FROM outbox WHERE state = 'rejected'",
        "INSERT INTO sync_requests (list) VALUES ('all')", "DELETE FROM sync_requests",
        "DELETE FROM operation", "UPDATE s_todos SET document = 'x'",
    ])
    func `D2: it is refused its next write`(sql: String) async throws {
        try program.run("INSERT INTO sync_requests (list) VALUES ('all')")
        let report = try #require(try cache.salvage())
        let error = #expect(throws: SQLiteError.self) { try program.run(sql) }
        #expect(error?.message == Self.sentence)
        #expect(!report.description.contains("gone on writing"))
        // Who opens the cache again writes to the new one.
        _ = try await Cache.open(.file(cache.path)).add("again")
    }

    /// The list has the name of a word of SQL.
    @Test(arguments: [
        "INSERT INTO \"order\" (title) VALUES ('after')", "DELETE FROM \"order\"",
        "UPDATE s_order SET document = 'x'", "DELETE FROM d_order",
    ])
    func `D2: it is refused its next write to any list`(sql: String) async throws {
        let order = DeclaredLists.list(
            "order",
            """
            "id": "$.id", "create": true, "delete": true,
            "columns": {"title": {"text": "$.title", "write": "create"}}
            """)
        let store = try Cache.open(.file(cache.path))
        _ = try await store.table(of: order)
        _ = try await store.addRows([RowToAdd(values: [.text("before")])], to: order)
        try program.execute(
            script: """
                INSERT INTO s_order VALUES (9, 'o9', '{"id":"o9"}');
                INSERT INTO d_order (id, c_title) VALUES (9, NULL);
                """)
        let report = try #require(try cache.salvage())
        #expect(report.isClosed)
        let error = #expect(throws: SQLiteError.self) { try program.run(sql) }
        #expect(error?.message == Self.sentence)
        let rows = try cache.rows("SELECT title, _state FROM \"order\" WHERE _server_id IS NULL")
        #expect(rows == ["before|queued"])
    }
}
