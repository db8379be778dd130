import Store
import SyncEngine
import TestSupport
import Testing

/// D4: lists that are wrong once, from a server that is well before and after.
@Suite struct AbsenceScenarioTests {
    private static let milk = #"{"id":1,"title":"milk"}"#
    private static let others = #"{"id":2,"title":"bread"},{"id":3,"title":"tea"}"#
    private static let shown = ["bread synced 2", "tea synced 3"]

    /// Milk, bread and tea at the server and in the cache.
    private static func world() async throws -> EngineWorld {
        let world = try EngineWorld("milk", "bread", "tea")
        try await world.sync()
        return world
    }

    /// Empty it is held; cut, it is taken.
    @Test(arguments: [("[]", "held"), ("[\(others)]", "ok")])
    func `D4: a queued delete outlives one wrong list, and is sent by the next`(
        list: String, status: String
    ) async throws {
        let world = try await Self.world()
        try await world.remove("milk")
        world.server.next("GET /todos", .body(list))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea"], todos: Self.shown,
            outbox: ["delete milk queued"], status: status)
        #expect(world.count("DELETE") == 0)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: ["2 bread", "3 tea"], todos: Self.shown)
        #expect(world.count("DELETE") == 1)
    }

    @Test func `D4: the delete of the only row outlives one empty list`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        world.server.next("GET /todos", .body("[]"))
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk queued"])
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: [])
    }

    @Test(arguments: [("[]", "held"), ("[\(milk),\(others)]", "ok")])
    func `D4: a create in doubt outlives one wrong list, and is not sent twice`(
        list: String, status: String
    ) async throws {
        let world = try await Self.world()
        try await world.add("cake")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.time.advance(by: .seconds(60))
        world.server.next("GET /todos", .body(list))
        try await world.sync()
        let before = ["milk synced 1"] + Self.shown
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea", "4 cake"], todos: before + ["cake in doubt"],
            outbox: ["create cake in doubt"], status: status)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea", "4 cake"], todos: before + ["cake synced 4"])
        #expect(world.count("POST /todos") == 1)
    }

    @Test(arguments: [("[]", "held"), ("[\(others)]", "ok")])
    func `D4: a delete in doubt outlives one wrong list`(
        list: String, status: String
    ) async throws {
        let world = try await Self.world()
        try await world.remove("milk")
        world.server.next("DELETE", .losesRequest)
        try await world.sync()
        world.server.next("GET /todos", .body(list))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea"], todos: Self.shown,
            outbox: ["delete milk in doubt"], status: status)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: ["2 bread", "3 tea"], todos: Self.shown)
        #expect(world.count("DELETE") == 2)
    }

    @Test func `D4: a row that is shown in between makes absence count anew`() async throws {
        let world = try await Self.world()
        try await world.remove("milk")
        world.server.next("DELETE", .status(403))
        try await world.sync()
        let without = ScriptedServer.Act.body("[\(Self.others)]")
        world.server.next("GET /todos", without, .works, without, without, without)
        for seconds in [0, 30, 30, 30] as [Int64] {
            world.time.advance(by: .seconds(seconds))
            try await world.sync()
            try await world.expect(
                server: ["1 milk", "2 bread", "3 tea"], todos: ["milk rejected 1"] + Self.shown,
                outbox: ["delete milk rejected"])
        }
        world.time.advance(by: .seconds(30))
        try await world.sync()
        try await world.expect(server: ["1 milk", "2 bread", "3 tea"], todos: Self.shown)
    }

    @Test func `D4: a list that is not complete is no second one`() async throws {
        let world = try await Self.world()
        try await world.remove("milk")
        world.removeAtServer(1)
        try await world.sync()
        world.time.advance(by: .seconds(60))
        world.server.next("GET /todos", .body("[\(Self.others),{}]"))
        try await world.sync()
        try await world.expect(
            server: ["2 bread", "3 tea"], todos: Self.shown, outbox: ["delete milk queued"])
        try await world.sync()
        try await world.expect(server: ["2 bread", "3 tea"], todos: Self.shown)
        #expect(world.count("DELETE") == 0)
    }

    @Test func `D4: where the interval is shorter than a minute, it is the time between the lists`()
        async throws
    {
        let world = try await Self.world()
        world.interval = .seconds(10)
        try await world.remove("milk")
        world.removeAtServer(1)
        try await world.sync()
        world.time.advance(by: .milliseconds(9999))
        try await world.sync()
        #expect(try await world.store.outbox().count == 1)
        #expect(try await world.secondsUntilDue() == 0.001)
        try await world.syncWhenDue()
        try await world.expect(server: ["2 bread", "3 tea"], todos: Self.shown)
    }

    @Test func `D4: an empty list is held where two rows were, and believed where one was`()
        async throws
    {
        for titles in [["a"], ["a", "b"]] {
            let world = try EngineWorld()
            for title in titles { world.addAtServer(title) }
            try await world.sync()
            let rows = titles.enumerated().map { "\($0.offset + 1) \($0.element)" }
            let todos = titles.enumerated().map { "\($0.element) synced \($0.offset + 1)" }
            world.server.next("GET /todos", .body("[]"))
            let report = try await world.sync()
            let isHeld = titles.count == 2
            try await world.expect(
                server: rows, todos: isHeld ? todos : [], status: isHeld ? "held" : "ok")
            #expect(report.state == (isHeld ? .held : .ok))
            try await world.syncWhenDue()
            try await world.expect(server: rows, todos: todos)
        }
    }

    @Test func `D4: a row that one wrong list did not show is no effect of a create in doubt`()
        async throws
    {
        let world = try await Self.world()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.server.next("GET /todos", .body("[\(Self.others)]"))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea"], todos: Self.shown + ["milk in doubt"],
            outbox: ["create milk in doubt"])
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea"],
            todos: ["milk synced 1"] + Self.shown + ["milk in doubt"],
            outbox: ["create milk in doubt"])
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.expect(
            server: ["1 milk", "2 bread", "3 tea", "4 milk"],
            todos: ["milk synced 1"] + Self.shown + ["milk synced 4"])
    }

    @Test func `D4: rows without a change of ours follow one list`() async throws {
        let world = try await Self.world()
        world.server.next("GET /todos", .body("[\(Self.others)]"))
        try await world.sync()
        try await world.expect(server: ["1 milk", "2 bread", "3 tea"], todos: Self.shown)
    }
}
