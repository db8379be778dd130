import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// A server that says whose a credential is.
@Suite struct WhoAmIScenarioTests {
    private static let columns =
        #""title": {"text": "$.title", "write": "both", "required": true}"#
    private static let calls = #", "create": true, "update": true, "delete": true"#

    private static func declare(_ world: ListWorld, token: String) async throws {
        try await world.declare(
            pages: #""none""#, columns: columns, more: calls, token: token)
        try world.ask("/user", at: "$.login")
    }

    /// A world that was synced with the token of ann.
    private static func world() async throws -> ListWorld {
        var list = ReferenceList(
            rows: (1...9).map { #"{"id":\#($0),"title":"row \#($0)"}"# }, paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#, columns: columns, more: calls)
        world.world.account = Account(baseURL: "http://127.0.0.1:8080", email: "")
        try await declare(world, token: "first")
        answers(world, "ann")
        try await world.sync()
        return world
    }

    private static func answers(_ world: ListWorld, _ account: String) {
        world.world.server.next("GET /user", .body(#"{"login":"\#(account)"}"#))
    }

    @Test func `a credential is asked about once`() async throws {
        let world = try await Self.world()
        for _ in 1...2 { try await world.sync() }
        #expect(world.world.count("GET /user") == 1)
        #expect(
            try await world.rows("SELECT owner FROM account WHERE list = 'notes'") == ["ann"])
    }

    @Test func `another credential of the same account goes on, also while changes wait`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        try await Self.declare(world, token: "second")
        Self.answers(world, "ann")
        let report = try await world.sync()
        #expect(report.state == .ok)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
        #expect(world.world.count("GET /user") == 2)
    }

    @Test(arguments: [true, false])
    func `another account's credential stops the list, whether changes wait or not`(
        waits: Bool
    ) async throws {
        let world = try await Self.world()
        if waits { try await world.write("UPDATE notes SET title = 'x' WHERE _id = 1") }
        try await Self.declare(world, token: "second")
        let before = world.world.count("/lists/notes")
        Self.answers(world, "bob")
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(
            report.error
                == "the rows of notes are those of ‘ann’, but the server says that its credential is that of ‘bob’"
        )
        #expect(world.world.count("/lists/notes") == before)
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["9"])
    }

    @Test func `before a list takes rows away, the server is asked again`() async throws {
        let world = try await Self.world()
        // It does not know the credential any more, and shows what everybody may see.
        world.change { $0.rows.removeFirst(4) }
        world.world.server.next("GET /user", .body("{}", status: 401))
        let report = try await world.sync()
        #expect(report.state == .needsCredentials)
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["9"])
        Self.answers(world, "ann")
        try await world.sync(because: .asked(acceptsRemovals: false))
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["5"])
    }

    @Test func `one row leaves without a question`() async throws {
        let world = try await Self.world()
        world.change { $0.rows.removeFirst() }
        try await world.sync()
        #expect(world.world.count("GET /user") == 1)
        #expect(try await world.rows("SELECT count(*) FROM notes") == ["8"])
    }

    @Test func `an answer that names nobody is a wrong declaration`() async throws {
        let world = try await Self.world()
        try await Self.declare(world, token: "second")
        world.world.server.next("GET /user", .body(#"{"name":"ann"}"#))
        let report = try await world.sync()
        #expect(report.state == .misconfigured)
        #expect(report.error == "the answer to /user has no text and no number at $.login")
    }
}
