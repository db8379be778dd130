import Foundation
import Testing

/// What a person sees of doubt that pulls do not decide.
@Suite(.timeLimit(.minutes(2))) struct LastingDoubtProcessTests {
    @Test func `D6: doubt that lasts is told by status, check and metrics, with the way to end it`()
        async throws
    {
        let stage = try await Stage.outbox("queued", "in doubt")
        let problem =
            "the create of ‘todo 2’ (operation 2) has been in doubt for over an hour and 3 pulls: "
            + "the pull fails: waiting"
        let retry = "`syncd outbox retry --force 2` (the row may be made twice)"
        let drop = "`syncd outbox drop --force 2` (the server may have made the row all the same)"
        let hint = "Remove that cause, or end the doubt: \(retry) or \(drop)."
        let status = try await stage.syncd("status")
        #expect(status.code == 0)
        #expect(status.errors.contains("syncd: \(problem). \(hint)\n"), "\(status.errors)")
        let document = try await object(stage.syncd("status", "--json"))
        let told = try #require((document["lasting_doubts"] as? [[String: Any]])?.first)
        #expect(told["seq"] as? Int == 2 && told["op"] as? String == "create")
        #expect(told["todo_id"] as? Int == 2 && told["title"] as? String == "todo 2")
        #expect(told["reason"] as? String == "the pull fails: waiting")
        #expect(told["hint"] as? String == hint)
        let check = try await stage.syncd("check")
        #expect(check.code == 1)
        #expect(check.output.contains("problem\toutbox\t\(problem)\t\(hint)\n"), "\(check.output)")
        let metrics = try await stage.syncd("metrics").output
        #expect(metrics.contains("\nsyncd_outbox_lasting_doubts 1\n"))
    }

    @Test func `doubt that is young is not told`() async throws {
        let stage = try await Stage.outbox("in doubt", "in doubt")
        #expect(try await stage.sqlite("UPDATE operation SET open_pulls = 2").code == 0)
        #expect(try await !stage.syncd("status").errors.contains("in doubt"))
        let document = try await object(stage.syncd("status", "--json"))
        #expect((document["lasting_doubts"] as? [Any])?.isEmpty == true)
        #expect(try await stage.syncd("check").code == 0)
        #expect(try await stage.syncd("metrics").output.contains("_lasting_doubts 0\n"))
    }

    @Test func `of many doubts the first ten are named, and the others counted`() async throws {
        let stage = try await Stage.outbox("in doubt", "in doubt")
        let more = try await stage.sqlite(
            """
            INSERT INTO todos(title) WITH RECURSIVE n(i) AS (
                SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10) SELECT 'more ' || i FROM n;
            UPDATE operation SET (state, undecided, sent_boot, sent_ms, first_sent_boot,
                first_sent_ms, open_pulls) = (SELECT state, undecided, sent_boot, sent_ms,
                first_sent_boot, first_sent_ms, open_pulls FROM operation WHERE seq = 1)
            """)
        #expect(more.code == 0, "\(more.errors)")
        let rest = "2 more have been in doubt for as long"
        let status = try await stage.syncd("status").errors
        #expect(status.components(separatedBy: "has been in doubt").count == 11)
        #expect(status.contains("syncd: \(rest). See `syncd outbox list`.\n"))
        #expect(try await stage.syncd("check").output.contains("\toutbox\t\(rest)\t"))
        let document = try await object(stage.syncd("status", "--json"))
        #expect((document["lasting_doubts"] as? [Any])?.count == 12)
    }

    private func object(_ ended: Finished) throws -> [String: Any] {
        #expect(ended.code == 0, "\(ended.errors)")
        let document = try JSONSerialization.jsonObject(with: Data(ended.output.utf8))
        return try #require(document as? [String: Any])
    }
}
