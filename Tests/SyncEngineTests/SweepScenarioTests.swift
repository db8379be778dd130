import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// A tool has made the table of a declared list anew, so that its triggers are gone.
@Suite struct SweepScenarioTests {
    private static func world() async throws -> ListWorld {
        var list = ReferenceList(
            rows: [#"{"id":1,"title":"a","size":1}"#, #"{"id":2,"title":"b","size":2}"#],
            paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "create", "required": true},
                "size": {"integer": "$.size", "write": "create"},
                "done": "boolean $.done", "tags": "json $.tags"
                """#, more: #", "create": true, "delete": true"#)
        try await world.sync()
        for name in ["insert", "update", "delete"] {
            try await world.write("DROP TRIGGER notes_\(name)")
        }
        return world
    }

    @Test func `what was written meanwhile is at the server once, and told`() async throws {
        let world = try await Self.world()
        try await world.write(
            """
            INSERT INTO notes (title, size) VALUES ('new', 3);
            UPDATE notes SET size = 7 WHERE _id = 1;
            DELETE FROM notes WHERE _id = 2;
            """)
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(
            report.error
                == "notes had been written to while its triggers were missing "
                + "(1 new row, 1 changed row, 1 missing row): "
                + "new rows are queued, the others are as the server has them")
        let next = try await world.sync()
        #expect(next.error == nil)
        #expect(
            try await world.written() == [
                "1|a|-|1|-|synced|1", "2|b|-|2|-|synced|2", "3|new|-|3|-|synced|1000001",
            ])
        #expect(world.atServer.count == 3)
        #expect(world.world.count("POST") == 1)
        #expect(world.world.count("DELETE") == 0)
    }

    @Test func `too much stops the list, and nothing of it is sent`() async throws {
        let world = try await Self.world()
        try await world.write(
            """
            INSERT INTO notes (title) WITH RECURSIVE n(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101) SELECT 'new' FROM n
            """)
        let before = world.world.server.lines.count
        let report = try await world.sync(isLawful: false)
        #expect(report.state == .misconfigured)
        #expect(
            report.error
                == "notes was written to while its triggers were missing (101 new rows): "
                + "nothing of it is synced")
        #expect(report.hint?.contains("syncd check --fix") == true)
        #expect(world.world.server.lines.count == before)
    }
}
