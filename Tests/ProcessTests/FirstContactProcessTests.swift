import Foundation
import Glibc
import Testing

/// What people meet who have not read much.
@Suite(.timeLimit(.minutes(2))) struct FirstContactProcessTests {
    @Test func `without a configuration, each command says at once what to do`() async throws {
        let stage = try Stage()
        for words in [["status"], ["list", "notes"], ["outbox", "list"]] {
            let ended = try await stage.run(.syncd, words)
            #expect(ended.code == 74)
            #expect(
                ended.errors == """
                    syncd: there is no cache at \(stage.cache), and no configuration yet. \
                    Run `syncd setup`, or `syncd declare URL --write` for a list of any server.

                    """)
        }
    }

    @Test func `short options ask for help and the version`() async throws {
        let stage = try Stage()
        let version = try await stage.syncd("version").output
        #expect(try await stage.syncd("-v").output == version)
        #expect(try await stage.syncd("-h").output == stage.syncd("help").output)
        #expect(
            try await stage.syncd("outbox", "-h").output == stage.syncd("help", "outbox").output)
        for words in [["list"], ["todo", "add"], ["query"]] {
            let short = try await stage.run(.syncd, words + ["-h"])
            #expect(try await short.output == stage.run(.syncd, ["help"] + words).output)
            #expect(short.code == 0)
        }
        #expect(try await stage.syncd("list", "-x").code == 64)
    }

    @Test
    func `a name that is not there is told with the nearest one, or with those that there are`()
        async throws
    {
        let edit = try await EditStage(serving: #"[{"id": 1, "title": "a", "done": false}]"#)
        defer { edit.kill() }
        for (words, sentence) in [
            (["list", "foo"], "there is no list ‘foo’; there are: movies, notes, todos."),
            (["list", "note"], "there is no list ‘note’; the nearest one is notes."),
            (["sync", "foo"], "there is no list ‘foo’; there are: movies, notes, todos."),
            (["query", "SELECT * FROM todo"], "no such table: todo; the nearest one is todos."),
            (
                ["query", "SELECT titel FROM notes"],
                "no such column: titel; the nearest one is title."
            ),
            (
                ["query", "SELECT stat FROM outbox"],
                "no such column: stat; the nearest one is state."
            ),
            (
                ["query", "SELECT * FROM main.note"],
                "no such table: main.note; the nearest one is notes."
            ),
            (["query", "SELECT ("], "incomplete input. Check the statement."),
        ] {
            let ended = try await edit.stage.run(.syncd, words)
            #expect([64, 65].contains(ended.code))
            #expect(ended.errors.hasPrefix("syncd: \(sentence)"), "\(ended.errors)")
        }
    }

    @Test func `a script leaves the header out`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "milk").code == 0)
        let sql = "SELECT title FROM todos"
        #expect(try await stage.syncd("query", "--no-header", sql).output == "milk\n")
        #expect(try await stage.syncd("query", "--no-header", "--csv", sql).output == "milk\r\n")
        let shown = try await stage.syncd(["query", "--no-header", sql], columns: 80)
        #expect(shown.transcript == "milk\r\n")
        let wrong = try await stage.syncd("query", "--no-header", "--json", sql)
        #expect(wrong.code == 64)
    }

    @Test func `at 80 columns, list shows the columns that fit and names the others`() async throws
    {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        let shown = try await stage.syncd(
            ["list", "movies", "--limit", "3"], columns: 80, environment: ["NO_COLOR": "1"])
        let lines = Screen(shown.transcript).lines
        #expect(lines[0].contains("title"), "\(shown.transcript)")
        #expect(!lines[0].contains("…"))
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(shown.transcript.contains("syncd: no room for "), "\(shown.transcript)")
        #expect(shown.transcript.contains("overview"))
        let quiet = try await stage.syncd(["list", "movies", "--quiet"], columns: 80)
        #expect(!quiet.transcript.contains("no room"))
        let narrow = try await stage.syncd(
            ["query", "SELECT title, overview FROM movies LIMIT 1"], columns: 16)
        #expect(!narrow.transcript.contains("…"), "\(narrow.transcript)")
    }

    @Test func `a sentence is broken between words, and a command in it is whole`() async throws {
        let stage = try Stage()
        let shown = try await stage.syncd(["status"], columns: 60, environment: ["NO_COLOR": "1"])
        let lines = Screen(shown.transcript).lines
        for line in lines where !line.contains(stage.root) { #expect(line.count <= 60) }
        #expect(lines.contains { $0.contains("`syncd declare URL --write`") }, "\(lines)")
        let whole = try await stage.syncd("status").errors
        #expect(lines.joined(separator: " ") == whole.replacing("\n", with: " "))
    }

    @Test func `lists show speaks of the declaration as it is now`() async throws {
        let edit = try await EditStage(serving: #"[{"id": 1, "title": "a", "done": false}]"#)
        defer { edit.kill() }
        #expect(try await edit.stage.syncd("lists", "show", "notes").output.contains("INSERT INTO"))
        try edit.stage.write(
            """
            {"server": "home", "list": "/lists/notes", "id": "$.id",
             "columns": {"title": "text $.title"}}
            """, to: "config/syncd/lists/notes.json")
        let shown = try await edit.stage.syncd("lists", "show", "notes").output
        #expect(!shown.contains("INSERT INTO"), "\(shown)")
        #expect(!shown.contains("\ndone "))
    }

    @Test func `changes that were refused are told, and the sync of their list ends with 1`()
        async throws
    {
        let stage = try await Stage.outbox("rejected")
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        for words in [["sync"], ["sync", "todos"]] {
            let synced = try await stage.run(.syncd, words)
            #expect(synced.code == 1)
            #expect(
                synced.errors == """
                    syncd: the server refused to create ‘todo 1’: timed out. \
                    Run `syncd outbox retry 1` or `syncd outbox drop 1`.

                    """)
        }
        #expect(try await stage.syncd("outbox", "drop", "1").code == 0)
        #expect(try await stage.syncd("sync").code == 0)
    }

    @Test func `a refused row whose text is empty is told by its number`() async throws {
        let edit = try await EditStage(serving: #"[{"id": 1, "title": "a", "done": false}]"#)
        defer { edit.kill() }
        let made = try await edit.stage.sqlite(
            """
            INSERT INTO notes(title) VALUES ('');
            UPDATE operation SET state = 'rejected', attempts = 1, last_error = 'no title';
            UPDATE notes SET _state = 'rejected', _error = 'no title' WHERE title = '';
            """)
        #expect(made.code == 0, "\(made.errors)")
        let synced = try await edit.stage.syncd("sync", "notes")
        #expect(
            synced.errors.contains("the server refused to create row 2 of notes: no title."),
            "\(synced.errors)")
    }
}
