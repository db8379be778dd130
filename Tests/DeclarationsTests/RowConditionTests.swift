import Declarations
import Testing
import Text

/// Which rows of a list are in the table, as it is declared.
@Suite struct RowConditionTests {
    private func declared(_ condition: String, more: String = "") throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/notes", "id": "$.id", "while": \(condition)\(more),
             "columns": {"title": "text $.title"}}
            """, name: "notes")
    }

    @Test func `a condition is told in a sentence, and written as it was read`() throws {
        let declaration = try declared(
            #"{"$.deleted": false, "$.state": ["open", 2, null]}"#)
        #expect(
            declaration.promises.contains(
                "A row is in the table while $.deleted is false and $.state is \"open\", 2 or null. One that the list"
                    + " shows otherwise leaves."))
        let again = try Declaration.stored(
            String(decoding: declaration.json().lines, as: UTF8.self), name: "notes")
        #expect(again == declaration)
    }

    @Test(arguments: [
        (
            #""$.deleted""#,
            #"while must be an object of at most 8 paths, such as {"$.deleted": false}, not "$.deleted""#
        ),
        (
            "{}",
            #"while must be an object of at most 8 paths, such as {"$.deleted": false}, not an object"#
        ),
        (
            #"{"deleted": false}"#,
            #"while.deleted is no path: "deleted", character 1: a path begins with $"#
        ),
        (
            #"{"$.deleted": []}"#,
            "while.$.deleted must be a text, a whole number, true, false, null, or a list of at most 16 of them, not a list"
        ),
        (
            #"{"$.deleted": [{}]}"#,
            "while.$.deleted must be a text, a whole number, true, false, null, or a list of at most 16 of them, not a list"
        ),
        (
            #"{"$.deleted": 1.5}"#,
            "while.$.deleted must be a text, a whole number, true, false, null, or a list of at most 16 of them, not 1.5"
        ),
    ])
    func `what is no condition is told`(condition: String, sentence: String) {
        let error = #expect(throws: DeclarationError.self) { try declared(condition) }
        #expect(error?.problems.map(\.sentence) == [sentence])
    }

    @Test func `increments name the mark of rows that are gone themselves`() {
        let error = #expect(throws: DeclarationError.self) {
            try declared(
                #"{"$.deleted": false}"#,
                more: #", "since": {"query": "since={since}", "moment": "$.at"}"#)
        }
        #expect(error?.problems.first?.hint.contains("since.deleted") == true)
    }
}
