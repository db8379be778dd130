import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Deletes that a program may not have meant.
@Suite struct HeldDeleteScenarioTests {
    private static func world(rows count: Int) async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...count).map { #"{"id":\#($0),"title":"row \#($0)","done":false}"# },
            paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "done": {"boolean": "$.done", "write": "both"}
                """#, more: #", "create": true, "update": true, "delete": true"#)
        try await world.sync()
        return world
    }

    private static let held = "SELECT count(*), max(of_rows) FROM held_deletes"

    @Test func `a table that was emptied by mistake empties no server`() async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes")
        let reports = [try await world.sync(), try await world.sync()]
        #expect(world.world.count("DELETE") == 0)
        #expect(try await world.rows(Self.held) == ["12|12"])
        let deletes = HeldDeletes(list: "notes", count: 12, rows: 12)
        #expect(reports.map(\.heldDeletes) == [deletes, deletes])
        #expect(reports.map(\.state) == [.ok, .ok])
    }

    @Test func `creates, edits and other lists go on beside held deletes`() async throws {
        let world = try await Self.world(rows: 120)
        try await world.write(
            """
            DELETE FROM notes WHERE _id <= 61;
            UPDATE notes SET done = 1 WHERE _id = 100;
            INSERT INTO notes (title) VALUES ('new');
            """)
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(world.world.count("PATCH") == 1)
        #expect(world.world.count("POST") == 1)
        #expect(try await world.rows("SELECT DISTINCT op, state FROM outbox") == ["delete|queued"])
    }

    @Test func `held deletes cause no cycle`() async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes")
        try await world.sync()
        let (now, name) = (world.world.time.bootTime(), ListName(kept: "notes"))
        #expect(try await !world.world.store.hasSendable(of: name, at: now))
        try await world.write("UPDATE held_deletes SET accepted = 1")
        #expect(try await world.world.store.hasSendable(of: name, at: now))
    }

    @Test func `what a person accepts by SQL goes, and later deletes are judged by what is left`()
        async throws
    {
        let world = try await Self.world(rows: 120)
        try await world.write("DELETE FROM notes WHERE _id <= 61")
        try await world.sync()
        try await world.write("UPDATE held_deletes SET accepted = 1 WHERE list = 'notes'")
        try await world.write("DELETE FROM notes WHERE _id <= 70")
        let report = try await world.sync()
        #expect(world.atServer.count == 50)
        #expect(report.heldDeletes == nil)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `an acceptance of all that waits needs no hold before it`() async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes")
        try await world.world.store.acceptDeletes(of: [ListName(kept: "notes")])
        try await world.sync()
        #expect(world.atServer == [])
        #expect(try await world.rows("SELECT count(*) FROM held_deletes") == ["0"])
        // What was held is known until a list shows that the rows are gone.
        try await world.sync()
        #expect(try await world.rows("SELECT count(*) FROM held_delete") == ["0"])
    }

    @Test(arguments: [
        "DELETE FROM outbox WHERE seq IN (SELECT seq FROM held_deletes)",
        "INSERT INTO notes (_id, title, done) SELECT id, '', 0 FROM d_notes",
    ])
    func `a hold ends where the deletes are taken back`(sql: String) async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes")
        try await world.sync()
        try await world.write(sql.replacing("'', 0", with: "c_title, c_done"))
        let report = try await world.sync()
        #expect(report.heldDeletes == nil)
        #expect(world.atServer.count == 12)
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["12"])
        #expect(world.world.count("DELETE") == 0)
    }

    @Test func `what the rows were is judged before a list brings others`() async throws {
        let world = try await Self.world(rows: 100)
        try await world.write("DELETE FROM notes WHERE _id <= 60")
        world.change { list in
            list.rows += (201...300).map { #"{"id":\#($0),"title":"row \#($0)","done":false}"# }
        }
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(try await world.rows(Self.held) == ["60|100"])
        // And so it stays, however long the list has become.
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
    }

    @Test func `deletes that were sent count together with those that follow`() async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes WHERE _id <= 4")
        try await world.sync()
        #expect(world.world.count("DELETE") == 4)
        try await world.write("DELETE FROM notes")
        try await world.sync()
        #expect(world.world.count("DELETE") == 4)
        #expect(try await world.rows(Self.held) == ["8|12"])
    }

    @Test func `rows that are added and deleted one by one are never held`() async throws {
        let world = try await Self.world(rows: 1)
        for number in 1...12 {
            try await world.write("INSERT INTO notes (title) VALUES ('new \(number)')")
            try await world.sync()
            try await world.write("DELETE FROM notes WHERE title = 'new \(number)'")
            try await world.sync()
        }
        #expect(world.atServer.count == 1)
    }

    @Test func `fewer deletes go as they always went`() async throws {
        let world = try await Self.world(rows: 12)
        try await world.write("DELETE FROM notes WHERE _id <= 11")
        try await world.sync()
        #expect(world.atServer.count == 1)
    }

    @Test func `the todos are guarded, too`() async throws {
        let world = try EngineWorld("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
        try await world.sync()
        try await world.store.withConnection { try $0.execute(script: "DELETE FROM todos") }
        let report = try await world.sync()
        #expect(report.heldDeletes == HeldDeletes(list: "todos", count: 10, rows: 10))
        #expect(world.count("DELETE") == 0)
    }
}
