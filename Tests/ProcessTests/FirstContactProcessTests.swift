import Foundation
import Glibc
import Testing

/// What people meet who have not read much.
@Suite(.timeLimit(.minutes(2))) struct FirstContactProcessTests {
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
}
