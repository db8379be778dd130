import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// The place and the document of each row, in a list that programs write to.
@Suite struct CopiedColumnScenarioTests {
    private static let columns = #"""
        "title": {"text": "$.title", "write": "both", "required": true},
        "done": {"boolean": "$.done", "write": "both"},
        "size": {"integer": "$.size", "write": "both"}, "tags": "json $.tags"
        """#
    private static let calls = #", "create": true, "update": true, "delete": true"#

    private static func world() async throws -> ListWorld {
        let world = try await EditScenarioTests.world()
        try await declare(world, more: #", "place": "@rank", "whole": "@document""#)
        try await world.sync()
        return world
    }

    private static func declare(_ world: ListWorld, more: String) async throws {
        try await world.declare(pages: #""none""#, columns: columns + more, more: calls)
    }

    private func shown(_ world: ListWorld) async throws -> [String] {
        try await world.rows("SELECT _id, place, whole ->> '$.size' FROM notes ORDER BY _id")
    }

    @Test func `both follow the list, also where it only comes in another order`() async throws {
        let world = try await Self.world()
        #expect(try await shown(world) == ["1|1|1", "2|2|2"])
        #expect(try await world.rows("SELECT whole FROM notes") == world.atServer)
        world.change { $0.rows.reverse() }
        try await world.sync()
        #expect(try await shown(world) == ["1|2|1", "2|1|2"])
        world.change { $0.rows.insert(#"{"id":7,"title":"c","done":false,"size":3}"#, at: 0) }
        try await world.sync()
        #expect(try await shown(world) == ["1|3|1", "2|2|2", "3|1|3"])
        // A new place is told to nobody.
        #expect(try await world.rows("SELECT id FROM changes WHERE change = 'changed'") == [])
    }

    @Test func `they are what the server has, not what a program has written`() async throws {
        let world = try await Self.world()
        try await world.write(
            "UPDATE notes SET size = 9 WHERE _id = 1; INSERT INTO notes (title) VALUES ('new')")
        #expect(try await shown(world) == ["1|1|1", "2|2|2", "3|-|-"])
        for _ in 0..<2 { try await world.sync() }
        #expect(try await shown(world) == ["1|1|9", "2|2|2", "3|3|-"])
        try await world.write("DELETE FROM notes WHERE _id = 2")
        try await world.write("DELETE FROM outbox WHERE op = 'delete'")
        #expect(try await shown(world) == ["1|1|9", "2|2|2", "3|3|-"])
    }

    @Test func `a program cannot change them`() async throws {
        let world = try await Self.world()
        for (sql, name) in [
            ("UPDATE notes SET place = 7", "place"), ("UPDATE notes SET whole = '{}'", "whole"),
            ("INSERT INTO notes (title, place) VALUES ('x', 1)", "place"),
            ("INSERT INTO notes (title, whole) VALUES ('x', '{}')", "whole"),
        ] {
            await #expect(
                throws: StoreError.refused(
                    "\(name) of notes is written by syncd alone: leave it out"), "\(sql)"
            ) { try await world.write(sql) }
        }
        // Whoever writes whole rows writes what was once read.
        try await world.write("UPDATE notes SET title = 'z', place = 7, whole = '{}' WHERE _id = 1")
        #expect(try await shown(world) == ["1|1|1", "2|2|2"])
        try await world.sync()
        #expect(world.atServer[0].contains(#""title":"z""#))
    }

    @Test func `a list that has them no more keeps its rows`() async throws {
        let world = try await Self.world()
        world.world.server.withServer { $0.behaviour.entityTags = true }
        try await Self.declare(world, more: "")
        #expect(try await world.rows("SELECT _id, title FROM notes") == ["1|a", "2|b"])
        try await world.sync()
        try await Self.declare(world, more: #", "place": "@rank""#)
        #expect(try await world.rows("SELECT _id, place FROM notes") == ["1|-", "2|-"])
        #expect(try await StoreInvariants.violations(in: world.world.store) == [])
        // An "unchanged" answer would not tell them.
        try await world.sync()
        #expect(try await world.rows("SELECT _id, place FROM notes") == ["1|1", "2|2"])
        world.change { $0.rows.reverse() }
        try await world.sync()
        #expect(try await world.rows("SELECT _id, place FROM notes") == ["1|2", "2|1"])
    }
}
