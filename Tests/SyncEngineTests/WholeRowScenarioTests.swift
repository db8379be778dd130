import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Updates that repeat what nobody has edited, at a server whose list shows a part of each row.
@Suite struct WholeRowScenarioTests {
    private static let put = #"{"method": "PUT", "body": "@document"}"#

    private static func row(_ id: Int, title: String = "t", done: Bool = false) -> String {
        #"{"id":\#(id),"title":"\#(title)","done":\#(done),"body":"long \#(id)"}"#
    }

    private static func world(
        rows: Int = 3, update: String = put, columns: String = "",
        statuses: [Int: Int] = [:], title: (Int) -> String = { _ in "t" }
    ) async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...rows).map { row($0, title: title($0)) }, paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "done": {"boolean": "$.done", "write": "both"}\#(columns)
                """#, more: #", "create": true, "update": \#(update), "delete": true, "read": true"#
        )
        let parts = (1...rows).map { #"{"id":\#($0),"title":"\#(title($0))","done":false}"# }
        for (row, status) in statuses {
            world.world.server.next("GET /lists/notes/\(row)", .status(status))
        }
        world.world.server.always("GET /lists/notes/", .works)
        world.world.server.always("GET /lists/notes", .body("[\(parts.joined(separator: ","))]"))
        try await world.sync(then: .zero)
        return world
    }

    private static func reads(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { $0.hasPrefix("GET /lists/notes/") }
    }

    @Test(arguments: [CycleCause.localWrite, .scheduled, .asked(acceptsRemovals: false)])
    func `however many edits wait, each is made of a read of its row`(
        cause: CycleCause
    ) async throws {
        let world = try await Self.world(rows: 40)
        try await world.write("UPDATE notes SET done = 1")
        try await world.sync(because: cause, then: .zero)
        #expect(world.atServer == (1...40).map { Self.row($0, done: true) })
        #expect(world.world.count("PUT") == 40)
        #expect(Self.reads(world).count == 40)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `a column that is repeated, and not shown by the list, is read too`() async throws {
        let world = try await Self.world(
            update: #"{"body": {"done": "{done}", "title": "{title}", "body": "{body}"}}"#,
            columns: #", "body": "text $.body""#)
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        try await world.sync(then: .zero)
        #expect(world.atServer[1] == Self.row(2, done: true))
    }

    @Test func `a second edit is made of a second read`() async throws {
        let world = try await Self.world()
        let store = world.world.store
        world.world.server.next(
            "PUT /lists/notes/2",
            .after(
                {
                    await #expect(throws: Never.self) {
                        try await store.withConnection {
                            _ = try $0.run("UPDATE notes SET title = 'later' WHERE _id = 2")
                        }
                    }
                }, .works))
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 2")
        try await world.sync(because: .localWrite, then: .zero)
        #expect(Self.reads(world) == ["GET /lists/notes/2", "GET /lists/notes/2"])
        #expect(world.atServer[1] == Self.row(2, title: "later", done: true))
    }

    @Test func `a row that cannot be read waits and says why, and the others go`() async throws {
        // Rows of one title would wait for each other.
        let world = try await Self.world(statuses: [1: 404, 2: 500]) { "t\($0)" }
        try await world.write("UPDATE notes SET done = 1")
        try await world.sync(then: .zero)
        #expect(
            world.atServer == [
                Self.row(1, title: "t1"), Self.row(2, title: "t2"),
                Self.row(3, title: "t3", done: true),
            ])
        #expect(
            try await world.rows("SELECT row_id, state, last_error IS NOT NULL FROM outbox") == [
                "1|queued|1", "2|queued|1",
            ])
        world.world.server.mend()
        try await world.sync()
        try await world.sync()
        #expect(world.atServer == (1...3).map { Self.row($0, title: "t\($0)", done: true) })
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `without an edit that repeats, a delete goes by the list`() async throws {
        let world = try await Self.world()
        try await world.write("DELETE FROM notes WHERE _id = 1")
        try await world.sync(then: .zero)
        #expect(Self.reads(world).isEmpty)
        #expect(world.world.count("DELETE") == 1)
    }
}
