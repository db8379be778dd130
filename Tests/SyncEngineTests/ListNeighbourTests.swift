import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Tables
import TestSupport
import Testing

/// What other programs can do to a table of a list, and could not do to a view.
@Suite struct `other programs at the table of a list` {
    private func world(_ count: Int = 3) async throws -> ListWorld {
        let rows = (1...count).map { #"{"id":\#($0),"title":"n\#($0)"}"# }
        let world = try await ListWorld(
            ReferenceList(rows: rows, paging: .none, size: 9), pages: #""none""#)
        try await world.sync()
        return world
    }

    private func keep(_ numbers: [Int], in world: ListWorld) {
        world.change { list in list.rows = numbers.map { #"{"id":\#($0),"title":"n\#($0)"}"# } }
    }

    private func run(_ script: String, in world: ListWorld) async throws {
        try await world.world.store.withConnection { try $0.execute(script: script) }
    }

    @Test func `an index, a view and a trigger of their own work on, also in a table made anew`()
        async throws
    {
        let world = try await world()
        try await run(
            """
            CREATE INDEX mine ON notes (title);
            CREATE VIEW my_titles AS SELECT title FROM notes;
            CREATE TABLE seen (id INTEGER);
            CREATE TRIGGER my_trigger AFTER INSERT ON notes BEGIN INSERT INTO seen VALUES (NEW._id); END;
            """, in: world)
        keep([1, 2, 3, 4], in: world)
        try await world.sync()
        #expect(try await world.rows("SELECT id FROM seen") == ["4"])
        try await world.declare(
            pages: #""none""#, columns: #""title": "text $.title", "done": "boolean $.done""#)
        keep([1, 2, 3, 4, 5], in: world)
        try await world.sync()
        let seen = try await world.rows("SELECT id FROM seen")
        #expect(seen == ["4", "5"])
        #expect(try await world.rows("SELECT count(*) FROM my_titles") == ["5"])
        #expect(
            try await world.rows("SELECT name FROM pragma_index_list('notes') WHERE origin = 'c'")
                == ["mine"])
    }

    @Test(arguments: [
        ("CREATE UNIQUE INDEX mine ON notes (title)", "notes.title", "DROP INDEX mine"),
        (
            "CREATE TRIGGER mine BEFORE INSERT ON notes BEGIN SELECT RAISE(ABORT, 'not today'); END",
            "not today", "DROP TRIGGER mine"
        ),
        (
            "CREATE TRIGGER mine AFTER INSERT ON notes BEGIN INSERT INTO nowhere VALUES (1); END",
            "nowhere", "DROP TRIGGER mine"
        ),
    ])
    func `one that refuses the server's rows is named, and nothing is taken until it is gone`(
        sql: String, word: String, undo: String
    ) async throws {
        let world = try await world()
        try await run(sql, in: world)
        world.change { $0.rows.append(#"{"id":4,"title":"n1"}"#) }
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(report.error?.contains(word) == true, "\(report)")
        #expect(report.error?.contains("notes") == true, "\(report)")
        #expect(try await world.rows() == ["n1", "n2", "n3"])
        try await run(undo, in: world)
        world.world.time.advance(by: .seconds(3600))
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["n1", "n2", "n3", "n1"])
    }

    @Test(arguments: [
        ("ON DELETE CASCADE", ["1"]), ("ON DELETE SET NULL", ["1", "-"]), ("", ["1", "2"]),
    ])
    func `a foreign key follows a row that leaves, and never keeps it`(
        action: String, left: [String]
    ) async throws {
        let world = try await world()
        try await run(
            """
            CREATE TABLE mine (note INTEGER REFERENCES notes (_id) \(action));
            INSERT INTO mine VALUES (1), (2);
            """, in: world)
        keep([1, 3], in: world)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["n1", "n3"])
        #expect(try await world.rows("SELECT note FROM mine") == left)
        #expect(try await world.rows("PRAGMA foreign_keys") == ["1"])
    }

    @Test func `a foreign key loses no row when a table is made anew`() async throws {
        let world = try await world()
        try await run(
            """
            CREATE TABLE mine (note INTEGER REFERENCES notes (_id) ON DELETE CASCADE);
            INSERT INTO mine VALUES (1), (2);
            """, in: world)
        try await world.declare(
            pages: #""none""#, columns: #""title": "text $.title", "n": "real $.n""#)
        #expect(try await world.rows("SELECT note FROM mine") == ["1", "2"])
        keep([1, 3], in: world)
        try await world.sync()
        let left = try await world.rows("SELECT note FROM mine")
        #expect(left == ["1"])
    }

    @Test(arguments: [
        "DROP TABLE notes", "ALTER TABLE notes RENAME TO mine",
        "ALTER TABLE notes ADD COLUMN own TEXT",
        "DROP TRIGGER notes_insert; DROP TRIGGER notes_update",
        "DROP TRIGGER notes_update; ALTER TABLE notes RENAME COLUMN title TO name",
        """
        PRAGMA legacy_alter_table = ON; CREATE TABLE other AS SELECT * FROM notes; DROP TABLE notes;
        ALTER TABLE other RENAME TO notes; PRAGMA legacy_alter_table = OFF;
        """,
    ])
    func `a table that was dropped or changed is made again by the next pull`(
        script: String
    ) async throws {
        let world = try await world()
        let before = try await world.rows(
            "SELECT sql FROM sqlite_schema WHERE tbl_name = 'notes' ORDER BY 1")
        try await run(script, in: world)
        keep([1, 2, 4], in: world)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows() == ["n1", "n2", "n4"])
        let after = try await world.rows(
            "SELECT sql FROM sqlite_schema WHERE tbl_name = 'notes' ORDER BY 1")
        #expect(after == before)
        await #expect(throws: StoreError.self) {
            try await run("UPDATE notes SET title = 'x'", in: world)
        }
    }

    @Test(arguments: [
        "DROP TRIGGER operation_added", "DROP VIEW outbox", "DROP TABLE operation_row",
        "DROP VIEW sync_status",
    ])
    func `what names every list is made again by the next pull of one`(
        script: String
    ) async throws {
        let world = try await world()
        let schema = "SELECT sql FROM sqlite_schema ORDER BY 1"
        let before = try await world.rows(schema)
        try await run(script, in: world)
        #expect(try await world.rows(schema) != before)
        #expect(try await world.sync().state == .ok)
        #expect(try await world.rows(schema) == before)
    }

    @Test func `a table of another program is never taken for a list`() async throws {
        let world = try await world()
        try await run("CREATE TABLE films (id INTEGER)", in: world)
        let films = try Declaration.stored(
            #"{"list": "/films", "id": "$.id", "columns": {"a": "text $.a"}}"#, name: "films")
        await #expect(throws: StoreError.foreignTable("films")) {
            try await world.world.store.bring(to: [ListTable(films)])
        }
        #expect(
            try await world.rows("SELECT sql FROM sqlite_schema WHERE name = 'films'")
                == ["CREATE TABLE films (id INTEGER)"])
    }

    @Test func `every name of the cache's own is refused for a list`() async throws {
        let world = try await world()
        let names = try await world.rows(
            """
            SELECT name FROM sqlite_schema WHERE type IN ('table', 'view', 'index') AND tbl_name NOT GLOB 'notes*'
            """)
        #expect(names.count > 20)
        for name in names where !name.contains(" ") {
            #expect(throws: ListNameError.self, "\(name)") { try ListName(name) }
        }
    }
}
