import Declarations
import Testing
import Text

/// Rows that are the members of an object.
@Suite struct MemberTests {
    private func text(rows: String, id: String, more: String = "") -> String {
        """
        {"server": "office", "list": "/l", "rows": "\(rows)", "id": "\(id)",
         "columns": {"title": {"text": "$.title", "write": "\(more.isEmpty ? "none" : "both")"}}\(more)}
        """
    }

    private func problems(_ text: String) -> [String] {
        do throws(DeclarationError) {
            _ = try Declaration.read(
                Array(text.utf8), name: .movies, rules: .lenient)
            return []
        } catch {
            return error.problems.map(\.sentence)
        }
    }

    @Test(arguments: [("$.*", "$"), ("$.data.*", "$.data"), ("$['a b'].*", "$['a b']")])
    func `are declared by a star, and stored so`(rows: String, path: String) throws {
        let text = text(rows: rows, id: "@key")
        #expect(problems(text) == [])
        let list = try Declaration.stored(
            text.replacing(#""server": "office", "#, with: ""), name: "notes")
        #expect(list.rowsAreMembers)
        #expect(list.rows.description == path)
        let stored = String(decoding: list.json().lines, as: UTF8.self)
        #expect(stored.contains("\"rows\": \"\(rows)\""))
        #expect(stored.contains(#""id": "@key""#))
        #expect(try Declaration.stored(stored, name: "notes") == list)
    }

    @Test func `can have an id of their own`() {
        #expect(problems(text(rows: "$.*", id: "integer $.id")) == [])
    }

    @Test func `are only read, in one answer`() {
        #expect(
            problems(text(rows: "$", id: "@key"))
                == [#"id is "@key", and the rows are no members of an object"#])
        #expect(
            problems(text(rows: "$.*", id: "@key", more: #", "update": true, "read": true"#)) == [
                "update is set, and the rows are members of an object, which are only read",
                "read is set, and the rows are members of an object, which are only read",
            ])
        #expect(
            problems(
                #"{"server": "s", "list": "/l", "rows": "$.*", "id": "@key", "pages": "link", "columns": {"a": "text $.a"}}"#
            ) == ["pages is set, and the rows are members of an object, which come in one answer"])
        #expect(problems(text(rows: "$.[0].*", id: "@key")).count == 1)
    }
}
