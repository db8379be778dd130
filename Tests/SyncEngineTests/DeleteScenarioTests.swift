import APIClient
import Declarations
import Host
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

@Suite struct DeleteScenarioTests {
    private static func worldWithMilk(
        _ behaviour: ReferenceBehaviour = ReferenceBehaviour()
    ) async throws -> EngineWorld {
        let world = try EngineWorld("milk", behaviour: behaviour)
        try await world.sync()
        try await world.remove("milk")
        world.server.forgetLines()
        return world
    }

    @Test(arguments: [
        ReferenceBehaviour.DeleteAnswer.empty, .noContent, .todo,
    ])
    func `a delete is pulled for, sent and done`(answer: ReferenceBehaviour.DeleteAnswer)
        async throws
    {
        var behaviour = ReferenceBehaviour()
        behaviour.deleteAnswer = answer
        let world = try await Self.worldWithMilk(behaviour)
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk queued"])
        try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(world.server.lines == ["GET /todos", "DELETE /todos/1"])
    }

    @Test func `gone before the pull, it is done without a request when a second list agrees`()
        async throws
    {
        let world = try await Self.worldWithMilk()
        world.removeAtServer(1)
        try await world.sync()
        world.time.advance(by: .milliseconds(59_999))
        try await world.sync()
        try await world.expect(server: [], todos: [], outbox: ["delete milk queued"])
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(world.count("DELETE") == 0)
    }

    @Test func `the id belongs to another title by now, it is done without a request`() async throws
    {
        let world = try await Self.worldWithMilk()
        world.removeAtServer(1)
        world.addAtServer("bread")
        try await world.sync()
        try await world.expect(server: ["1 bread"], todos: ["bread synced 1"])
        #expect(world.count("DELETE") == 0)
    }

    @Test(arguments: [404, 410])
    func `D7: gone between the pull and the delete, it is done when two lists agree`(status: Int)
        async throws
    {
        let world = try await Self.worldWithMilk()
        let server = world.server
        world.server.next(
            "DELETE",
            .after(
                { server.withServer { _ = $0.removeTodo(.integer(1)) } },
                status == 404 ? .works : .status(410)))
        try await world.sync()
        try await world.expect(server: [], todos: [], outbox: ["delete milk in doubt"])
        try await world.syncTwice()
        try await world.expect(server: [], todos: [])
        #expect(world.count("DELETE") == 1)
    }

    @Test func `answer lost, done when two pulls do not show the row`() async throws {
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", .losesAnswer)
        try await world.sync()
        try await world.sync()
        try await world.expect(server: [], todos: [], outbox: ["delete milk in doubt"])
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(world.count("DELETE") == 1)
    }

    @Test func `P8: answer lost and the id given away, nobody's row is deleted`() async throws {
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", .losesAnswer)
        try await world.sync()
        world.addAtServer("bread")
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: ["1 bread"], todos: ["bread synced 1"])
        #expect(world.count("DELETE") == 1)
    }

    @Test(arguments: [(10, 60_000), (40, 80_000)] as [(Int64, Int64)])
    func `still there counts only after a minute and two timeouts`(timeout: Int64, doubt: Int64)
        async throws
    {
        let world = try await Self.worldWithMilk()
        world.timeout = .seconds(timeout)
        world.server.next("DELETE", .losesRequest)
        try await world.sync()
        world.time.advance(by: .milliseconds(doubt - 1))
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk in doubt"])
        #expect(world.count("DELETE") == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(world.count("DELETE") == 2)
    }

    @Test func `a rejected delete brings its todo back, and a second try queues it anew`()
        async throws
    {
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", .status(403))
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk rejected 1"], outbox: ["delete milk rejected"])
        try await world.sync()
        #expect(world.count("DELETE") == 1)
        try await world.remove("milk")
        try await world.sync()
        try await world.expect(server: [], todos: [])
    }

    @Test func `a rejected delete is done when two lists do not show its row`() async throws {
        let world = try await Self.worldWithMilk()
        world.server.next("DELETE", .status(403))
        try await world.sync()
        world.removeAtServer(1)
        try await world.sync()
        try await world.expect(
            server: [], todos: ["milk rejected 1"], outbox: ["delete milk rejected"])
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: [], todos: [])
    }

    @Test func `an unchanged answer shows the rows to delete`() async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.entityTags = true
        let world = try EngineWorld("milk", behaviour: behaviour)
        try await world.sync()
        let store = world.store
        // The delete is queued while the 304 is on its way.
        world.server.next(
            "GET /todos",
            .after(
                {
                    do {
                        try await store.removeTodos(try await store.todos(search: nil).map(\.id))
                    } catch {
                        Issue.record(error)
                    }
                }, .works))
        let report = try await world.sync()
        #expect(report.rows == nil)
        try await world.expect(server: [], todos: [])
    }

    @Test func `P9: a delete and a create of one title keep their order`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        try await world.add("milk")
        world.server.forgetLines()
        try await world.sync()
        #expect(world.server.lines == ["GET /todos", "DELETE /todos/1", "POST /todos milk"])
        // The new row has the id of the one that was deleted, and is another one all the same.
        for seconds in [0, 60] as [Int64] {
            try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
            world.time.advance(by: .seconds(seconds))
            try await world.sync()
        }
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(try await world.store.conflicts().isEmpty)
    }

    @Test func `a delete in doubt holds back a create of its title, so that it cannot hit it`()
        async throws
    {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.remove("milk")
        try await world.add("milk")
        world.server.next("DELETE", .losesAnswer)
        try await world.sync()
        try await world.expect(
            server: [], todos: ["milk queued"],
            outbox: ["delete milk in doubt", "create milk queued"])
        try await world.syncTwice()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.count("DELETE") == 1)
    }

    @Test func `ids are texts with any character`() async throws {
        let world = try EngineWorld()
        world.server.next("GET /todos", .body(#"[{"id":"a/b c","title":"milk"}]"#))
        try await world.sync()
        try await world.remove("milk")
        world.server.next("GET /todos", .body(#"[{"id":"a/b c","title":"milk"}]"#))
        try await world.sync()
        #expect(world.count("DELETE /todos/a%2Fb%20c") == 1)
    }

    @Test func `queued after the opening of a cycle without a pull, it waits for one`() async throws
    {
        let world = try EngineWorld("milk", onDisk: true)
        try await world.sync()
        try await world.add("bread")
        let path = try world.cachePath()
        let time = EventfulTime(world.time, at: 2) {
            do {
                let script = try Connection(
                    .file(path), access: .readWrite, busyTimeout: .seconds(2))
                try script.run("DELETE FROM todos WHERE title = 'milk'")
            } catch {
                Issue.record(error)
            }
        }
        let engine = Synchronizer(
            store: world.store, lists: [try world.todosSource()], time: time,
            random: FullRandom(), backoff: .standard, stop: StopSignal(),
            tell: { _ in })
        let report = try await world.run(.todos, .localWrite, on: engine)
        #expect(!report.hasPulled)
        try await world.expect(
            server: ["1 milk", "2 bread"], todos: ["bread synced 2"],
            outbox: ["delete milk queued"])
        try await world.syncWhenDue()
        try await world.expect(server: ["2 bread"], todos: ["bread synced 2"])
    }
}
