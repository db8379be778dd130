import APIClient
import Declarations
import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

@Suite struct TodosPullScenarioTests {
    /// Everything but the status rows, as text.
    private static func tables(_ world: EngineWorld) async throws -> [String] {
        try await world.store.withConnection { connection in
            try [
                "todos", "s_todos", "d_todos", "operation", "validator", "hold", "held_row",
                "account",
            ].flatMap { table in
                let columns = try connection.all("SELECT name FROM pragma_table_info('\(table)')") {
                    $0.text(0)
                }
                return try connection.all(
                    "SELECT \(columns.map { "quote(\($0))" }.joined(separator: " || ' ' || "))"
                        + " FROM \(table) ORDER BY 1"
                ) { "\(table): \($0.text(0))" }
            }
        }
    }

    @Test func `the first pull logs in once and takes every row`() async throws {
        let world = try EngineWorld("milk", "bread")
        let report = try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
        #expect(world.server.lines == ["POST /login", "GET /todos"])
        #expect(report.rows == 2)
        #expect(report.hasPulled)
        #expect(report.previousState == .waiting)
        #expect(try await world.secondsUntilDue() == 54)
    }

    @Test(arguments: [true, false])
    func `an unchanged list writes the status row and nothing else`(tags: Bool) async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.entityTags = tags
        let world = try EngineWorld("milk", "bread", behaviour: behaviour)
        try await world.sync()
        let before = try await Self.tables(world)
        world.time.advance(by: .seconds(60))
        world.server.forgetLines()
        let report = try await world.sync()
        #expect(try await Self.tables(world) == before)
        #expect(world.server.lines == ["GET /todos"])
        let asked = world.server.requests[0].fields.contains { $0.name == "If-None-Match" }
        #expect(asked == tags)
        #expect(report.rows == (tags ? nil : 2))
        let status = try await world.store.status()[1]
        #expect(status.lastSuccess == world.time.wallTime())
        #expect(status.rows == 2)
    }

    @Test func `rows of other clients come, change hands and go`() async throws {
        let world = try EngineWorld("milk", "bread", "tea")
        try await world.sync()
        // The newest row goes, and its id comes back with another title.
        world.removeAtServer(3)
        world.addAtServer("cake")
        world.removeAtServer(1)
        try await world.sync()
        try await world.expect(
            server: ["2 bread", "3 cake"], todos: ["bread synced 2", "cake synced 3"])
        let ids = try await world.store.todos(search: nil).map(\.id.rawValue)
        #expect(ids == [2, 4], "another todo has another local id")
    }

    private static let uselessAnswers: [(String, HTTPResponse)] = [
        ("captive portal", HTTPResponse(status: 200, body: Array("<html>log in</html>".utf8))),
        ("redirect", HTTPResponse(status: 302, fields: [HTTPField("Location", "http://portal/")])),
        ("truncated", HTTPResponse(status: 200, body: Array(#"[{"id":1,"title":"mi"#.utf8))),
        ("empty", HTTPResponse(status: 200)),
        ("no content", HTTPResponse(status: 204)),
        ("unasked 304", HTTPResponse(status: 304)),
        ("null", HTTPResponse(status: 200, body: Array("null".utf8))),
        ("object", HTTPResponse(status: 200, body: Array("{}".utf8))),
        ("error with 200", HTTPResponse(status: 200, body: Array(#"{"error":true}"#.utf8))),
        ("number", HTTPResponse(status: 200, body: Array("7".utf8))),
        ("text", HTTPResponse(status: 200, body: Array(#""[]""#.utf8))),
        ("trailing garbage", HTTPResponse(status: 200, body: Array("[] x".utf8))),
        ("part", HTTPResponse(status: 206, body: Array("[]".utf8))),
        (
            "not UTF-8",
            HTTPResponse(status: 200, body: Array("[\"".utf8) + [0xe9] + Array("\"]".utf8))
        ),
        (
            "no row with an id",
            HTTPResponse(
                status: 200,
                body: Array(#"[{"_id":1,"title":"a"},{"_id":2,"title":"b"}]"#.utf8))
        ),
    ]

    @Test(arguments: uselessAnswers.map(\.0))
    func `P12: an answer that is no list changes nothing`(name: String) async throws {
        let answer = try #require(Self.uselessAnswers.first { $0.0 == name }).1
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("bread")
        let before = try await Self.tables(world)
        world.server.next("GET /todos", .answers(answer))
        let report = try await world.sync()
        #expect(try await Self.tables(world) == before)
        try await world.expect(
            server: ["1 milk"], todos: ["milk synced 1", "bread queued"],
            outbox: ["create bread queued"],
            status: name == "error with 200" ? "failing" : "misconfigured")
        #expect(report.error != nil)
        #expect(report.hint != nil)
        #expect(!report.hasPulled)
        // It goes on by itself, after the backoff.
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
    }

    @Test func `skipped rows remove nothing, decide nothing and are named`() async throws {
        let world = try EngineWorld("milk", "bread", "tea")
        try await world.sync()
        try await world.add("cake")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        try await world.remove("milk")
        try await world.remove("tea")
        world.time.advance(by: .seconds(60))
        // Tea has no title this once, bread is gone, milk is there.
        world.server.next(
            "GET /todos", .body(#"[{"id":1,"title":"milk"},{"id":3,"title":null},{}]"#))
        let report = try await world.sync()
        #expect(report.skipped.count == 2)
        #expect(
            report.skipped.named.map(\.description) == [
                "[1].title: expected a text, found null",
                "[2].id: expected an integer or a text, found nothing",
            ])
        // The DELETE of the row that was shown is sent, that of the other one is not.
        try await world.expect(
            server: ["2 bread", "3 tea"], todos: ["bread synced 2", "cake in doubt"],
            outbox: ["create cake in doubt", "delete tea queued"])
        let complete = try await world.store.status()[1].complete
        #expect(complete == false)
        // The next whole list shows tea, and two of them decide about cake.
        try await world.syncWhenDue()
        try await world.expect(
            server: ["2 bread"], todos: ["bread synced 2", "cake in doubt"],
            outbox: ["create cake in doubt"])
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: ["2 bread", "3 cake"], todos: ["bread synced 2", "cake synced 3"])
    }

    @Test func `a list of mostly skipped rows is taken, because it removes nothing`() async throws {
        let world = try EngineWorld("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
        try await world.sync()
        try await world.add("new")
        world.server.next("GET /todos", .body(#"[{"id":1,"title":"a"},{"id":2}]"#))
        try await world.sync()
        let todos = try await world.store.todos(search: nil)
        #expect(todos.count == 11)
        #expect(todos.last?.state == "synced")
        #expect(try await world.store.memory(of: .todos).heldSince == nil)
    }

    @Test func `a skipped row keeps no validators`() async throws {
        let world = try EngineWorld("milk")
        world.server.next(
            "GET /todos",
            .answers(
                HTTPResponse(
                    status: 200, fields: [HTTPField("ETag", "\"1\"")],
                    body: Array(#"[{"id":1,"title":"milk"},{"id":null}]"#.utf8))))
        try await world.sync()
        world.server.forgetLines()
        try await world.sync()
        #expect(!world.server.requests[0].fields.contains { $0.name == "If-None-Match" })
    }

    @Test func `sending drops the validators, and doubt is never asked about with them`()
        async throws
    {
        var behaviour = ReferenceBehaviour()
        behaviour.entityTags = true
        let world = try EngineWorld("milk", behaviour: behaviour)
        func asksConditionally() -> Bool {
            world.server.requests.last { $0.method == .get }?.fields
                .contains { $0.name == "If-None-Match" } ?? false
        }
        try await world.sync()
        try await world.sync()
        #expect(asksConditionally())
        try await world.add("bread")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        #expect(!asksConditionally(), "something is queued")
        try await world.sync()
        #expect(!asksConditionally(), "something is in doubt")
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.sync()
        #expect(!asksConditionally(), "sending has dropped them")
        try await world.sync()
        #expect(asksConditionally())
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
    }

    @Test func `a rejected operation does not stop conditional requests`() async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.entityTags = true
        let world = try EngineWorld("milk", behaviour: behaviour)
        try await world.add("bread")
        world.server.next("POST /todos", .status(422))
        try await world.sync()
        try await world.sync()
        let report = try await world.sync()
        #expect(report.rows == nil, "answered with 304")
        try await world.expect(
            server: ["1 milk"], todos: ["bread rejected", "milk synced 1"],
            outbox: ["create bread rejected"])
    }

    // MARK: When the pull may be skipped

    @Test func `a write right after a pull is sent without another one`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.forgetLines()
        try await world.add("bread", "tea")
        world.time.advance(by: .seconds(9))
        let report = try await world.sync(.localWrite)
        #expect(world.server.lines.sorted() == ["POST /todos bread", "POST /todos tea"])
        #expect(!report.hasPulled)
        #expect(report.state == .ok)
        // A delete of what this cycle's pull has not shown waits for the next one.
        try await world.remove("bread")
        world.server.forgetLines()
        try await world.sync(.localWrite)
        #expect(world.server.lines.first == "GET /todos")
        #expect(world.count("DELETE") == 1)
    }

    @Test(arguments: ["interval", "asked", "delete", "boot", "failed"])
    func `otherwise it is not skipped`(why: String) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        var cause = CycleCause.localWrite
        switch why {
        case "interval": world.time.advance(by: .seconds(60))
        case "asked": cause = .asked(acceptsRemovals: false)
        case "delete":
            try await world.remove("milk")
            world.time.advance(by: .seconds(1))
        case "boot":
            // The boot clock of the new boot is below ten seconds: the last pull is not.
            world.time.reboot()
            world.time.advance(by: .seconds(-15))
        default:
            world.server.next("GET /todos", .status(500))
            try await world.sync()
            try await world.syncWhenDue()
            world.server.next("GET /todos", .status(500))
            try await world.sync()
            world.time.advance(to: try await world.synchronizer().due(.todos))
        }
        try await world.add("bread")
        world.server.forgetLines()
        try await world.sync(cause)
        #expect(world.count("GET /todos") == 1)
    }

    @Test func `a delete during a cycle without a pull is not sent in it`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("bread")
        let store = world.store
        world.server.next(
            "POST /todos bread",
            .after(
                {
                    do {
                        let all = try await store.todos(search: "milk")
                        try await store.removeTodos(all.map(\.id))
                    } catch {
                        Issue.record(error)
                    }
                }, .works))
        world.server.forgetLines()
        try await world.sync(.localWrite)
        #expect(world.server.lines == ["POST /todos bread"])
        #expect(
            try await world.secondsUntilDue() == 1, "a list is read a second after the last one")
        try await world.syncWhenDue()
        try await world.expect(server: ["2 bread"], todos: ["bread synced 2"])
    }
}
