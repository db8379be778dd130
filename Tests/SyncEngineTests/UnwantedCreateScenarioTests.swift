import APIClient
import Declarations
import ReferenceAPI
import Rules
import Store
import SyncEngine
import TestSupport
import Testing

/// Creates that a delete waits for.
@Suite struct UnwantedCreateScenarioTests {
    @Test func `found, the create is adopted and its delete sent`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        try await world.remove("milk")
        try await world.expect(
            server: ["1 milk"], todos: [], outbox: ["create milk in doubt", "delete milk queued"])
        try await world.sync()
        try await world.expect(server: [], todos: [])
        #expect(world.count("POST /todos") == 1)
        #expect(world.count("DELETE /todos/1") == 1)
    }

    @Test func `not found, both are gone and nothing is sent again`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        try await world.remove("milk")
        try await world.sync()
        try await world.expect(
            server: [], todos: [], outbox: ["create milk in doubt", "delete milk queued"])
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.expect(server: [], todos: [])
        #expect(world.count("POST /todos") == 1)
        #expect(world.count("DELETE") == 0)
    }

    /// The person deletes the todo while its create is at the server.
    private static func deleteDuringCreate(_ act: ScriptedServer.Act) async throws -> EngineWorld {
        let world = try EngineWorld()
        try await world.add("milk")
        let store = world.store
        world.server.next(
            "POST /todos",
            .after(
                {
                    do {
                        try await store.removeTodos(try await store.todos(search: nil).map(\.id))
                    } catch {
                        Issue.record(error)
                    }
                }, act))
        try await world.sync()
        return world
    }

    @Test(arguments: [400, 401, 404, 422, 429])
    func `deleted while it was sent and not applied, both are gone`(status: Int) async throws {
        let world = try await Self.deleteDuringCreate(.status(status))
        try await world.expect(
            server: [], todos: [], halt: status == 404 ? .misconfigured : nil)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        #expect(world.count("POST /todos") == 1)
    }

    @Test func `deleted while it was not sent, both are gone`() async throws {
        let world = try await Self.deleteDuringCreate(.refuses)
        try await world.expect(server: [], todos: [])
    }

    @Test func `deleted while it was created, it is deleted by a later cycle`() async throws {
        let world = try await Self.deleteDuringCreate(.works)
        try await world.expect(server: ["1 milk"], todos: [], outbox: ["delete milk queued"])
        #expect(world.count("DELETE") == 0, "no pull has shown the row yet")
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: [])
    }

    @Test func `the commit that takes a create's answer takes up no delete of its row`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        let create = try await world.store.outbox()[0].sequence
        let now = world.time.bootTime()
        _ = try await world.store.exchange(
            settling: [], taking: [create], for: world.account, now: now, settlingTime: .seconds(60)
        )
        try await world.remove("milk")
        let delete = try await world.store.outbox()[1].sequence
        let body = Array(#"{"id":1,"title":"milk"}"#.utf8)
        let exchange = try await world.store.exchange(
            settling: [(create, .accepted(Acceptance(status: 201, body: body, at: now)))],
            taking: [delete],
            for: world.account, now: now, settlingTime: .seconds(60))
        #expect(exchange.settled == [.done])
        #expect(exchange.outgoing.isEmpty, "no pull has shown the row")
    }
}
