import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(4))) struct CommandLineProcessTests {
    @Test(
        arguments: [
            (64, ["--quiet"], "there is no command"),
            (64, ["stauts"], "there is no command ‘stauts’; the nearest one is status"),
            (64, ["--json", "status"], "the command comes first"),
            (64, ["todo"], "`todo` needs a verb: list, add, rm"),
            (64, ["todo", "ad", "x"], "`todo` has no verb ‘ad’; the nearest one is add"),
            (64, ["todo", "done", "1"], "a todo has no mark for done: `syncd todo rm` deletes it"),
            (64, ["todo", "banana"], "`todo` has no verb ‘banana’; it has list, add, rm"),
            (64, ["todo", "add"], "`todo add` needs at least one TITLE"),
            (64, ["todo", "list", "x"], "`todo list` takes no operand x"),
            (
                64, ["status", "--jsno"],
                "--jsno is not an option of `status`; the nearest one is --json"
            ),
            (64, ["status", "-j"], "-j is not an option of `status`"),
            (64, ["status", "--json=yes"], "--json takes no value"),
            (64, ["status", "--max-age"], "--max-age needs a value"),
            (64, ["status", "--max-age", "--json"], "--max-age needs a value"),
            (64, ["status", "--max-age", "soon"], "--max-age: ‘soon’ is not a duration"),
            (64, ["status", "--max-age=0s"], "--max-age: ‘0s’ is not a duration"),
            (
                64, ["status", "--watch", "--max-age=1h"],
                "--watch and --max-age exclude each other"
            ),
            (64, ["movies", "--limit", "0"], "--limit takes a whole number from 1, not ‘0’"),
            (64, ["movies", "--limit=1e3"], "--limit takes a whole number from 1, not ‘1e3’"),
            (64, ["movies", "--from", "2026-02-30"], "--from takes a day as YYYY-MM-DD"),
            (64, ["movies", "--to=tomorrow"], "--to takes a day as YYYY-MM-DD, or today, not"),
            (64, ["movies", "--sort=list"], "--sort takes date, rating or title, not ‘list’"),
            (64, ["movies", "--sort=date", "--search=a"], "--sort does not go with --search"),
            (64, ["todo", "rm", "1 OR 1=1"], "‘1 OR 1=1’ is not an id"),
            (64, ["todo", "rm", "--", "-1"], "‘-1’ is not an id"),
            (64, ["todo", "rm", "0"], "‘0’ is not an id"),
            (64, ["todo", "rm", "99999999999999999999"], "‘99999999999999999999’ is not an id"),
            (64, ["todo", "rm", ""], "‘’ is not an id"),
            (64, ["outbox", "retry", "01"], "‘01’ is not an id"),
            (64, ["outbox", "retry"], "`outbox retry` needs at least one SEQ, or --all"),
            (64, ["outbox", "drop", "--force"], "`outbox drop` needs at least one SEQ, or --all"),
            (64, ["outbox", "retry", "--all", "1"], "--all and SEQ exclude each other"),
            (64, ["outbox", "drop", "1", "--force", "--all"], "--all and SEQ exclude each other"),
            (64, ["outbox", "drop", "--all", "x"], "‘x’ is not an id"),
            (64, ["add", "todos"], "`add` needs the name of a list, and values as COLUMN=VALUE"),
            (64, ["add", "todos", "milk"], "‘milk’ gives no value: write COLUMN=VALUE"),
            (64, ["add", "todo", "title=x"], "no list ‘todo’; the nearest one is todos"),
            (64, ["rm", "todos"], "`rm` needs the name of a list, and at least one ID"),
            (64, ["rm", "todos", "01"], "‘01’ is not an id: `rm` takes whole numbers from 1"),
            (65, ["add", "todos", "state=x"], "state of todos cannot be given to a new row"),
            (65, ["add", "todos", "title="], "the title of a todo must not be empty"),
            (
                65, ["add", "movies", "title=x"],
                "no row can be added to movies, because the server"
            ),
            (65, ["rm", "movies", "1"], "a row of movies cannot be deleted, because the server"),
            (65, ["rm", "todos", "9"], "there is no todo 9. See `syncd todo list` for the ids."),
            (64, ["query"], "`query` needs one SQL statement"),
            (64, ["query", "--json", "--csv", "SELECT 1"], "--json and --csv exclude each other"),
            (64, ["query", "--safe", "SELECT 1"], "--safe goes with --csv"),
            (64, ["help", "stat"], "there is no command ‘stat’; the nearest one is status"),
            (65, ["todo", "add", ""], "the title is empty"),
            (
                65, ["todo", "add", String(repeating: "ä", count: 2049)],
                "the title is 4098 bytes long"
            ),
            (74, ["status"], "there is no cache at "),
            (74, ["movies"], "there is no cache at "),
            (74, ["outbox", "list"], "there is no cache at "),
            (74, ["query", "SELECT 1"], "there is no cache at "),
            (78, ["sync"], "there is no configuration (looked for "),
            (78, ["run"], "there is no configuration (looked for "),
            (78, ["config"], "there is no configuration (looked for "),
            (78, ["login"], "there is no configuration (looked for "),
            (78, ["user", "create"], "there is no configuration (looked for "),
            (78, ["status", "--config", "none.json"], "none.json does not exist"),
        ] as [(Int32, [String], String)])
    func `wrong input ends with its code and a sentence`(
        code: Int32, arguments: [String], sentence: String
    ) async throws {
        let stage = try Stage()
        let ended = try await stage.run(.syncd, arguments)
        #expect(ended.code == code)
        #expect(ended.errors.hasPrefix("syncd: "))
        #expect(ended.errors.contains(sentence), "\(ended.errors)")
        #expect(ended.errors.split(separator: "\n").count == 1)
        #expect(ended.output == "")
    }

    @Test func `without a word it shows the commands, or how things are`() async throws {
        let stage = try Stage()
        let help = try await stage.syncd()
        #expect(help.code == 0)
        #expect(help.output == (try await stage.syncd("help")).output)
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let status = try await stage.syncd()
        #expect(status.code == 0)
        #expect(status.output.hasPrefix("list\tstate\t"), "\(status.output)")
    }

    @Test func `what every command takes can stand before it`() async throws {
        let stage = try Stage()
        let first = try await stage.syncd("--config", "none.json", "todo", "list")
        #expect(first.code == 78)
        #expect(first.errors.contains("none.json does not exist"))
        let second = try await stage.syncd("--quiet", "--config=none.json", "status")
        #expect(second.errors == (try await stage.syncd("status", "--config=none.json")).errors)
        #expect(try await stage.syncd("-V").output.hasPrefix("syncd 0."))
    }

    @Test func `every help fits 80 columns`() async throws {
        let stage = try Stage()
        let overview = try await stage.syncd("help").output
        let names = overview.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
            line.dropFirst(2).split(separator: "  ").first.map(String.init) ?? ""
        }
        #expect(names.count == 36)
        for name in names {
            let words = name.split(separator: " ").map(String.init)
            let text = try await stage.run(.syncd, ["help"] + words).output
            for line in (overview + text).split(separator: "\n") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    @Test func `arguments that are not UTF-8 are refused`() async throws {
        let stage = try Stage()
        let word = [CChar(bitPattern: 0xff), 0]
        let ended = try await stage.run(
            .syncd, raw: [Array("todo".utf8CString), Array("add".utf8CString), word])
        #expect(ended.code == 64)
        #expect(ended.errors == "syncd: argument 3 is not valid UTF-8. Run `syncd help`.\n")
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }

    @Test(arguments: [
        "run", "sync", "status", "list", "add", "rm", "movies", "todo list", "todo add", "todo rm",
        "outbox list",
        "outbox retry", "outbox drop", "query", "watch", "backup", "check", "metrics",
        "login", "user create", "config",
        "version",
        "completion", "help",
    ]) func `every command tells usage, options, exit status and an example`(
        name: String
    ) async throws {
        let stage = try Stage()
        let words = name.split(separator: " ").map(String.init)
        let asked = try await stage.run(.syncd, ["help"] + words)
        #expect(asked.code == 0)
        #expect(asked.output.hasPrefix("usage: syncd \(name)"))
        for part in ["options:\n", "exit status:\n", "  64   ", "  141  ", "example", "--help"] {
            #expect(asked.output.contains(part), "\(part)")
        }
        if name != "help" {
            let option = try await stage.run(.syncd, words + ["--help"])
            #expect(option.output == asked.output)
        }
    }

    @Test func `P17: a full disk on standard output is told`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        for arguments in [["todo", "list"], ["status", "--json"], ["version"], ["--help"]] {
            let ended = try await stage.run(.syncd, arguments, output: "/dev/full")
            #expect(ended.code == 74)
            #expect(ended.errors.contains("the output was not written: No space left on device"))
        }
    }

    @Test func `a reader that has seen enough ends it quietly`() async throws {
        let stage = try Stage()
        _ = try await stage.syncd("todo", "add", "a")
        let many =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000) "
            + "SELECT i FROM n"
        let script = "{ \"$0\" query \"$1\"; echo $? >&2; } | head -1"
        let ended = try await stage.run(.shell, ["-c", script, Program.syncd.path, many])
        #expect(ended.output == "i\n")
        #expect(ended.errors == "141\n")
    }

    @Test func `a closed standard output is told, and no other file gets its bytes`() async throws {
        let stage = try Stage()
        try stage.configure("http://127.0.0.1:9")
        let script = "\"$0\" todo add x >&-; echo $?; exec 0<&- 1>&-; exec \"$0\" sync"
        let ended = try await stage.run(.shell, ["-c", script, Program.syncd.path])
        #expect(ended.code == 74)
        #expect(ended.output == "74\n")
        let kept = try await stage.syncd("query", "SELECT title FROM todos")
        #expect(kept.output == "title\nx\n")
        // Without care, what is opened next would become number 1, and be written to.
        #expect(ended.errors.contains("EBADF"), "\(ended.errors)")
        let lock = try String(contentsOfFile: stage.cache + ".lock", encoding: .utf8)
        // It is emptied by whoever ends in good order.
        #expect(lock.isEmpty, "\(lock)")
    }

    @Test func `version names the libraries and TMDB's sentence`() async throws {
        let stage = try Stage()
        for arguments in [["version"], ["--version"]] {
            let text = try await stage.run(.syncd, arguments).output
            #expect(text.hasPrefix("syncd "))
            #expect(text.contains("\nSQLite 3."))
            #expect(text.contains("\nlibcurl/"))
            #expect(text.contains("not endorsed or certified by TMDB"))
        }
    }
}
