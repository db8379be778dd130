import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// A server that wants another path for a call, most often one with a slash at its end.
@Suite struct MovedCallTests {
    private static func list(_ path: String, _ calls: String) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "\(path)", "id": "$.id", \(calls),
             "columns": {"title": {"text": "$.title", "write": "both", "required": true}}}
            """, name: "notes")
    }

    private static func line(
        for kind: WriteCall.Kind, of list: Declaration, _ failure: StatusFailure
    ) throws -> String? {
        let call = try #require(list.calls(of: kind).first)
        return MovedCall.line(
            for: call, kind, of: list, failure, base: try BaseURL("https://notes.example/api"))
    }

    private static let usual = #""create": true, "update": true, "delete": true"#
    private static let own = #"""
        "create": {"path": "/add"}, "update": {"path": "/notes/{id}/?v=1"}, "delete": true
        """#

    @Test(
        arguments: [
            (.create, "/notes", usual, "/api/notes", "/api/notes/", #""list": "/notes/""#),
            (.create, "/notes/", usual, "/api/notes/", "/api/notes", #""list": "/notes""#),
            (
                .create, "/notes?order=id", usual, "/api/notes", "/api/notes/",
                #""list": "/notes/?order=id""#
            ),
            (.create, "/notes", own, "/api/add", "/api/add/", #""path": "/add/" under "create""#),
            (.create, "/notes", usual, "/api/notes", "/api/v2/notes", nil),
            (.create, "/notes", usual, "/api/notes", "/v2/notes/", nil),
            (.create, "/notes", usual, "/api/notes", "/api/notes?x=1", nil),
            (
                .update, "/notes/", usual, "/api/notes/7", "/api/notes/7/",
                #""path": "/notes/{id}/" under "update""#
            ),
            (
                .update, "/notes", own, "/api/notes/7/", "/api/notes/7",
                #""path": "/notes/{id}?v=1" under "update""#
            ),
            (
                .delete, "/notes", usual, "/api/notes/7", "/api/notes/7/?really=1",
                #""path": "/notes/{id}/" under "delete""#
            ),
            (.delete, "/notes", usual, "/api/notes/7", "/api/login/", nil),
            (.delete, "/notes", usual, "/api/notes/7", "/7/", nil),
        ] as [(WriteCall.Kind, String, String, String, String, String?)])
    func `the line to write is named where only a slash differs`(
        kind: WriteCall.Kind, path: String, calls: String, sent: String, moved: String,
        line: String?
    ) throws {
        let failure = StatusFailure(
            code: 307, reason: nil, retryAfter: nil,
            endpoint: "POST https://notes.example\(sent)", movedTo: moved)
        #expect(
            try Self.line(for: kind, of: try Self.list(path, calls), failure) == line)
    }

    @Test func `a redirect to nowhere and one of another server name no line`() throws {
        for endpoint in ["POST https://other.example/api/notes", "POST ", ""] {
            let failure = StatusFailure(
                code: 307, reason: nil, retryAfter: nil, endpoint: endpoint,
                movedTo: "/api/notes/")
            let list = try Self.list("/notes", Self.usual)
            #expect(try Self.line(for: .create, of: list, failure) == nil)
        }
        let nowhere = StatusFailure(
            code: 307, reason: nil, retryAfter: nil,
            endpoint: "POST https://notes.example/api/notes")
        let list = try Self.list("/notes", Self.usual)
        #expect(try Self.line(for: .create, of: list, nowhere) == nil)
    }

    private static func world() async throws -> ListWorld {
        var list = ReferenceList(rows: [#"{"id":1,"title":"milk"}"#], paging: .none, size: 100)
        list.isWritable = true
        return try await ListWorld(
            list, pages: #""none""#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}"#,
            more: #", "create": true, "update": true, "delete": true"#)
    }

    private static func answer(_ status: Int, _ location: String) -> HTTPResponse {
        HTTPResponse(status: status, fields: [HTTPField("Location", location)])
    }

    @Test(arguments: [301, 307, 308, 302])
    func `a create that wants a slash says what to write and where`(status: Int) async throws {
        let world = try await Self.world()
        try await world.sync()
        try await world.write("INSERT INTO notes (title) VALUES ('tea')")
        world.world.server.next(
            "POST /lists/notes", .answers(Self.answer(status, "/lists/notes/")))
        let report = try await world.sync()
        #expect(report.halt?.state == .misconfigured)
        #expect(
            report.halt?.error
                == "POST http://127.0.0.1:8080/lists/notes was answered \(status): it points to "
                + #"/lists/notes/. Write "list": "/lists/notes/" in notes.json"#)
        #expect(report.haltHint == "`syncd lists show notes` prints the declaration.")
        let kept = try await world.rows(
            "SELECT halt_error FROM sync_state WHERE list = 'notes'")
        #expect(kept == [report.halt?.error])
    }

    @Test func `an edit and a delete that want a slash say it of their own paths`() async throws {
        let world = try await Self.world()
        try await world.sync()
        for (sql, method, call) in [
            ("UPDATE notes SET title = 'tea'", "PATCH", "update"),
            ("DELETE FROM notes", "DELETE", "delete"),
        ] {
            try await world.write(sql)
            world.world.server.next(
                "\(method) /lists/notes/1", .answers(Self.answer(308, "/lists/notes/1/")))
            let report = try await world.sync()
            #expect(
                report.halt?.error.hasSuffix(
                    #". Write "path": "/lists/notes/{id}/" under "\#(call)" in notes.json"#)
                    == true,
                "\(report.halt?.error ?? "")")
            try await world.write("DELETE FROM outbox")
        }
    }

    @Test func `a redirect to another server keeps the hint of the base URL`() async throws {
        let world = try await Self.world()
        try await world.sync()
        try await world.write("INSERT INTO notes (title) VALUES ('tea')")
        world.world.server.next(
            "POST /lists/notes", .answers(Self.answer(307, "https://b.example/lists/notes/")))
        let report = try await world.sync()
        #expect(
            report.halt?.error.hasSuffix(": it points to https://b.example/lists/notes/") == true)
        #expect(report.haltHint == "Check the base URL; the server says that the API is elsewhere.")
    }
}
