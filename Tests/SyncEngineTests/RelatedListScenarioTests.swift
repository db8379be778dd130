import APIClient
import Declarations
import ReferenceAPI
import Rules
import Store
import SyncEngine
import Tables
import Testing

/// Rows that refer to rows: the laws R1 to R12 of `docs/reliability.md`, and what breaks them.
@Suite struct RelatedListScenarioTests {
    @Test
    func `R1: a project and tasks made in one transaction arrive below each other`()
        async throws
    {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            BEGIN; INSERT INTO projects (title) VALUES ('garden');
            INSERT INTO tasks (title, list) VALUES ('dig', 2);
            INSERT INTO tasks (title, list, parent) VALUES ('dig deeper', 2, 2); COMMIT
            """)
        try await world.sync("tasks", "projects", "tasks", "tasks")
        #expect(try await world.outbox() == [])
        #expect(
            try await world.tasks() == [
                "paint|1|-|synced", "dig|2|-|synced", "dig deeper|2|2|synced",
            ])
        #expect(
            world.atServer("tasks").dropFirst() == [
                #"{"id":1000001,"title":"dig","project_id":1000001}"#,
                #"{"id":1000002,"title":"dig deeper","project_id":1000001,"parent_id":1000001}"#,
            ])
    }

    @Test
    func `R2: a row shows what it refers to as soon as that comes, until it leaves`()
        async throws
    {
        let world = try await RelatedWorld()
        try await world.sync("tasks")
        #expect(try await world.tasks() == ["paint|-|-|synced"])
        try await world.sync("projects")
        #expect(try await world.tasks() == ["paint|1|-|synced"])
        let houses = world.atServer("projects")
        world.change("projects", [#"{"id":7,"title":"other"}"#])
        try await world.sync("projects")
        try await world.sync("projects")
        #expect(try await world.tasks() == ["paint|-|-|synced"])
        world.change("projects", houses)
        try await world.sync("projects")
        #expect(
            try await world.rows(
                "SELECT t.title, p.title FROM tasks t JOIN projects p ON p._id = t.list") == [
                    "paint|house"
                ])
        #expect(try await world.outbox() == [])
    }

    @Test func `R2: a value that waits stays as it is`() async throws {
        let world = try await RelatedWorld(
            projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#])
        try await world.sync("projects", "tasks")
        try await world.write("UPDATE tasks SET list = 2")
        world.change("projects", [#"{"id":502,"title":"boat"}"#])
        try await world.sync("projects")
        try await world.sync("projects")
        #expect(try await world.tasks() == ["paint|2|-|queued"])
    }

    @Test func `R3: a number that is no shown row is refused where it is new`()
        async throws
    {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        await #expect(throws: (any Error).self) {
            try await world.write("INSERT INTO tasks (title, list) VALUES ('x', 99)")
        }
        await #expect(throws: (any Error).self) {
            try await world.write("UPDATE tasks SET list = 99")
        }
        try await world.write(
            "BEGIN; DELETE FROM projects; UPDATE tasks SET title = 'paint it'; COMMIT")
        try await world.write("INSERT INTO tasks (_id, title, parent) VALUES (50, 'self', 50)")
        #expect(try await world.tasks().last == "self|-|50|queued")
    }

    @Test func `R4: who waits for its row holds no turn, and goes when that is there`() async throws
    {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        world.world.server.always("POST /lists/projects", .status(503))
        try await world.write(
            """
            INSERT INTO projects (title) VALUES ('garden');
            INSERT INTO tasks (title, list) VALUES ('dig', 2);
            INSERT INTO tasks (title, list) VALUES ('dig', 1)
            """)
        try await world.sync("projects", "tasks")
        #expect(
            try await world.outbox() == [
                "create|projects|garden|in doubt", "create|tasks|dig|queued",
            ])
        #expect(world.atServer("tasks").count == 2)
        world.world.server.mend()
        for _ in 1...3 { try await world.sync("projects", "tasks", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("tasks").count == 3)
    }

    @Test func `R5: a circle of creates is told, and a change breaks it`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            INSERT INTO tasks (title) VALUES ('a'); INSERT INTO tasks (title, parent) VALUES ('b', 2);
            UPDATE tasks SET parent = 3 WHERE _id = 2
            """)
        try await world.sync("tasks")
        let table = try #require(
            try await world.world.store.tables().first { $0.declaration.name.text == "tasks" })
        let waiting = try await world.world.store.queueSnapshot(of: table).waiting
        #expect(waiting.map { $0.behindRow?.isCircle } == [true, true])
        try await world.write("UPDATE tasks SET parent = NULL WHERE _id = 2")
        try await world.sync("tasks", "tasks")
        try await world.write("UPDATE tasks SET parent = 3 WHERE _id = 2")
        try await world.sync("tasks")
        #expect(try await world.outbox().filter { $0.contains("queued") } == [])
        #expect(world.atServer("tasks").filter { $0.contains(#""parent_id":1000001"#) }.count == 1)
        #expect(world.atServer("tasks").filter { $0.contains(#""parent_id":1000002"#) }.count == 1)
    }

    @Test
    func `R6: what refers to a refused row waits, and to a dropped one is rejected`()
        async throws
    {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        world.world.server.next("POST /lists/projects", .status(422))
        try await world.write(
            "INSERT INTO projects (title) VALUES ('bad'); INSERT INTO tasks (title, list) VALUES ('dig', 2)"
        )
        try await world.sync("projects", "tasks")
        #expect(
            try await world.outbox() == ["create|projects|bad|rejected", "create|tasks|dig|queued"])
        try await world.write("DELETE FROM outbox WHERE list = 'projects'")
        try await world.sync("projects", "tasks")
        #expect(
            try await world.rows("SELECT title, state, last_error FROM outbox") == [
                "dig|rejected|list refers to a row of projects that is gone: give it another one, or drop the change"
            ])
        try await world.write("UPDATE tasks SET list = 1 WHERE title = 'dig'")
        try await world.sync("tasks")
        #expect(try await world.outbox() == [])
        #expect(world.atServer("tasks").last == #"{"id":1000001,"title":"dig","project_id":501}"#)
    }

    /// `INSERT OR REPLACE` takes the row away and brings it back.
    @Test func `R6: a row that is written over keeps its children`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            INSERT INTO projects (title) VALUES ('garden'); INSERT INTO tasks (title, list) VALUES ('dig', 2);
            INSERT OR REPLACE INTO projects (_id, title) VALUES (2, 'orchard')
            """)
        try await world.sync("projects", "tasks")
        #expect(try await world.outbox() == [])
        #expect(
            world.atServer("tasks").last == #"{"id":1000001,"title":"dig","project_id":1000001}"#)
    }

    @Test func `R7: a reference whose row is not here is never sent as NULL`()
        async throws
    {
        let world = try await RelatedWorld()
        world.change("projects", [])
        try await world.sync("projects", "tasks")
        #expect(try await world.tasks() == ["paint|-|-|synced"])
        try await world.write("UPDATE tasks SET title = 'paint it', list = NULL")
        try await world.sync("tasks")
        #expect(
            world.world.server.requests.last?.body.map { String(decoding: $0, as: UTF8.self) }
                == #"{"title":"paint it"}"#)
    }

    @Test func `R8: a row whose id another one has got is another row`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        world.world.server.always("POST /lists/tasks", .status(503))
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        world.change("projects", [])
        try await world.sync("projects")
        try await world.sync("projects", then: .seconds(600))
        world.world.server.mend()
        try await world.sync("tasks", then: .seconds(600))
        try await world.sync("tasks")
        #expect(try await world.outbox() == ["create|tasks|dig|rejected"])
        #expect(world.atServer("tasks").count == 1)
    }

    @Test
    func `R9: a create in doubt is found by the id that was sent`()
        async throws
    {
        let world = try await RelatedWorld(
            project:
                #"{"row": "$.project_id", "of": "projects", "write": "both", "required": true}"#)
        try await world.sync("projects", "tasks")
        world.world.server.next("POST /lists/tasks", .losesAnswer)
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        // A filter takes it away here, not at the server.
        let houses = world.atServer("projects")
        world.change("projects", [])
        try await world.sync("projects")
        try await world.sync("projects")
        try await world.sync("tasks")
        try await world.sync("tasks")
        #expect(try await world.outbox() == [])
        #expect(world.atServer("tasks").count == 2)
        world.change("projects", houses)
        try await world.sync("projects", "tasks")
        #expect(try await world.tasks() == ["paint|1|-|synced", "dig|1|-|synced"])
    }

    /// What another client made below another row is no effect of ours.
    @Test func `R9: a row of that title below another one is not taken for ours`() async throws {
        let world = try await RelatedWorld(
            project:
                #"{"row": "$.project_id", "of": "projects", "write": "both", "required": true}"#,
            projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#])
        try await world.sync("projects", "tasks")
        world.world.server.next("POST /lists/tasks", .losesRequest)
        try await world.write("INSERT INTO tasks (title, list) VALUES ('dig', 1)")
        try await world.sync("tasks")
        world.change(
            "tasks",
            world.atServer("tasks") + [
                #"{"id":905,"title":"dig","project_id":502,"parent_id":null}"#
            ])
        for _ in 1...3 { try await world.sync("tasks") }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("tasks").filter { $0.contains(#""project_id":501"#) }.count == 2)
    }

    @Test(arguments: ReferenceList.Parent.Rule.allCases)
    func `R10: a delete waits for those below it, and for moves away from it`(
        rule: ReferenceList.Parent.Rule
    ) async throws {
        let world = try await RelatedWorld(
            rule,
            projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#],
            tasks: [
                #"{"id":901,"title":"paint","project_id":501,"parent_id":null}"#,
                #"{"id":902,"title":"white","project_id":501,"parent_id":901}"#,
                #"{"id":903,"title":"sand","project_id":501,"parent_id":null}"#,
            ])
        try await world.sync("projects", "tasks")
        world.world.server.always("DELETE /lists/tasks", .status(503))
        world.world.server.always("PATCH /lists/tasks", .status(503))
        // Parent first, as some programs do: the tasks 1 and 2 go, 3 moves.
        try await world.write(
            """
            BEGIN; DELETE FROM projects WHERE _id = 1; UPDATE tasks SET list = 2 WHERE _id = 3;
            DELETE FROM tasks WHERE _id = 1; DELETE FROM tasks WHERE _id = 2; COMMIT
            """)
        try await world.sync("projects", "tasks", then: .seconds(900))
        #expect(world.atServer("projects").count == 2)
        world.world.server.mend()
        for _ in 1...4 { try await world.sync("tasks", "projects", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("projects") == [#"{"id":502,"title":"boat"}"#])
        #expect(
            world.atServer("tasks") == [
                #"{"id":903,"title":"sand","project_id":502,"parent_id":null}"#
            ])
    }

    @Test func `R10: a move that was refused keeps the delete back, and is told`() async throws {
        let world = try await RelatedWorld(
            .cascades, projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#])
        try await world.sync("projects", "tasks")
        world.world.server.next("PATCH /lists/tasks", .status(422))
        try await world.write("UPDATE tasks SET list = 2; DELETE FROM projects WHERE _id = 1")
        for _ in 1...3 { try await world.sync("tasks", "projects", then: .seconds(600)) }
        #expect(
            try await world.outbox() == [
                "update|tasks|paint|rejected", "delete|projects|house|queued",
            ])
        #expect(world.atServer("tasks").count == 1)
        try await world.write("UPDATE outbox SET state = 'queued' WHERE list = 'tasks'")
        for _ in 1...3 { try await world.sync("tasks", "projects", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(
            world.atServer("tasks") == [
                #"{"id":901,"title":"paint","project_id":502,"parent_id":null}"#
            ])
    }

    /// The server may have moved it there already.
    @Test func `R10: a delete waits for a move away from where a row may have been sent`()
        async throws
    {
        let world = try await RelatedWorld(
            .cascades,
            projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#])
        try await world.sync("projects", "tasks")
        world.world.server.next("PATCH /lists/tasks", .losesAnswer)
        try await world.write("UPDATE tasks SET list = 2")
        try await world.sync("tasks", then: .seconds(2))
        try await world.write("UPDATE tasks SET list = NULL; DELETE FROM projects WHERE _id = 2")
        for _ in 1...4 { try await world.sync("projects", "tasks", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("projects").count == 1)
        #expect(
            world.atServer("tasks") == [
                #"{"id":901,"title":"paint","project_id":null,"parent_id":null}"#
            ])
    }

    @Test func `R10: a delete waits for a move far below it`() async throws {
        let world = try await RelatedWorld(
            .cascades,
            tasks: [
                #"{"id":901,"title":"paint","project_id":501,"parent_id":null}"#,
                #"{"id":902,"title":"white","project_id":null,"parent_id":901}"#,
            ])
        try await world.sync("projects", "tasks")
        world.world.server.always("PATCH /lists/tasks", .status(503))
        try await world.write(
            "UPDATE tasks SET parent = NULL WHERE _id = 2; DELETE FROM projects WHERE _id = 1")
        try await world.sync("tasks", "projects", then: .seconds(900))
        #expect(world.atServer("projects").count == 1)
        world.world.server.mend()
        for _ in 1...4 { try await world.sync("tasks", "projects", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(
            world.atServer("tasks") == [
                #"{"id":902,"title":"white","project_id":null,"parent_id":null}"#
            ])
    }

    /// An edit beneath a delete is never sent, so nothing waits for it.
    @Test(arguments: ["", "WHERE _id = 1", "WHERE _id = 3"])
    func `R10: of rows that refer to one another the oldest delete goes`(
        moved: String
    ) async throws {
        let world = try await RelatedWorld(
            .lets,
            tasks: [
                #"{"id":901,"title":"a","project_id":501,"parent_id":902}"#,
                #"{"id":902,"title":"b","project_id":501,"parent_id":901}"#,
                #"{"id":903,"title":"c","project_id":501,"parent_id":903}"#,
            ])
        try await world.sync("projects", "tasks")
        if !moved.isEmpty { try await world.write("UPDATE tasks SET parent = NULL \(moved)") }
        try await world.write("DELETE FROM tasks")
        for _ in 1...4 { try await world.sync("tasks", then: .seconds(600)) }
        #expect(try await world.outbox() == [])
        #expect(world.atServer("tasks") == [])
    }

    /// The row is gone, the list is not.
    @Test func `R12: a create below a row that has just gone is refused alone`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        world.world.server.next("POST /lists/tasks", .status(422))
        try await world.write(
            "INSERT INTO tasks (title, list) VALUES ('dig', 1); INSERT INTO tasks (title) VALUES ('rest')"
        )
        try await world.sync("tasks")
        #expect(try await world.outbox() == ["create|tasks|dig|rejected"])
        #expect(world.atServer("tasks").last == #"{"id":1000001,"title":"rest"}"#)
    }

    /// Neither refusal counts while something older waits; what waits for them is nothing older.
    @Test func `deletes that the server refuses are told, whatever waits for them`() async throws {
        let world = try await RelatedWorld(
            projects: [#"{"id":501,"title":"house"}"#, #"{"id":502,"title":"boat"}"#],
            tasks: [
                #"{"id":901,"title":"paint","project_id":501,"parent_id":null}"#,
                #"{"id":902,"title":"row","project_id":502,"parent_id":null}"#,
            ])
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            UPDATE projects SET title = 'home' WHERE _id = 1; DELETE FROM projects WHERE _id = 2;
            DELETE FROM projects WHERE _id = 1
            """)
        for _ in 1...3 { try await world.sync("projects", then: .seconds(600)) }
        #expect(
            try await world.outbox() == [
                "delete|projects|boat|rejected", "delete|projects|home|rejected",
            ])
    }
}
