import Declarations
import SQLite
import Tables
import Testing

/// What each statement of a program does to a table, as docs/sql.md has it.
@Suite struct `a table that programs write to` {
    private let cache: Connection

    init() throws {
        cache = try Golden.cache(of: [
            Golden.todos, Golden.declaration("notes"), Golden.declaration("visits"),
        ])
        // The rows that a pull has brought.
        try cache.execute(
            script: """
                UPDATE control SET applying = 'todos';
                INSERT INTO s_todos VALUES (1, 'a', '{"id":"a","title":"milk"}');
                INSERT INTO todos (id, title, server_id, state) VALUES (1, 'milk', 'a', 'synced');
                UPDATE control SET applying = 'notes';
                INSERT INTO s_notes VALUES (1, 'n', '{"id":"n","title":"one","body":"x","done":false,"changed":"t"}');
                INSERT INTO notes (id, title, body, done, changed, _server_id, _state)
                VALUES (1, 'one', 'x', 0, 't', 'n', 'synced');
                UPDATE control SET applying = 'visits';
                INSERT INTO s_visits VALUES (1, 'v', '{"id":"v","place":"here"}');
                INSERT INTO visits (_id, place, _server_id, _state) VALUES (1, 'here', 'v', 'synced');
                UPDATE control SET applying = NULL;
                DELETE FROM change;
                """)
    }

    /// The rows of a query or of a RETURNING clause, their values joined by `|`.
    private func rows(_ sql: String) throws -> [String] {
        let statement = try cache.prepare(sql)
        var rows: [String] = []
        while try statement.step() {
            rows.append(
                (0..<statement.columnCount).map { statement.textOrNil($0) ?? "NULL" }
                    .joined(separator: "|"))
        }
        return rows
    }

    private func run(_ sql: String) throws { _ = try rows(sql) }

    /// Changes operations of the todos as syncd does: their rows are followed.
    private func changeQueue(_ change: String) throws {
        try run("UPDATE operation SET \(change)")
        let follow = ListTable(Golden.todos).rowStatements?.followDelete ?? []
        for row in try cache.all("SELECT row_id FROM operation", row: { $0.integer(0) }) {
            for sql in follow { try cache.run(sql, .integer(row)) }
        }
    }

