import Foundation
import Testing

/// A list whose file went while changes of it wait.
@Suite(.timeLimit(.minutes(2))) struct UndeclaredListProcessTests {
    private static let problem =
        "notes: a change waits, but no file declares this list. "
        + "Put its file notes.json back, or drop the changes: `syncd outbox list` names them."

    @Test func `status, sync and check tell of its changes, and its table refuses more`()
        async throws
    {
        let stage = try await EditStage(serving: #"[{"id": 1, "title": "a", "done": false}]"#)
        defer { stage.kill() }
        #expect(try await stage.stage.sqlite("UPDATE notes SET done = 1").code == 0)
        let file = stage.stage.root + "/config/syncd/lists/notes.json"
        try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
        #expect(try await stage.stage.syncd("sync", "todos").errors.contains(Self.problem))
        #expect(try await stage.stage.syncd("status").errors.contains(Self.problem))
        let check = try await stage.stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("a change waits, but no file declares this list"))
        #expect(!check.output.contains("added by another program"))
        let refused = try await stage.stage.sqlite("INSERT INTO notes (title) VALUES ('b')")
        #expect(refused.errors.contains("notes takes no more changes"))
        try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
        #expect(try await stage.stage.syncd("sync", "notes").code == 0)
        #expect(try await stage.atServer().contains(#""done": true"#))
    }
}
