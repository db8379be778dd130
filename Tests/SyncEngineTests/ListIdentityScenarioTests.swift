import APIClient
import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// What a list is, when its declaration or its credential changes.
@Suite struct ListIdentityScenarioTests {
    /// What tells two lists of one server apart.
    enum Change: CaseIterable, Sendable {
        case path, query, headers, server, account, token
    }

    private static let columns = #"""
        "title": {"text": "$.title", "write": "both", "required": true}, "code": "text $.code"
        """#
    private static let calls = #", "create": true, "update": true, "delete": true"#

    private static func list(_ title: String) -> ReferenceList {
        var list = ReferenceList(
            rows: (1...3).map { #"{"id":\#($0),"title":"\#(title) \#($0)","code":"c\#($0)"}"# },
            paging: .none, size: 100)
        list.isWritable = true
        return list
    }

    /// A world whose token names nobody.
    private static func world() async throws -> ListWorld {
        let world = try await ListWorld(
            list("a"), pages: #""none""#, columns: columns, more: calls)
        world.world.account = Account(baseURL: "http://127.0.0.1:8080", email: "")
        try await world.declare(pages: #""none""#, columns: columns, more: calls)
        world.world.server.withServer { $0.declaredLists["others"] = list("b") }
        try await world.sync()
        return world
    }

    private static func declare(_ change: Change, in world: ListWorld) async throws {
        switch change {
        case .server: world.world.account = Account(baseURL: "http://127.0.0.1:9090", email: "")
        case .account:
            world.world.account = Account(baseURL: "http://127.0.0.1:9090", email: "other")
        case .path, .query, .headers, .token: break
        }
        let path = change == .path ? "/lists/others" : "/lists/notes"
        try await world.declare(
            pages: #""none""#, columns: columns, more: calls,
            list: change == .query ? path + "?tenant=b" : path,
            fields: change == .headers ? [HTTPField("X-Tenant", "b")] : [],
            token: change == .token ? "another" : "token")
    }

    private static let shown = "SELECT _id, title, _server_id FROM notes ORDER BY _id"

    @Test(arguments: [Change.path, .query, .headers, .server, .account])
    func `the rows of another list are made anew, with new local ids`(change: Change) async throws {
        let world = try await Self.world()
        try await Self.declare(change, in: world)
        let report = try await world.sync()
        #expect(report.state == .ok)
        let title = change == .path ? "b" : "a"
        #expect(
            try await world.rows(Self.shown)
                == ["4|\(title) 1|1", "5|\(title) 2|2", "6|\(title) 3|3"])
        let last = "SELECT change FROM changes WHERE list = 'notes' AND change = 'reset'"
        #expect(try await world.rows(last) == ["reset"])
    }

    @Test(arguments: Change.allCases)
    func `while changes wait, nothing is asked of another list and nothing goes there`(
        change: Change
    ) async throws {
        let world = try await Self.world()
        try await world.write(
            "DELETE FROM notes WHERE _id = 1; INSERT INTO notes (title) VALUES ('new')")
        let before = world.world.server.lines.count
        let rows = try await world.rows("SELECT * FROM notes")
        try await Self.declare(change, in: world)
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(report.error?.hasSuffix("and 2 changes wait") == true)
        #expect(world.world.server.lines.count == before)
        #expect(try await world.rows("SELECT * FROM notes") == rows)
        // As it was, they go.
        world.world.account = Account(baseURL: "http://127.0.0.1:8080", email: "")
        try await world.declare(pages: #""none""#, columns: Self.columns, more: Self.calls)
        try await world.sync(because: .asked(acceptsRemovals: false))
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `another token keeps the local ids, if nothing waits`() async throws {
        let world = try await Self.world()
        try await Self.declare(.token, in: world)
        try await world.sync()
        #expect(try await world.rows(Self.shown) == ["1|a 1|1", "2|a 2|2", "3|a 3|3"])
    }

    @Test func `where the account has a name, another token of it is none of another`() async throws
    {
        let world = try await Self.world()
        // An account that gets a name is no other one.
        world.world.account = Account(baseURL: "http://127.0.0.1:8080", email: "me")
        try await world.declare(pages: #""none""#, columns: Self.columns, more: Self.calls)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await Self.declare(.token, in: world)
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
        #expect(try await world.rows(Self.shown).count == 4)
    }

    @Test func `ids in another place of the documents are known at once, and nothing leaves`()
        async throws
    {
        let world = try await Self.world()
        try await world.declare(
            pages: #""none""#, columns: Self.columns, more: Self.calls, id: "$.code")
        #expect(try await world.rows(Self.shown) == ["1|a 1|c1", "2|a 2|c2", "3|a 3|c3"])
        try await world.sync()
        #expect(try await world.rows(Self.shown) == ["1|a 1|c1", "2|a 2|c2", "3|a 3|c3"])
        #expect(
            try await world.rows("SELECT count(*) FROM changes WHERE change = 'removed'") == ["0"])
    }
}
