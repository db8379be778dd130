import Declarations
import Testing
import Text

/// Updates that make some changes alone, as they are declared.
@Suite struct ActionTests {
    private func declared(
        _ update: String, done: String = #"{"boolean": "$.done", "write": "update"}"#
    ) throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "update": \(update),
             "columns": {"title": {"text": "$.title", "write": "update"}, "done": \(done)}}
            """, name: "notes")
    }

    private static let both = #"""
        [{"when": {"done": true}, "path": "/notes/{id}/close"},
         {"for": ["done"], "when": {"done": false}, "path": "/notes/{id}/reopen"}, true]
        """#

    @Test func `a call for a value is a POST without a body, and what it takes is told`() throws {
        let declaration = try declared(Self.both)
        #expect(declaration.actions.map(\.method) == [.post, .post])
        #expect(declaration.actions.allSatisfy { $0.body == nil })
        #expect(declaration.calls[.update]?.method == .patch)
        #expect(
            declaration.promises.contains(
                "If done becomes true, that goes by POST /notes/{id}/close, and what else has changed goes by a call of"
                    + " its own."))
        let again = try Declaration.stored(
            String(decoding: declaration.json().lines, as: UTF8.self), name: "notes")
        #expect(again == declaration)
    }

    @Test(arguments: [
        (["done": "true"], "/notes/{id}/close", ["done"]),
        (["done": "false", "title": #""a""#], "/notes/{id}/reopen", ["done"]),
        (["title": #""a""#], "/notes/{id}", ["title"]),
        (["done": "null", "title": #""a""#], "/notes/{id}", ["done", "title"]),
    ])
    func `the first call whose values a change has takes its columns`(
        changed: [String: String], path: String, columns: [String]
    ) throws {
        let update = try #require(try declared(Self.both).update(of: changed))
        #expect(update.call.path.description == path)
        #expect(update.takes == Set(columns))
    }

    @Test func `a text that a call gives is compared as JSON has it`() throws {
        let declaration = try declared(
            #"[{"when": {"title": "\u00fc \"x\""}, "path": "/u/{id}"}, true]"#)
        for (title, path) in [(#""ü \"x\"""#, "/u/{id}"), (#""u""#, "/notes/{id}")] {
            #expect(declaration.update(of: ["title": title])?.call.path.description == path)
        }
    }

    @Test(arguments: [
        ("[]", "update must be true, false, an object or a list of at most 16 calls, not a list"),
        (
            #"[true, {"when": {"done": true}}]"#,
            #"update[0] has no "for", and other calls stand behind it"#
        ),
        (
            #"[{"for": ["dune"], "path": "/x/{id}"}, true]"#,
            #"update has "for": "dune", and there is no such column"#
        ),
        (
            #"[{"for": ["title"], "when": {"done": true}}, true]"#,
            #"update[0].when has "done", which is not among "for""#
        ),
        (
            #"[{"when": {"done": "yes"}}, true]"#,
            #"update has "when": "done" "yes", which the column cannot become"#
        ),
        (
            #"[{"for": ["title"], "toggle": true}, true]"#,
            #"update has "toggle", and turns no single boolean column"#
        ),
        (
            #"[{"for": ["done"], "toggle": true}, true]"#,
            #"update has "toggle", and read is off: what the list showed may have been turned since"#
        ),
        (
            #"[{"when": {"done": true}}]"#,
            "no call of update is for title, which a program can change"
        ),
        (
            #"[{"for": ["title"], "body": {"a": 1}}, true]"#,
            "update[0].body has no place for the values of a row"
        ),
        (
            #"[{"for": ["title", "done"], "when": {"done": true}, "path": "/a/{id}"}, true]"#,
            "update.body has no place for title, which a program can give"
        ),
    ])
    func `what is no such call is told`(update: String, sentence: String) {
        let error = #expect(throws: DeclarationError.self) { try declared(update) }
        let sentences = error?.problems.map(\.sentence) ?? []
        #expect(sentences.contains { $0.hasPrefix(sentence) }, "\(sentences)")
    }

    @Test func `a value can have its place in the path alone`() throws {
        let declaration = try declared(
            #"[{"for": ["title"], "method": "PUT", "path": "/t/{title}/{id}", "body": {"x": 1}}, true]"#
        )
        #expect(declaration.actions.count == 1)
    }

    @Test(arguments: ["create", "delete"])
    func `only an update is for some columns`(kind: String) {
        let error = #expect(throws: DeclarationError.self) {
            try Declaration.stored(
                """
                {"list": "/notes", "id": "$.id", "\(kind)": {"for": ["title"]},
                 "columns": {"title": {"text": "$.title", "write": "create"}}}
                """, name: "notes")
        }
        #expect(error?.problems.first?.sentence.contains("only an update is for some") == true)
    }
}
