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

    private static let project = #"{"row": "$.p", "of": "projects", "write": "create"}"#

    @Test(arguments: [
        (
            #"{"path": "/tasks/{list.}"}"#, project,
            "create has {list.}, and there is no such column"
        ),
        (
            #"{"path": "/tasks/{title.number}"}"#, project,
            "create has {title.number}, and there is no such column"
        ),
        (
            #"{"path": "/tasks/{list.number}"}"#, #"{"row": "$.p", "of": "projects"}"#,
            "create has {list.number}, and a new row is not given list"
        ),
        (
            #"{"body": {"a": "@row", "n": "{list.number}"}}"#, #"{"row": "$.p", "of": "projects"}"#,
            "create.body has {list.number}, which that call does not send"
        ),
    ])
    func `a place for a column of another row needs a column of rows`(
        create: String, column: String, sentence: String
    ) throws {
        let text = """
            {"list": "/tasks", "id": "$.id", "create": \(create), "columns": {
                "title": {"text": "$.title", "write": "create"}, "list": \(column)}}
            """
        let error = #expect(throws: DeclarationError.self) {
            try Declaration.stored(text, name: "tasks")
        }
        #expect(error?.problems.map(\.sentence) == [sentence])
    }

    @Test(arguments: [
        ("number", nil), ("code", nil),
        ("none", "a call has {list.none}, and projects has no column none of text or of integers"),
        (
            "owner",
            "a call has {list.owner}, and projects has no column owner of text or of integers"
        ),
        ("_id", "a call has {list._id}, and projects has no column _id of text or of integers"),
    ])
    func `a column of another row is looked up there`(name: String, sentence: String?) throws {
        let projects = try Declaration.stored(
            """
            {"list": "/projects", "id": "$.id", "columns": {"number": "integer $.number",
                "code": "text $.code", "owner": {"row": "$.owner", "of": "projects"}, "_id": "@id"}}
            """, name: "projects")
        let tasks = try declared(
            Self.project, calls: #""create": {"path": "/projects/{list.\#(name)}/tasks"}, "#)
        var found: String?
        do throws(RowReferenceError) {
            _ = try tasks.referring(to: [projects])
        } catch {
            found = error.description
        }
        #expect(found == sentence)
        #expect(
            tasks.promises.last
                == "A change whose call names list.\(name) waits until a list or an answer has shown \(name) of the row"
                + " that list refers to. It is sent as the server has it.")
    }
}
