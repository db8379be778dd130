import Declarations
import SQLite
import Store
import Tables
import Testing

@Suite struct `rows of a declared list` {
    private let cache: Cache
    private let notes: ListTable

    init() throws {
        cache = try Cache()
        notes = try Self.list(#""title": {"text": "$.title", "write": "create", "required": true}"#)
    }

    private static func list(_ columns: String, name: String = "notes") throws -> ListTable {
        ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/\(name)", "id": "$.id", "create": true, "delete": true,
                 "columns": {"nr": "@id", \(columns),
                             "si\\"ze": {"integer": "$.size", "write": "create"},
                             "changed": "text $.changed"}}
                """, name: name))
    }

    private func row(_ title: String?, _ size: Int64? = nil, at place: String? = nil) -> RowToAdd {
        RowToAdd(place: place, values: [.text(title), .integer(size)])
    }

    /// A row that a pull has brought.
    private func bringRow(_ id: Int64) async throws {
        try await cache.execute(
            """
            UPDATE control SET applying = 'notes';
            INSERT INTO s_notes VALUES (\(id), 'n\(id)', '{"id":"n\(id)","title":"one"}');
            INSERT INTO notes (nr, title, _server_id, _state) VALUES (\(id), 'one', 'n\(id)', 'synced');
            UPDATE control SET applying = NULL;
            """)
    }

    @Test func `a table that is not there is made, another one is not changed`() async throws {
        #expect(try await cache.store.table(of: notes) == notes)
        #expect(try await cache.store.tables().contains(notes))
        _ = try await cache.store.addRows([row("a")], to: notes)
        let other = try Self.list(#""name": {"text": "$.name", "write": "create"}"#)
        #expect(try await cache.store.table(of: other) == notes)
        #expect(try await cache.reopened().table(of: other) == notes)
        #expect(try await cache.rows("SELECT title FROM notes") == ["a"])
        // The status names it, and nothing was pulled.
        #expect(
            try await cache.rows("SELECT rows, state FROM sync_status WHERE list = 'notes'")
                == ["1|waiting"])
        try await cache.expectLawful()
    }

    @Test func `a table of another program stays as it is`() async throws {
        try await cache.execute("CREATE TABLE notes (mine)")
        await #expect(throws: StoreError.foreignTable("notes")) {
            try await cache.store.table(of: notes)
        }
        #expect(try await cache.store.tables().contains(notes) == false)
    }

    @Test func `rows are added in order, and each has its create`() async throws {
        _ = try await cache.store.table(of: notes)
        let ids = try await cache.store.addRows(
            [row("a", .max), row("b", nil), row("c", 9_007_199_254_740_993)], to: notes)
        #expect(ids == [1, 2, 3])
        #expect(
            try await cache.rows(#"SELECT nr, title, "si""ze", changed, _state FROM notes"#) == [
                "1|a|9223372036854775807|-|queued", "2|b|-|-|queued",
                "3|c|9007199254740993|-|queued",
            ])
        #expect(
            try await cache.rows("SELECT list, op, row_id, state FROM outbox")
                == ["notes|create|1|queued", "notes|create|2|queued", "notes|create|3|queued"])
        #expect(try await cache.store.addRows([], to: notes) == [])
        try await cache.expectLawful()
    }

    @Test(arguments: ["uuid", "hex", "base36:12"])
    func `a mark is made where none is given`(form: String) async throws {
        let tasks = ListTable(
            try Declaration.stored(
                """
                {"server": "office", "list": "/tasks", "id": "$.id", "create": true,
                 "once": {"column": "key", "form": "\(form)"},
                 "columns": {"key": "text $.key", "title": {"text": "$.title", "write": "create"}}}
                """, name: "tasks"))
        _ = try await cache.store.table(of: tasks)
        let rows = [.null, .null, .text("mine")].map {
            RowToAdd(place: nil, values: [$0, .text("a")])
        }
        #expect(try await cache.store.addRows(rows, to: tasks) == [1, 2, 3])
        try await cache.execute("INSERT INTO tasks (title) VALUES ('a')")
        #expect(
            try await cache.rows("SELECT count(DISTINCT key), min(length(key)) FROM tasks") == [
                "4|4"
            ])
        #expect(
            try await cache.rows(
                "SELECT count(DISTINCT length(key)) FROM tasks WHERE key <> 'mine'")
                == ["1"])
        try await cache.expectLawful()
    }

    @Test func `a row that is refused is named, and none is added`() async throws {
        _ = try await cache.store.table(of: notes)
        await #expect(throws: StoreError.refused("line 2: title of notes must be given")) {
            try await cache.store.addRows(
                [row("a", at: "line 1"), row(nil, 1, at: "line 2"), row("c", at: "line 3")],
                to: notes)
        }
        await #expect(throws: StoreError.refused("title of notes must be given")) {
            try await cache.store.addRows([row("a"), row(nil)], to: notes)
        }
        #expect(try await cache.rows("SELECT * FROM notes") == [])
        #expect(try await cache.rows("SELECT * FROM outbox") == [])
    }

    @Test func `a row that was never sent goes, for another one a delete waits`() async throws {
        _ = try await cache.store.table(of: notes)
        try await bringRow(1)
        #expect(try await cache.store.addRows([row("a"), row("b")], to: notes) == [2, 3])
        let deletes = try await cache.store.removeRows([3, 1], of: notes)
        #expect(
            try await cache.rows("SELECT seq, op, row_id FROM outbox WHERE op = 'delete'")
                == deletes.map { "\($0)|delete|1" })
        #expect(deletes.count == 1)
        #expect(try await cache.rows("SELECT nr FROM notes") == ["2"])
        try await cache.expectLawful()
    }

    @Test func `an unknown id is named, and no row is deleted`() async throws {
        _ = try await cache.store.table(of: notes)
        _ = try await cache.store.addRows([row("a")], to: notes)
        let error = await #expect(throws: StoreError.unknownRow(9, of: notes.declaration.name)) {
            try await cache.store.removeRows([1, 9], of: notes)
        }
        #expect(error?.description == "notes has no row 9")
        #expect(error?.hint == "See `syncd list notes` for the ids.")
        #expect(try await cache.rows("SELECT nr FROM notes") == ["1"])
    }

    @Test func `a list says what its server has no call for`() throws {
        let movies = ListTable(
            .movies(isEnabled: true, language: nil, region: nil, interval: .seconds(60)))
        #expect(
            movies.noInsert
                == "no row can be added to movies, because the server has no call for it")
        #expect(
            movies.noDelete
                == "a row of movies cannot be deleted, because the server has no call for it")
        #expect(movies.givable == [])
        #expect(notes.noInsert == nil)
        #expect(notes.noDelete == nil)
        #expect(notes.givable.map(\.name) == ["title", "si\"ze"])
    }
}
