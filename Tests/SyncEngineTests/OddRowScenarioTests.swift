import APIClient
import Declarations
import ReferenceAPI
import Rules
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// D6 and D14: rows that are nobody's, that stand there twice, or of which none can be taken; and doubt
/// that nothing decides.
@Suite struct OddRowScenarioTests {
    /// Milk and a row of another program at the server; the request of a create was lost.
    private static func world(_ behaviour: ReferenceBehaviour = ReferenceBehaviour())
        async throws -> EngineWorld
    {
        let world = try EngineWorld("milk", behaviour: behaviour)
        try await world.add("tea")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.time.advance(by: .seconds(60))
        return world
    }

    @Test func `D6: a row without a title hinders no decision, and is named`() async throws {
        let world = try await Self.world()
        world.addAtServer("")
        let report = try await world.sync()
        #expect(
            report.skipped.named.map(\.description) == ["[1].title: expected a text, found null"])
        #expect(report.error == nil)
        #expect(try await world.store.status()[1].complete == false)
        try await world.expect(
            server: ["1 milk", "2 "], todos: ["tea in doubt", "milk synced 1"],
            outbox: ["create tea in doubt"])
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 ", "3 tea"], todos: ["tea synced 3", "milk synced 1"])
        try await world.remove("milk")
        try await world.sync()
        try await world.expect(server: ["2 ", "3 tea"], todos: ["tea synced 3"])
    }

    @Test func `D6: a row that stands there twice counts once`() async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.doubledRow = .equal
        let world = try await Self.world(behaviour)
        let report = try await world.sync()
        #expect(report.rows == 1)
        #expect(report.skipped == .none)
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 tea"], todos: ["tea synced 2", "milk synced 1"])
        try await world.remove("milk")
        try await world.sync()
        try await world.expect(server: ["2 tea"], todos: ["tea synced 2"])
    }

    @Test func `D6: rows that differ under one id are skipped, and such a list decides nothing`()
        async throws
    {
        let world = try await Self.world()
        world.server.withServer { $0.behaviour.doubledRow = .differing }
        try await world.remove("milk")
        for _ in 0..<3 {
            let report = try await world.sync()
            #expect(report.state == .ok)
            #expect(
                report.skipped.named.map(\.description)
                    == ["[0].id: another row has the same id and differs"])
            try await world.expect(
                server: ["1 milk"], todos: ["tea in doubt"],
                outbox: ["create tea in doubt", "delete milk queued"])
            world.time.advance(by: .seconds(60))
        }
        world.server.withServer { $0.behaviour.doubledRow = nil }
        try await world.syncTwice()
        try await world.expect(server: ["1 tea"], todos: ["tea synced 1"])
        #expect(world.count("DELETE") == 1)
    }

    @Test func `D14: a server whose rows have no id is misconfigured, and loses nothing`()
        async throws
    {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.withServer { $0.behaviour.idName = "_id" }
        try await world.add("tea")
        for _ in 0..<3 {
            let report = try await world.syncWhenDue()
            #expect(
                report.error
                    == "no row has a usable `id` and a `title`; the first row has `_id`, `title`")
            #expect(report.hint?.isEmpty == false)
            try await world.expect(
                server: ["1 milk"], todos: ["milk synced 1", "tea queued"],
                outbox: ["create tea queued"], status: "misconfigured")
        }
        world.server.withServer { $0.behaviour.idName = "id" }
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 milk", "2 tea"], todos: ["milk synced 1", "tea synced 2"])
    }

    @Test func `F9: a token among the keys of a row is not told`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        let token = try await world.todosSource().client.secret()
        world.server.withServer { $0.behaviour.idName = token }
        let report = try await world.syncWhenDue()
        #expect(
            report.error
                == "no row has a usable `id` and a `title`; the first row has `[redacted]`, `title`"
        )
        #expect(try await world.store.status().allSatisfy { $0.lastError?.contains(token) != true })
    }

    @Test func `D6: a person ends a doubt that no list decides, and retries it at a risk`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk", "milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.server.always("GET /todos", .body(#"[{"id":null},{"id":9,"title":null}]"#))
        for _ in 0..<10 { try await world.syncWhenDue() }
        try await world.expect(
            server: ["1 milk"], todos: ["milk in doubt", "milk queued"],
            outbox: ["create milk in doubt", "create milk queued"])
        let first = try await world.store.outbox()[0].sequence
        try await world.store.withConnection {
            _ = try $0.run(
                "UPDATE outbox SET state = 'rejected' WHERE seq = ?", .integer(first.rawValue))
        }
        // The next of its title waits no longer.
        try await world.sync()
        try await world.expect(
            server: ["1 milk", "2 milk"], todos: ["milk rejected", "milk synced 2"],
            outbox: ["create milk rejected"])
        world.server.mend()
        try await world.store.retry([first])
        try await world.sync()
        #expect(world.count("POST /todos") == 3)
        let doubled = try await world.store.todos(search: nil).map(\.title)
        #expect(doubled == ["milk", "milk", "milk"], "the lost answer had been a success")
    }
}
