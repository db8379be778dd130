import APIClient
import Declarations
import ReferenceAPI
import Rules
import Store
import SyncEngine
import Tables
import Testing

/// Calls that name a column of another row: `{list.number}`.
@Suite struct ReferredColumnScenarioTests {
    private static let body = #"""
        {"title": "{title}", "project_id": "{list}", "parent_id": "{parent}", "of": "{list.number}"}
        """#
    private static let calls = #"""
        "create": {"path": "/lists/tasks?in={list.number}", "body": \#(body),
                   "headers": {"X-Project": "no {list.number}"}},
        "update": {"path": "/lists/tasks/{id}?in={list.number}", "body": \#(body)},
        "delete": {"path": "/lists/tasks/{id}?in={list.number}"}
        """#
    private static let house = #"{"id":501,"title":"house","number":7}"#

    private static func world(
        number: String = #", "number": "integer $.number""#, projects: [String] = [house],
        calls: String = calls
    ) async throws -> RelatedWorld {
        let world = try await RelatedWorld(projects: projects, number: number, calls: calls)
        try await world.sync("projects", "tasks")
        return world
    }

    private static func sent(_ method: HTTPMethod, in world: RelatedWorld) -> [String] {
        world.world.server.requests.filter { $0.method == method }.map { request in
            let header = request.fields.first { $0.isNamed("X-Project") }.map { " \($0.value)" }
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            return "\(request.target)\(header ?? "") \(body)"
        }
    }

    private static func lacks(_ world: RelatedWorld) async throws -> [String] {
        let table = try await world.world.store.tables().first {
            $0.declaration.name.text == "tasks"
        }
        let snapshot = try await world.world.store.queueSnapshot(of: try #require(table))
        return snapshot.waiting.compactMap { $0.behindRow?.lacks }
    }

    @Test func `a create goes to the number of its project, and says it where it is told to`()
        async throws
    {
        let world = try await Self.world()
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        #expect(
            Self.sent(.post, in: world) == [
                #"/lists/tasks?in=7 no 7 {"title":"dig","project_id":501,"parent_id":null,"of":7}"#
            ])
        #expect(try await world.outbox() == [])
    }

    @Test func `R4: it waits for its project, then for the number, which is told`() async throws {
        let world = try await Self.world()
        try await world.write(
            """
            INSERT INTO projects (title) VALUES ('garden');
            INSERT INTO tasks (title, list) VALUES ('dig', 2)
            """)
        try await world.sync("tasks")
        #expect(try await Self.lacks(world) == [])
        try await world.sync("projects", "tasks")
        #expect(try await world.outbox() == ["create|tasks|dig|queued"])
        #expect(try await Self.lacks(world) == ["number"])
        world.change(
            "projects", [Self.house, #"{"id":1000001,"title":"garden","number":8}"#])
        try await world.sync("projects", "tasks")
        #expect(try await world.outbox() == [])
        #expect(
            Self.sent(.post, in: world).last
                == #"/lists/tasks?in=8 no 8 {"title":"dig","project_id":1000001,"parent_id":null,"of":8}"#
        )
    }

    @Test func `R4: a reference by a number that is not given yet waits, and is not refused`()
        async throws
    {
        let world = try await RelatedWorld(
            project: #"{"row": "$.project_no", "of": "projects.number", "write": "both"}"#,
            projects: [#"{"id":501,"title":"house","number":null}"#],
            tasks: [], number: #", "number": "integer $.number""#)
        try await world.sync("projects", "tasks")
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        #expect(try await world.outbox() == ["create|tasks|dig|queued"])
        #expect(try await Self.lacks(world) == ["number"])
        world.change("projects", [Self.house])
        try await world.sync("projects", "tasks")
        #expect(try await world.outbox() == [])
        #expect(
            world.atServer("tasks") == [#"{"id":1000001,"title":"dig","project_no":7}"#])
    }

    @Test func `an update is found by what the server has, and says what it is to be`() async throws
    {
        let world = try await Self.world(
            projects: [Self.house, #"{"id":502,"title":"boat","number":8}"#])
        try await world.write("UPDATE tasks SET list = 2")
        try await world.sync("tasks")
        try await world.write("UPDATE tasks SET title = 'saw'")
        try await world.sync("tasks")
        #expect(
            Self.sent(.patch, in: world) == [
                #"/lists/tasks/901?in=7 {"title":"paint","project_id":502,"parent_id":null,"of":8}"#,
                #"/lists/tasks/901?in=8 {"title":"saw","project_id":502,"parent_id":null,"of":8}"#,
            ])
    }

    @Test func `a delete waits while the number of its project is not here`() async throws {
        let world = try await Self.world()
        world.change("projects", [])
        try await world.sync("projects")
        try await world.sync("projects")
        try await world.write("DELETE FROM tasks")
        try await world.sync("tasks")
        #expect(Self.sent(.delete, in: world) == [])
        #expect(try await Self.lacks(world) == ["number"])
        world.change("projects", [Self.house])
        try await world.sync("projects", "tasks")
        #expect(Self.sent(.delete, in: world) == ["/lists/tasks/901?in=7 "])
    }

    @Test func `what a program wrote into the number is no name until the server has it`()
        async throws
    {
        let world = try await Self.world(
            number: #", "number": {"integer": "$.number", "write": "both"}"#)
        try await world.write(
            "UPDATE projects SET number = 9; INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        #expect(Self.sent(.post, in: world).first?.hasPrefix("/lists/tasks?in=7 ") == true)
    }

    @Test func `what was written down with the intent is sent again, whatever the number is now`()
        async throws
    {
        let world = try await Self.world(
            calls: Self.calls + #", "once": {"header": "Idempotency-Key"}"#)
        world.world.server.next("POST /lists/tasks", .losesRequest)
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        world.change("projects", [#"{"id":501,"title":"house","number":8}"#])
        for _ in 1...3 { try await world.sync("projects", "tasks", then: .seconds(600)) }
        let sent = Self.sent(.post, in: world)
        #expect(sent.count == 2)
        #expect(Set(sent).count == 1, "\(sent)")
    }
}
