import Foundation
import Glibc
import Testing

/// What a person sees of edits that wait, and of those that another client's change has met.
@Suite(.timeLimit(.minutes(2))) struct ConflictProcessTests {
    private static let first = #"[{"id": 5, "title": "first", "done": false}]"#

    /// A stage whose edit of row 1 has met another client's change of the same column.
    private func conflicting() async throws -> EditStage {
        let edits = try await EditStage(serving: Self.first)
        try await edits.stopServer()
        let changed = try await edits.stage.syncd("set", "notes", "1", "title=mine", "done=true")
        #expect(changed.code == 0, "\(changed.errors)")
        try await edits.startServer()
        try await edits.change(5, to: #"{"title": "theirs"}"#)
        let synced = try await edits.stage.syncd("sync", "notes")
        #expect(synced.code == 0, "\(synced.errors)")
        return edits
    }

    @Test func `P36: a change of another is kept, and the person is told of both values`()
        async throws
    {
        let edits = try await conflicting()
        defer { edits.kill() }
        let stage = edits.stage
        #expect(
            try await edits.atServer() == #"[{"id": 5, "title": "theirs", "done": true}]"# + "\n")
        let listed = try await stage.syncd("conflicts")
        #expect(listed.code == 0 && listed.errors == "")
        let lines = listed.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.first == ["seq", "at", "row", "column", "why", "mine", "theirs"])
        #expect(
            lines.dropFirst().map { Array($0.dropFirst(2)) } == [
                ["notes 1", "title", "edited", "mine", "theirs"]
            ])
        #expect(
            try await stage.syncd("conflicts", "todos").output.split(separator: "\n").count == 1)
        let strange = try await stage.syncd("conflicts", "nodes")
        #expect(strange.code == 64 && strange.errors.contains("the nearest one is notes"))

        let remark = "one edit conflicts with the server: `syncd conflicts` shows both values"
        #expect(try await stage.syncd("status").errors.contains("syncd: \(remark)\n"))
        let status = try await stage.syncd("status", "--json").output
        #expect(status.contains(#""conflicts":1"#) || status.contains(#""conflicts": 1"#))
        #expect(try await stage.syncd("metrics").output.contains("\nsyncd_conflicts 1\n"))
    }

    @Test(arguments: [("mine", "mine"), ("theirs", "theirs")])
    func `a person ends a conflict with either value`(side: String, title: String) async throws {
        let edits = try await conflicting()
        defer { edits.kill() }
        let stage = edits.stage
        let number = try await stage.sqlite("SELECT seq FROM conflicts").output
            .trimmingCharacters(in: .newlines)
        for (words, status, sentence) in [
            (["ours", number], 64, "takes mine or theirs, not ‘ours’"),
            ([side], 64, "at least one SEQ"),
            ([side, "one"], 64, "‘one’ is not an id"),
            ([side, number, "99"], 65, "99"),
        ] as [([String], Int32, String)] {
            let refused = try await stage.run(.syncd, ["conflicts", "take"] + words)
            #expect(refused.code == status && refused.errors.contains(sentence), "\(refused)")
        }
        #expect(try await stage.sqlite("SELECT count(*) FROM conflicts").output == "1\n")
        let taken = try await stage.syncd("conflicts", "take", side, number)
        #expect(taken.code == 0 && taken.output == "", "\(taken.errors)")
        #expect(try await stage.sqlite("SELECT count(*) FROM conflicts").output == "0\n")
        #expect(try await stage.syncd("sync", "notes").code == 0)
        #expect(
            try await edits.atServer()
                == #"[{"id": 5, "title": "\#(title)", "done": true}]"# + "\n")
        #expect(try await stage.sqlite("SELECT count(*) FROM outbox").output == "0\n")
    }

    @Test func `explain says where each value comes from, and what waits`() async throws {
        let edits = try await EditStage(serving: Self.first)
        let stage = edits.stage
        try await edits.stopServer()
        #expect(try await stage.syncd("set", "notes", "1", "title=mine").code == 0)
        let told = try await stage.syncd("explain", "notes", "1")
        #expect(told.code == 0 && told.errors == "", "\(told.errors)")
        #expect(told.output.contains("title\tmine\t"), "\(told.output)")
        #expect(told.output.contains("\nrow 1 of notes is 5 at the server\n"), "\(told.output)")
        #expect(told.output.contains("operation 1 (update, queued) "), "\(told.output)")
        for (words, status, sentence) in [
            (["notes"], 64, "needs the name of a list and an ID"),
            (["notes", "one"], 64, "‘one’ is not an id"),
            (["notes", "1", "2"], 64, "explain"),
            (["notes", "9"], 65, "notes has no row 9"),
            (["nodes", "1"], 64, "the nearest one is notes"),
        ] as [([String], Int32, String)] {
            let refused = try await stage.run(.syncd, ["explain"] + words)
            #expect(refused.code == status && refused.output == "", "\(words): \(refused)")
            #expect(refused.errors.contains(sentence), "\(refused.errors)")
        }
    }

    @Test func `a value of a server or a person does not command the terminal`() async throws {
        let edits = try await EditStage(serving: Self.first)
        defer { edits.kill() }
        let stage = edits.stage
        #expect(try await stage.syncd("set", "notes", "1", "title=\u{1B}[2Jmine").code == 0)
        for words in [["explain", "notes", "1"], ["outbox", "list"]] {
            let shown = try await stage.syncd(words, columns: 60)
            #expect(shown.ending == .exited(0) && shown.transcript.contains("mine"))
            #expect(!shown.transcript.contains("\u{1B}[2J"), "\(shown.transcript)")
        }
    }

    @Test func `D6: a lasting doubt of a list is told where the todos are left out`() async throws {
        let edits = try await EditStage(serving: Self.first)
        defer { edits.kill() }
        let stage = edits.stage
        #expect(try await stage.syncd("add", "notes", "title=milk").code == 0)
        let made = try await stage.sqlite(
            """
            UPDATE operation SET state = 'in doubt', attempts = 1, undecided = 1,
                sent_boot = 'before', sent_ms = 1, first_sent_boot = 'before', first_sent_ms = 1,
                open_pulls = 3, last_error = 'timed out'
            """)
        #expect(made.code == 0, "\(made.errors)")
        let text = String(decoding: try stage.bytes(of: stage.configuration), as: UTF8.self)
        try stage.write(
            text.replacingOccurrences(
                of: "\"todos\": {", with: "\"todos\": {\"enabled\": false, "),
            to: stage.configuration)
        let doubt = "the create of ‘milk’ (operation 1) has been in doubt"
        #expect(try await stage.syncd("status").errors.contains(doubt))
        #expect(try await stage.syncd("check").output.contains(doubt))
        // A list that is left out is not told of.
        try FileManager.default.removeItem(
            atPath: stage.root + "/config/syncd/lists/notes.json")
        #expect(try await !stage.syncd("status").errors.contains(doubt))
    }
}
