import Declarations
import Foundation
import Testing
import Text

func read(
    _ text: String, name: String = "notes"
) throws -> Declaration.File {
    try Declaration.read(Array(text.utf8), name: ListName(name), rules: .lenient)
}

/// Issues of a code forge, only read.
let issues = """
    {
      "server": "github",
      "list": "/repos/swiftlang/swift/issues?state=open&per_page=100",
      "pages": "link",
      "id": "$.id",
      "interval": "15m",
      "columns": {
        "number": "integer $.number", "title": "text $.title", "author": "text $.user.login",
        "labels": "json $.labels", "updated_at": {"text": "$.updated_at", "index": true},
        "body": "text $.body"
      },
      "search": ["title", "body"],
      "history": "title"
    }
    """

/// Notes that everybody edits, at a server with pages that name the next one.
let notes = """
    {
      "server": {"baseURL": "https://notes.example.org/api"},
      "list": "/notes/?ordering=id", "rows": "$.results", "pages": {"next": "$.next"}, "id": "$.id",
      "columns": {
        "id": "integer $.id", "title": {"text": "$.title", "write": "both", "required": true},
        "body": {"text": "$.body", "write": "both"}, "done": {"boolean": "$.done", "write": "both"},
        "updated_at": "text $.updated_at", "_state": "@state"
      },
      "create": true, "update": {"path": "/notes/{id}/"}, "delete": {"path": "/notes/{id}/"}
    }
    """

/// The same at a server where a row's version is part of an address.
let versioned = """
    {
      "server": "rest", "list": "/notes?order=id", "id": "$.id",
      "pages": {"offset": "offset", "limit": ["limit", 1000], "rows": "header Content-Range"},
      "columns": {
        "id": {"text": "$.id", "write": "create"},
        "title": {"text": "$.title", "write": "both", "required": true, "bytes": 200, "empty": false},
        "due": {"text": "$.due.date", "write": "update", "as": "due_date"}
      },
      "once": {"column": "id", "form": "base36:15"},
      "create": {"path": "/notes", "headers": {"Prefer": "return=representation"}, "row": "$[0]",
        "body": {"data": ["@row", 1, null, true, "text"]}},
      "update": {"method": "PUT", "path": "/notes?id=eq.{id}&version=eq.{version}&n={title}",
        "version": "$.version", "stale": [406, 412], "body": "@document",
        "headers": {"If-Match": "\\"{version}\\""}},
      "read": {"path": "/notes?id=eq.{id}", "row": "$[0]"},
      "delete": {"path": "/notes?id=eq.{id}", "body": {"ids": ["@id"]}, "type": "application/x+json"},
      "match": ["title"], "identity": ["id"], "conflict": "mine", "interval": "90s", "enabled": false
    }
    """

