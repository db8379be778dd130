import APIClient
import Declarations
import Host
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Creates whose answer was lost, or did not show the todo.
@Suite struct LostAnswerScenarioTests {
    private static let inDoubt = ["create milk in doubt"]
    private static let claimed = ["create milk acknowledged"]
    private static let rejected = ["create milk rejected"]

    @Test func `applied, answer lost, adopted by the next pull`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        let id = try await world.store.todos(search: nil)[0].id
        world.server.next("POST /todos", .losesAnswer)
        let report = try await world.sync()
        #expect(report.replay.inDoubt == 1)
        try await world.expect(server: ["1 milk"], todos: ["milk in doubt"], outbox: Self.inDoubt)
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(try await world.store.todos(search: nil)[0].id == id)
        #expect(world.count("POST /todos") == 1)
    }

    /// The doubt is as long as two timeouts, and not shorter than a minute.
    @Test(arguments: [(10, 60_000), (40, 80_000)] as [(Int64, Int64)])
    func `P7: lost on the way, not decided before a minute and two timeouts, then sent again`(
        timeout: Int64, doubt: Int64
    ) async throws {
        let world = try EngineWorld()
        world.timeout = .seconds(timeout)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.time.advance(by: .milliseconds(doubt - 1))
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        #expect(world.count("POST /todos") == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        world.time.advance(by: .milliseconds(59_999))
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        #expect(world.count("POST /todos") == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.count("POST /todos") == 2)
    }

    @Test func `P7: a shorter timeout does not shorten the doubt of what was sent before`()
        async throws
    {
        let world = try EngineWorld()
        world.timeout = .seconds(40)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.timeout = .seconds(1)
        world.time.advance(by: .milliseconds(79_999))
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(try await world.secondsUntilDue() == 0.001)
        #expect(world.count("POST /todos") == 1)
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        world.time.advance(by: .milliseconds(59_999))
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(world.count("POST /todos") == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.count("POST /todos") == 2)
    }

    @Test func `P10: what settles while a cycle is under way is decided by the next, at once`()
        async throws
    {
        let world = try EngineWorld()
        let time = world.time
        world.concurrency = 1
        world.interval = .seconds(3600)
        try await world.add("milk", "bread")
        world.server.next(
            "POST /todos milk", .after({ time.advance(by: .milliseconds(500)) }, .losesRequest),
            .after({ time.advance(by: .seconds(1)) }, .works))
        world.server.next("POST /todos bread", .losesRequest)
        let start = time.bootTime()
        try await world.sync()
        for _ in 0..<20 where try await !world.store.outbox().isEmpty {
            try await world.syncWhenDue()
        }
        // A minute of doubt, one until the second list, and the second that milk takes. For bread,
        // the second list was possible half a second before the end.
        #expect(time.bootTime().elapsed(since: start) == .seconds(121))
        #expect(world.count("POST /todos") == 4)
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
    }

    @Test func `cut off by a crash, in doubt after the restart, decided by the first intent`()
        async throws
    {
        for act in [ScriptedServer.Act.losesAnswer, .losesRequest] {
            let world = try EngineWorld(onDisk: true)
            try await world.add("milk")
            try await world.die(during: "POST /todos", act)
            let found = world.server.withServer { !$0.state.todos.isEmpty }
            world.time.advance(by: .seconds(59))
            try await world.sync()
            if found {
                try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
            } else {
                try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
            }
            world.time.advance(by: .seconds(1))
            try await world.syncTwice()
            try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
            #expect(world.count("POST /todos") == (found ? 1 : 2))
            #expect(world.count("POST /login") == 1)
        }
    }

    @Test func `in another boot it counts as sent when that began`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.time.advance(by: .seconds(3600))
        world.time.reboot()
        // It began 20 s ago.
        world.time.advance(by: .milliseconds(39_999))
        world.restart()
        try await world.sync()
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        #expect(try await world.secondsUntilDue() <= 0.001)
        world.time.advance(by: .milliseconds(1))
        try await world.syncTwice()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test(arguments: [-3650, 3650])
    func `P25: steps of the wall clock by ten years decide nothing`(days: Int) async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.tokenLifetimeSeconds = .max
        let world = try EngineWorld(behaviour: behaviour)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        let due = try await world.secondsUntilDue()
        world.time.stepWall(by: .seconds(days * 86400))
        #expect(try await world.secondsUntilDue() == due)
        try await world.sync()
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        world.time.stepWall(by: .seconds(-days * 86400))
        try await world.sync()
        try await world.expect(server: [], todos: ["milk in doubt"], outbox: Self.inDoubt)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(try await world.secondsUntilDue() == 54)
    }

    @Test func `altered by the server within folding, adopted, and deleted by the stored title`()
        async throws
    {
        var behaviour = ReferenceBehaviour()
        behaviour.altersTitles = .collapsed
        let world = try EngineWorld(behaviour: behaviour)
        try await world.add("  two   words ")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        try await world.sync()
        try await world.expect(server: ["1 two words"], todos: ["two words synced 1"])
        try await world.remove("two words")
        try await world.sync()
        try await world.expect(server: [], todos: [])
    }

    @Test func `a row of its title that another client added before is not taken for it`()
        async throws
    {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk synced 1", "milk in doubt"], outbox: Self.inDoubt)
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.expect(
            server: ["1 milk", "2 milk"], todos: ["milk synced 1", "milk synced 2"])
    }

    @Test(arguments: [500, 502, 503, 408, 409, 999])
    func `an answer that says nothing leaves doubt`(status: Int) async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .worksButAnswers(HTTPResponse(status: status)))
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk in doubt"], outbox: Self.inDoubt)
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"id":1}"#, #"{"title":"milk"}"#,
        #"{"id":null,"title":"milk"}"#, #"{"id":"..","title":"milk"}"#,
        #"{"id":1.5,"title":"milk"}"#,
        #"{"id":1,"title":7}"#, #"{"id":1,"title":"milk""#, #"[{"id":1,"title":"milk"}]"#,
        #"{"id":"a/b c","title":"M I L K","done":false}"#,
    ])
    func `a success without the todo is never sent again, and is rejected if two lists lack it`(
        body: String
    ) async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .body(body))
        let report = try await world.sync()
        #expect(report.replay.done == 1)
        // The first list comes too early, the second one counts, the third one is too soon for it.
        for milliseconds in [59_999, 1, 59_999] as [Int64] {
            try await world.expect(server: [], todos: ["milk acknowledged"], outbox: Self.claimed)
            world.time.advance(by: .milliseconds(milliseconds))
            try await world.sync(.asked(acceptsRemovals: false))
        }
        try await world.expect(server: [], todos: ["milk acknowledged"], outbox: Self.claimed)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        try await world.expect(server: [], todos: ["milk rejected"], outbox: Self.rejected)
        #expect(
            try await world.store.outbox().first?.lastError
                == "the server said yes, and no list has shown the row since")
        // It comes after all.
        world.addAtServer("milk")
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.count("POST /todos") == 1)
    }

    @Test func `a success without the todo is the row that the next list shows`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        let id = try await world.id(of: "milk")
        world.server.next("POST /todos", .worksButAnswers(HTTPResponse(status: 204)))
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk acknowledged"], outbox: Self.claimed)
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(try await world.id(of: "milk") == id)
        #expect(world.count("POST /todos") == 1)
    }

    @Test(arguments: ["milk", " Milk ", "MILK"])
    func `a whole todo of its title, as servers alter titles, ends the create`(title: String)
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next(
            "POST /todos", .body(#"{"id":"a/b c","title":"\#(title)","done":false}"#))
        try await world.sync()
        try await world.expect(server: [], todos: ["\(title) synced a/b c"])
    }

    @Test func `the id of an answer that a cached row still holds belongs to the create`()
        async throws
    {
        let world = try EngineWorld("milk", "tea")
        try await world.sync()
        try await world.add("bread")
        // Another client deletes the newest row after our pull; its id is given to our create.
        let server = world.server
        world.server.next(
            "POST /todos bread",
            .after({ server.withServer { _ = $0.removeTodo(.integer(2)) } }, .works))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
    }

    @Test func `an id that is taken over takes the operation of its old row along`() async throws {
        let world = try EngineWorld("milk", "tea")
        try await world.sync()
        try await world.add("bread")
        let (server, store, tea) = (world.server, world.store, try await world.id(of: "tea"))
        // Another client deletes tea, and so does the person, while bread is created.
        world.server.next(
            "POST /todos bread",
            .after(
                {
                    server.withServer { _ = $0.removeTodo(.integer(2)) }
                    do { try await store.removeTodos([tea]) } catch { Issue.record(error) }
                }, .works))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["milk synced 1", "bread synced 2"])
        #expect(world.count("DELETE") == 0)
    }
}
