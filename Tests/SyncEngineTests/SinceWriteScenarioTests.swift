import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Lists of which only changes are asked for, and that programs write to.
@Suite struct SinceWriteScenarioTests {
    private static let seven = SinceScenarioTests.seven

    private static func world(
        since: String = "", read: Bool = true, more: String = ""
    ) async throws -> ListWorld {
        let world = try await ListWorld(
            SinceScenarioTests.list(),
            pages: #"{"offset": "offset", "rows": "header X-Total-Count"}"#,
            columns: #""title": {"text": "$.title", "write": "both", "required": true}"#,
            more: """
                , "since": {"query": "since={since}", "moment": "$.updated_at"\(since)},
                "create": true, "update": true, "delete": true, "read": \(read)\(more)
                """)
        try await SinceScenarioTests.marked(world)
        return world
    }

    private static func rows(_ world: ListWorld) async throws -> [String] {
        try await world.rows("SELECT title, _state FROM notes ORDER BY _id")
    }

    /// The requests for the whole list, but for those of its first page that tell its length alone.
    private static func wholes(_ world: ListWorld) -> Int {
        world.world.count("GET /lists/notes?offset=2")
    }

    @Test func `an edit goes by a read of its row, and not by a whole list`() async throws {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'mine' WHERE title = 'row 1'")
        try await world.sync(because: .scheduled, then: .seconds(300))
        #expect(world.atServer[0].contains(#""title":"mine""#))
        #expect(world.world.count("GET /lists/notes/1") == 1)
        #expect(Self.wholes(world) == 0)
        try await world.sync()
        #expect(try await Self.rows(world)[0] == "mine|synced")
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `without a read, a change waits for a whole list`() async throws {
        let world = try await Self.world(read: false)
        try await world.write("DELETE FROM notes WHERE title = 'row 1'")
        try await world.sync()
        #expect(world.atServer.count == 2)
        #expect(Self.wholes(world) == 1)
    }

    @Test func `a server that shows no changes lets no edit take another's back`() async throws {
        let world = try await Self.world()
        world.change { list in
            list.increments?.lie = .empty
            list.rows[0] = SinceScenarioTests.row(1, "theirs", "\(Self.seven)7Z")
        }
        try await world.write("UPDATE notes SET title = 'mine' WHERE title = 'row 1'")
        try await world.sync()
        #expect(world.atServer[0].contains("theirs"))
        #expect(try await world.rows("SELECT mine, theirs FROM conflicts") == ["mine|theirs"])
    }

    @Test func `a change that comes behind the increment waits until its row is shown`()
        async throws
    {
        let world = try await Self.world()
        let store = world.world.store
        // The second request asks for the number of rows.
        world.world.server.next(
            "GET /lists/notes", .works,
            .after(
                {
                    try? await store.withConnection {
                        try $0.execute(
                            script: "UPDATE notes SET title = 'mine' WHERE title = 'row 1'")
                    }
                }, .works))
        try await world.sync()
        #expect(world.world.count("PATCH") == 0)
        try await world.sync()
        let lines = world.world.server.lines
        let (read, sent) = (
            lines.firstIndex { $0.hasPrefix("GET /lists/notes/1") },
            lines.firstIndex { $0.hasPrefix("PATCH") }
        )
        #expect(try #require(read) < #require(sent))
        #expect(Self.wholes(world) == 0)
    }

    @Test func `a create whose answer was lost is found by an increment`() async throws {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        world.world.server.next("POST /lists/notes", .losesAnswer)
        try await world.sync()
        #expect(try await Self.rows(world)[3] == "new|in doubt")
        try await world.sync()
        #expect(try await Self.rows(world)[3] == "new|synced")
        #expect(Self.wholes(world) == 0)
        #expect(world.world.count("POST") == 1)
    }

    @Test func `a create that did not arrive is sent again when two whole lists lack it`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        world.world.server.next("POST /lists/notes", .losesRequest)
        try await world.sync()
        try await world.sync(then: .seconds(59))
        #expect(Self.wholes(world) == 1)
        #expect(world.world.count("POST") == 1)
        // Not yet a minute after the first.
        try await world.sync(then: .seconds(1))
        #expect(world.world.count("POST") == 1)
        #expect(Self.wholes(world) == 1)
        try await world.sync()
        #expect(Self.wholes(world) == 2)
        #expect(world.world.count("POST") == 2)
        #expect(try await Self.rows(world)[3] == "new|synced")
    }

