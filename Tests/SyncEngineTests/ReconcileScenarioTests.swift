import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Testing

/// The steps of a reconciliation: all of them or none, and in their order.
@Suite struct ReconcileScenarioTests {
    @Test func `a pull that fails in its last step has removed and decided nothing`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("tea")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        try await world.store.withConnection { connection in
            try connection.execute(
                script: """
                    CREATE TRIGGER no_bread BEFORE INSERT ON todos WHEN NEW.title = 'bread'
                    BEGIN SELECT RAISE(ABORT, 'no bread'); END
                    """)
        }
        world.removeAtServer(1)
        world.addAtServer("bread")
        let report = try await world.sync()
        #expect(report.error == "the table todos does not take the rows of the server: no bread")
        #expect(report.hint?.contains("no_bread") == true)
        try await world.expect(
            server: ["2 tea", "3 bread"], todos: ["milk synced 1", "tea in doubt"],
            outbox: ["create tea in doubt"], status: "misconfigured")
        try await world.store.withConnection { connection in
            try connection.execute(script: "DROP TRIGGER no_bread")
        }
        try await world.sync()
        try await world.expect(
            server: ["2 tea", "3 bread"], todos: ["tea synced 2", "bread synced 3"])
    }

    @Test func `a trigger that refuses what an answer shows stops its list, and ends nothing`()
        async throws
    {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("tea")
        try await world.store.withConnection { connection in
            try connection.execute(
                script: """
                    CREATE TRIGGER never BEFORE UPDATE ON todos WHEN NEW.server_id IS NOT NULL
                    BEGIN SELECT RAISE(ABORT, 'not on the server'); END
                    """)
        }
        for _ in 1...3 {
            let report = try await world.sync()
            #expect(report.state == .misconfigured)
            #expect(report.error?.hasSuffix("not on the server") == true)
        }
        #expect(world.count("POST /todos") == 1)
        #expect(try await world.store.outbox().map(\.state) == ["sending"])
        try await world.store.withConnection { connection in
            try connection.execute(script: "DROP TRIGGER never")
        }
        // The answer was kept: no list has to show the row.
        world.server.next("GET /todos", .status(503))
        let report = try await world.run(.todos, .scheduled, on: try world.synchronizer())
        #expect(report.state == .failing)
        try await world.expect(
            server: ["1 tea"], todos: ["tea synced 1"], status: "failing")
        let replayed = try await world.store.status().first { $0.list == "todos" }?.replayed
        #expect(replayed?.done == 1)
        #expect(replayed?.inDoubt == 0)
    }

    @Test func `a create in doubt whose row took over a cached id adopts it`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        try await world.add("tea")
        let (milk, tea) = (try await world.id(of: "milk"), try await world.id(of: "tea"))
        let server = world.server
        world.server.next(
            "POST /todos",
            .after({ server.withServer { _ = $0.removeTodo(.integer(1)) } }, .losesAnswer))
        try await world.sync()
        try await world.expect(
            server: ["1 tea"], todos: ["milk synced 1", "tea in doubt"],
            outbox: ["create tea in doubt"])
        try await world.sync()
        try await world.expect(server: ["1 tea"], todos: ["tea synced 1"])
        #expect(try await world.id(of: "tea") == tea)
        #expect(tea != milk)
        #expect(world.count("POST /todos") == 1)
    }
}
