import HostileHTTP
import Synchronization
import Testing

/// `lists check` of a list of which only changes are asked for: it is read whole and by an increment, and both compared.
@Suite(.timeLimit(.minutes(3))) struct IncrementCheckProcessTests {
    private static let moments: [String?] = [
        "2026-11-01T09:00:00Z", "2026-11-03T12:00:00Z", "2026-11-02T10:00:00Z",
        "2026-11-03T10:30:00Z", "2026-11-03T11:30:00Z",
    ]

    private func stage(
        _ server: IncrementServer, since: String = #""moment": "$.updated_at""#
    ) throws -> Stage {
        let stage = try Stage()
        try stage.write(#"{"todos": {"enabled": false}}"#, to: stage.configuration)
        try stage.write(
            """
            {"server": {"baseURL": "\(server.address)"}, "list": "/notes?sort=id", "id": "$.id",
             "since": {"query": "updated_since={since}", \(since)}, "create": true, "delete": true,
             "columns": {"title": {"text": "$.title", "required": true, "write": "create"}}}
            """, to: "config/syncd/lists/notes.json")
        return stage
    }

    @Test(arguments: [true, false])
    func `the increment of an honest server has what has changed for an hour before the newest`(
        isStrict: Bool
    ) async throws {
        let server = try IncrementServer(Self.moments, lie: isStrict ? .later : .none)
        let stage = try stage(server)
        let ended = try await stage.syncd("lists", "check", "notes")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.errors == "")
        #expect(
            ended.output.contains(
                """
                increment from\t2026-11-03T10:30:00Z
                rows in it\t\(isStrict ? 2 : 3)
                older rows in it\t0
                changed rows not in it\t0
                rows without moment\t0

                """), "\(ended.output)")
        #expect(
            server.targets == [
                "/notes?sort=id", "/notes?sort=id&updated_since=2026-11-03T10%3A30%3A00Z",
                "/notes?sort=id",
            ])
    }

    @Test(
        arguments: [
            (
                .ignored,
                "the server ignores since: asked for what has changed since 2026-11-03T10:30:00Z, it shows"
                    + " all 5 rows. Correct \"query\" in \"since\", or remove \"since\""
            ),
            (
                .empty,
                "the increment from 2026-11-03T10:30:00Z lacks rows that have changed since: 3: 2, 4, 5."
                    + " Look whether \"query\" asks for what \"moment\" shows"
            ),
            (
                .firstPage,
                "the increment from 2026-11-03T10:30:00Z lacks rows that have changed since: 2: 4, 5. Look"
                    + " whether \"query\" asks for what \"moment\" shows"
            ),
            (
                .lacking,
                "the increment from 2026-11-03T10:30:00Z lacks rows that have changed since: 1: 5. Look"
                    + " whether \"query\" asks for what \"moment\" shows"
            ),
        ] as [(IncrementServer.Lie, String)])
    func `an increment that lacks changes, or has all rows, is a finding`(
        lie: IncrementServer.Lie, remark: String
    ) async throws {
        let server = try IncrementServer(Self.moments, lie: lie)
        let ended = try await stage(server).syncd("lists", "check", "notes")
        #expect(ended.code == 1, "\(ended.output)")
        #expect(ended.errors == "syncd: notes: \(remark)\n")
    }

    @Test func `a row that is deleted between the two lists is not missing`() async throws {
        let isAsked = Mutex(false)
        let http = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isIncrement = request.line.contains("updated_since")
                let isDeleted = isAsked.withLock { asked in
                    asked = asked || isIncrement
                    return asked
                }
                let rows = (isIncrement ? 2 : 1)...(isDeleted ? 3 : 4)
                let body = rows.map {
                    #"{"id":\#($0),"title":"t","updated_at":"2026-11-0\#($0)T09:00:00Z"}"#
                }.joined(separator: ",")
                connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count + 2)\r\n\r\n[\(body)]")
            }
        }
        let ended = try await stage(IncrementServer(http: http)).syncd("lists", "check", "notes")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output.contains("changed rows not in it\t0\n"), "\(ended.output)")
    }

    @Test func `a parameter that is refused is told with the server's words`() async throws {
        let server = try IncrementServer(Self.moments, lie: .refused)
        let ended = try await stage(server).syncd("lists", "check", "notes")
        #expect(ended.code == 1, "\(ended.output)")
        #expect(
            ended.errors.hasPrefix(
                "syncd: notes: asked for what has changed since 2026-11-03T10:30:00Z: "),
            "\(ended.errors)")
        #expect(ended.errors.contains("no such filter"), "\(ended.errors)")
        #expect(!ended.errors.contains("increment of"), "\(ended.errors)")
    }

    @Test func `rows without a moment are counted, and the middle is asked from within an hour`()
        async throws
    {
        let server = try IncrementServer([
            "2026-11-03T12:00:00Z", nil, "2026-11-03T12:20:00Z", "2026-11-03T12:10:00Z", nil,
        ])
        let stage = try stage(server)
        let json = try await stage.syncd("lists", "check", "notes", "--json")
        #expect(json.code == 0, "\(json.errors)")
        #expect(
            json.output.contains(
                "\"increment\":{\"mark\":\"2026-11-03T12:10:00Z\",\"rows\":2,\"older\":0,\"missing\":0,"
                    + "\"without_moment\":2,\"problem\":null}"), "\(json.output)")
    }

    @Test func `a list without moments is told, and none of the same moment is tried`() async throws
    {
        let server = try IncrementServer(Array(repeating: "yesterday", count: 3))
        let none = try await stage(server).syncd("lists", "check", "notes")
        #expect(none.code == 1)
        #expect(
            none.errors
                == "syncd: notes: no row has a date or a number at $.updated_at, so each pull reads the"
                + " whole list\n")
        let same = try IncrementServer(Array(repeating: "2026-11-03T12:00:00Z", count: 3))
        let one = try await stage(same).syncd("lists", "check", "notes")
        #expect(one.code == 0, "\(one.errors)")
        #expect(one.errors.contains("no two rows have different moments at $.updated_at"))
        #expect(same.targets == ["/notes?sort=id", "/notes?sort=id"])
    }

    @Test(arguments: [true, false])
    func `from the server's own text on nothing has changed, or it ignores it`(
        isHonest: Bool
    ) async throws {
        let rows = #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#
        let http = try HostileServer { connection in
            while let request = connection.readRequest() {
                let isAsked = request.line.contains("updated_since=%2217%22")
                let body = isAsked && isHonest ? "[]" : rows
                connection.send(
                    "HTTP/1.1 200 OK\r\nETag: \"17\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
        let server = IncrementServer(http: http)
        let ended = try await stage(server, since: #""moment": "header ETag""#)
            .syncd("lists", "check", "notes")
        #expect(ended.code == (isHonest ? 0 : 1), "\(ended.output)")
        #expect(ended.output.contains("increment from\t\"17\"\n"), "\(ended.output)")
        #expect(
            ended.errors.contains("the server ignores since") != isHonest, "\(ended.errors)")
    }

    @Test func `an answer without the server's own text is told`() async throws {
        let server = try IncrementServer(Self.moments)
        let ended = try await stage(server, since: #""moment": "header ETag""#)
            .syncd("lists", "check", "notes")
        #expect(ended.code == 1)
        #expect(ended.errors.contains("the answer has no text at header ETag"), "\(ended.errors)")
    }
}
