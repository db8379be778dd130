import Foundation
import Glibc
import Testing

/// A list whose rows a person changes, at a server that takes changes.
@Suite(.timeLimit(.minutes(2))) struct SetProcessTests {
    /// A stage with the list `notes`, pulled once from a server; returns how it is started again.
    private func stage(
        serving rows: String = #"[{"id": 5, "title": "theirs", "done": false}]"#
    ) async throws -> EditStage {
        try await EditStage(serving: rows)
    }

    @Test func `an edit that was made offline shows at once, and reaches the server`() async throws
    {
        let edits = try await stage()
        let stage = edits.stage
        try await edits.stopServer()
        let changed = try await stage.syncd("set", "notes", "1", "done=true", "title=ours")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(changed.output == "")
        #expect(changed.errors == "syncd: to undo it before it is sent: syncd outbox drop 1\n")
        #expect(
            try await stage.sqlite("SELECT title, done, _state FROM notes").output
                == "ours|1|queued\n")
        let again = try await stage.syncd("set", "notes", "1", "title=still ours")
        #expect(again.errors == "")
        #expect(try await stage.syncd("sync", "notes").code == 69)
        try await edits.startServer()
        defer { edits.kill() }
        let synced = try await stage.syncd("sync", "notes")
        #expect(synced.code == 0, "\(synced.errors)")
        #expect(
            try await edits.atServer() == #"[{"id": 5, "title": "still ours", "done": true}]"#
                + "\n")
        #expect(
            try await stage.sqlite("SELECT title, done, _state FROM notes").output
                == "still ours|1|synced\n")
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
        #expect(try await stage.syncd("check").code == 0)
    }

    @Test func `a running daemon sends an edit at once, and another's change beside it stays`()
        async throws
    {
        let edits = try await stage()
        defer { edits.kill() }
        let stage = edits.stage
        let (daemon, log) = try await stage.startDaemon()
        defer { daemon.kill(SIGKILL) }
        try await edits.change(5, to: #"{"title": "theirs again"}"#)
        let changed = try await stage.syncd("set", "notes", "1", "done=true")
        #expect(changed.code == 0, "\(changed.errors)")
        try #require(
            await log.line(holding: "notes: sent 1 change: 1 done") != nil, "\(log.lines)")
        #expect(
            try await edits.atServer() == #"[{"id": 5, "title": "theirs again", "done": true}]"#
                + "\n")
        #expect(
            try await stage.sqlite("SELECT title, done, _state FROM notes").output
                == "theirs again|1|synced\n")
        #expect(try await stage.sqlite("SELECT count(*) FROM conflicts").output == "0\n")
    }

    @Test func `changes come one a line from standard input, all or none`() async throws {
        let edits = try await stage(
            serving:
                #"[{"id": 5, "title": "a", "done": false}, {"id": 6, "title": "b", "done": true}]"#)
        defer { edits.kill() }
        let stage = edits.stage
        for (input, sentence) in [
            (
                "{\"_id\":1,\"done\":true}\n{\"_id\":2,\"done\":5}\n",
                "line 2: done: expected true or false, found 5. Mend it; nothing was changed."
            ),
            (
                "{\"_id\":1,\"done\":true}\n{\"_id\":2,\"title\":null}\n",
                "line 2: title of notes must be given. "
            ),
            ("{\"_id\":9,\"done\":true}", "notes has no row 9. See `syncd list notes`"),
            ("", "standard input is empty. Give one JSON object a line."),
        ] {
            let refused = try await stage.syncd("set", "notes", "-", input: input)
            #expect(refused.code == 65)
            #expect(refused.errors.hasPrefix("syncd: \(sentence)"), "\(refused.errors)")
        }
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
        let changed = try await stage.syncd(
            "set", "notes", "-", input: "{\"_id\":1,\"done\":true}\r\n{\"_id\":2,\"done\":null}")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(changed.errors.hasSuffix(": syncd outbox drop 1 2\n"))
        #expect(
            try await stage.sqlite("SELECT title, done FROM notes ORDER BY _id").output
                == "a|1\nb|\n")
    }

    @Test func `what cannot be is refused with a sentence, and changes nothing`() async throws {
        let edits = try await stage()
        defer { edits.kill() }
        let stage = edits.stage
        for (words, status, sentence) in [
            (
                ["notes", "1", "titel=x"], 65,
                "has no column ‘titel’; the nearest one is title. Its declaration takes changes of title, done."
            ),
            (["notes", "1", "changed=x"], 65, "changed of notes cannot be changed."),
            (["notes", "1", "done=yes"], 65, "done: expected true or false, found ‘yes’"),
            (["notes", "9", "done=true"], 65, "notes has no row 9. See `syncd list notes`"),
            (["notes", "1"], 64, "needs at least one value as COLUMN=VALUE"),
            (["notes", "one", "done=true"], 64, "‘one’ is not an id"),
            (["notes"], 64, "needs the name of a list, an ID, and values"),
            (["note", "1", "done=true"], 64, "there is no list ‘note’; the nearest one is notes"),
            (
                ["todos", "1", "title=x"], 65,
                "a todo cannot be changed, because the server has no call for it"
            ),
            (
                ["movies", "1", "title=x"], 65,
                "a row of movies cannot be changed, because the server has no call for it. "
                    + "`syncd lists show movies` says what can be done."
            ),
        ] as [([String], Int32, String)] {
            let refused = try await stage.run(.syncd, ["set"] + words)
            #expect(refused.code == status, "\(words)")
            #expect(refused.output == "")
            #expect(refused.errors.contains(sentence), "\(refused.errors)")
        }
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
    }

    @Test func `changes that nothing sends are told of`() async throws {
        let edits = try await stage()
        defer { edits.kill() }
        let stage = edits.stage
        try FileManager.default.removeItem(
            atPath: stage.root + "/config/syncd/lists/notes.json")
        let strange = try await stage.syncd("set", "notes", "1", "done=true")
        #expect(strange.code == 0)
        #expect(
            strange.errors.hasSuffix(
                "syncd: the configuration does not declare notes: its changes stay here until it does\n"
            ))
    }
}
