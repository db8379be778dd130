import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct CompletionProcessTests {
    /// Prints what bash would offer after the words, the last of which is being written.
    private static let asking = """
        source /dev/stdin <<<"$("$0" completion bash)"
        complete -p syncd >/dev/null || exit 1
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _syncd 2>/dev/null
        echo "${COMPREPLY[*]}"
        """

    @Test(
        arguments: [
            (["to"], "todo"), (["todo", ""], "list add rm"), (["todo", "l"], "list"),
            (["todo", "list", "--"], "--json --search --config --quiet --help"),
            (["sync", "movies", ""], ""),
            (["sync", "--acc"], "--accept-removals --accept-deletes"),
            (["status", "--max-age", ""], ""), (["completion", ""], "bash zsh fish"),
            (["sync", "--config", "example"], "example.json"),
            (["sync", "--config", "=", "example"], "example.json"),
            (["lists", ""], "check show schema"),
            (["declare", "--t"], "--token-file --token-as"),
            (["conflicts", ""], "take"), (["conflicts", "--j"], "--json"),
            (["conflicts", "take", ""], "mine theirs"), (["conflicts", "notes", "--j"], "--json"),
            (["help", "outb"], "outbox"), (["nonsense", ""], ""), (["todo", "add", ""], ""),
        ] as [([String], String)])
    func `bash offers what can stand there`(words: [String], offered: String) async throws {
        let stage = try Stage()
        try stage.write("{}", to: "example.json")
        let ended = try await stage.run(
            Program(path: "/bin/bash"),
            ["--norc", "-c", Self.asking, Program.syncd.path, "syncd"] + words)
        #expect(ended.code == 0)
        #expect(ended.output == offered + "\n")
    }

    @Test func `bash offers the ids that there are`() async throws {
        let stage = try await Stage.outbox("queued", "rejected", "queued")
        for (words, offered) in [
            (["todo", "rm", ""], "1 2 3"), (["outbox", "retry", "2"], "2"),
            (["todo", "rm", "1", ""], "1 2 3"),
        ] {
            let ended = try await stage.run(
                Program(path: "/bin/bash"),
                ["--norc", "-c", Self.asking, Program.syncd.path, Program.syncd.path] + words)
            #expect(ended.output == offered + "\n", "\(ended.errors)")
        }
    }

    @Test func `bash offers the lists that there are`() async throws {
        let stage = try Stage()
        try stage.write(
            #"{"servers": {"office": {"baseURL": "http://127.0.0.1:9"}}}"#, to: stage.configuration)
        try stage.write(
            """
            {"server": "office", "list": "/notes", "id": "$.id",
             "columns": {"title": "text $.title"}}
            """,
            to: "config/syncd/lists/notes.json")
        for (words, offered) in [
            (["sync", ""], "movies notes todos"), (["list", "n"], "notes"),
            // Nobody can write to this list.
            (["set", "n"], ""), (["set", "notes", ""], ""),
            (["lists", "show", "t"], "todos"), (["conflicts", "n"], "notes"),
            (["watch", ""], "outbox movies notes todos"),
        ] {
            let ended = try await stage.run(
                Program(path: "/bin/bash"),
                ["--norc", "-c", Self.asking, Program.syncd.path, Program.syncd.path] + words)
            #expect(ended.output == offered + "\n", "\(words): \(ended.errors)")
        }
    }

    @Test func `bash offers what can be written, columns, ids and servers`() async throws {
        let edit = try await EditStage(serving: #"[{"id": 7, "title": "a", "done": false}]"#)
        defer { edit.kill() }
        for (words, offered) in [
            (["add", ""], "notes todos"), (["set", ""], "notes"), (["rm", "n"], "notes"),
            (["add", "notes", ""], "title= done="), (["add", "notes", "t"], "title="),
            (["add", "notes", "title", "=", "x", ""], "done="),
            (["set", "notes", ""], "1"), (["set", "notes", "1", "d"], "done="),
            (["rm", "notes", ""], "1"), (["login", ""], "todos"),
            (["declare", "--like", "git"], "gitea-issues github-issues"),
            (["add", "nonsense", ""], ""), (["add", "--c"], "--config"),
        ] {
            let ended = try await edit.stage.run(
                Program(path: "/bin/bash"),
                ["--norc", "-c", Self.asking, Program.syncd.path, Program.syncd.path] + words)
            #expect(ended.output == offered + "\n", "\(words): \(ended.errors)")
        }
        let help = try await edit.stage.syncd("help").output
        #expect(!help.contains("__complete"))
    }

    @Test func `bash offers every command`() async throws {
        let stage = try Stage()
        let ended = try await stage.run(
            Program(path: "/bin/bash"),
            ["--norc", "-c", Self.asking, Program.syncd.path, "syncd", ""])
        let help = try await stage.syncd("help").output
        let offered = ended.output.split(whereSeparator: \.isWhitespace).map(String.init)
        #expect(offered.count >= 12)
        for word in offered { #expect(help.contains("\n  \(word) ")) }
    }

    /// Looked at by the shell itself where it is installed.
    @Test(
        arguments: [
            ("zsh", "/usr/bin/zsh", "zsh -n f; autoload -U compinit; compinit -D; . ./f", "_syncd"),
            ("fish", "/usr/bin/fish", "source f; complete -C 'syncd todo a'", "add"),
        ])
    func `zsh and fish can read theirs`(
        shell: String, path: String, script: String, known: String
    ) async throws {
        let stage = try Stage()
        let code = try await stage.syncd("completion", shell)
        #expect(code.code == 0)
        #expect(code.output.contains("todo"))
        guard Program(path: path).exists else { return }
        try stage.write(code.output, to: "f")
        let print = shell == "zsh" ? "; print $_comps[syncd]" : ""
        let ended = try await stage.run(Program(path: path), ["-c", script + print])
        #expect(ended.errors == "")
        #expect(ended.output.hasPrefix(known))
    }

    @Test func `another shell is refused`() async throws {
        let ended = try await Stage().syncd("completion", "tcsh")
        #expect(ended.code == 64)
        #expect(ended.errors.contains("knows bash, zsh and fish, not ‘tcsh’"))
    }
}
