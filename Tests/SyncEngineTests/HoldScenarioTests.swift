import APIClient
import Declarations
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// A server that suddenly shows much less.
@Suite struct HoldScenarioTests {
    private static let titles = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    private static let cached = titles.enumerated().map { "\($0.element) synced \($0.offset + 1)" }
    private static let atServer = titles.enumerated().map { "\($0.offset + 1) \($0.element)" }

    /// Ten rows are cached; the server shows only those that are left.
    private static func world(losing count: Int64) async throws -> EngineWorld {
        let world = try EngineWorld("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
        try await world.sync()
        for id in 0..<count { world.removeAtServer(10 - id) }
        return world
    }

    @Test func `half of ten is believed`() async throws {
        let world = try await Self.world(losing: 5)
        try await world.sync()
        try await world.expect(
            server: Array(Self.atServer.prefix(5)), todos: Array(Self.cached.prefix(5)))
    }

    @Test func `held, nothing is changed or sent, taken by a second pull an interval later`()
        async throws
    {
        let world = try await Self.world(losing: 6)
        try await world.add("new")
        world.server.forgetLines()
        let report = try await world.sync()
        #expect(report.state == .held)
        #expect(!report.hasPulled)
        #expect(report.hint?.contains("--accept-removals") == true)
        let left = Array(Self.atServer.prefix(4))
        try await world.expect(
            server: left, todos: Self.cached + ["new queued"], outbox: ["create new queued"],
            status: "held")
        #expect(world.server.lines == ["GET /todos"])
        #expect(try await world.secondsUntilDue() == 60)

        // A pull before that neither renews the hold nor takes it.
        world.time.advance(by: .milliseconds(59_999))
        try await world.sync(.asked(acceptsRemovals: false))
        try await world.expect(
            server: left, todos: Self.cached + ["new queued"], outbox: ["create new queued"],
            status: "held")
        #expect(try await world.secondsUntilDue() == 0.001)
        try await world.syncWhenDue()
        try await world.expect(
            server: left + ["5 new"], todos: Array(Self.cached.prefix(4)) + ["new synced 5"])
        #expect(try await world.store.memory(of: .todos).heldSince == nil)
    }

    @Test func `held is no success, and the time of the last one stays`() async throws {
        let world = try await Self.world(losing: 6)
        let before = try await world.store.status()[1].lastSuccess
        world.time.advance(by: .seconds(60))
        try await world.sync()
        #expect(try await world.store.status()[1].lastSuccess == before)
        #expect(try await world.store.status()[1].rows == 10)
    }

    @Test func `a person takes it at once`() async throws {
        let world = try await Self.world(losing: 10)
        try await world.add("new")
        try await world.sync()
        try await world.sync(.asked(acceptsRemovals: false))
        #expect(world.count("POST /todos") == 0)
        try await world.sync(.asked(acceptsRemovals: true))
        try await world.expect(server: ["1 new"], todos: ["new synced 1"])
    }

    @Test func `rows that come back end the hold`() async throws {
        let world = try await Self.world(losing: 6)
        world.server.next("GET /todos", .body("[]"))
        try await world.sync()
        world.addAtServer("e", "f")
        // The ids 5 and 6 are given again to rows of the same titles: those rows are those rows.
        try await world.sync()
        try await world.expect(
            server: Array(Self.atServer.prefix(6)), todos: Array(Self.cached.prefix(6)))
        #expect(try await world.store.memory(of: .todos).heldSince == nil)
    }

    @Test func `other rows missing than before do not agree`() async throws {
        let world = try await Self.world(losing: 0)
        func list(_ ids: ClosedRange<Int>) -> ScriptedServer.Act {
            let rows = ids.map { #"{"id":\#($0),"title":"\#(Self.titles[$0 - 1])"}"# }
            return .body("[\(rows.joined(separator: ","))]")
        }
        world.server.next("GET /todos", list(1...4), list(7...10), list(7...10))
        try await world.sync()
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: Self.atServer, todos: Self.cached, status: "held")
        // From here on it is the rows that this one misses: a hold ends when the list stays as it is.
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: Self.atServer, todos: Array(Self.cached.suffix(4)))
    }

    @Test func `a list that agrees takes only the rows that both lack`() async throws {
        let world = try await Self.world(losing: 0)
        func list(_ ids: [Int]) -> ScriptedServer.Act {
            let rows = ids.map { #"{"id":\#($0),"title":"\#(Self.titles[$0 - 1])"}"# }
            return .body("[\(rows.joined(separator: ","))]")
        }
        // The second one is empty: a server that starts.
        world.server.next("GET /todos", list([1, 2, 3, 4]), list([]), list([1, 2, 3, 4]))
        try await world.sync()
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: Self.atServer, todos: Array(Self.cached.prefix(4)))
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(server: Self.atServer, todos: Array(Self.cached.prefix(4)))
    }

