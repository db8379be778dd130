import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct RowProcessTests {
    private static let columns = """
        "title": {"text": "$.title", "write": "create", "required": true},
        "done": {"boolean": "$.done", "write": "create"}
        """

    /// A stage with the list `notes`, whose server does not answer.
    private func stage(
        calls: String = #""create": true, "delete": true"#, columns: String = Self.columns
    ) throws -> Stage {
        let stage = try Stage()
        try stage.write(
            #"{"movies": {"enabled": false}, "todos": {"enabled": false}}"#,
            to: stage.configuration)
        try declare(calls, columns, in: stage)
        return stage
    }

    private func declare(_ calls: String, _ columns: String, in stage: Stage) throws {
        try stage.write(
            """
            {"server": {"baseURL": "http://127.0.0.1:9"}, "list": "/notes", "id": "$.id",
             \(calls.isEmpty ? "" : calls + ",") "columns": {"nr": "@id", \(columns)}}
            """, to: "config/syncd/lists/notes.json")
    }

    @Test func `rows are added, listed and deleted before the first sync`() async throws {
        let stage = try stage()
        let added = try await stage.syncd("add", "notes", "title=buy milk", "done=false")
        #expect(added.code == 0)
        #expect(added.output == "1\n")
        #expect(added.errors == "")
        #expect(try await stage.syncd("add", "notes", "title=b", "--json").output == "[2]\n")
        let rows = try await stage.sqlite("SELECT nr, title, done, _state FROM notes")
        #expect(rows.output == "1|buy milk|0|queued\n2|b||queued\n")
        #expect(try await stage.syncd("list", "notes").output.contains("buy milk"))
        #expect(try await stage.syncd("rm", "notes", "1").code == 0)
        let left = try await stage.sqlite("SELECT op, row_id, list FROM outbox")
        #expect(left.output == "create|2|notes\n")
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test func `rows come one a line from standard input, all or none`() async throws {
        let stage = try stage()
        let added = try await stage.syncd(
            "add", "notes", "-",
            input: "{\"title\":\"a\",\"done\":true}\r\n{\"title\":\"b\",\"done\":null}")
        #expect(added.output == "1\n2\n", "\(added.errors)")
        for (input, sentence) in [
            ("", "standard input is empty. Give one JSON object a line."),
            (
                "{\"title\":\"c\"}\n{\"title\":\"d\",\"done\":\"x\"}\n",
                "line 2: done: expected true or false, found a text. Mend it; nothing was added."
            ),
            ("{\"title\":\"c\"}\n{\"done\":true}\n", "line 2: title of notes must be given. "),
        ] {
            let refused = try await stage.syncd("add", "notes", "-", input: input)
            #expect(refused.code == 65)
            #expect(refused.output == "")
            #expect(refused.errors.hasPrefix("syncd: \(sentence)"), "\(refused.errors)")
        }
        let removed = try await stage.syncd("rm", "notes", "-", input: "2\n1\n2\n")
        #expect(removed.code == 0, "\(removed.errors)")
        #expect(try await stage.sqlite("SELECT count(*) FROM notes").output == "0\n")
    }

    @Test func `ids are taken all or none, and a delete can be taken back`() async throws {
        let stage = try stage()
        #expect(try await stage.syncd("add", "notes", "title=a").code == 0)
        let brought = try await stage.sqlite(
            """
            UPDATE control SET applying = 'notes';
            INSERT INTO s_notes VALUES (2, 'n', '{"title":"b"}');
            INSERT INTO notes (nr, title, _server_id, _state) VALUES (2, 'b', 'n', 'synced');
            UPDATE control SET applying = NULL;
            """)
        #expect(brought.code == 0, "\(brought.errors)")
        let refused = try await stage.syncd("rm", "notes", "1", "9")
        #expect(refused.code == 65)
        #expect(refused.errors.hasPrefix("syncd: notes has no row 9. See `syncd list notes`"))
        let removed = try await stage.syncd("rm", "notes", "1", "2")
        #expect(removed.errors == "syncd: to undo it before it is sent: syncd outbox drop 2\n")
        #expect(try await stage.syncd("outbox", "drop", "2").code == 0)
        #expect(try await stage.sqlite("SELECT nr, title FROM notes").output == "2|b\n")
    }

    @Test func `what the server has no call for is refused, and a changed declaration is told`()
        async throws
    {
        let stage = try stage(calls: "", columns: #""title": "text $.title""#)
        let hint = "`syncd lists show notes` says what can be done."
        for (words, sentence) in [
            (["add", "notes", "title=a"], "no row can be added to notes"),
            (["rm", "notes", "1"], "a row of notes cannot be deleted"),
        ] {
            let refused = try await stage.run(.syncd, words)
            #expect(refused.code == 65)
            #expect(
                refused.errors
                    == "syncd: \(sentence), because the server has no call for it. \(hint)\n")
        }
        // The table is still as it was made.
        try declare(#""create": true"#, Self.columns, in: stage)
        let refused = try await stage.syncd("add", "notes", "title=a")
        #expect(refused.errors.hasSuffix("its declaration has changed, and the table follows.\n"))
        // Also with no server to be reached.
        #expect(try await stage.syncd("sync", "notes").code == 69)
        #expect(try await stage.syncd("add", "notes", "title=a").output == "1\n")
        // What was never sent needs no call to go.
        #expect(try await stage.syncd("rm", "notes", "1").code == 0)
    }

    @Test func `rows that nothing sends are told of`() async throws {
        let stage = try stage(calls: #""enabled": false, "create": true"#)
        let held = try await stage.syncd("add", "notes", "title=a")
        #expect(held.output == "1\n")
        #expect(
            held.errors
                == "syncd: the declaration of notes is not enabled: its rows stay here until it is\n"
        )
        try FileManager.default.removeItem(
            atPath: stage.root + "/config/syncd/lists/notes.json")
        let strange = try await stage.syncd("add", "notes", "title=b")
        #expect(strange.output == "2\n")
        #expect(
            strange.errors
                == "syncd: the configuration does not declare notes: its rows stay here until it does\n"
        )
        let unknown = try await stage.syncd("add", "note", "title=b")
        #expect(unknown.code == 64)
        #expect(unknown.errors.contains("there is no list ‘note’; the nearest one is notes"))
    }

    @Test func `todos are a list like others`() async throws {
        let stage = try Stage()
        let added = try await stage.syncd("add", "todos", "title=milk")
        #expect(added.output == "1\n")
        #expect(added.errors == (try await stage.syncd("todo", "add", "bread")).errors)
        #expect(try await stage.syncd("rm", "todos", "1").code == 0)
        #expect(try await stage.sqlite("SELECT title FROM todos").output == "bread\n")
    }
}
