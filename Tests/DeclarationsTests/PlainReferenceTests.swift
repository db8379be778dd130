import Declarations
import Testing

/// Columns that look as if they named rows of another list.
@Suite struct PlainReferenceTests {
    private static func lists(_ column: String, named name: String = "tasks") throws
        -> [Declaration]
    {
        let title = #""title": {"text": "$.title", "write": "create"}"#
        return try [
            ("projects", title), ("categories", title), (name, "\(title), \(column)"),
        ].map { name, columns in
            try Declaration.stored(
                #"{"list": "/x", "id": "$.id", "create": true, "columns": {\#(columns)}}"#,
                name: name)
        }
    }

    private static func found(_ column: String) throws -> [PlainReference] {
        let lists = try lists(column)
        return lists[2].plainReferences(among: lists)
    }

    @Test(arguments: [
        (#""project_id": {"integer": "$.x", "write": "create"}"#, "projects"),
        (#""projectid": {"text": "$.x", "write": "create"}"#, "projects"),
        (#""p": {"text": "$.projectId", "write": "create"}"#, "projects"),
        (#""project": {"integer": "$.x", "write": "create"}"#, "projects"),
        (#""category_id": {"integer": "$.x", "write": "create"}"#, "categories"),
    ])
    func `a column that programs write and that is called like a row is told`(
        column: String, other: String
    ) throws {
        let found = try Self.found(column)
        #expect(found.map(\.other.text) == [other])
        #expect(found.first?.description.contains("holds ids of the server") == true)
        #expect(found.first?.hint.contains("\"of\": \"\(other)\"") == true)
    }

    @Test(arguments: [
        // It says so itself; nobody writes it; a name, or a truth; a row, as it should be.
        #""project_id": {"integer": "$.x", "write": "create", "of": false}"#,
        #""project_id": "integer $.x""#, #""project": {"text": "$.x", "write": "create"}"#,
        #""project": {"boolean": "$.x", "write": "create"}"#,
        #""project_id": {"row": "$.x", "of": "projects", "write": "create"}"#,
        #""owner_id": {"integer": "$.x", "write": "create"}"#,
        #""id_": {"integer": "$.id_", "write": "create"}"#,
    ])
    func `any other column is left alone`(column: String) throws {
        #expect(try Self.found(column).isEmpty)
    }

    @Test func `a list is not taken for its own`() throws {
        let lists = try Self.lists(
            #""task_id": {"integer": "$.x", "write": "create"}"#, named: "tasks")
        #expect(lists[2].plainReferences(among: lists).isEmpty)
    }
}
