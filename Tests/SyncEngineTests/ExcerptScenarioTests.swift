import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists that show a part of each row, at a server that shows all of it in reads and answers.
@Suite struct ExcerptScenarioTests {
    private static func row(_ id: Int, title: String = "t", body: String = "long") -> String {
        #"{"id":\#(id),"title":"\#(title)","body":"\#(body)"}"#
    }

    /// What the list shows from now on.
    private static func show(_ titles: [String], body: String? = nil, in world: ListWorld) {
        world.world.server.mend()
        let rows = titles.enumerated().map { index, title in
            let more = body.map { #","body":"\#($0)""# } ?? ""
            return #"{"id":\#(index + 1),"title":"\#(title)"\#(more)}"#
        }
        world.world.server.always("GET /lists/notes/", .works)
        world.world.server.always("GET /lists/notes", .body("[\(rows.joined(separator: ","))]"))
    }

    private static func world(
        body: String = #"{"text": "$.body", "write": "both"}"#, more: String = "",
        shown: String? = nil
    ) async throws -> ListWorld {
        var list = ReferenceList(rows: [row(1), row(2)], paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true}, "body": \#(body)
                """#, more: #", "create": true, "update": true"# + more)
        show(["t", "t"], body: shown, in: world)
        try await world.sync(then: .zero)
        return world
    }

    private static func reads(_ world: ListWorld) -> [String] {
        world.world.server.lines.filter { $0.hasPrefix("GET /lists/notes/") }
    }

    private static let fromReads = #"{"text": "$.body", "write": "both", "in": "read"}"#

    @Test func `a column that no list shows keeps what an answer has shown`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET body = 'mine' WHERE _id = 1")
        for _ in 1...3 { try await world.sync() }
        #expect(
            try await world.rows("SELECT body, _state FROM notes ORDER BY _id") == [
                "mine|synced", "-|synced",
            ])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(
            try await world.world.store.status().first { $0.list == "notes" }?.excerpt == [
                "body"
            ])
        Self.show(["other", "t"], in: world)
        try await world.sync()
        #expect(
            try await world.rows("SELECT title, body FROM notes ORDER BY _id") == [
                "other|mine", "t|-",
            ])
    }

    @Test func `a column that lists show is empty where a row lacks it`() async throws {
        let world = try await Self.world(shown: "short")
        #expect(try await world.rows("SELECT body FROM notes") == ["short", "short"])
        Self.show(["t", "t"], in: world)
        try await world.sync()
        #expect(try await world.rows("SELECT body FROM notes") == ["-", "-"])
    }

    @Test(arguments: [nil, "lo"])
    func `a column from reads has what they show, whatever a list shows`(
        shown: String?
    ) async throws {
        let world = try await Self.world(
            body: Self.fromReads, more: #", "read": true"#, shown: shown)
        #expect(try await world.rows("SELECT body FROM notes") == ["long", "long"])
        try await world.sync()
        #expect(Self.reads(world) == ["GET /lists/notes/1", "GET /lists/notes/2"])
        world.change { $0.rows[1] = Self.row(2, title: "other", body: "longer") }
        Self.show(["t", "other"], body: shown, in: world)
        for _ in 1...2 { try await world.sync() }
        #expect(Self.reads(world).dropFirst(2) == ["GET /lists/notes/2"])
        #expect(
            try await world.rows("SELECT title, body FROM notes ORDER BY _id") == [
                "t|long", "other|longer",
            ])
    }

    @Test func `an edit of a column from reads meets what a read shows of it`() async throws {
        let world = try await Self.world(body: Self.fromReads, more: #", "read": true"#)
        world.change { $0.rows[0] = Self.row(1, body: "theirs") }
        try await world.write("UPDATE notes SET body = 'mine'")
        try await world.sync()
        #expect(world.atServer == [Self.row(1, body: "theirs"), Self.row(2, body: "mine")])
        #expect(
            try await world.rows("SELECT row_id, field, why, mine, theirs FROM conflicts") == [
                "1|body|edited|mine|theirs"
            ])
    }

    @Test func `a row that is read may have another shape`() async throws {
        let world = try await Self.world(body: Self.fromReads, more: #", "read": true"#)
        try await world.declare(
            pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "body": \#(Self.fromReads)
                """#,
            more: #"""
                , "create": true, "update": true,
                "read": {"row": "$.data", "columns": {"body": "$.attributes.text"}}
                """#)
        world.world.server.mend()
        world.world.server.always(
            "GET /lists/notes/1", .body(#"{"data":{"id":"x","attributes":{"text":"other"}}}"#))
        world.world.server.always(
            "GET /lists/notes", .body(#"[{"id":1,"title":"new"},{"id":2,"title":"t"}]"#))
        try await world.sync()
        #expect(
            try await world.rows("SELECT title, body FROM notes ORDER BY _id") == [
                "new|other", "t|long",
            ])
    }

    @Test func `an outage leaves the rows to be read for the next cycle`() async throws {
        let world = try await Self.world(body: Self.fromReads, more: #", "read": true"#)
        world.change { $0.rows[1] = Self.row(2, title: "other", body: "longer") }
        world.world.server.mend()
        world.world.server.next("GET /lists/notes/2", .status(503))
        world.world.server.always("GET /lists/notes/", .works)
        world.world.server.always(
            "GET /lists/notes", .body(#"[{"id":1,"title":"t"},{"id":2,"title":"other"}]"#))
        try await world.sync()
        #expect(try await world.rows("SELECT body FROM notes") == ["long", "long"])
        try await world.sync()
        #expect(try await world.rows("SELECT body FROM notes") == ["long", "longer"])
    }
}