    @Test func `a tombstone removes its row`() async throws {
        let world = try await Self.world(since: #", "deleted": "$.deleted""#)
        world.change { list in
            list.rows.remove(at: 0)
            list.increments?.tombstones = [
                #"{"id":1,"deleted":true,"updated_at":"\#(Self.seven)7Z"}"#
            ]
        }
        let report = try await world.sync()
        #expect(try await Self.rows(world) == ["row 2|synced", "row 3|synced"])
        #expect(report.skipped.count == 0)
        #expect(Self.wholes(world) == 0)
        // It is shown again and again, and means nothing more.
        try await world.sync()
        #expect(try await Self.rows(world).count == 2)
        #expect(Self.wholes(world) == 0)
    }

    @Test func `tombstones alone are no empty list`() async throws {
        let world = try await Self.world(since: #", "deleted": "$.deleted""#)
        world.change { list in
            list.increments?.lie = .empty
            list.rows.remove(at: 0)
        }
        world.world.server.next(
            "GET /lists/notes?since",
            .body(#"[{"id":1,"deleted":true,"updated_at":"\#(Self.seven)7Z"}]"#))
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(try await Self.rows(world).count == 2)
    }

    @Test func `a tombstone of a row that the same answer shows means nothing`() async throws {
        let world = try await Self.world(since: #", "deleted": "$.deleted""#)
        world.change { list in
            list.rows[0] = SinceScenarioTests.row(1, "again", "\(Self.seven)8Z")
            list.increments?.tombstones = [
                #"{"id":1,"deleted":true,"updated_at":"\#(Self.seven)7Z"}"#
            ]
        }
        try await world.sync()
        #expect(try await Self.rows(world)[0] == "again|synced")
    }

    @Test func `a tombstone of a row with an edit only asks for the whole list`() async throws {
        let world = try await Self.world(since: #", "deleted": "$.deleted""#)
        world.change { list in
            list.increments?.tombstones = [
                #"{"id":1,"deleted":true,"updated_at":"\#(Self.seven)7Z"}"#
            ]
        }
        try await world.write("UPDATE notes SET title = 'mine' WHERE title = 'row 1'")
        try await world.sync()
        #expect(world.atServer[0].contains("mine"))
        #expect(Self.wholes(world) == 1)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `tombstones of more than half of the rows are held`() async throws {
        var list = ReferenceList(
            rows: (1...12).map {
                SinceScenarioTests.row($0, "row \($0)", "\(Self.seven)\($0 == 12 ? 2 : 1)Z")
            },
            paging: .offset, size: 2)
        list.increments = .init()
        let world = try await SinceScenarioTests.world(
            list, since: #", "deleted": {"$.state": "gone"}"#)
        try await SinceScenarioTests.marked(world)
        world.change { list in
            list.increments?.tombstones = (1...8).map {
                #"{"id":\#($0),"state":"gone","updated_at":"\#(Self.seven)7Z"}"#
            }
        }
        let report = try await world.sync()
        #expect(report.state == .held)
        #expect(try await world.rows().count == 12)
        // The second pull is a whole list, and that has them.
        try await world.sync()
        #expect(try await world.rows().count == 12)
    }

    @Test func `an edit that the server took and did not do is told by a read of its row`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("UPDATE notes SET title = 'mine' WHERE title = 'row 1'")
        let answer = SinceScenarioTests.row(1, "mine", "\(Self.seven)7Z")
        world.world.server.next("PATCH /lists/notes/1", .body(answer))
        try await world.sync()
        #expect(try await Self.rows(world)[0] == "mine|synced")
        try await world.sync()
        #expect(try await world.rows("SELECT why, theirs FROM conflicts") == ["not taken|row 1"])
        #expect(try await Self.rows(world)[0] == "row 1|synced")
        #expect(Self.wholes(world) == 0)
    }

    /// Increments show each change once, as those by a text of the server's own do: too early to decide.
    private static func shownOnce(_ write: String) async throws -> ListWorld {
        let world = try await Self.world()
        try await world.write(write)
        try await world.sync(because: .scheduled, then: .seconds(30))
        world.change { $0.increments?.lie = .empty }
        world.world.server.forgetLines()
        return world
    }

    @Test(arguments: [
        "UPDATE notes SET title = 'mine' WHERE title = 'row 1'",
        "INSERT INTO notes (title) VALUES ('mine')", "DELETE FROM notes WHERE title = 'row 1'",
    ])
    func `a row with an acknowledged change is read once, a minute later`(
        write: String
    ) async throws {
        let world = try await Self.shownOnce(write)
        try await world.sync(because: .scheduled, then: .seconds(31))
        #expect(world.world.count("GET /lists/notes/") == 0)
        try await world.sync(because: .scheduled, then: .seconds(300))
        #expect(world.world.count("GET /lists/notes/") == 1)
        #expect(try await world.rows("SELECT * FROM trail").isEmpty)
        #expect(try await world.rows("SELECT * FROM operation").isEmpty)
        try await world.sync(because: .scheduled)
        #expect(world.world.count("GET /lists/notes/") == 1)
        #expect(Self.wholes(world) == 0)
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
    }

    @Test func `rows that are deleted all the time ask for two whole lists an hour`() async throws {
        var list = ReferenceList(
            rows: (1...12).map {
                SinceScenarioTests.row($0, "row \($0)", "\(Self.seven)\($0 == 12 ? 2 : 1)Z")
            }, paging: .offset, size: 3)
        list.increments = .init()
        let world = try await SinceScenarioTests.world(list)
        try await SinceScenarioTests.marked(world)
        func wholes() -> Int { world.world.count("GET /lists/notes?offset=3") }
        for _ in 0..<6 {
            world.change { $0.rows.removeFirst() }
            try await world.sync(then: .seconds(300))
        }
        #expect(wholes() == 2)
        // The second was the first to lack row 2.
        #expect(try await world.rows().first == "row 2")
        try await world.sync(then: .seconds(1900))
        try await world.sync()
        #expect(wholes() == 3)
        #expect(try await world.rows().first == "row 3")
    }
}
