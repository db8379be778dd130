import ReferenceAPI
import TestSupport
import Testing

/// Edits at servers that spell their values as they like, and edits of what they spell.
@Suite struct EqualityScenarioTests {
    private static func world(
        _ row: String, update: String = "true"
    ) async throws -> ListWorld {
        var list = ReferenceList(rows: [row], paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$['tïtle']", "write": "both"}, "real": {"real": "$.real", "write": "both"},
                "json": {"json": "$.json", "write": "both"}
                """#, more: #", "create": true, "update": \#(update), "delete": true"#)
        try await world.sync()
        return world
    }

    @Test func `another order of members is no change of another client`() async throws {
        let world = try await Self.world(#"{"id":1,"json":{"a":1,"b":2},"real":5}"#)
        try await world.write(#"UPDATE notes SET json = '{"a":9,"b":2}', real = 6 WHERE _id = 1"#)
        world.change { $0.rows = [#"{"real":5.0,"json":{"b":2.0,"a":1},"id":1}"#] }
        try await world.sync()
        #expect(world.atServer == [#"{"real":6.0,"json":{"a":9,"b":2},"id":1}"#])
        #expect(try await world.rows("SELECT * FROM conflicts") == [])
    }

    @Test func `a delete does not give way to another order of members`() async throws {
        let world = try await Self.world(#"{"id":1,"json":{"a":1,"b":2}}"#)
        try await world.write("DELETE FROM notes")
        world.change { $0.rows = [#"{"json":{"b":2,"a":1},"id":1}"#] }
        try await world.sync()
        #expect(world.atServer == [])
    }

    @Test func `another's change of white space or normalisation is a change`() async throws {
        let world = try await Self.world(#"{"id":1,"tïtle":"é"}"#)
        world.change { $0.rows = [#"{"id":1,"tïtle":"e\u0301"}"#] }
        try await world.sync()
        #expect(try await world.rows("SELECT hex(title) FROM notes") == ["65CC81"])
        world.change { $0.rows = [#"{"id":1,"tïtle":"e\u0301 "}"#] }
        try await world.sync()
        #expect(try await world.rows("SELECT hex(title) FROM notes") == ["65CC8120"])
    }
}
