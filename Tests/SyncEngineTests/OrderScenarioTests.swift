import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// The law of order and refusal, at the reference server.
@Suite struct OrderScenarioTests {
    private static func outbox(_ world: ListWorld) async throws -> [String] {
        try await world.rows("SELECT op, state FROM outbox ORDER BY seq")
    }

    @Test(arguments: [
        "UPDATE notes SET title = 'z' WHERE _id = 1; INSERT INTO notes (title) VALUES ('a')",
        "DELETE FROM notes WHERE _id = 1; INSERT INTO notes (title) VALUES ('A ')",
        "UPDATE notes SET title = 'z' WHERE _id = 1; UPDATE notes SET title = 'a' WHERE _id = 2",
    ])
    func `a value is freed before it is taken`(sql: String) async throws {
        let world = try await EditScenarioTests.world()
        world.world.server.forgetLines()
        try await world.write(sql)
        try await world.sync()
        #expect(try await Self.outbox(world).isEmpty)
        #expect(world.world.server.peak == 1)
        let first = world.world.server.lines.first { !$0.hasPrefix("GET") }
        #expect(first?.contains("/lists/notes/1") == true)
    }

    @Test func `values that nobody frees hold nobody back`() async throws {
        let world = try await EditScenarioTests.world()
        world.world.server.forgetLines()
        try await world.write(
            """
            UPDATE notes SET size = 7 WHERE _id = 1;
            INSERT INTO notes (title) VALUES ('x'), ('y'), ('a');
            """)
        try await world.sync()
        #expect(try await Self.outbox(world).isEmpty)
        #expect(world.world.server.peak > 1)
    }

    /// Its own wait was ahead when that replay began: no other cycle was due for it before the interval was over.
    @Test func `what was refused goes again in the cycle that sends something older`() async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.sync(then: .zero)
        world.world.server.next("POST /lists/notes", .status(422), .works)
        try await world.write(
            "UPDATE notes SET size = 7 WHERE _id = 1; INSERT INTO notes (title) VALUES ('x')")
        // Without a list, so without the update.
        try await world.sync(because: .localWrite, then: .zero)
        #expect(try await Self.outbox(world) == ["update|queued", "create|queued"])
        try await world.sync(then: .zero)
        #expect(try await Self.outbox(world) == [])
    }

    @Test func `a refusal counts only when nothing older waits`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write("INSERT INTO notes (title) VALUES ('parent'), ('child')")
        world.world.server.next("POST", .refuses, .body(#"{"detail":"who?"}"#, status: 422))
        try await world.sync(then: .seconds(2))
        #expect(try await Self.outbox(world) == ["create|queued", "create|queued"])
        try await world.sync(then: .zero)
        #expect(try await Self.outbox(world).isEmpty)
        #expect(world.atServer.count == 4)
        // With nothing before it, it counts.
        try await world.write("INSERT INTO notes (title) VALUES ('orphan')")
        world.world.server.next("POST", .body(#"{"detail":"who?"}"#, status: 422))
        try await world.sync()
        #expect(try await Self.outbox(world) == ["create|rejected"])
    }

    @Test(arguments: [422, 409])
    func `what was refused goes again in the same cycle, once something older is done`(
        status: Int
    ) async throws {
        let world = try await EditScenarioTests.world()
        // Deletes go first, and this one was written last.
        try await world.write(
            "INSERT INTO notes (title) VALUES ('child'); DELETE FROM notes WHERE _id = 1")
        world.world.server.next("DELETE", .body(#"{"detail":"in use"}"#, status: status))
        for _ in 1...4 { try await world.sync() }
        #expect(try await Self.outbox(world).isEmpty)
        #expect(world.atServer.count == 2)
        #expect(world.world.count("DELETE") == 2)
    }

    @Test
    func `what was refused often goes again in the cycle whose list decides of something older`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.write(
            "DELETE FROM notes WHERE _id = 1; INSERT INTO notes (title) VALUES ('child')")
        world.world.server.next("DELETE", .losesAnswer)
        world.world.server.always("POST", .body(#"{"detail":"in use"}"#, status: 422))
        for _ in 1...6 { try await world.sync(then: .seconds(8)) }
        #expect(try await Self.outbox(world) == ["delete|in doubt", "create|queued"])
        world.world.server.mend()
        // After so many refusals the next try would be far away.
        try await world.write(
            "UPDATE operation SET wait_ms = wait_ms + 600000 WHERE kind = 'create'")
        let sent = world.world.count("POST")
        world.world.time.advance(by: .seconds(30))
        try await world.sync(then: .zero)
        #expect(try await Self.outbox(world).isEmpty)
        #expect(world.world.count("POST") == sent + 1)
    }

    @Test func `two rows of one text at the server do not wait for each other`() async throws {
        var list = ReferenceList(
            rows: [#"{"id":1,"title":"same","size":1}"#, #"{"id":2,"title":"same","size":2}"#],
            paging: .none, size: 100)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #"""
                "title": {"text": "$.title", "write": "both", "required": true},
                "size": {"integer": "$.size", "write": "both"}
                """#, more: #", "create": true, "update": true, "delete": true"#)
        try await world.sync()
        world.world.server.always("PATCH /lists/notes/1", .status(500))
        try await world.write("UPDATE notes SET size = 8")
        try await world.sync()
        #expect(world.atServer[1].contains(#""size":8"#))
        #expect(try await Self.outbox(world) == ["update|in doubt"])
    }

    @Test func `a path names a row by what the server has, also while that is edited`()
        async throws
    {
        let world = try await EditScenarioTests.world(
            update: #"{"path": "/lists/notes/{id}?size={size}"}"#)
        try await world.write("UPDATE notes SET size = 9 WHERE _id = 1")
        try await world.sync()
        let request = world.world.server.requests.first { $0.method == .patch }
        #expect(request?.target == "/lists/notes/1?size=1")
        #expect(request?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"size":9}"#)
    }

    @Test(arguments: [true, false])
    func `other bytes go under another key, the same ones under the same`(isEdited: Bool)
        async throws
    {
        let world = try await EditScenarioTests.world(
            more: #", "once": {"header": "Idempotency-Key"}"#)
        try await world.write("INSERT INTO notes (title) VALUES ('new')")
        world.world.server.next("POST", .refuses)
        try await world.sync()
        if isEdited { try await world.write("UPDATE notes SET size = 3 WHERE title = 'new'") }
        for _ in 1...3 { try await world.sync() }
        let keys = world.world.server.requests.filter { $0.method == .post }.map { request in
            request.fields.first { $0.name == "Idempotency-Key" }?.value
        }
        #expect(keys.count == 2)
        #expect((keys.first == keys.last) != isEdited)
        #expect(world.atServer.count == 3)
    }
}
