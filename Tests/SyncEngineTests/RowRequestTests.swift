import APIClient
import Declarations
import SyncEngine
import Testing

/// What a write of a declared list sends, from its declaration and a row's values.
@Suite struct RowRequestTests {
    /// A list with `calls`, behind columns of every type at places of every kind.
    private static func list(_ calls: String, columns more: String = "") throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/notes?order=id", "id": "$.id", \(calls),
             "columns": {
               "title": {"text": "$.title", "write": "both"},
               "login": {"text": "$.user.login", "write": "both"},
               "done": {"boolean": "$.done", "write": "update"},
               "mail": {"text": "$.user['e mail'].work", "write": "both"},
               "due": {"text": "$.due[0].date", "write": "both", "as": "due date"},
               "slug": {"text": "$.slug", "write": "create"},
               "labels": {"json": "$.labels", "write": "both"},
               "seen": "integer $.seen"\(more)}}
            """, name: "notes")
    }

    static func call(
        _ kind: WriteCall.Kind, _ calls: String, id: String? = "7",
        version: String? = nil, _ values: [String: String] = [:], changed: [String: String]? = nil,
        document: String? = nil, key: HTTPField? = nil
    ) throws -> RowCall {
        // Every column needs a call that writes it.
        let others = WriteCall.Kind.allCases.filter { !calls.contains("\"\($0.rawValue)\"") }
        let all = ([calls] + others.map { "\"\($0.rawValue)\": true" }).filter { !$0.isEmpty }
        let list = try list(all.joined(separator: ", "))
        let row = RowValues(
            serverID: id, version: version, values: values, changed: changed ?? values,
            document: document)
        return try RowRequest.call(try #require(list.calls[kind]), of: list, for: row, key: key)
    }

    private static func body(_ call: RowCall) -> String? {
        call.body.map { String(decoding: $0, as: UTF8.self) }
    }

    static func refusal(_ call: () throws -> RowCall) -> APIError? {
        do {
            let call = try call()
            Issue.record("made \(call)")
            return nil
        } catch {
            return error as? APIError
        }
    }

    @Test(arguments: ["@document", "{done}"])
    func `what was mended in a document does not go back`(body: String) throws {
        let template =
            body == "@document" ? #""@document""# : #"{"done": "{done}", "row": "@changed"}"#
        let refusal = Self.refusal {
            try Self.call(
                .update, #""update": {"method": "PUT", "body": \#(template)}, "read": true"#,
                changed: ["title": #""x""#], document: #"{"id":7,"title":"a","x":"\uFFFd"}"#)
        }
        guard case .bodyNotEncodable(let text) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(text.contains("U+0000 or half a pair of surrogates"))
    }

    /// What was written past the triggers of the table.
    @Test(arguments: ["7", "true", #""text""#])
    func `a value of JSON that a column would not show is not sent`(value: String) throws {
        let refusal = Self.refusal {
            try Self.call(.create, #""create": true"#, ["title": #""x""#, "labels": value])
        }
        guard case .bodyNotEncodable(let text) = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(text.contains("the value of labels is neither an object nor a list of JSON"))
    }

    // MARK: Whole requests

    static let json = HTTPField("Content-Type", "application/json")

    @Test func `the usual create is a POST of the columns that a new row may have`() throws {
        #expect(
            try Self.call(.create, "", id: nil, ["title": #""milk""#, "seen": "1", "done": "true"])
                == RowCall(
                    method: .post, path: "/notes", fields: [Self.json],
                    body: Array(#"{"title":"milk"}"#.utf8)))
    }

    @Test func `the usual update is a PATCH of the columns that may change`() throws {
        #expect(
            try Self.call(.update, "", ["title": #""milk""#, "slug": #""m""#, "done": "true"])
                == RowCall(
                    method: .patch, path: "/notes/7", fields: [Self.json],
                    body: Array(#"{"title":"milk","done":true}"#.utf8)))
    }

    @Test(arguments: ["/items", "/items/", "/items/?order=id"])
    func `a list with a slash at its end has its rows behind that slash`(path: String) throws {
        let list = try Declaration.stored(
            """
            {"list": "\(path)", "id": "$.id", "create": true, "update": true, "delete": true,
             "columns": {"title": {"text": "$.title", "write": "both", "required": true}}}
            """, name: "notes")
        let row = RowValues(serverID: "7", version: nil, values: ["title": #""milk""#])
        let paths = try WriteCall.Kind.allCases.map { kind in
            try RowRequest.call(try #require(list.calls[kind]), of: list, for: row, key: nil).path
        }
        let posted = path == "/items" ? path : "/items/"
        #expect(paths == [posted, "/items/7", "/items/7"])
    }

    @Test func `an update sends what changed, and no other value of the row`() throws {
        let call = try Self.call(
            .update, "", ["title": #""milk""#, "done": "true"], changed: ["done": "null"])
        #expect(Self.body(call) == #"{"done":null}"#)
    }

    /// A server may merge what it is sent, or replace each member.
    @Test func `of a column below an object the whole member is sent, as the server has shown it`()
        throws
    {
        let call = try Self.call(
            .update, "", changed: ["login": #""ada""#, "mail": #""a@b""#, "done": "true"],
            document: #"{"id":7,"done":false,"user":{"id":3,"login":"x","e mail":{"home":1.50}}}"#)
        #expect(
            Self.body(call)
                == #"{"user":{"id":3,"login":"ada","e mail":{"home":1.50,"work":"a@b"}},"done":true}"#
        )
    }

    @Test(arguments: [#"{"id":7}"#, #"{"user":null}"#, #"{"user":[1]}"#, "[]"])
    func `where the server shows no such object, the columns below it are one`(
        document: String
    ) throws {
        let call = try Self.call(.update, "", changed: ["login": #""ada""#], document: document)
        #expect(Self.body(call) == #"{"user":{"login":"ada"}}"#)
    }

    @Test func `a number that the server has in a text is sent as a text`() throws {
        let list = try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "create": true,
             "columns": {
               "price": {"real": "$.price", "text": true, "write": "create"},
               "count": {"integer": "$.count", "text": true, "write": "create"},
               "size": {"integer": "$.size", "write": "create"}}}
            """, name: "notes")
        let row = RowValues(
            serverID: nil, version: nil,
            values: ["price": "13.5", "count": "null", "size": "7"])
        let call = try RowRequest.call(
            try #require(list.calls[.create]), of: list, for: row, key: nil)
        #expect(Self.body(call) == #"{"price":"13.5","count":null,"size":7}"#)
    }

    @Test func `a column that a request has elsewhere goes alone`() throws {
        let call = try Self.call(
            .update, "", changed: ["due": #""2030-01-02""#],
            document: #"{"due":[{"date":"x","zone":"UTC"}],"due date":"y"}"#)
        #expect(Self.body(call) == #"{"due date":"2030-01-02"}"#)
    }

    @Test
    func `a whole document is sent as the server has shown it, with what changed in its place`()
        throws
    {
        let calls = #""update": {"method": "PUT", "body": "@document"}, "read": true"#
        let call = try Self.call(
            .update, calls, changed: ["title": #""new""#, "login": #""ada""#, "labels": "[2]"],
            document:
                #"{"id":7,"title":"old","n":1.50,"user":{"id":3,"login":"x"},"labels":[1],"z":null}"#
        )
        #expect(
            Self.body(call)
                == #"{"id":7,"title":"new","n":1.50,"user":{"id":3,"login":"ada"},"labels":[2],"z":null}"#
        )
    }

    @Test func `where the document has no place for a value, one is made`() throws {
        let calls = #""update": {"method": "PUT", "body": {"data": "@document"}}, "read": true"#
        let call = try Self.call(
            .update, calls, changed: ["login": #""ada""#, "mail": #""a@b""#],
            document: #"{"id":7,"user":null}"#)
        #expect(
            Self.body(call)
                == #"{"data":{"id":7,"user":{"login":"ada","e mail":{"work":"a@b"}}}}"#)
    }

    @Test func `the usual delete has no body and no type of one`() throws {
        #expect(
            try Self.call(.delete, "", version: "3", ["title": "broken"])
                == RowCall(method: .delete, path: "/notes/7", fields: [], body: nil))
    }

    @Test func `a call says everything itself`() throws {
        let call = try Self.call(
            .update,
            """
            "update": {"method": "PUT", "path": "/n/{id}/{seen}?v={version}&t={title}",
              "type": "application/x+json", "version": "$.v",
              "headers": {"If-Match": "\\"{version}\\"", "X-Note": "{title}, {done}"},
              "body": [{"data": "@changed", "id": "@id", "@at": [null, false, -1.50e+3, "a\\"b"]}]}
            """, version: "v/ä 1", ["title": #""a/b é""#, "done": "false", "seen": "5"])
        #expect(
            call
                == RowCall(
                    method: .put, path: "/n/7/5?v=v%2F%C3%A4%201&t=a%2Fb%20%C3%A9",
                    fields: [
                        HTTPField("Content-Type", "application/x+json"),
                        HTTPField("If-Match", "\"v/ä 1\""), HTTPField("X-Note", "a/b é, false"),
                    ],
                    body: Array(
                        (#"[{"data":{"title":"a/b é","done":false},"id":7,"#
                            + #""@at":[null,false,-1.50e+3,"a\"b"]}]"#).utf8)))
    }

    @Test func `the key comes last, and no other field has its name`() throws {
        let calls = #""create": {"headers": {"idempotency-key": "mine", "Prefer": "minimal"}}"#
        let key = HTTPField("Idempotency-Key", "k-1")
        #expect(
            try Self.call(.create, calls, key: key).fields == [
                Self.json, HTTPField("Prefer", "minimal"), key,
            ])
        #expect(try Self.call(.delete, "", key: key).fields == [key])
    }

    // MARK: Bodies

    @Test(
        arguments: [
            ([:], "{}"),
            (["title": "null"], #"{"title":null}"#),
            (
                ["mail": #""m@x""#, "due": #""2026-01-01""#, "login": #""me""#, "title": #""t""#],
                #"{"title":"t","user":{"login":"me","e mail":{"work":"m@x"}},"due date":"2026-01-01"}"#
            ),
            (["labels": " [ {\"a\" : 1} ,\n [ ] , 0.50 ] "], #"{"labels":[{"a":1},[],0.50]}"#),
            (
                ["title": #""\" \\ \n \u2028 \u202e / \ud83d\ude00""#],
                #"{"title":"\" \\ \n \u2028 \u202e / 😀"}"#
            ),
            (["title": #""","done":true,"x":""#], nil),
            (["title": #"1,"done":true"#], nil), (["title": "{"], nil), (["title": ""], nil),
            (["title": "'milk'"], nil), (["title": "\"a\nb\""], nil),
            (["title": #""\ud83d""#], nil),
            (["labels": #"{"a":1,"a":2}"#], nil), (["labels": "[01]"], nil),
            (["labels": "1x"], nil),
            (["labels": "[-]"], nil), (["labels": "[1.]"], nil), (["labels": "[2e]"], nil),
        ] as [([String: String], String?)])
    func `a value stands at its place and nowhere else, or the row is refused`(
        values: [String: String], body: String?
    ) throws {
        guard let body else {
            let error = Self.refusal { try Self.call(.create, "", values) }
            guard case .bodyNotEncodable(let what) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(what.hasPrefix("notes: the value of \(values.keys.first ?? "") is no JSON"))
            #expect(!what.contains("milk"))
            return
        }
        #expect(Self.body(try Self.call(.create, "", values)) == body)
    }

    @Test(arguments: ["0", "-0", "10", "-1.5", "0.0", "1E5", "1e-05", "12.50E+3"])
    func `a number is sent as it is written`(number: String) throws {
        #expect(
            Self.body(try Self.call(.create, "", ["labels": "[\(number)]"]))
                == #"{"labels":[\#(number)]}"#)
    }

    @Test func `a value as deep as an answer may be is sent, and no deeper one`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(
            Self.body(try Self.call(.create, "", ["labels": nested(64)]))
                == #"{"labels":\#(nested(64))}"#)
        #expect(
            Self.refusal { try Self.call(.create, "", ["labels": nested(65)]) }
                == .bodyNotEncodable(
                    "notes: the value of labels is no JSON from line 1, character 65"))
    }

    @Test(arguments: [
        ("7", "7"), ("-7", "-7"), ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", #""9223372036854775808""#), ("007", #""007""#), ("+7", #""+7""#),
        ("-0", #""-0""#), ("7 ", #""7 ""#), ("a\"b", #""a\"b""#), ("٣", #""٣""#),
    ])
    func `an id is a number where it is one as servers write it`(id: String, sent: String) throws {
        let calls = #""delete": {"method": "POST", "path": "/gone", "body": {"ids": ["@id"]}}"#
        #expect(
            try Self.call(.delete, calls, id: id)
                == RowCall(
                    method: .post, path: "/gone", fields: [Self.json],
                    body: Array(#"{"ids":[\#(sent)]}"#.utf8)))
    }

    // MARK: What is missing

    private static let missing: [(WriteCall.Kind, String, [String: String], String)] = [
        (.delete, "", [:], "{id} is due, and the row has no id at the server yet"),
        (
            .delete, #""delete": {"path": "/n", "body": "@id"}"#, [:],
            "@id is due, and the row has no id at the server yet"
        ),
        (
            .delete,
            #""delete": {"path": "/n", "headers": {"If-Match": "{version}"}, "version": "$.v"}"#,
            [:], "{version} is due, and the row has no version"
        ),
        (
            .create, #""create": {"path": "/n/{slug}"}"#, ["title": "1"],
            "{slug} is due, and the row has no value for it"
        ),
        (
            .create, #""create": {"path": "/n/{slug}"}"#, ["slug": "null"],
            "{slug} is due, and the row has no value for it"
        ),
        (
            .update, #""update": {"path": "/n", "body": "@document"}, "read": true"#,
            ["title": "1"],
            "@document is due, and the row has none yet"
        ),
        (
            .delete, #""delete": {"path": "/n", "body": [1x]}"#, [:],
            "a number of the body is none of JSON"
        ),
    ]

    @Test(arguments: missing.indices) func `what is missing is named`(index: Int) {
        let (kind, calls, values, sentence) = Self.missing[index]
        #expect(
            Self.refusal { try Self.call(kind, calls, id: nil, values) }
                == .invalidRequest("notes: \(sentence)"))
    }

    @Test func `a value that is no JSON is told of without it`() {
        let calls = #""delete": {"path": "/n/{title}"}"#
        #expect(
            Self.refusal { try Self.call(.delete, calls, ["title": "\"a\" milk"]) }
                == .bodyNotEncodable(
                    "notes: the value of title is no JSON from line 1, character 5"))
    }
}