    /// The sentence that refuses a statement.
    private func refusal(_ sql: String) -> String? {
        do {
            try run(sql)
            return nil
        } catch let error as SQLiteError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    private func queue() throws -> [String] {
        try rows("SELECT list, op, row_id, title, state FROM outbox ORDER BY seq")
    }

    private func changes() throws -> [String] {
        let changes = try rows(
            "SELECT list, change, title, state, op FROM change ORDER BY rev")
        try run("DELETE FROM change")
        return changes
    }

    // MARK: INSERT

    @Test func `an insert returns its id, and queues one create`() throws {
        #expect(
            try rows(
                "INSERT INTO todos (title) VALUES ('a'), ('b') RETURNING id, title, state, server_id"
            )
                == ["2|a|queued|NULL", "3|b|queued|NULL"])
        #expect(try rows("SELECT last_insert_rowid()") == ["3"])
        #expect(try queue() == ["todos|create|2|a|queued", "todos|create|3|b|queued"])
        #expect(
            try changes() == [
                "todos|added|a|queued|NULL", "outbox|added|a|queued|create",
                "todos|added|b|queued|NULL", "outbox|added|b|queued|create",
            ])
    }

    @Test(arguments: [
        ("title", "'x', 'synced'", "state"), ("title", "'x', 's'", "server_id"),
        ("title", "'x', 'e'", "error"), ("title", "'x', '2020'", "created_at"),
    ])
    func `bookkeeping of a new row is refused`(_: String, values: String, column: String) throws {
        #expect(
            refusal("INSERT INTO todos (title, \(column)) VALUES (\(values))")
                == "only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)"
        )
    }

    @Test(arguments: [
        ("NULL", "the title of a todo must be text"),
        ("''", "the title of a todo must not be empty"),
        ("char(32, 9, 8195)", "the title of a todo must not be blank"),
        ("printf('%4097s', 'x')", "the title of a todo must not be longer than 4096 bytes"),
        ("'a' || char(0)", "the title of a todo must not hold a NUL character"),
        ("CAST(x'61ff' AS TEXT)", "the title of a todo must be valid UTF-8"),
        ("CAST(x'eda080' AS TEXT)", "the title of a todo must be valid UTF-8"),
    ])
    func `a title that no server can have is refused, whatever the statement says`(
        value: String, sentence: String
    ) throws {
        for verb in ["INSERT", "INSERT OR IGNORE", "INSERT OR REPLACE", "INSERT OR FAIL"] {
            #expect(refusal("\(verb) INTO todos (title) VALUES (\(value))") == sentence)
        }
        #expect(try queue() == [])
    }

    @Test func `odd texts that are texts are taken`() throws {
        try run("INSERT INTO todos (title) VALUES (char(0xFFFE, 0xFFFF, 0x1F600)), (5)")
        #expect(try rows("SELECT title FROM todos WHERE id = 3") == ["5"])
        #expect(try queue().count == 2)
    }

    @Test func `an id above all before is taken, another one is refused`() throws {
        let used =
            "this id of todos was used before, or is too large: leave it out, and the row gets the next one"
        try run("INSERT INTO todos (id, title) VALUES (9, 'nine')")
        for id in ["0", "-1", "8", "4503599627370496"] {
            #expect(refusal("INSERT INTO todos (id, title) VALUES (\(id), 'x')") == used)
        }
        try run("DELETE FROM todos WHERE id = 9")
        try run("DELETE FROM withdrawn")
        #expect(refusal("INSERT INTO todos (id, title) VALUES (9, 'x')") == used)
        #expect(try rows("INSERT INTO todos (title) VALUES ('ten') RETURNING id") == ["10"])
    }

    @Test func `an id that a failed statement has used is not used again`() throws {
        #expect(
            refusal("INSERT OR FAIL INTO todos (id, title) VALUES (5, 'five'), (1, 'one')")
                == "UNIQUE constraint failed: todos.id")
        try run("DELETE FROM todos WHERE id = 5")
        #expect(try rows("INSERT INTO todos (title) VALUES ('six') RETURNING id") == ["6"])
    }

    @Test func `a row that is there fails, is left alone or is edited, as the statement says`()
        throws
    {
        #expect(
            refusal("INSERT INTO notes (id, title) VALUES (1, 'x')")
                == "UNIQUE constraint failed: notes.id")
        try run("INSERT OR IGNORE INTO notes (id) VALUES (1)")
        try run("INSERT INTO notes (id) VALUES (1) ON CONFLICT DO NOTHING")
        #expect(try queue() == [])
        try run(
            "INSERT INTO notes (id, title) VALUES (1, 'two') ON CONFLICT (id) DO UPDATE SET title = excluded.title"
        )
        #expect(try rows("SELECT title, body, _state FROM notes") == ["two|x|queued"])
        #expect(try rows("SELECT kind, fields FROM operation") == ["update|1"])
    }

    @Test(arguments: ["ON", "OFF"])
    func `a row that is replaced is an edit of all its columns`(recursive: String) throws {
        try run("PRAGMA recursive_triggers = \(recursive)")
        try run("INSERT OR REPLACE INTO notes (id, title) VALUES (1, 'two')")
        #expect(
            try rows("SELECT title, body, _server_id, _state FROM notes") == ["two|NULL|n|queued"])
        #expect(try rows("SELECT kind, stage, fields FROM operation") == ["update|1|7"])
        #expect(try rows("SELECT * FROM d_notes") == [])
        try run("INSERT INTO notes (title) VALUES ('new')")
        try run("INSERT OR REPLACE INTO notes (id, title) VALUES (2, 'newer')")
        #expect(
            try rows("SELECT kind, row_id FROM operation ORDER BY seq") == ["update|1", "create|2"])
    }

    @Test func `a row that is inserted while its delete waits is back`() throws {
        try run("DELETE FROM todos")
        #expect(try queue() == ["todos|delete|1|milk|queued"])
        #expect(
            refusal("INSERT INTO todos (id, title) VALUES (1, 'bread')")
                == "a todo cannot be changed, because the server has no call for it: delete it and insert a new one"
        )
        try run("INSERT INTO todos (id, title) VALUES (1, 'milk')")
        #expect(try rows("SELECT title, state, server_id FROM todos") == ["milk|synced|a"])
        #expect(try queue() == [])
        try run("DELETE FROM todos")
        try changeQueue("state = 'sending'")
        #expect(
            refusal("INSERT INTO todos (id, title) VALUES (1, 'milk')")
                == "the row of todos with this id is being deleted at the server: insert it without its id"
        )
    }

    // MARK: UPDATE

    @Test func `an edit marks the fields that it changes`() throws {
        try run("UPDATE notes SET done = 1, body = 'x'")
        #expect(try rows("SELECT kind, stage, fields FROM operation") == ["update|1|4"])
        #expect(
            try changes() == ["outbox|added|one|queued|update", "notes|changed|one|queued|NULL"])
        try run("UPDATE notes SET title = 'two', _state = 'synced', changed = 'mine'")
        #expect(try rows("SELECT fields FROM operation") == ["5"])
        #expect(try rows("SELECT title, _state FROM notes") == ["two|queued"])
        try run("INSERT INTO notes (title) VALUES ('new')")
        try run("UPDATE notes SET title = 'newer' WHERE id = 2")
        #expect(try rows("SELECT kind FROM operation WHERE row_id = 2") == ["create"])
    }

    @Test(arguments: [
        ("id = 5", "the id of a row of notes cannot be changed"),
        ("_state = 'rejected'", "_state of notes is written by syncd alone: leave it out"),
        ("changed = 'x'", "changed of notes is written by syncd alone: leave it out"),
        ("title = NULL", "title of notes must be given"),
        ("done = 2", "done of notes must be 0 or 1"),
    ])
    func `what no program changes is refused`(change: String, sentence: String) throws {
        #expect(refusal("UPDATE notes SET \(change)") == sentence)
        #expect(refusal("UPDATE OR IGNORE notes SET \(change)") == sentence)
        #expect(try queue() == [])
    }

    @Test(arguments: ["_state", "_server_id", "_error", "_added_at", "changed"])
    func `a new row is refused with the name of the column that was given`(column: String) {
        #expect(
            refusal("INSERT INTO notes (title, \(column)) VALUES ('x', 'y')")
                == "\(column) of notes is written by syncd alone: leave it out")
    }

    @Test func `a column that a new row alone is given stays`() throws {
        #expect(
            refusal("UPDATE visits SET place = 'there'")
                == "place of visits cannot be changed, because the server has no call for it")
        #expect(
            refusal("UPDATE visits SET length = 9e999") == "length of visits must be finite")
        try run("UPDATE visits SET notes = '[]', length = 1.5")
        #expect(try rows("SELECT fields FROM operation") == ["3"])
    }

    @Test(arguments: [
        "INSERT INTO visits (place, notes) VALUES ('x', '[]')",
        """
        INSERT INTO visits (place) VALUES ('x');
        UPDATE visits SET notes = '[]', length = 2 WHERE place = 'x'
        """,
        """
        INSERT INTO visits (_id, place) VALUES (7, 'x');
        INSERT OR REPLACE INTO visits (_id, place, notes) VALUES (7, 'x', '[]')
        """,
    ])
    func `what a create cannot give waits for an update`(sql: String) throws {
        try cache.execute(script: sql)
        #expect(try rows("SELECT kind, fields FROM operation") == ["create|0", "update|2"])
        #expect(try rows("SELECT notes, _state FROM visits WHERE place = 'x'") == ["[]|queued"])
    }

    @Test func `what a create can give waits for nothing`() throws {
        try run("INSERT INTO visits (place) VALUES ('x')")
        try run("UPDATE visits SET length = 2 WHERE place = 'x'")
        #expect(try rows("SELECT kind, fields FROM operation") == ["create|0"])
    }

    @Test func `a todo cannot be changed, but written as it is`() throws {
        #expect(
            refusal("UPDATE todos SET title = 'x'")
                == "a todo cannot be changed, because the server has no call for it: delete it and insert a new one"
        )
        try run("UPDATE todos SET title = 'milk'")
        try run(
            "INSERT INTO todos (id, title) VALUES (1, 'x') ON CONFLICT DO UPDATE SET title = title")
        #expect(try queue() == [])
    }

    // MARK: DELETE

    @Test func `a delete hides the row, and takes along what was never sent`() throws {
        try run("INSERT INTO todos (title) VALUES ('new')")
        _ = try changes()
        try run("DELETE FROM todos")
        #expect(try rows("SELECT * FROM todos") == [])
        #expect(try queue() == ["todos|delete|1|milk|queued"])
        #expect(
            try changes() == [
                "todos|removed|milk|NULL|NULL", "outbox|added|milk|queued|delete",
                "outbox|removed|new|NULL|create", "todos|removed|new|NULL|NULL",
            ])
        #expect(try rows("SELECT kind, row_id FROM withdrawn") == ["create|2"])
    }

    @Test func `a delete waits behind a create that may have arrived`() throws {
        try run("INSERT INTO todos (title) VALUES ('new')")
        try changeQueue("state = 'sending'")
        #expect(try rows("SELECT state FROM todos WHERE id = 2") == ["sending"])
        try run("DELETE FROM todos WHERE id = 2")
        #expect(try queue() == ["todos|create|2|new|sending", "todos|delete|2|new|queued"])
    }

    @Test func `where the server deletes nothing, only a new row can be deleted`() throws {
        try run("INSERT INTO visits (place) VALUES ('new')")
        try run("DELETE FROM visits WHERE place = 'new'")
        #expect(
            refusal("DELETE FROM visits")
                == "a row of visits cannot be deleted, because the server has no call for it")
    }

    // MARK: The queue

    @Test func `a dropped operation takes back what it was for`() throws {
        try run("INSERT INTO todos (title) VALUES ('new')")
        try run("DELETE FROM todos WHERE id = 1")
        _ = try changes()
        try run("DELETE FROM outbox")
        #expect(try rows("SELECT title, state, server_id FROM todos") == ["milk|synced|a"])
        #expect(try rows("SELECT * FROM d_todos") == [])
        #expect(
            try changes() == [
                "outbox|removed|new|NULL|create", "todos|removed|new|NULL|NULL",
                "outbox|removed|milk|NULL|delete", "todos|added|milk|synced|NULL",
            ])
        try run("UPDATE notes SET title = 'two'")
        try run("DELETE FROM outbox")
        #expect(
            try rows("SELECT kind, fields FROM withdrawn WHERE list = 'notes'") == ["update|1"])
        #expect(
            refusal("UPDATE notes SET title = 'three'")
                == "the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back"
        )
    }

    @Test func `a refused delete shows its row, and hides it when it is tried again`() throws {
        try run("DELETE FROM todos")
        try changeQueue("state = 'rejected', last_error = 'no'")
        #expect(
            try rows("SELECT title, state, error, server_id FROM todos") == ["milk|rejected|no|a"])
        try run("UPDATE outbox SET state = 'queued'")
        #expect(try rows("SELECT * FROM todos") == [])
        #expect(try rows("SELECT c_title, server_id FROM d_todos") == ["milk|a"])
        #expect(try queue() == ["todos|delete|1|milk|queued"])
        try changeQueue("state = 'rejected', last_error = 'no'")
        try run("DELETE FROM todos")
        #expect(try queue() == ["todos|delete|1|milk|queued"])
        #expect(try rows("SELECT last_error FROM operation") == ["NULL"])
    }

    @Test func `who ends a doubt refuses the operation, or drops both where a delete waits`() throws
    {
        try run("INSERT INTO todos (title) VALUES ('new'), ('other')")
        try changeQueue("state = 'in doubt', undecided = 1, last_error = 'lost'")
        try run("UPDATE outbox SET state = 'rejected' WHERE todo_id = 2")
        #expect(
            try rows("SELECT state, error FROM todos WHERE id = 2")
                == ["rejected|given up while in doubt: lost"])
        try run("DELETE FROM todos WHERE id = 3")
        try run("UPDATE outbox SET state = 'rejected' WHERE todo_id = 3 AND op = 'create'")
        #expect(try queue() == ["todos|create|2|new|rejected"])
        #expect(try rows("SELECT title FROM todos") == ["milk", "new"])
        #expect(try rows("SELECT * FROM d_todos") == [])
    }

    @Test(arguments: [
        (
            "INSERT INTO outbox (op) VALUES ('create')",
            "operations are queued by writing to the tables: INSERT, UPDATE or DELETE there"
        ),
        (
            "UPDATE outbox SET attempts = 0",
            "only the state of an operation can be set, to retry it: UPDATE outbox SET state = 'queued' WHERE seq = ..."
        ),
        (
            "DELETE FROM outbox",
            "the operation is being sent and cannot be dropped: wait for its answer"
        ),
        (
            "UPDATE outbox SET state = 'queued'",
            "the operation is being sent and cannot be changed: wait for its answer"
        ),
    ])
    func `what the queue cannot do is refused`(statement: String, sentence: String) throws {
        try run("INSERT INTO todos (title) VALUES ('new')")
        try changeQueue("state = 'sending', attempts = 1")
        #expect(refusal(statement) == sentence)
    }

    @Test func `a rollback undoes all of it`() throws {
        let before = try rows("SELECT title FROM todos") + queue()
        try run("BEGIN")
        try run("INSERT INTO todos (title) VALUES ('new')")
        try run("SAVEPOINT inner")
        try run("DELETE FROM todos")
        try run("ROLLBACK TO inner")
        #expect(try rows("SELECT title FROM todos") == ["milk", "new"])
        try run("ROLLBACK")
        #expect(try rows("SELECT title FROM todos") + queue() == before && changes() == [])
    }
}
