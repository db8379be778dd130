import Declarations
import Foundation
import Migrations
import SQLite
import Store
import Testing

@Suite struct `a cache of the first schema` {
    /// Made by the syncd of then, whose schema it still has.
    private func old() throws -> ScratchDirectory {
        let directory = try ScratchDirectory()
        try Cache.makeEmptyFile(directory.database)
        _ = try Cache.open(.file(directory.database), migrations: Array(Migration.all.prefix(1)))
        try directory.sqlite(
            """
            INSERT INTO account (list, base_url, email) VALUES ('todos', 'https://todos.example.com', 'me@example.com');
            UPDATE sync_state SET state = 'ok', row_count = 9, pulled_boot = 'b', pulled_ms = 1
            WHERE list = 'todos';
            INSERT INTO sync_requests (list) VALUES ('all');
            """)
        return directory
    }

    private let tables = [
        "account", "operation", "validator", "sync_state WHERE list = 'todos'", "hold",
        "held_row", "sync_request",
    ]

    private func content(_ path: String) throws -> [String] {
        let connection = try Connection(.file(path), access: .readOnly, busyTimeout: .zero)
        return try tables.flatMap { table in
            try connection.rows("SELECT * FROM \(table) ORDER BY 1")
                .map { "\(table) \($0)" }
        }
    }

    @Test func `it keeps every row, is searched and followed, and its copy stays beside it`()
        async throws
    {
        let directory = try old()
        let before = try content(directory.database)
        let store = try Cache.open(.file(directory.database))
        #expect(try content(directory.database) == before)
        #expect(try content(directory.database + ".before-2") == before)
        #expect(before.count == 3)
        #expect(try await store.check().filter { $0.severity != .note } == [])
        // What was there before is not told.
        #expect(try await store.lastRevision() == 0)
        #expect(try await store.status().map(\.rows) == [0, 0])
        try await store.pull(movies: [movies(7...8)])
        let found = try await store.searchMovies(text: "m7", from: nil, to: nil, limit: nil)
        #expect(found.map(\.id) == [7])
        try await store.pull(movies: [movies(8...9)])
        let told = try await store.movieChanges(since: nil).map { "\($0.change) \($0.id)" }
        #expect(told == ["appeared 9", "vanished 7"])
        _ = try await store.add("eggs")
        #expect(try await store.todos(search: nil).map(\.id.rawValue) == [1])
        let revision = try await store.lastRevision()
        #expect(revision == 6)
    }

    @Test func `P26: a kill before the commit leaves the old schema and nothing else`() async throws
    {
        let directory = try old()
        let before = try content(directory.database)
        do {
            let connection = try Connection(
                .file(directory.database), access: .readWrite, busyTimeout: .zero)
            connection.keepWALOnClose()
            try connection.run("BEGIN IMMEDIATE")
            try connection.execute(script: Migration.all[1].text)
        }
        #expect(try content(directory.database) == before)
        _ = try Cache.open(.file(directory.database), migrations: Array(Migration.all.prefix(1)))
        #expect(try content(directory.database) == before)
    }

    @Test func `an older syncd refuses what a newer one migrated`() throws {
        let directory = try old()
        _ = try Cache.open(.file(directory.database))
        #expect(throws: StoreError.newerSchema(path: directory.database, found: 2, known: 1)) {
            try Cache.open(
                .file(directory.database), migrations: Array(Migration.all.prefix(1)))
        }
    }
}