@Suite struct `a declaration` {
    @Test func `of a list that is only read`() throws {
        let file = try read(issues)
        let list = file.declaration
        #expect(list.server == "github")
        #expect(list.isReadOnly && list.isEnabled)
        #expect(list.paging == .link)
        #expect(list.rows == .root)
        #expect(list.interval == .seconds(900))
        #expect(
            list.columns.map(\.name) == [
                "number", "title", "author", "labels", "updated_at", "body", "_id", "_server_id",
                "_fetched_at", "_rank", "_document",
            ])
        #expect(list.column("author")?.field?.path.description == "$.user.login")
        #expect(list.columns.filter(\.isIndexed).map(\.name) == ["updated_at"])
        #expect(list.column(of: .rank)?.name == "_rank")
        #expect(list.column(of: .state) == nil)
    }

    @Test func `of a list that programs write to`() throws {
        let list = try read(notes).declaration
        #expect(!list.isReadOnly)
        #expect(
            list.columns.map(\.name) == [
                "id", "title", "body", "done", "updated_at", "_state", "_id", "_server_id",
                "_error",
                "_added_at",
            ])
        let create = try #require(list.calls[.create])
        #expect(create.method == .post)
        #expect("\(create.path)" == "/notes/")
        #expect(create.body == .placeholder(.row))
        let update = try #require(list.calls[.update])
        #expect(update.method == .patch)
        #expect(update.path.parts == [.text("/notes/"), .id, .text("/")])
        #expect(list.calls[.delete]?.body == nil)
        #expect(list.once == .look)
        #expect(list.conflict == .theirs)
    }

    @Test func `of calls that are written out`() throws {
        let list = try read(versioned).declaration
        #expect(!list.isEnabled)
        guard case .offset(let counted) = list.paging else {
            Issue.record("\(list.paging)")
            return
        }
        #expect(counted.parameter == .query("offset"))
        #expect(counted.limit?.parameter == .query("limit") && counted.limit?.rows == 1000)
        #expect(counted.rows == .header("Content-Range"))
        #expect(list.once == .column("id", .base36(15)))
        let update = try #require(list.calls[.update])
        #expect(update.method == .put)
        #expect(update.body == .placeholder(.document))
        #expect(update.stale == [406, 412])
        #expect(
            update.path.parts == [
                .text("/notes?id=eq."), .id, .text("&version=eq."), .version, .text("&n="),
                .column("title"),
            ])
        #expect(update.headers.map(\.value.description) == [#""{version}""#])
        #expect(list.column("due")?.writtenAs == "due_date")
        #expect(list.column("title")?.byteLimit == 200)
    }

    @Test(arguments: [
        ("true", "/notes/{id}", "$"), (#"{"row": "$.data"}"#, "/notes/{id}", "$.data"),
        (#"{"path": "/n/{number}?v=1"}"#, "/n/{number}?v=1", "$"),
    ])
    func `of a call that shows one row`(read: String, path: String, row: String) throws {
        let list = try Declaration.stored(
            """
            {"list": "/notes?open=1", "id": "$.id", "read": \(read), "delete": true,
             "columns": {"number": "integer $.number"}}
            """, name: "notes")
        #expect(list.read?.path.description == path)
        #expect(list.read?.row.description == row)
        let written = String(decoding: list.json().lines, as: UTF8.self)
        #expect(try Declaration.stored(written, name: "notes") == list)
    }

    @Test func `of columns that reads alone show`() throws {
        let list = try Declaration.stored(
            """
            {"list": "/n", "id": "$.id", "delete": true,
             "read": {"row": "$.data", "columns": {"body": "$.attributes.body"}},
             "columns": {"title": "text $.title", "body": {"text": "$.body", "in": "read"}}}
            """, name: "notes")
        #expect(list.columns.prefix(2).map(\.isFromReads) == [false, true])
        #expect(list.read?.columns == ["body": try JSONPath("$.attributes.body")])
        let written = String(decoding: list.json().lines, as: UTF8.self)
        #expect(try Declaration.stored(written, name: "notes") == list)
    }

    @Test func `of numbers that the server has in texts`() throws {
        let list = try Declaration.stored(
            """
            {"list": "/n", "id": "$.id", "columns": {
              "price": {"real": "$.price", "text": true}, "count": {"integer": "$.count", "text": true},
              "size": {"real": "$.size", "text": false}}}
            """, name: "notes")
        #expect(
            list.columns.prefix(3).map { $0.field?.type } == [.realText, .integerText, .real])
        let written = String(decoding: list.json().lines, as: UTF8.self)
        #expect(try Declaration.stored(written, name: "notes") == list)
    }

    @Test(arguments: [issues, notes, versioned])
    func `says the same after it was written and read again`(text: String) throws {
        let declared = try read(text).declaration
        let written = String(decoding: declared.json().lines, as: UTF8.self)
        let again = try Declaration.stored(written, name: "notes")
        #expect(again == declared || declared.server != nil)
        #expect(again.columns == declared.columns && again.calls == declared.calls)
        #expect(again.json().lines == declared.json().lines || declared.server != nil)
    }

    @Test(arguments: [
        Declaration.movies(
            isEnabled: true, language: "en-US", region: "US", interval: .seconds(21_600)),
        Declaration.todos(
            isEnabled: false, honoursIdempotencyKeys: true, interval: .seconds(60)),
        Declaration.todos(
            isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(60)),
    ])
    func `that ships with syncd can be written as a file`(preset: Declaration) throws {
        let server = JSONNode.object([("baseURL", .text("https://example.org"))])
        let text = String(decoding: preset.json(server: server).lines, as: UTF8.self)
        let file = try read(text, name: "copy")
        #expect(file.server?.baseURL == "https://example.org")
        #expect(file.declaration.columns == preset.columns)
        #expect(try Declaration.stored(text, name: preset.name.text) == preset)
    }

    @Test(arguments: ["$.noteID", "header Location"])
    func `where a create names its row is part of what is kept`(place: String) throws {
        let declared = try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "pages": "none", "create": {"id": "\(place)"},
             "columns": {"title": {"text": "$.title", "write": "create"}}}
            """, name: "notes")
        let text = declared.json().compact
        #expect(text.contains(#""create":{"id":"\#(place)"}"#))
        #expect(try Declaration.stored(text, name: "notes") == declared)
    }
}
