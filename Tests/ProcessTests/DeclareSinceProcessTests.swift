import HostileHTTP
import Testing

/// How `declare` finds out by which parameter only changes are asked for.
@Suite(.timeLimit(.minutes(3))) struct DeclareSinceProcessTests {
    private static let moments: [String?] = [
        "2026-11-01T09:00:00Z", "2026-11-03T12:00:00Z", "2026-11-02T10:00:00Z",
        "2026-11-03T10:30:00Z", "2026-11-03T11:30:00Z",
    ]

    @Test func `since is proposed with read and the reason of both, and checked`() async throws {
        let server = try IncrementServer(Self.moments)
        let stage = try Stage()
        try stage.write(#"{"todos": {"enabled": false}}"#, to: stage.configuration)
        let added = try await stage.syncd("declare", "\(server.address)/notes", "--write", "--json")
        #expect(added.code == 0, "\(added.errors)")
        #expect(
            added.output.contains(
                """
                  "pages": "none",
                  "since": {
                    "query": "updated_since={since}",
                    "moment": "$.updated_at"
                  },
                  "read": true,

                """), "\(added.output)")
        let told = try await stage.syncd("declare", "\(server.address)/notes")
        #expect(
            told.errors.contains(
                "syncd: since: updated_since={since} and $.updated_at: from 2026-11-03T10:30:00Z on, 3 of 5"
                    + " rows came, none of them older, and from 2199-11-03T12:00:00Z on, none. Not believed:"
                    + " since (ignored by the server)\n"
                    + "syncd: read: /notes/{id} shows the row with the id 1 alone\n"),
            "\(told.errors)")
        let checked = try await stage.syncd("lists", "check", "notes")
        #expect(checked.code == 0, "\(checked.errors)")
        #expect(checked.output.contains("rows in it\t3\n"), "\(checked.output)")
    }

    @Test(arguments: [IncrementServer.Lie.ignored, .empty, .firstPage, .refused, .lacking])
    func `a server that does not do it is found out, and the list is declared without`(
        lie: IncrementServer.Lie
    ) async throws {
        let server = try IncrementServer(Self.moments, lie: lie)
        let stage = try Stage()
        let ended = try await stage.syncd("declare", "\(server.address)/notes")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(!ended.output.contains("since"))
        #expect(!ended.output.contains("\"read\""))
        #expect(
            ended.errors.contains(
                "syncd: since: left out: the server shows no way to ask for what has changed since a"
                    + " moment, such as $.updated_at. Tried in vain: "), "\(ended.errors)")
        #expect(server.targets.count <= 20, "\(server.targets)")
    }

    @Test func `a server that is busy is left alone`() async throws {
        let server = try IncrementServer(Self.moments, lie: .busy)
        let stage = try Stage()
        let ended = try await stage.syncd("declare", "\(server.address)/notes")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors.contains("the rest (the server answers 429)"), "\(ended.errors)")
        // Pages, and changes: each question some times.
        #expect(server.targets.count <= 12, "\(server.targets)")
    }
}
