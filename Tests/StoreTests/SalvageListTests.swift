import Declarations
import Recovery
import SQLite
import Store
import Tables
import TestSupport
import Testing

/// What a salvage keeps of a list that somebody has declared, and that programs write to.
@Suite struct `a salvage of declared lists` {
    private static let tables = ["notes", "s_notes", "d_notes", "operation", "account"]
    private let notes = DeclaredLists.notes
    private let next = RowToAdd(values: [.text("next"), .null, .null, .null])

    @Test func `D3: what can be read of every list is kept column by column`() async throws {
        let cache = try await DamagedCache.withNotes()
        let queries = Self.tables.map { "SELECT * FROM \($0) ORDER BY 1" } + [queueQuery]
        let before = try queries.map(cache.rows)
        #expect(before[0].count == 10)
        #expect(
            try cache.rows("SELECT * FROM notes WHERE nr = 7").first?.hasPrefix(
                #"7|new 7|1|9223372036854775800|{"n":7}|-|rejected|no|"#) == true)
        let report = try await cache.salvaged()
        #expect(report.losses == [])
        #expect(report.operations == 8 + 9)
        #expect(report.doubtful == 2 + 3)
        #expect(try queries.map(cache.rows) == before)
        #expect(
            try cache.rows("SELECT list, change FROM changes ORDER BY rev")
                == ["movies|reset", "notes|reset", "todos|reset", "outbox|reset"])
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.check().filter { $0.severity != .note } == [])
        #expect(try await store.addRows([next], to: notes) == [13])
    }

    @Test func `what a person typed and another has overwritten is kept`() async throws {
        let cache = try await DamagedCache.withNotes()
        try cache.directory.sqlite(
            """
            INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
            VALUES (1, 'notes', 2, 'title', 'edited', 'ours', NULL), (2, 'gone', 5, 'x', 'gone', 7, NULL)
            """)
        let before = try cache.rows("SELECT * FROM conflicts")
        #expect(before.count == 2)
        let report = try await cache.salvaged()
        #expect(report.losses == [])
        #expect(try cache.rows("SELECT * FROM conflicts") == before)
    }

    @Test func `what the server has of rows is made of rows where it cannot be read`() async throws
    {
        let cache = try await DamagedCache.withNotes()
        let queries = ["notes", "d_notes", "operation"].map { "SELECT * FROM \($0) ORDER BY 1" }
        let before = try queries.map(cache.rows)
        let report = try await cache.salvaged(spoiling: "s_notes")
        #expect(report.losses == ["every row of notes"])
        #expect(report.isClosed)
        #expect(try queries.map(cache.rows) == before)
        #expect(
            try cache.rows("SELECT * FROM s_notes WHERE id < 3 ORDER BY id") == [
                """
                1|n1|{"ref":{"id":"n1","size":1},"title":"pulled 1","done":false,"extra":{"a":[1,"ü",null]}}
                """,
                """
                2|n2|{"ref":{"id":"n2","size":2},"title":"pulled 2","done":true,"extra":{"a":[1,"ü",null]}}
                """,
            ])
    }

    @Test func `rows of the server come back from documents, and others are named`() async throws {
        let cache = try await DamagedCache.withNotes()
        let columns = "SELECT nr, title, done, size, extra, _server_id, _state, _error FROM notes"
        let before = try cache.rows(columns + " WHERE _server_id IS NOT NULL ORDER BY nr")
        let lost = try cache.rows(
            """
            SELECT 'the content of operation ' || seq FROM operation
            WHERE list = 'notes' AND row_id IN (7, 8, 9, 11, 12) ORDER BY seq
            """)
        let report = try await cache.salvaged(spoiling: "notes")
        #expect(report.losses == ["every row of notes"] + lost)
        #expect(try cache.rows(columns + " ORDER BY nr") == before)
        #expect(
            try cache.rows(
                "SELECT op, row_id, state FROM outbox WHERE list = 'notes' ORDER BY seq")
                == [
                    "create|10|in doubt", "delete|2|queued", "delete|3|rejected",
                    "delete|10|queued",
                ])
        // The todos are another list.
        #expect(try cache.rows("SELECT count(*) FROM outbox WHERE list = 'todos'") == ["8"])
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.addRows([next], to: notes) == [13])
    }

    @Test func `rows that waited for a delete stay hidden`() async throws {
        let cache = try await DamagedCache.withNotes()
        let queue = "SELECT * FROM operation WHERE row_id <> 10 ORDER BY seq"
        let before = try [queue, "SELECT * FROM notes ORDER BY nr"].map(cache.rows)
        let report = try await cache.salvaged(spoiling: "d_notes")
        // The note that was being added has gone, so there is nothing to find it by.
        let lost = try #require(report.losses.first)
        #expect(lost == "every row of notes")
        #expect(report.losses.dropFirst().count == 2)
        #expect(try [queue, "SELECT * FROM notes ORDER BY nr"].map(cache.rows) == before)
        #expect(
            try cache.rows("SELECT id, c_title, c_done, c_size, c_extra, server_id FROM d_notes")
                == [#"2|pulled 2|1|2|{"a":[1,"ü",null]}|n2"#])
    }

    @Test func `names what it could not read of a long list`() async throws {
        let cache = try await DamagedCache.withNotes()
        try cache.directory.sqlite(
            """
            INSERT INTO notes (title) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL
                SELECT i + 1 FROM n LIMIT 300) SELECT printf('%060d', i) FROM n;
            PRAGMA wal_checkpoint(TRUNCATE)
            """)
        let all = try cache.rows("SELECT count(*) FROM operation")
        var bytes = try cache.bytes()
        let first = (try cache.root(of: "notes") - 1) * 4096
        #expect(bytes[first] == 5, "an interior page")
        let cell = first + Int(bytes[first + 14]) * 256 + Int(bytes[first + 15])
        let child = bytes[cell..<cell + 4].reduce(0) { $0 << 8 | Int($1) }
        for offset in 0..<4096 { bytes[(child - 1) * 4096 + offset] = 0 }
        try cache.write(bytes)
        let report = try await cache.salvaged()
        let told = try #require(report.losses.first?.wholeMatch(of: /rows (\d+) to (\d+) of notes/))
        let count = try #require(Int(told.2)) - #require(Int(told.1)) + 1
        #expect(count > 10)
        #expect(report.losses.count == 1 + count)
        #expect(all == ["\(report.operations + count)"])
    }

    @Test(arguments: [
        "UPDATE declared_list SET declaration = '{' WHERE name = 'notes'",
        "UPDATE declared_list SET declaration = replace(declaration, 'done', 'dine') WHERE name = 'notes'",
    ])
    func `without its declaration the operations of a list are named`(sql: String) async throws {
        let cache = try await DamagedCache.withNotes()
        let lost = try cache.rows(
            "SELECT 'the content of operation ' || seq FROM operation WHERE list = 'notes' ORDER BY seq"
        )
        let report = try await cache.salvaged(after: sql)
        #expect(report.losses == ["the declaration of notes"] + lost)
        #expect(report.operations == 8)
        #expect(
            try cache.rows("SELECT name FROM sqlite_schema WHERE name GLOB '*notes*'") == [])
        // The next sync makes it, and its readers are told.
        #expect(
            try cache.rows("SELECT count(*) FROM changes WHERE list = 'notes'") == ["1"])
    }

    @Test func `without any declaration the todos are kept`() async throws {
        let cache = try await DamagedCache.withNotes()
        let query = queueQuery.replacing("ORDER", with: "WHERE list = 'todos' ORDER")
        let before = try cache.rows(query)
        let report = try await cache.salvaged(spoiling: "declared_list")
        #expect(report.losses.first == "the declaration of notes")
        #expect(report.losses.count == 1 + 9)
        #expect(try cache.rows(query) == before)
        #expect(report.isClosed)
    }

    @Test func `a list that programs only read is made by the next sync`() async throws {
        let cache = try await DamagedCache.withNotes()
        let news = DeclaredLists.list(
            "news", #""id": "$.id", "columns": {"title": "text $.title"}"#)
        _ = try await Cache.open(.file(cache.path)).table(of: news)
        let report = try await cache.salvaged()
        #expect(report.losses == [])
        #expect(try cache.rows("SELECT name FROM declared_list") == ["movies", "notes", "todos"])
        #expect(try cache.rows("SELECT change FROM changes WHERE list = 'news'") == ["reset"])
    }

    @Test func `of a list that takes no new rows what is only shown is dropped`() async throws {
        let cache = try await DamagedCache.withNotes()
        let bin = DeclaredLists.list(
            "bin", #""id": "$.id", "delete": true, "columns": {"title": "text $.title"}"#)
        _ = try await Cache.open(.file(cache.path)).table(of: bin)
        let report = try await cache.salvaged(
            after: """
                UPDATE control SET applying = 'bin';
                INSERT INTO bin (_id, title, _server_id, _state) VALUES (1, 'a', 'b1', 'synced'), (2, 'b', NULL, 'synced');
                DELETE FROM bin WHERE _id = 1; UPDATE control SET applying = NULL;
                INSERT INTO d_bin (id, c_title, server_id) VALUES (1, 'a', 'b1');
                INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
                VALUES ('bin', 'delete', 1, lower(hex(randomblob(16))), 0)
                """)
        #expect(report.losses == [])
        #expect(try cache.rows("SELECT * FROM bin") == [])
        #expect(
            try cache.rows("SELECT * FROM s_bin") == [#"1|b1|{"id":"b1","title":"a"}"#])
        #expect(
            try cache.rows("SELECT op, title, state FROM outbox WHERE list = 'bin'")
                == ["delete|a|queued"])
    }

    // MARK: Laws

    @Test func `a row of one list mends no row of another`() async throws {
        let cache = try await DamagedCache.withNotes()
        // The note 11 has arrived, and the todo 11 has not. A delete waits for the note 12, which was not sent.
        let report = try await cache.salvaged(
            after: """
                INSERT INTO s_notes VALUES (11, 'n11', '{"ref":{"id":"n11"},"title":"new 11"}');
                INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
                VALUES ('notes', 'delete', 12, lower(hex(randomblob(16))), 0)
                """)
        #expect(report.losses == [])
        let state = """
            SELECT list, row_id, op, state FROM outbox WHERE row_id > 10 ORDER BY list, row_id, op
            """
        #expect(
            try cache.rows(state) == [
                "notes|12|create|in doubt", "notes|12|delete|queued", "todos|11|create|queued",
                "todos|12|create|queued", "todos|13|create|queued",
            ])
    }

    @Test(arguments: [
        ("title = NULL", "title"), ("title = ''", "title"), ("done = 2", "done"),
        ("extra = x'5b00' || ''", "extra"),
    ])
    func `what no create can give is named with its row`(change: String, column: String)
        async throws
    {
        let cache = try await DamagedCache.withNotes()
        let report = try await cache.salvaged(
            after: """
                UPDATE control SET applying = 'notes'; UPDATE notes SET \(change) WHERE nr = 12;
                UPDATE control SET applying = NULL
                """)
        #expect(report.losses == ["the \(column) of row 12 of notes"])
        #expect(
            try cache.rows("SELECT * FROM outbox WHERE list = 'notes' AND row_id = 12") == [])
        #expect(try cache.rows("SELECT title FROM todos WHERE id = 12") == ["new 3"])
    }

    @Test func `a row that waits for a delete, and that nobody knows, may have been sent`()
        async throws
    {
        let cache = try await DamagedCache.withNotes()
        let report = try await cache.salvaged(
            after:
                "DELETE FROM operation WHERE list = 'notes' AND row_id = 10 AND kind = 'create'"
        )
        #expect(report.losses == [])
        #expect(
            try cache.rows(
                "SELECT op, state FROM outbox WHERE list = 'notes' AND row_id = 10 ORDER BY op")
                == ["create|in doubt", "delete|queued"])
    }

    @Test func `a local id is never used again, where the last one cannot be read`() async throws {
        let cache = try await DamagedCache.withNotes()
        _ = try await cache.salvaged(spoiling: "sqlite_sequence")
        let store = try Cache.open(.file(cache.path))
        #expect(
            try await store.addRows([next], to: notes) == [100_013])
    }

    @Test func `an id of a hidden row is not used again either`() async throws {
        let cache = try await DamagedCache.withNotes()
        try await Cache.open(.file(cache.path)).removeRows([12, 11, 6], of: notes)
        _ = try await cache.salvaged(after: "DELETE FROM sqlite_sequence WHERE name = 'notes'")
        let store = try Cache.open(.file(cache.path))
        #expect(try await store.addRows([next], to: notes) == [13])
    }
}
