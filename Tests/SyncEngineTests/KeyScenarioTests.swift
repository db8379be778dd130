import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Both ends honour `Idempotency-Key`.
@Suite struct KeyScenarioTests {
    private static func key(_ request: HTTPRequest) -> String? {
        request.fields.first { $0.name == "Idempotency-Key" }?.value
    }

    private static func creates(_ world: EngineWorld) -> [HTTPRequest] {
        world.server.requests.filter { $0.method == .post && $0.target == "/todos" }
    }

    /// A list that is not whole: it decides no absence, and shows no row.
    private static let oddList = ScriptedServer.Act.body(#"[{"id":null},{"id":9,"title":null}]"#)

    @Test(arguments: [true, false])
    func `every create carries a key of its own, honoured or not`(usesKeys: Bool) async throws {
        let world = try EngineWorld(usesKeys: usesKeys)
        try await world.add("a", "b")
        try await world.sync()
        let keys = Self.creates(world).compactMap(Self.key)
        #expect(keys.count == 2)
        #expect(Set(keys).count == 2)
    }

    @Test(arguments: [true, false])
    func `P6: in doubt, the same bytes go out again under the same key`(applied: Bool) async throws
    {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", applied ? .losesAnswer : .losesRequest)
        try await world.sync()
        // No list shows it, so that only the key can tell.
        world.server.always("GET /todos", Self.oddList)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        let creates = Self.creates(world)
        #expect(creates.count == 2)
        #expect(creates[0].body == creates[1].body)
        #expect(Self.key(creates[0]) != nil)
        #expect(Self.key(creates[0]) == Self.key(creates[1]))
    }

    @Test func `it is sent again only in a cycle that has a list`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos milk", .losesAnswer)
        try await world.sync()
        world.time.advance(by: .seconds(5))
        try await world.add("tea")
        world.server.forgetLines()
        try await world.sync(.localWrite)
        #expect(world.server.lines == ["POST /todos tea"])
    }

