import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Whose cache it is, tokens, and base URLs that are wrong.
@Suite struct CredentialScenarioTests {
    @Test(arguments: [
        Account(baseURL: "http://127.0.0.1:8080", email: "other@example.com"),
        Account(baseURL: "http://127.0.0.1:9090", email: EngineWorld.email),
    ])
    func `the cache of another account is neither synced nor changed`(cached: Account) async throws
    {
        let world = try EngineWorld("milk")
        try await world.store.bind(to: cached)
        try await world.add("bread")
        await #expect(
            throws: StoreError.otherAccount(cached: cached, configured: world.account)
        ) { try await world.sync() }
        try await world.expect(
            server: ["1 milk"], todos: ["bread queued"], outbox: ["create bread queued"],
            status: "waiting")
        #expect(world.server.lines.isEmpty)
    }

    @Test func `the first cycle makes the cache its account's, written in any case`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.account = Account(baseURL: "http://127.0.0.1:8080", email: "DEMO@example.com")
        try await world.sync()
        #expect(try await world.store.account()?.email == EngineWorld.email)
    }

    @Test func `a stored token is used without a login`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.restart()
        try await world.sync()
        try await world.sync()
        #expect(world.count("POST /login") == 1)
    }

    @Test func `an expired token costs one login`() async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.time.advance(by: .seconds(5 * 3600))
        world.server.forgetLines()
        try await world.sync()
        #expect(world.server.lines == ["GET /todos", "POST /login", "GET /todos"])
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `P13: credentials refused, the queue is kept and goes on when they are mended`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.always("POST /login", .status(401))
        let first = try await world.sync()
        #expect(first.state == .needsCredentials)
        #expect(first.previousState == .waiting)
        let second = try await world.syncWhenDue()
        #expect(second.previousState == .needsCredentials)
        try await world.expect(
            server: [], todos: ["milk queued"], outbox: ["create milk queued"],
            status: "needs credentials")
        #expect(world.count("POST /login") == 2)
        #expect(world.count("POST /todos") == 0)
        world.server.mend()
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `a token that expires in mid-drain is renewed once, its operation waits its turn`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d", "e")
        world.concurrency = 1
        world.server.next("POST /todos b", .status(401))
        let report = try await world.sync()
        #expect(report.state == .ok)
        try await world.expect(
            server: ["1 a", "2 c", "3 d", "4 e"],
            todos: ["a synced 1", "b queued", "c synced 2", "d synced 3", "e synced 4"],
            outbox: ["create b queued"])
        #expect(world.count("POST /login") == 2)
        try await world.syncWhenDue()
        #expect(world.count("POST /login") == 2)
        #expect(world.server.withServer { $0.state.todos.count } == 5)
    }

    @Test func `several that find one token refused share one login`() async throws {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a", "b", "c", "d")
        for title in ["a", "b", "c", "d"] {
            world.server.next("POST /todos \(title)", .status(401))
        }
        try await world.sync()
        #expect((2...4).contains(world.server.peak))
        #expect(world.count("POST /login") == 2)
        try await world.syncWhenDue()
        #expect(world.count("POST /login") == 2)
        #expect(world.server.withServer { $0.state.todos.count } == 4)
    }

    @Test func `login refused in mid-drain stops it, and nothing leaves the queue`() async throws {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a", "b", "c", "d", "e", "f")
        world.concurrency = 2
        world.server.always("POST /todos", .status(401))
        world.server.always("POST /login", .status(401))
        let report = try await world.sync()
        #expect(report.halt?.state == .needsCredentials)
        #expect(world.count("POST /todos") == 2)
        #expect(try await world.store.outbox().map(\.state) == Array(repeating: "queued", count: 6))
        #expect(try await world.secondsUntilDue() == 1)
        world.server.mend()
        try await world.syncWhenDue()
        #expect(world.server.withServer { $0.state.todos.count } == 6)
    }

    @Test func `a server that refuses every new token for writes gets one login a cycle`()
        async throws
    {
        let world = try EngineWorld()
        try await world.sync()
        try await world.add("a", "b", "c", "d", "e", "f")
        world.concurrency = 1
        world.server.always("POST /todos", .status(401))
        world.server.forgetLines()
        let report = try await world.sync()
        #expect(report.halt?.state == .needsCredentials)
        #expect(world.count("POST /login") == 1)
        #expect(world.count("POST /todos") == 2)
        #expect(try await world.store.outbox().count == 6)
    }

    @Test func `a server that refuses every new token for the list gets one login a cycle`()
        async throws
    {
        let world = try EngineWorld()
        world.server.always("GET /todos", .status(401))
        try await world.sync()
        #expect(world.server.lines == ["POST /login", "GET /todos", "POST /login", "GET /todos"])
        world.server.forgetLines()
        let report = try await world.syncWhenDue()
        #expect(report.state == .needsCredentials)
        #expect(world.count("POST /login") <= 1)
    }

    // MARK: The wrong base URL

    @Test(arguments: [404, 405])
    func `a create that finds no such path pauses the queue`(status: Int) async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c", "d")
        world.concurrency = 2
        world.server.always("POST /todos", .status(status))
        let report = try await world.sync()
        #expect(report.halt?.state == .misconfigured)
        #expect(report.haltHint != nil)
        #expect(world.count("POST /todos") == 2)
        #expect(try await world.store.outbox().map(\.state) == Array(repeating: "queued", count: 4))
        #expect(try await world.secondsUntilDue() == 1)
        let again = try await world.syncWhenDue()
        #expect(again.halt?.state == .misconfigured)
        #expect(try await world.secondsUntilDue() == 2)
        world.server.mend()
        try await world.syncWhenDue()
        #expect(world.server.withServer { $0.state.todos.count } == 4)
        let row = try await world.store.status()[1]
        #expect(row.state == "ok")
        #expect(row.halt == nil)
    }

    @Test(arguments: [404, 410])
    func `a list that is not there deletes nothing`(status: Int) async throws {
        let world = try EngineWorld("milk")
        try await world.sync()
        world.server.next("GET /todos", .status(status))
        try await world.sync()
        try await world.expect(
            server: ["1 milk"], todos: ["milk synced 1"], status: "misconfigured")
    }

    // MARK: Refused for good

    @Test(arguments: [400, 403, 410, 413, 415, 422, 451])
    func `a rejected create is parked with the server's reason, the others go on`(
        status: Int
    ) async throws {
        let world = try EngineWorld()
        try await world.add("a", "b", "c")
        world.server.next(
            "POST /todos b",
            .body(#"{"error":true,"reason":"not \u001b[2J today"}"#, status: status))
        let report = try await world.sync()
        #expect(report.replay.rejected == 1)
        try await world.expect(
            server: ["1 a", "2 c"], todos: ["a synced 1", "b rejected", "c synced 2"],
            outbox: ["create b rejected"])
        let operation = try await world.store.outbox()[0]
        #expect(operation.lastStatus == Int64(status))
        #expect(operation.lastError?.contains("today") == true)
        #expect(operation.lastError?.contains("\u{1b}") == false)
        // It stays until the person retries it.
        world.time.advance(by: .seconds(3600))
        try await world.sync()
        #expect(world.count("POST /todos b") == 1)
        try await world.store.retry([operation.sequence])
        try await world.sync()
        #expect(world.server.withServer { $0.state.todos.count } == 3)
    }

    @Test func `a retry has a new key, because a server may repeat its refusal under the old one`()
        async throws
    {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .status(422))
        try await world.sync()
        let first = try await world.store.outbox()[0]
        try await world.store.retry([first.sequence])
        #expect(try await world.store.outbox()[0].idempotencyKey != first.idempotencyKey)
        #expect(try await world.store.outbox()[0].attempts == 0)
    }

    @Test func `a dropped create is never sent`() async throws {
        let world = try EngineWorld()
        try await world.add("milk", "bread")
        try await world.store.drop([try await world.store.outbox()[0].sequence])
        try await world.sync()
        try await world.expect(server: ["1 bread"], todos: ["bread synced 1"])
    }
}
