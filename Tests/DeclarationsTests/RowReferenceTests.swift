import Declarations
import Testing
import Text

/// Columns that refer to rows.
@Suite struct RowReferenceTests {
    private func declared(_ column: String, calls: String = "") throws -> Declaration {
        try Declaration.stored(
            """
            {"list": "/tasks", "id": "$.id", \(calls)"columns": {"title": "text $.title", "list": \(column)}}
            """, name: "tasks")
    }

    private func problem(_ column: String) -> String? {
        do {
            _ = try declared(column)
            return nil
        } catch let error as DeclarationError {
            return error.problems.map(\.sentence).joined(separator: "; ")
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (#"{"row": "$.p"}"#, "columns.list.of is not set"),
        (
            #"{"row": "$.p", "of": "s_x"}"#,
            #"columns.list.of must be a list such as "projects", or a column of one such as "issues.number", not "s_x""#
        ),
        (
            #"{"text": "$.p", "of": true}"#,
            "columns.list.of is true, and the column is none of rows"
        ),
        (
            #""row $.p""#,
            #"columns.list must be a type (text, integer, real, boolean or json) and a path, not "row $.p""#
        ),
    ])
    func `what a column of rows lacks is said in one sentence`(column: String, sentence: String) {
        #expect(problem(column) == sentence)
    }

    @Test(arguments: [
        #"{"row": "$.p.id", "of": "projects"}"#, #"{"row": "$.p", "of": "issues.number"}"#,
        #"{"row": "$.p", "of": "tasks", "text": true}"#,
        #"{"integer": "$.p", "of": false}"#,
    ])
    func `a column of rows is written as it was read`(column: String) throws {
        let declaration = try declared(column)
        let text = String(decoding: declaration.json().lines, as: UTF8.self)
        #expect(try Declaration.stored(text, name: "tasks") == declaration)
        let isPlain = column.contains("false")
        #expect(declaration.references.isEmpty == isPlain)
        #expect(declaration.column("list")?.isNoReference == isPlain)
    }

    @Test func `a reference is looked up by the id or by a column that programs leave alone`()
        throws
    {
        let issues = try Declaration.stored(
            """
            {"list": "/issues", "id": "$.id", "create": true, "update": true, "columns": {
                "number": "integer $.number", "title": {"text": "$.title", "write": "both"}}}
            """, name: "issues")
        let found = try declared(#"{"row": "$.n", "of": "issues.number"}"#).referring(to: [issues])
        #expect(found.references.first?.reference?.target?.path == (try JSONPath("$.number")))
        #expect(throws: RowReferenceError.self) {
            try declared(#"{"row": "$.n", "of": "issues.title"}"#).referring(to: [issues])
        }
        #expect(throws: RowReferenceError.self) {
            try declared(#"{"row": "$.n", "of": "issues"}"#).referring(to: [])
        }
    }
}
