import ReferenceAPI
import SQLite
import Store
import SyncEngine
import TestSupport
import Testing

/// Runs in which the simulation of edits has found a law broken, as short as they can be.
@Suite struct EditLawScenarioTests {
    @Test func `a row that is edited and then deleted, all of it offline, is deleted`() async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.write("UPDATE notes SET title = 'ours' WHERE _id = 1")
        try await world.write("DELETE FROM notes WHERE _id = 1")
        try await world.sync()
        #expect(world.world.count("PATCH") == 0)
        #expect(world.world.count("DELETE") == 1)
        #expect(world.atServer == [#"{"id":2,"title":"b","done":false,"size":2}"#])
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `a delete that is dropped gives its edits their turn`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write(
            """
            UPDATE notes SET title = 'ours' WHERE _id = 1;
            DELETE FROM notes WHERE _id = 1;
            DELETE FROM outbox WHERE op = 'delete';
            """)
        try await world.sync()
        #expect(world.world.count("DELETE") == 0)
        #expect(world.atServer[0] == #"{"id":1,"title":"ours","done":false,"size":1}"#)
    }

    @Test func `edits and the delete over them are dropped by one statement`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write(
            """
            UPDATE notes SET title = 'ours' WHERE _id = 1;
            DELETE FROM notes WHERE _id = 1;
            DELETE FROM outbox;
            """)
        try await world.sync()
        #expect(try await world.written()[0] == "1|a|0|1|-|synced|1")
        #expect(world.world.server.lines.allSatisfy { $0.hasPrefix("GET") })
    }

    @Test func `a delete whose edits are dropped while it is refused shows its row again`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        let store = world.world.store
        world.world.server.next(
            "DELETE /lists/notes/1",
            .after(
                {
                    do {
                        try await store.withConnection {
                            try $0.execute(script: "DELETE FROM outbox WHERE op = 'update'")
                        }
                    } catch {
                        Issue.record(error)
                    }
                }, .body(#"{"error":"no"}"#, status: 422)))
        try await world.write(
            "UPDATE notes SET title = 'ours' WHERE _id = 1; DELETE FROM notes WHERE _id = 1")
        for _ in 1...2 { try await world.sync() }
        #expect(try await world.written()[0] == "1|a|0|1|-|rejected|1")
        #expect(world.world.count("PATCH") == 0)
    }

    @Test func `an edit of a row whose id a create of ours has got stands in conflicts`()
        async throws
    {
        let world = try await EditScenarioTests.world()
        try await world.write(
            "UPDATE notes SET size = 5 WHERE _id = 2; INSERT INTO notes (title) VALUES ('new')")
        world.world.server.next(
            "POST /lists/notes", .body(#"{"id":2,"title":"new"}"#, status: 201))
        world.world.server.next("PATCH /lists/notes/2", .losesRequest)
        try await world.sync()
        #expect(
            try await world.rows("SELECT row_id, field, why, mine FROM conflicts") == [
                "2|size|gone|5"
            ])
    }
}
