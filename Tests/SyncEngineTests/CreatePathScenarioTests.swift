import ReferenceAPI
import Store
import SyncEngine
import Testing

/// A create whose path names a column: what the path leads to is the row's matter, not the list's.
@Suite struct CreatePathScenarioTests {
    private static func world() async throws -> ListWorld {
        var list = ReferenceList(rows: [], paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "create", "required": true},
                "place": {"text": "$.place", "write": "create"}
                """#, more: #", "create": {"path": "/lists/{place}"}"#)
        try await world.sync()
        world.world.server.always("POST /lists/nowhere", .status(404))
        return world
    }

    @Test func `404 refuses the row whose place is not there, and no other`() async throws {
        let world = try await Self.world()
        try await world.write(
            "INSERT INTO notes (title, place) VALUES ('a', 'nowhere'), ('b', 'notes'), ('c', 'notes')"
        )
        let report = try await world.sync()
        #expect(report.replay.done == 2)
        #expect(report.halt == nil)
        for _ in 1...3 { try await world.sync() }
        #expect(
            try await world.rows("SELECT title, state, last_status FROM outbox")
                == ["a|rejected|404"])
        #expect(world.atServer.count == 2)
    }

    /// A machine in between gives this answer to everything.
    @Test func `ten answers of 404 in a row are not about the rows`() async throws {
        let world = try await Self.world()
        let values = (1...12).map { "('\($0)', 'nowhere')" }.joined(separator: ", ")
        try await world.write("INSERT INTO notes (title, place) VALUES \(values)")
        let report = try await world.sync()
        #expect(report.halt?.error.contains("10 changes in a row were refused with 404") == true)
        #expect(
            try await world.rows("SELECT count(*) FROM outbox WHERE state = 'rejected'") == ["0"])
    }
}
