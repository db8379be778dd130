import Declarations
import Testing
import Text

/// A list that is read by `POST`, as it is declared.
@Suite struct PostedListTests {
    private func declared(
        _ list: String = #"{"path": "/graphql", "body": {"query": "{ notes { id } }"}}"#,
        more: String = ""
    ) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": \(list), "id": "$.id", "rows": "$.data.notes.nodes"\(more),
             "columns": {"title": \(more.contains("create") ? #"{"text": "$.title", "write": "both"}"# : #""text $.title""#)}}
            """, name: "notes")
    }

    private static let calls = """
        , "create": {"body": {"query": "mutation($n: N!) { add(n: $n) { id title } }", "variables": {"n": "@row"}},
                     "row": "$.data.add"},
        "update": {"body": {"query": "mutation", "variables": {"id": "@id", "title": "{title}"}}},
        "delete": {"path": "/notes/{id}", "method": "DELETE"},
        "read": {"body": {"query": "{ note(id: 5) { id } }", "variables": {"id": "@id"}}, "row": "$.data.note"}
        """
    private static let cursor = #"""
        , "pages": {"cursor": "$.data.notes.pageInfo.endCursor", "as": "body $.variables.after",
                    "more": "$.data.notes.pageInfo.hasNextPage"}
        """#

    @Test func `it is written as it was read, and told in a sentence`() throws {
        for more in [
            "\(Self.calls)\(Self.cursor)", #"\#(Self.calls), "pages": {"page": "body $.page"}"#,
        ] {
            let declaration = try declared(more: more)
            let again = try Declaration.stored(
                String(decoding: declaration.json().lines, as: UTF8.self), name: "notes")
            #expect(again == declaration)
            #expect(again.listBody?.text == #"{"query":"{ notes { id } }"}"#)
            #expect(
                declaration.promises.contains(
                    "The list is read by POST. Such an answer has no validators, so each pull reads all of it."
                ))
        }
    }

    @Test(arguments: [
        #"{"next": "header X-Next"}"#, #"{"next": "link", "rows": "header X-Total"}"#,
        #"{"next": "$.next", "rows": "$.count"}"#,
        #"{"cursor": "$.c", "as": "body $.c", "more": "$.more", "rows": "$.n"}"#,
    ])
    func `what its pages tell is written as it was read`(pages: String) throws {
        let declaration = try declared(more: #", "pages": \#(pages)"#)
        #expect(declaration.paging.tellsRows == pages.contains("rows"))
        let again = try Declaration.stored(
            String(decoding: declaration.json().lines, as: UTF8.self), name: "notes")
        #expect(again == declaration)
    }

    @Test func `every call of it is a POST to the same path, unless it says otherwise`() throws {
        let declaration = try declared(more: Self.calls)
        let create = try #require(declaration.calls[.create])
        #expect(create.method == .post && create.path.description == "/graphql")
        let update = try #require(declaration.calls[.update])
        #expect(update.method == .post && update.path.description == "/graphql")
        let delete = try #require(declaration.calls[.delete])
        #expect(delete.method == .delete && delete.path.description == "/notes/{id}")
        #expect(declaration.read?.path.description == "/graphql")
    }

    @Test func `the body has what a page needs in its place, and the rest as it is`() throws {
        let list = try declared(
            #"{"path": "/s", "body": {"a": [1.50, "x"], "page": {"size": 5, "z": null}}}"#)
        let body = try #require(list.listBody)
        let places = [
            (path: try JSONPath("$.page.size"), value: JSONNode.number(7)),
            (path: try JSONPath("$.variables.after"), value: .text("é\"")),
        ]
        #expect(
            String(decoding: body.bytes(setting: places), as: UTF8.self)
                == #"{"a":[1.50,"x"],"page":{"size":7,"z":null},"variables":{"after":"é\""}}"#)
        #expect(body.bytes(setting: []) == Array(body.text.utf8))
        #expect(try declared(#"{"path": "/s"}"#).listBody?.text == "{}")
    }

    @Test(arguments: [
        (
            #"{"method": "GET", "path": "/s"}"#, "",
            #"list.method must be "POST", or "list" the path alone, not "GET""#
        ),
        (#"{"body": {}}"#, "", "list.path is not set"),
        (#"{"path": "/s", "body": [1]}"#, "", "list.body must be an object, not a list"),
        (#"{"path": "/s", "page": 1}"#, "", #"the key "list.page" is not known"#),
        (
            #""/s""#, #", "pages": {"page": "body $.page"}"#,
            "pages has a member of the body, and the list is read without one"
        ),
        (
            #"{"path": "/s"}"#, #", "pages": {"page": "body $"}"#,
            #"pages.page must be "body" and the path of a member, such as "body $.page", not "body $""#
        ),
        (
            #"{"path": "/s"}"#,
            #", "pages": {"offset": "body $.from", "limit": ["body $.a[0]", 5]}"#,
            #"pages.limit must be "body" and the path of a member, such as "body $.page", not a list"#
        ),
        (
            #"{"path": "/s"}"#, #", "since": {"query": "since={since}", "moment": "$.at"}"#,
            "since is set, and the list is read by POST, which has no query"
        ),
        (
            #"{"path": "/s"}"#, #", "create": true"#,
            "create.body is not set, and the list is read by POST: so is each call of it"
        ),
        (
            #"{"path": "/s"}"#, #", "delete": {"row": "$.a"}"#,
            "delete.body is not set, and the list is read by POST: so is each call of it"
        ),
        (
            #"{"path": "/s"}"#, #", "delete": {"path": "/s"}"#,
            "delete.body is not set, and the list is read by POST: so is each call of it"
        ),
        (
            #"{"path": "/s"}"#, #", "delete": {"path": "/s/{id}"}, "read": true"#,
            "read.body is not set, and the list is read by POST: so is each call of it"
        ),
        (
            #"{"path": "/s"}"#,
            #", "delete": {"path": "/s/{id}"}, "read": {"body": {"id": "@row", "of": "{owner}"}}"#,
            "read.body has @row, which a read does not know"
        ),
    ])
    func `what is none is told`(list: String, more: String, sentence: String) {
        let error = #expect(throws: DeclarationError.self) {
            try declared(list, more: more)
        }
        #expect(
            error?.problems.map(\.sentence).contains(sentence) == true,
            "\(error?.problems.map(\.sentence) ?? [])")
    }
}
