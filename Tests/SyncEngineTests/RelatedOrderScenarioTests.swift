import Store
import TestSupport
import Testing

/// What of related rows waits for what, where it should not.
@Suite struct RelatedOrderScenarioTests {
    /// As an ORM makes two rows that refer to one another: the second reference is written last.
    @Test func `R5: a reference that goes as an update after its create closes no circle`()
        async throws
    {
        let world = try await RelatedWorld(
            parent: #"{"row": "$.parent_id", "of": "tasks", "write": "update"}"#)
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            INSERT INTO tasks (title) VALUES ('a'); INSERT INTO tasks (title, parent) VALUES ('b', 2);
            UPDATE tasks SET parent = 3 WHERE _id = 2
            """)
        try await world.sync("tasks", "tasks")
        #expect(try await world.outbox() == [])
        #expect(
            world.atServer("tasks").dropFirst() == [
                #"{"id":1000001,"title":"a","parent_id":1000002}"#,
                #"{"id":1000002,"title":"b","parent_id":1000001}"#,
            ])
    }

    /// It goes with its row's delete, so deletes of what the row stood below need not wait for it.
    @Test func `R10: an edit beneath a delete keeps back nothing above it`() async throws {
        let world = try await RelatedWorld(
            tasks: [
                #"{"id":901,"title":"paint","project_id":501,"parent_id":null}"#,
                #"{"id":902,"title":"white","project_id":501,"parent_id":901}"#,
            ])
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            UPDATE tasks SET parent = NULL WHERE _id = 2; DELETE FROM tasks WHERE _id = 2;
            DELETE FROM tasks WHERE _id = 1; DELETE FROM projects WHERE _id = 1
            """)
        try await world.sync("tasks", then: .seconds(1))
        try await world.sync("tasks", then: .seconds(1))
        try await world.sync("projects", then: .seconds(1))
        #expect(world.atServer("tasks") + world.atServer("projects") == [])
    }

    /// The server has said yes to the delete, and no list has shown yet that the row is gone.
    @Test func `R6: nothing is sent below a row whose delete the server has taken`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        try await world.write(
            """
            INSERT INTO projects (title) VALUES ('shed')
            """)
        try await world.sync("projects")
        try await world.write(
            """
            INSERT INTO tasks (title, list) VALUES ('dig', 2); DELETE FROM projects WHERE _id = 2
            """)
        try await world.sync("projects", then: .seconds(1))
        try await world.sync("tasks", then: .seconds(61))
        #expect(try await world.outbox() == ["create|tasks|dig|queued"])
        for _ in 1...3 { try await world.sync("projects", "tasks") }
        #expect(try await world.outbox() == ["create|tasks|dig|rejected"])
        #expect(!world.world.server.lines.contains("POST /lists/tasks"))
    }

    /// syncd takes it back with the next cycle of its list. Nothing is wrong with the file until then.
    @Test func `an edit that was dropped a moment ago is no damage`() async throws {
        let world = try await RelatedWorld()
        try await world.sync("projects", "tasks")
        try await world.write("UPDATE tasks SET title = 'sand', list = NULL; DELETE FROM outbox")
        #expect(try await StoreInvariants.violations(in: world.world.store) == [])
        try await world.sync("tasks")
        #expect(try await world.tasks() == ["paint|1|-|synced"])
    }
}