    @Test func `it waits for the backoff in between`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        world.time.advance(by: .milliseconds(999))
        try await world.sync()
        #expect(Self.creates(world).count == 1)
        world.time.advance(by: .milliseconds(1))
        try await world.sync()
        #expect(Self.creates(world).count == 2)
    }

    @Test(arguments: [400, 404, 401])
    func `an answer to a later attempt leaves the earlier one in doubt`(status: Int) async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer, .status(status))
        try await world.sync()
        world.server.next("GET /todos", Self.oddList)
        try await world.syncWhenDue()
        try await world.expect(
            server: ["1 milk"], todos: ["milk in doubt"], outbox: ["create milk in doubt"],
            halt: status == 404 ? .misconfigured : nil)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(world.server.withServer { $0.state.todos.count } == 1)
    }

    /// Each attempt would begin the doubt anew, and a person who asks again and again would keep it alive.
    @Test func `what was refused under its key is not sent again before lists have decided`()
        async throws
    {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.server.always("POST /todos", .status(422))
        for _ in 0..<10 {
            world.time.advance(by: .seconds(5))
            try await world.sync(.asked(acceptsRemovals: false))
        }
        #expect(Self.creates(world).count == 2)
        for _ in 0..<3 {
            world.time.advance(by: .seconds(61))
            try await world.sync(.asked(acceptsRemovals: false))
        }
        try await world.expect(
            server: [], todos: ["milk rejected"], outbox: ["create milk rejected"])
        #expect(Self.creates(world).count == 3)
    }

    @Test func `D13: asked too often, it goes again under its key in the same replay`() async throws
    {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer, .status(429), .status(429))
        try await world.sync()
        world.server.next("GET /todos", Self.oddList)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        let creates = Self.creates(world)
        #expect(creates.count == 4)
        #expect(Set(creates.compactMap(Self.key)).count == 1)
    }

    @Test func `a delete that waits is not lost where another row has had the answered id`()
        async throws
    {
        let world = try EngineWorld("other", usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        let milk = try await world.id(of: "milk")
        let (store, server) = (world.store, world.server)
        // This cycle's pull shows another row under the id that the repeated create gets.
        world.server.next(
            "POST /todos",
            .after(
                {
                    server.withServer { _ = $0.removeTodo(.integer(1)) }
                    do { try await store.removeTodos([milk]) } catch { Issue.record(error) }
                }, .works))
        try await world.syncWhenDue()
        #expect(world.count("POST /todos") == 2)
        for _ in 0..<3 { try await world.syncWhenDue() }
        try await world.expect(server: [], todos: [])
    }

    @Test func `without keys it is never sent again before a pull has decided`() async throws {
        let world = try EngineWorld()
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        for _ in 0..<20 { try await world.syncWhenDue() }
        #expect(Self.creates(world).count == 1)
        world.server.mend()
        try await world.syncWhenDue()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `after twelve hours the key is not trusted any more`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        world.time.advance(by: .seconds(12 * 3600))
        try await world.sync()
        #expect(Self.creates(world).count == 1)
        world.server.mend()
        try await world.syncTwice()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
    }

    @Test func `attempts in between do not renew the twelve hours`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.always("POST /todos", .losesRequest)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        world.time.advance(by: .seconds(11 * 3600))
        try await world.sync()
        #expect(Self.creates(world).count == 2)
        world.time.advance(by: .seconds(3600))
        try await world.sync()
        #expect(Self.creates(world).count == 2)
    }

    @Test func `another boot does not know how old a key is`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        world.time.reboot()
        try await world.sync()
        #expect(Self.creates(world).count == 1)
    }

    @Test func `a delete in doubt is always decided by a pull`() async throws {
        let world = try EngineWorld("milk", usesKeys: true)
        try await world.sync()
        try await world.remove("milk")
        world.server.next("DELETE", .losesRequest)
        try await world.sync()
        world.server.always("GET /todos", Self.oddList)
        for _ in 0..<5 { try await world.syncWhenDue() }
        #expect(world.count("DELETE") == 1)
    }

    @Test func `a create in doubt with a waiting delete is not sent again under its key`()
        async throws
    {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        try await world.remove("milk")
        world.time.advance(by: .seconds(1))
        world.server.next("GET /todos", Self.oddList)
        try await world.sync()
        try await world.expect(
            server: [], todos: [], outbox: ["create milk in doubt", "delete milk queued"])
        world.time.advance(by: .seconds(60))
        try await world.syncTwice()
        try await world.expect(server: [], todos: [])
        #expect(Self.creates(world).count == 1)
    }

    @Test func `cut off by a crash, it is sent again under its key`() async throws {
        let world = try EngineWorld(usesKeys: true, onDisk: true)
        try await world.add("milk")
        try await world.die(during: "POST /todos", .losesAnswer)
        world.server.next("GET /todos", Self.oddList)
        try await world.sync()
        try await world.expect(server: ["1 milk"], todos: ["milk synced 1"])
        #expect(Self.creates(world).count == 2)
    }

    @Test func `a repeated key that is answered with a row long gone takes no other row away`()
        async throws
    {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        // Another client deletes what the lost answer told of, and gets its id for a row of its own.
        world.removeAtServer(1)
        world.addAtServer("tea")
        // A list decides nothing yet: a minute has not passed.
        try await world.syncWhenDue()
        try await world.expect(server: ["1 tea"], todos: ["tea synced 1"])
        #expect(Self.creates(world).count == 2)
    }

    @Test func `nor does it take along a delete that waits`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.removeAtServer(1)
        world.addAtServer("tea")
        // The first sight of the row and the repeated key are of one cycle; in between, it is deleted.
        let store = world.store
        world.server.next(
            "POST /todos",
            .after({ _ = try? await store.removeTodos([TodoID(rawValue: 2)]) }, .works))
        try await world.syncWhenDue()
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: [])
    }

    @Test func `nor a todo of ours that got the id, adopted in the same cycle`() async throws {
        let world = try EngineWorld(usesKeys: true)
        try await world.add("milk")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        world.removeAtServer(1)
        try await world.add("tea")
        world.server.next("POST /todos tea", .losesAnswer)
        try await world.sync(.localWrite)
        try await world.syncWhenDue()
        try await world.expect(server: ["1 tea"], todos: ["tea synced 1"])
    }
}
