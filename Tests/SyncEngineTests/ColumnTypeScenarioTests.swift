import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Columns whose values have another type than the declaration says.
@Suite struct ColumnTypeScenarioTests {
    private static func world(
        _ rows: [String], columns: String, more: String = ""
    ) async throws -> ListWorld {
        var list = ReferenceList(rows: rows, paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}, "#
                + columns,
            more: more)
        try await world.sync(then: .zero)
        return world
    }

    private static func mistakes(_ world: ListWorld) async throws -> [ColumnMistake] {
        try await world.world.store.status().first { $0.list == "notes" }?.mistakes ?? []
    }

    @Test(arguments: ["", #", "update": true"#])
    func `a type that no row has is told, of a list that is read or written`(
        calls: String
    ) async throws {
        let writing =
            calls.isEmpty ? #"{"text": "$.title"}"# : #"{"text": "$.title", "write": "both"}"#
        let world = try await ListWorld(
            ReferenceList(
                rows: [
                    #"{"id":1,"title":"a","price":"12.50","done":"no","size":1,"mixed":1,"none":null}"#,
                    #"{"id":2,"title":"b","price":"1","done":"yes","size":1.5,"mixed":"x"}"#,
                ], paging: .none, size: 1000), pages: #""none""#,
            columns: #"""
                "title": \#(writing), "price": "real $.price", "done": "boolean $.done",
                "size": "integer $.size", "mixed": "text $.mixed", "none": "real $.none"
                """#, more: calls)
        try await world.sync()
        let found = [
            ColumnMistake(column: "price", type: .real, found: "number in a text"),
            ColumnMistake(column: "done", type: .boolean, found: "text"),
        ]
        #expect(try await Self.mistakes(world) == found)
        try await world.sync()
        #expect(try await Self.mistakes(world) == found)
    }

    @Test func `a declaration that was corrected has no mistake any more`() async throws {
        let world = try await Self.world(
            [#"{"id":1,"title":"a","price":"12.50"}"#], columns: #""price": "real $.price""#,
            more: #", "update": true"#)
        #expect(try await Self.mistakes(world).count == 1)
        try await world.declare(
            pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "price": {"real": "$.price", "text": true}
                """#, more: #", "update": true"#)
        #expect(try await Self.mistakes(world).isEmpty)
        #expect(try await world.rows("SELECT price FROM notes") == ["12.5"])
    }

    @Test func `a number in a text goes both ways`() async throws {
        let world = try await Self.world(
            [#"{"id":1,"title":"a","price":"12.50","count":"7"}"#],
            columns: #"""
                "price": {"real": "$.price", "text": true, "write": "both"},
                "count": {"integer": "$.count", "text": true, "write": "both"}
                """#, more: #", "create": true, "update": true"#)
        #expect(try await world.rows("SELECT price, count FROM notes") == ["12.5|7"])
        try await world.write("UPDATE notes SET price = 13.5 WHERE _id = 1")
        try await world.sync()
        #expect(world.atServer == [#"{"id":1,"title":"a","price":"13.5","count":"7"}"#])
        #expect(try await world.rows("SELECT price, _state FROM notes") == ["13.5|synced"])
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test(arguments: [#""x""#, #""12,5""#, #""""#, #""0x1F""#, "true", "[1]"])
    func `what is no number in a text is nothing`(value: String) async throws {
        let world = try await Self.world(
            [#"{"id":1,"title":"a","price":\#(value)}"#],
            columns: #""price": {"real": "$.price", "text": true}"#, more: #", "update": true"#)
        #expect(try await world.rows("SELECT price FROM notes") == ["-"])
    }
}
