import Foundation
import Glibc
import Testing

/// The scripts of the folder `examples`, run as somebody who copied them would.
@Suite(.timeLimit(.minutes(3))) struct ScriptExampleTests {
    private func run(
        _ name: String, _ arguments: [String] = [], on stage: Stage, input: String = ""
    ) async throws -> Finished {
        try await stage.run(
            Program(path: DocumentExample.path("examples/" + name)), arguments, input: input)
    }

    @Test func `the status bar tells todos, the queue and what is wrong`() async throws {
        let stage = try Stage()
        #expect(try await run("status-bar", on: stage).output == "syncd: no cache\n")
        let (server, address) = try await stage.startServer()
        try stage.configure(address)
        #expect(try await stage.syncd("todo", "add", "a", "b").code == 0)
        #expect(try await run("status-bar", on: stage).output == "todos 2, waiting 2\n")
        #expect(try await stage.syncd("sync").code == 0)
        #expect(try await run("status-bar", on: stage).output == "todos 2\n")
        server.kill(SIGKILL)
        _ = await server.ending()
        #expect(try await stage.syncd("sync", "todos").code == 69)
        #expect(try await run("status-bar", on: stage).output == "todos 2, todos offline\n")
        #expect(try await run("status-bar", ["x"], on: stage).code == 64)
    }

    @Test func `N8: a cache that others write puts no control character into the bar`() async throws
    {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "a").code == 0)
        let changed = try await stage.sqlite(
            "PRAGMA ignore_check_constraints = ON; UPDATE sync_state SET state = 'failing' || char(27) || '[31m' || char(155) || char(10) || 'b'"
                + " WHERE list = 'todos'")
        #expect(changed.code == 0, "\(changed.errors)")
        let bar = try await run("status-bar", on: stage)
        #expect(bar.output.hasPrefix("todos 1, waiting 1"))
        let isPlain = bar.output.dropLast().utf8.allSatisfy { (0x20...0x7E).contains($0) }
        #expect(isPlain && bar.output.hasSuffix("\n"), "\(bar.output.debugDescription)")
    }

    @Test
    func `N8: what reads a cache with sqlite3 reads it in safe mode, and without a start file`()
        throws
    {
        let folder = DocumentExample.path("examples")
        let files = try #require(FileManager.default.subpaths(atPath: folder))
        var found = 0
        for file in files {
            let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            for line in (text ?? "").split(separator: "\n") where line.contains("sqlite3 -") {
                found += 1
                for option in ["-batch", "-safe", "-readonly", "-init /dev/null"] {
                    #expect(line.contains(option), "\(file): \(line)")
                }
            }
        }
        #expect(found > 0)
    }

    @Test func `the digest shows what is released on the days asked for`() async throws {
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync", "movies").code == 0)
        let first = try await stage.sqlite(
            "SELECT release_date FROM movies WHERE release_date > '' ORDER BY 1 LIMIT 1")
        let day = String(first.output.dropLast())
        let titles = try await stage.sqlite(
            "SELECT title FROM movies WHERE release_date = '\(day)'")
        let digest = try await run("new-releases", ["--from", day, "--days", "1"], on: stage)
        #expect(digest.code == 0, "\(digest.errors)")
        #expect(digest.output.hasPrefix(day + "\n  "))
        for title in titles.output.split(separator: "\n") {
            #expect(digest.output.contains("\n  \(title)"))
        }
        let none = try await run("new-releases", ["--from", "1900-01-01"], on: stage)
        #expect(none.code == 0)
        #expect(none.output == "")
    }

    @Test func `a notification comes for what others added and what was refused`() async throws {
        let stage = try Stage()
        let shown = stage.root + "/shown"
        // A program that this process wrote itself could still be open for writing in a child that
        // another test has just begun, and the kernel would refuse to start it.
        let notify = stage.root + "/notify"
        let made = try await stage.run(
            .shell, ["-c", "cat >\"$0\" && chmod 700 \"$0\"", notify],
            input: "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'\(shown)'\n")
        try #require(made.code == 0, "\(made.errors)")
        func line(_ change: String, _ state: String, _ title: String) -> String {
            """
            {"rev": 1, "at": "2026-11-21T11:16:11.205Z", "list": "todos", "change": "\(change)", \
            "id": 2, "title": "\(title)", "state": "\(state)", "op": null}\n
            """
        }
        let ended = try await stage.run(
            Program(path: DocumentExample.path("examples/notify-changes")), [],
            input: line("added", "queued", "mine") + line("added", "synced", "-- theirs")
                + line("changed", "rejected", "bad")
                + line("added", "synced", "<b>&\\u001b" + String(repeating: "x", count: 200_000)),
            environment: ["NOTIFY": notify])
        #expect(ended.code == 0, "\(ended.errors)")
        let text = try String(contentsOfFile: shown, encoding: .utf8)
        #expect(
            text == """
                --app-name=syncd -- New todo -- theirs
                --app-name=syncd -- The server refused a change of todos bad
                --app-name=syncd -- New todo &lt;b&gt;&amp; \(String(repeating: "x", count: 195))…

                """)
    }

    @Test func `the alerts ask for metrics and states that there are`() async throws {
        let rules = try String(
            contentsOfFile: DocumentExample.path("examples/prometheus/syncd.rules.yml"),
            encoding: .utf8)
        let stage = try Stage()
        let (server, address) = try await stage.startServer()
        defer { server.kill(SIGKILL) }
        try stage.configure(address)
        #expect(try await stage.syncd("sync").code == 0)
        let metrics = try await stage.syncd("metrics").output
        let named = Set(rules.matches(of: /syncd_[a-z_]+(?:\{[^}]*\})?/).map { String($0.output) })
        #expect(named.count == 6)
        for name in named {
            let words = name.split { "{}".contains($0) }
            let isThere = metrics.split(separator: "\n").contains { line in
                words.allSatisfy { line.contains($0) }
            }
            #expect(isThere, "\(name)")
        }
    }

    @Test func `a todo.txt file is imported once, whole or not at all`() async throws {
        let stage = try Stage()
        #expect(try await stage.syncd("todo", "add", "call Ada").code == 0)
        let file = """
            (A) 2026-01-02 mend the bike +home
            x 2026-01-03 2026-01-01 done already
            call Ada

            2026-01-04 it's "quoted" @shop
            mend the bike +home
            """
        let tried = try await run("import-todo-txt", ["--dry-run", "-"], on: stage, input: file)
        #expect(tried.output == "mend the bike +home\nit's \"quoted\" @shop\n", "\(tried.errors)")
        let before = try await stage.sqlite("SELECT count(*) FROM todos")
        #expect(before.output == "1\n")
        let added = try await run("import-todo-txt", ["-"], on: stage, input: file)
        #expect(added.output == tried.output)
        let again = try await run("import-todo-txt", ["-"], on: stage, input: file)
        #expect(again.output == "")
        let long = String(repeating: "x", count: 4097)
        let refused = try await run("import-todo-txt", ["-"], on: stage, input: "ok\n\(long)\n")
        #expect(refused.code == 65)
        #expect(refused.errors.contains("must not be longer than 4096 bytes"))
        let after = try await stage.sqlite("SELECT title, state FROM todos ORDER BY id")
        #expect(
            after.output
                == "call Ada|queued\nmend the bike +home|queued\nit's \"quoted\" @shop|queued\n")
    }

    @Test func `an import never makes a database where there is none`() async throws {
        let stage = try Stage()
        let ended = try await run("import-todo-txt", ["-"], on: stage, input: "a\n")
        #expect(ended.code != 0)
        #expect(!FileManager.default.fileExists(atPath: stage.cache))
    }
}
