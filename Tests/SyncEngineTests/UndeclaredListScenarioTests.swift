import Declarations
import ReferenceAPI
import SQLite
import Store
import SyncEngine
import Tables
import Testing

/// A list whose file is gone.
@Suite struct UndeclaredListScenarioTests {
    private static func world() async throws -> ListWorld {
        let world = try await EditScenarioTests.world()
        try await world.write(
            """
            INSERT INTO notes (title) VALUES ('new');
            UPDATE notes SET size = 5 WHERE _id = 1;
            DELETE FROM notes WHERE _id = 2;
            """)
        return world
    }

    @Test(arguments: [
        "INSERT INTO notes (title) VALUES ('later')",
        "INSERT OR IGNORE INTO notes (title) VALUES ('later')",
        "INSERT OR REPLACE INTO notes (_id, title) VALUES (1, 'later')",
        "UPDATE notes SET done = 1 WHERE _id = 1", "DELETE FROM notes WHERE _id = 1",
    ])
    func `its table refuses new changes with a sentence`(sql: String) async throws {
        let world = try await Self.world()
        try await world.world.store.refuseWrites(besides: [])
        await #expect(
            throws: StoreError.refused(
                "notes takes no more changes, because nothing declares it: put its file notes.json back, and sync"
            )
        ) { try await world.write(sql) }
    }

    @Test func `what waits can be taken back, row by row and in the outbox`() async throws {
        let world = try await Self.world()
        try await world.world.store.refuseWrites(besides: [])
        try await world.write(
            """
            DELETE FROM notes WHERE title = 'new';
            INSERT INTO notes (_id, title, done, size) VALUES (2, 'b', 0, 2);
            DELETE FROM outbox WHERE op = 'update';
            """)
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `its table takes changes again as soon as it is declared`() async throws {
        let world = try await Self.world()
        let tables = try await world.world.store.tables()
        try await world.world.store.refuseWrites(besides: [])
        try await world.world.store.refuseWrites(
            besides: Set(tables.map(\.declaration.name)))
        try await world.write("UPDATE notes SET done = 1 WHERE _id = 1")
        try await world.sync()
        #expect(try await world.rows("SELECT count(*) FROM outbox") == ["0"])
    }

    @Test func `the todos, which no file declares, take every change`() async throws {
        let world = try EngineWorld()
        try await world.store.refuseWrites(besides: [])
        try await world.add("milk")
        #expect(try await world.store.todos(search: nil).map(\.title) == ["milk"])
    }
}
