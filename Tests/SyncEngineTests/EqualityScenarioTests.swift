import ReferenceAPI
import TestSupport
import Testing

/// Edits at servers that spell their values as they like, and edits of what they spell.
@Suite struct EqualityScenarioTests {
    private static func world(
        _ row: String, update: String = "true", more: String = ""
    ) async throws -> ListWorld {
        var list = ReferenceList(rows: [row], paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$['tïtle']", "write": "both"}, "real": {"real": "$.real", "write": "both"},
                "json": {"json": "$.json", "write": "both"}
                """#, more: #", "create": true, "update": \#(update), "delete": true"# + more)
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

    @Test func `a real goes out with all its digits, and a value that stays as it is spelt`()
        async throws
    {
        let world = try await Self.world(
            #"{"id":1,"real":1.50,"json":{"n":1732752000.1234567,"m":1e2},"other":0.10}"#,
            update: #"{"method": "PUT", "body": "@document"}"#, more: #", "read": true"#)
        try await world.write(
            """
            UPDATE notes SET title = 'x';
            INSERT INTO notes (title, real) VALUES ('y', 1732752000.123457);
            """)
        try await world.sync()
        try await world.sync()
        #expect(
            world.atServer == [
                #"{"id":1,"real":1.50,"json":{"n":1732752000.1234567,"m":1e2},"other":0.10,"tïtle":"x"}"#,
                #"{"id":1000001,"tïtle":"y","real":1732752000.123457}"#,
            ])
        try await world.write("UPDATE notes SET real = 0.1 + 0.2 WHERE title = 'y'")
        try await world.sync()
        #expect(world.atServer[1] == #"{"id":1000001,"tïtle":"y","real":0.30000000000000004}"#)
        #expect(try await world.rows("SELECT * FROM conflicts") == [])
    }

    @Test func `a column is found under a name that is written with escapes`() async throws {
        let world = try await Self.world(#"{"id":1,"t\u00eftle":"a"}"#)
        #expect(try await world.rows("SELECT title FROM notes") == ["a"])
        try await world.write("UPDATE notes SET title = 'b'")
        try await world.sync()
        #expect(try await world.rows("SELECT title, _state FROM notes") == ["b|synced"])
    }

    @Test func `a version goes out as the server spells it`() async throws {
        let world = try await Self.world(
            #"{"id":1,"v":1732752000.1234567}"#,
            update: #"{"version": "$.v", "path": "/lists/notes/{id}?v={version}"}"#)
        try await world.write("UPDATE notes SET real = 1")
        try await world.sync()
        #expect(
            world.world.server.lines.filter { $0.hasPrefix("PATCH") } == [
                "PATCH /lists/notes/1?v=1732752000.1234567"
            ])
    }
}
