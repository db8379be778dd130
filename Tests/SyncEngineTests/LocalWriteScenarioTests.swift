import Declarations
import Host
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// S1: what the commits of other programs cause.
@Suite struct LocalWriteScenarioTests {
    /// Whether a commit of somebody would start a cycle now.
    private static func hasSendable(_ world: EngineWorld) async throws -> Bool? {
        let question = WriteQuestion(since: nil, asksForWriter: false, asksForWork: true)
        return try await world.store.look(for: question, now: world.time.bootTime()).work
            .map { $0.sendable == [.todos] }
    }

    private static func inDoubt() async throws -> EngineWorld {
        let world = try EngineWorld("tea")
        try await world.add("milk")
        world.server.next("POST /todos milk", .losesRequest)
        try await world.sync()
        world.server.forgetLines()
        return world
    }

    @Test func `S1: beside one create in doubt, twenty adds need no list`() async throws {
        let world = try await Self.inDoubt()
        for number in 1...20 {
            try await world.add("todo \(number)")
            world.time.advance(by: .seconds(1))
            try await world.sync(.localWrite)
        }
        #expect(world.count("GET") == 0)
        #expect(world.server.lines == (1...20).map { "POST /todos todo \($0)" })
        #expect(try await world.store.outbox().map(\.state) == ["in doubt"])
    }

    @Test(arguments: 1...13)
    func `S1: whenever in a cycle a todo is added, it needs no list`(reading: Int) async throws {
        let world = try EngineWorld("tea", onDisk: true)
        try await world.sync()
        try await world.add("milk")
        world.server.forgetLines()
        let path = try world.cachePath()
        let time = EventfulTime(world.time, at: reading) {
            do {
                let script = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
                _ = try script.run("INSERT INTO todos(title) VALUES ('bread')")
            } catch {
                Issue.record(error)
            }
        }
        let engine = Synchronizer(
            store: world.store, lists: [try world.todosSource()], time: time,
            random: FullRandom(), backoff: .standard, stop: world.stop, tell: { _ in })
        let report = try await world.run(.todos, .localWrite, on: engine)
        #expect(time.readings >= 13)
        // It has gone, or somebody who watches the cache is told of it, as of one added later.
        let isSent = world.count("POST /todos bread") == 1
        #expect(try await Self.hasSendable(world) == !isSent)
        #expect(!report.due.hasCome(by: world.time.bootTime()))
        #expect(world.count("GET") == 0)
    }

    @Test func `S1: a create behind a doubt starts no cycle, another one does`() async throws {
        let world = try await Self.inDoubt()
        try await world.add("milk")
        #expect(try await Self.hasSendable(world) == true, "nobody has looked at it yet")
        try await world.sync(.localWrite)
        #expect(world.server.lines == [])
        #expect(try await Self.hasSendable(world) == false)
        try await world.add("bread")
        #expect(try await Self.hasSendable(world) == true)
        try await world.sync(.localWrite)
        #expect(world.server.lines == ["POST /todos bread"])
        #expect(try await Self.hasSendable(world) == false)
        // A person ends the doubt: the next of its title is free.
        try await world.store.withConnection {
            _ = try $0.run("UPDATE outbox SET state = 'rejected' WHERE state = 'in doubt'")
        }
        #expect(try await Self.hasSendable(world) == true)
        try await world.sync(.localWrite)
        #expect(world.server.lines == ["POST /todos bread", "POST /todos milk"])
    }

    @Test func `S1: what a pull has freed goes in its own cycle`() async throws {
        let world = try await Self.inDoubt()
        try await world.add("milk")
        try await world.sync(.localWrite)
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        #expect(try await world.store.outbox().isEmpty)
        #expect(world.count("POST /todos milk") == 2)
        #expect(try await Self.hasSendable(world) == false)
    }

    @Test func `S1: pulls for deletes are a second apart`() async throws {
        let world = try EngineWorld("a", "b")
        try await world.sync()
        world.server.forgetLines()
        try await world.remove("a")
        try await world.sync(.localWrite)
        #expect(world.server.lines == [])
        #expect(try await Self.hasSendable(world) == false, "it waits for a list")
        #expect(try await world.secondsUntilDue() == 1)
        world.time.advance(by: .milliseconds(999))
        try await world.remove("b")
        try await world.sync(.localWrite)
        #expect(world.server.lines == [])
        try await world.syncWhenDue()
        #expect(world.server.lines.count == 3)
        try await world.expect(server: [], todos: [])
    }

    @Test func `S1: single deletes, four a second, share a list each second`() async throws {
        // One stays: deletes of every row would be held.
        let world = try EngineWorld("stays")
        for number in 1...40 { world.addAtServer("todo \(number)") }
        try await world.sync()
        world.server.forgetLines()
        for number in 1...40 {
            try await world.remove("todo \(number)")
            try await world.sync(.localWrite)
            world.time.advance(by: .milliseconds(250))
        }
        try await world.syncWhenDue()
        try await world.expect(server: ["1 stays"], todos: ["stays synced 1"])
        #expect(world.count("DELETE") == 40)
        #expect(world.count("GET") <= 11)
    }

    @Test func `S1: pulls of which nothing comes are farther and farther apart`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        // The list is never whole, and never shows milk: its delete cannot go.
        world.server.always("GET /todos", .body(#"[{"id":null},{"id":9,"title":null}]"#))
        world.server.forgetLines()
        var pulls: [Int] = []
        for second in 1...50 {
            world.time.advance(by: .seconds(1))
            try await world.add("todo \(second)")
            world.server.always("POST /todos todo \(second)", .losesRequest)
            try await world.sync(.localWrite)
            if world.count("GET") > pulls.count { pulls.append(second) }
        }
        #expect(pulls == [1, 3, 7, 15, 31])
    }
}
