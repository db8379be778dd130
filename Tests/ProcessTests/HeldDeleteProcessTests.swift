import Foundation
import Testing

/// A table that was emptied by mistake, as a person meets it.
@Suite(.timeLimit(.minutes(2))) struct HeldDeleteProcessTests {
    private static let problem =
        "notes: a program deleted all 12 rows within a minute: these deletes are held, and not sent. "
        + "If they are meant, run `syncd sync notes --accept-deletes`; "
        + "`syncd outbox drop --held` brings the rows back."

    private func emptied() async throws -> EditStage {
        let rows = (1...12).map { #"{"id": \#($0), "title": "note \#($0)", "done": false}"# }
        let stage = try await EditStage(serving: "[" + rows.joined(separator: ", ") + "]")
        #expect(try await stage.stage.sqlite("DELETE FROM notes").code == 0)
        return stage
    }

    @Test func `status, sync, check and plan tell of the hold, and nothing is sent`() async throws {
        let stage = try await emptied()
        defer { stage.kill() }
        let plan = try await stage.stage.syncd("plan")
        #expect(plan.output.contains("you: `syncd sync notes --accept-deletes`"))
        let sync = try await stage.stage.syncd("sync", "notes")
        #expect(sync.code == 75)
        #expect(sync.errors.contains(Self.problem))
        #expect(try await stage.stage.syncd("status").errors.contains(Self.problem))
        let check = try await stage.stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("a program deleted all 12 rows within a minute"))
        #expect(try await stage.atServer().contains("note 12"))
    }

    @Test func `an accepted hold ends, and the rows go`() async throws {
        let stage = try await emptied()
        defer { stage.kill() }
        #expect(try await stage.stage.syncd("sync", "notes").code == 75)
        #expect(try await stage.stage.syncd("sync", "notes", "--accept-deletes").code == 0)
        #expect(try await !stage.atServer().contains("note"))
        #expect(try await !stage.stage.syncd("status").errors.contains("held"))
    }

    @Test func `a hold that is dropped brings the rows back`() async throws {
        let stage = try await emptied()
        defer { stage.kill() }
        #expect(try await stage.stage.syncd("sync", "notes").code == 75)
        #expect(
            try await stage.stage.syncd("outbox", "drop", "--held").errors
                == "syncd: 12 changes dropped\n")
        #expect(try await stage.stage.syncd("sync", "notes").code == 0)
        #expect(try await stage.stage.sqlite("SELECT count(*) FROM notes").output == "12\n")
    }

    @Test(arguments: [
        ("DELETE FROM held_deletes", "take held deletes back with DELETE FROM outbox"),
        ("UPDATE held_deletes SET accepted = 2", "a held delete can only be accepted"),
        ("UPDATE held_deletes SET seq = 1, accepted = 1", "a held delete can only be accepted"),
        ("INSERT INTO held_deletes (seq) VALUES (1)", "syncd alone holds deletes"),
    ])
    func `whatever else is done to the view is refused with a sentence`(
        sql: String, sentence: String
    ) async throws {
        let stage = try await emptied()
        defer { stage.kill() }
        #expect(try await stage.stage.syncd("sync", "notes").code == 75)
        let refused = try await stage.stage.sqlite(
            sql.replacing("seq = 1,", with: "seq = seq + 1,"))
        #expect(refused.code != 0)
        #expect(refused.errors.contains(sentence))
    }
}
