import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Testing

/// A list whose declaration changes: the rows stay, with their ids.
@Suite struct ChangedDeclarationScenarioTests {
    private static let read = #""title": "text $.title", "size": "integer $.size""#
    private static let write = #"""
        "title": {"text": "$.title", "write": "both", "required": true}, "size": "integer $.size"
        """#
    private static let calls = #", "create": true, "update": true, "delete": true"#

    private static func world(_ columns: String, more: String = "") async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...3).map {
                #"{"id":\#($0),"title":"n\#($0)","size":\#($0),"more":{"a":\#($0)}}"#
            },
            paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(list, pages: #""none""#, columns: columns, more: more)
        try await world.sync()
        return world
    }

    private static let rows = ["1|n1|1|1|synced", "2|n2|2|2|synced", "3|n3|3|3|synced"]
    private static let shown = "SELECT _id, title, size, _server_id, _state FROM notes ORDER BY _id"

    @Test func `one that may be written to from now on has each row once, with its id`()
        async throws
    {
        let world = try await Self.world(Self.read)
        try await world.declare(pages: #""none""#, columns: Self.write, more: Self.calls)
        #expect(try await world.rows(Self.shown) == Self.rows)
        try await world.write(
            "UPDATE notes SET title = 'mine' WHERE _id = 2; DELETE FROM notes WHERE _id = 3;"
                + " INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        try await world.sync()
        #expect(
            try await world.rows(Self.shown) == [
                "1|n1|1|1|synced", "2|mine|2|2|synced", "4|new|-|1000001|synced",
            ])
        #expect(world.atServer.count == 3)
    }

    @Test func `changes that were dropped hinder nothing`() async throws {
        let world = try await Self.world(Self.write, more: Self.calls)
        try await world.write(
            "UPDATE notes SET title = 'mine' WHERE _id = 2; INSERT INTO notes (title) VALUES ('new');"
                + " DELETE FROM outbox")
        try await world.declare(
            pages: #""none""#, columns: Self.write + #", "a": "integer $.more.a""#,
            more: Self.calls)
        #expect(
            try await world.rows("SELECT _id, title, a, _state FROM notes ORDER BY _id")
                == ["1|n1|1|synced", "2|n2|2|synced", "3|n3|3|synced"])
        #expect(try await world.rows("SELECT * FROM withdrawn").isEmpty)
    }

    @Test func `another column is filled at once, and what was deleted gives no id away`()
        async throws
    {
        let world = try await Self.world(Self.write, more: Self.calls)
        try await world.write("DELETE FROM notes WHERE _id = 3")
        try await world.sync()
        let gets = world.world.count("GET /lists/notes")
        try await world.declare(
            pages: #""none""#, columns: Self.write + #", "a": "integer $.more.a""#,
            more: Self.calls)
        #expect(
            try await world.rows("SELECT _id, title, a, _state FROM notes ORDER BY _id")
                == ["1|n1|1|synced", "2|n2|2|synced"])
        #expect(world.world.count("GET /lists/notes") == gets)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await world.sync()
        #expect(
            try await world.rows("SELECT _id, title FROM notes ORDER BY _id")
                == ["1|n1", "2|n2", "4|new"])
        // A row that a delete hides has the new column, too.
        try await world.write("DELETE FROM notes WHERE _id = 1")
        world.world.server.next("DELETE /lists/notes/1", .body("{}", status: 422))
        try await world.sync()
        #expect(
            try await world.rows("SELECT a, _state FROM notes WHERE _id = 1") == ["1|rejected"])
    }

    @Test func `one that is only read from now on keeps its rows, also on the way back`()
        async throws
    {
        let world = try await Self.world(Self.write, more: Self.calls)
        try await world.declare(pages: #""none""#, columns: Self.read)
        let read = "SELECT _id, title, size, _server_id, _rank FROM notes ORDER BY _id"
        #expect(try await world.rows(read) == ["1|n1|1|1|1", "2|n2|2|2|2", "3|n3|3|3|3"])
        try await world.sync()
        #expect(try await world.rows(read) == ["1|n1|1|1|1", "2|n2|2|2|2", "3|n3|3|3|3"])
        try await world.declare(pages: #""none""#, columns: Self.write, more: Self.calls)
        try await world.sync()
        #expect(try await world.rows(Self.shown) == Self.rows)
    }

    @Test(arguments: [
        "INSERT INTO notes (title) VALUES ('new')", "UPDATE notes SET title = 'x' WHERE _id = 2",
        "DELETE FROM notes WHERE _id = 1",
    ])
    func `while changes wait, the table stays as it is, and they can still go`(
        sql: String
    ) async throws {
        let world = try await Self.world(Self.write, more: Self.calls)
        try await world.write(sql)
        let before = try await world.rows("SELECT * FROM notes")
        for (columns, more) in [
            (Self.read, ""), (Self.write + #", "a": "json $.more""#, Self.calls),
        ] {
            await #expect(throws: StoreError.changesWait("notes", count: 1)) {
                try await world.declare(pages: #""none""#, columns: columns, more: more)
            }
            #expect(try await world.rows("SELECT * FROM notes") == before)
        }
        // A delete ends by a list that begins a minute after its answer.
        for _ in 1...2 { try await world.sync() }
        #expect(try await world.rows("SELECT seq FROM operation").isEmpty)
        try await world.declare(
            pages: #""none""#, columns: Self.write + #", "a": "json $.more""#, more: Self.calls)
        try await world.sync()
    }
}