    @Test func `a row that a list shows meanwhile is held no longer`() async throws {
        let world = try await Self.world(losing: 0)
        func list(_ ids: [Int]) -> ScriptedServer.Act {
            let rows = ids.map { #"{"id":\#($0),"title":"\#(Self.titles[$0 - 1])"}"# }
            return .body("[\(rows.joined(separator: ","))]")
        }
        world.server.next("GET /todos", list([1, 2, 3]), list([1, 2, 10]), list([1, 2]))
        try await world.sync()
        world.time.advance(by: .seconds(30))
        try await world.sync()
        world.time.advance(by: .seconds(30))
        try await world.sync()
        let left = [Self.cached[0], Self.cached[1], Self.cached[2], Self.cached[9]]
        try await world.expect(server: Self.atServer, todos: left)
    }

    @Test func `rows with another title count as missing`() async throws {
        let world = try await Self.world(losing: 10)
        world.addAtServer("A", "B", "C", "D", "E", "F", "G", "H", "I", "J")
        try await world.sync()
        #expect(try await world.store.todos(search: nil).map(\.title) == Self.titles)
        #expect(try await world.store.status()[1].state == "held")
    }

    @Test func `rows with a waiting delete do not count`() async throws {
        let world = try await Self.world(losing: 0)
        for title in Self.titles.suffix(6) { try await world.remove(title) }
        for id in Int64(5)...10 { world.removeAtServer(id) }
        try await world.sync()
        try await world.expect(
            server: Array(Self.atServer.prefix(4)), todos: Array(Self.cached.prefix(4)),
            outbox: Self.titles.suffix(6).map { "delete \($0) queued" })
        world.time.advance(by: .seconds(60))
        try await world.sync()
        try await world.expect(
            server: Array(Self.atServer.prefix(4)), todos: Array(Self.cached.prefix(4)))
    }

    @Test func `doubt is not decided by a held pull`() async throws {
        let world = try await Self.world(losing: 0)
        try await world.add("new")
        world.server.next("POST /todos", .losesRequest)
        try await world.sync()
        for id in Int64(1)...10 { world.removeAtServer(id) }
        world.time.advance(by: .seconds(30))
        try await world.sync()
        try await world.expect(
            server: [], todos: Self.cached + ["new in doubt"], outbox: ["create new in doubt"],
            status: "held")
    }

    @Test func `a create in doubt takes no row of a held pull`() async throws {
        let world = try await Self.world(losing: 0)
        try await world.add("new")
        world.server.next("POST /todos", .losesAnswer)
        try await world.sync()
        for id in Int64(1)...10 { world.removeAtServer(id) }
        world.time.advance(by: .seconds(30))
        try await world.sync()
        try await world.expect(
            server: ["11 new"], todos: Self.cached + ["new in doubt"],
            outbox: ["create new in doubt"], status: "held")
    }

    @Test func `a hold from another boot agrees one interval after this one began`() async throws {
        let world = try await Self.world(losing: 10)
        try await world.sync()
        world.time.reboot()
        try await world.sync()
        #expect(try await world.store.status()[1].state == "held")
        #expect(try await world.secondsUntilDue() == 40)
        try await world.syncWhenDue()
        try await world.expect(server: [], todos: [])
    }

    @Test func `no validator is sent while a pull is held, and none is kept of it`() async throws {
        var behaviour = ReferenceBehaviour()
        behaviour.entityTags = true
        let world = try EngineWorld(
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", behaviour: behaviour)
        try await world.sync()
        for id in Int64(1)...10 { world.removeAtServer(id) }
        try await world.sync()
        world.server.forgetLines()
        try await world.sync()
        #expect(!world.server.requests[0].fields.contains { $0.name == "If-None-Match" })
        #expect(try await world.store.status()[1].state == "held")
    }

    @Test func `a server that forgot everything, tokens and account too, takes nothing with it`()
        async throws
    {
        let world = try await Self.world(losing: 0)
        try await world.add("new")
        world.server.withServer { $0.forgetEverything() }
        try await world.sync()
        try await world.expect(
            server: [], todos: Self.cached + ["new queued"], outbox: ["create new queued"],
            status: "needs credentials")
        world.server.withServer {
            _ = $0.addUser(name: "Demo", email: EngineWorld.email, password: "demo")
        }
        try await world.syncWhenDue()
        try await world.expect(
            server: [], todos: Self.cached + ["new queued"], outbox: ["create new queued"],
            status: "held")
        try await world.syncWhenDue()
        try await world.expect(server: ["1 new"], todos: ["new synced 1"])
    }
}
