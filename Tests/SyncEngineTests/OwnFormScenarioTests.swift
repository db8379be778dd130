import APIClient
import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Servers that write what they take in a form of their own, seen at Django REST framework and Alertmanager.
@Suite struct OwnFormScenarioTests {
    private static let sent = "2027-01-01T00:00:00Z"

    private static func world(
        _ columns: String = #""starts": {"text": "$.starts", "write": "create", "required": true}"#
    )
        async throws -> ListWorld
    {
        var list = ReferenceList(rows: [], paging: .none, size: 1000)
        list.isWritable = true
        let world = try await ListWorld(
            list, pages: #""none""#,
            columns: #""title": {"text": "$.title", "write": "create", "required": true}, "#
                + columns,
            more: #", "create": true, "delete": true"#)
        try await world.sync()
        return world
    }

    private func row(_ id: Int, _ starts: String, title: String = "a") -> String {
        #"{"id":\#(id),"title":"\#(title)","starts":"\#(starts)"}"#
    }

    /// The server makes the row so, and answers with `answer`.
    private func answer(_ world: ListWorld, _ row: String, _ answer: ScriptedServer.Act) {
        let server = world.world.server
        server.next(
            "POST",
            .after({ server.withServer { $0.declaredLists["notes"]?.rows.append(row) } }, answer))
    }

    private func rows(_ world: ListWorld) async throws -> [String] {
        try await world.rows(
            "SELECT _id, title, starts, _server_id, _state FROM notes ORDER BY _id")
    }

    @Test(arguments: ["2026-12-31T18:00:00-06:00", "2027-01-01T00:00:07.5Z"])
    func `an answer with a new id is the row, in the form of the server`(form: String) async throws
    {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title, starts) VALUES ('a', '\(Self.sent)')")
        answer(world, row(4, form), .body(row(4, form), status: 201))
        try await world.sync()
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
        for _ in 1...4 { try await world.sync() }
        #expect(try await rows(world) == ["1|a|\(form)|4|synced"])
        #expect(world.world.count("POST") == 1)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test(arguments: ["2026-12-31T18:00:00-06:00", "2027-01-01T00:00:00.000Z"])
    func `the same moment in another form is found after a lost answer`(form: String) async throws {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title, starts) VALUES ('a', '\(Self.sent)')")
        answer(world, row(4, form), .fails(.timedOut(mayHaveArrived: true)))
        for _ in 1...5 { try await world.sync() }
        #expect(world.world.count("POST") == 1)
        #expect(try await rows(world).map { $0.suffix(9) } == ["|4|synced"])
    }

    /// Such as the time of the answer.
    @Test func `another moment is the form of the server where no other row is like it`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title, starts) VALUES ('a', '\(Self.sent)')")
        let made = "2026-11-29T03:04:05Z"
        answer(world, row(4, made), .fails(.timedOut(mayHaveArrived: true)))
        for _ in 1...6 { try await world.sync() }
        #expect(world.world.count("POST") == 1)
        #expect(try await rows(world) == ["1|a|\(made)|4|synced"])
    }

    @Test func `a row of another text is no form of ours`() async throws {
        let world = try await Self.world()
        try await world.write("INSERT INTO notes (title, starts) VALUES ('a', '\(Self.sent)')")
        answer(
            world, row(4, "2026-11-29T03:04:05Z", title: "b"),
            .fails(.timedOut(mayHaveArrived: true)))
        for _ in 1...6 { try await world.sync() }
        #expect(world.world.count("POST") == 2)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
    }

    @Test func `a row that was acknowledged without its id is the only one that is like it`()
        async throws
    {
        let world = try await Self.world(
            #""starts": {"json": "$.starts", "write": "create", "required": true}"#)
        try await world.write("INSERT INTO notes (title, starts) VALUES ('a', '[1]')")
        answer(world, #"{"id":4,"title":"a","starts":[1,{"more":true}]}"#, .status(204))
        for _ in 1...6 { try await world.sync() }
        #expect(world.world.count("POST") == 1)
        #expect(try await world.rows("SELECT * FROM outbox").isEmpty)
        #expect(try await rows(world) == [#"1|a|[1,{"more":true}]|4|synced"#])
    }
}
