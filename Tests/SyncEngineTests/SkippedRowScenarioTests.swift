import ReferenceAPI
import Store
import SyncEngine
import TestSupport
import Testing

/// Rows that a list has and that cannot be taken, and what waits of them.
@Suite struct SkippedRowScenarioTests {
    private static let reason =
        "rows of the list cannot be taken, and this can be one of them: 1 are skipped, the first is"

    /// A list of which another client then empties a column that every row must have.
    private static func world(then change: String) async throws -> ListWorld {
        let world = try await EditScenarioTests.world()
        try await world.write(change)
        world.change { $0.rows[0] = #"{"id":1,"title":null,"done":false,"size":1}"# }
        for _ in 1...3 { try await world.sync() }
        return world
    }

    @Test(arguments: ["UPDATE notes SET done = 1 WHERE _id = 1", "DELETE FROM notes WHERE _id = 1"])
    func `an edit or a delete of a row that is skipped waits, and says why`(
        change: String
    ) async throws {
        let world = try await Self.world(then: change)
        #expect(
            try await world.rows("SELECT row_id, state, last_error FROM outbox") == [
                "1|queued|\(Self.reason) [0].title: expected a text, found null"
            ])
        #expect(try await world.rows("SELECT * FROM conflicts").isEmpty)
        #expect(world.world.count("PATCH") + world.world.count("DELETE") == 0)
    }

    @Test func `when the row is shown again, the edit goes`() async throws {
        let world = try await Self.world(then: "UPDATE notes SET done = 1 WHERE _id = 1")
        world.world.server.next("PATCH", .status(503))
        world.change { $0.rows[0] = #"{"id":1,"title":"a","done":false,"size":1}"# }
        try await world.sync()
        #expect(
            try await world.rows(
                "SELECT last_error GLOB 'rows of the list *' FROM outbox") == ["0"])
        try await world.sync()
        #expect(world.atServer[0] == #"{"id":1,"title":"a","done":true,"size":1}"#)
        #expect(
            try await world.rows("SELECT _state, _error FROM notes WHERE _id = 1") == ["synced|-"])
    }

    @Test func `a row that is too large to be taken can be any row`() async throws {
        let world = try await EditScenarioTests.world()
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        world.change { $0.rows[0] = "null" }
        try await world.sync()
        #expect(
            try await world.rows("SELECT last_error FROM outbox") == [
                "\(Self.reason) [0]: expected an object, found null, or a row of more than 1 MiB"
            ])
    }

    @Test func `skipped rows are counted, also while the list stays as it is`() async throws {
        let world = try await EditScenarioTests.world()
        world.change { $0.rows.append(#"{"id":9,"title":null}"#) }
        for _ in 1...2 {
            try await world.sync()
            #expect(
                try await world.rows(
                    "SELECT rows, complete, skipped FROM sync_status WHERE list = 'notes'")
                    == ["2|0|1"])
        }
        world.change { $0.rows.removeLast() }
        try await world.sync()
        #expect(
            try await world.rows(
                "SELECT rows, complete, skipped FROM sync_status WHERE list = 'notes'")
                == ["2|1|0"])
    }
}
