import SQLite
import Store
import TestSupport
import Testing

/// Local ids, where a program has emptied or lowered SQLite's own count.
@Suite struct HighestIDTests {
    /// Three todos of the server, whose deletes wait.
    private static func cache(after sql: String) async throws -> Cache {
        let cache = try Cache()
        try await cache.store.pull(list([(7, "a"), (8, "b"), (9, "c")]))
        try await cache.write("DELETE FROM todos")
        try await cache.write(sql)
        return cache
    }

    private static let damages = [
        "DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 0", "VACUUM",
    ]

    @Test(arguments: damages)
    func `a row gets the next id, and no delete is taken back`(damage: String) async throws {
        let cache = try await Self.cache(after: damage)
        #expect(
            try await cache.rows("INSERT INTO todos (title) VALUES ('x'), ('y') RETURNING id")
                == ["4", "5"])
        #expect(
            try await cache.rows("SELECT op, row_id FROM outbox")
                == ["delete|1", "delete|2", "delete|3", "create|4", "create|5"])
        #expect(try await cache.rows("SELECT id, title FROM todos") == ["4|x", "5|y"])
        try await cache.expectLawful()
    }

    @Test(arguments: damages)
    func `the id that was given is the one that a program is told`(damage: String) async throws {
        let cache = try await Self.cache(after: damage)
        let script = try cache.script()
        try script.run("INSERT OR IGNORE INTO todos (title) VALUES ('x')")
        #expect(try script.count("SELECT last_insert_rowid()") == 4)
        #expect(try script.rows("SELECT applying FROM control") == ["-"])
    }

    @Test(arguments: damages)
    func `a row of the server gets the next id`(damage: String) async throws {
        let cache = try await Self.cache(after: damage)
        try await cache.store.pull(list([(7, "a"), (8, "b"), (9, "c"), (10, "d")]))
        #expect(try await cache.rows("SELECT id, title FROM todos") == ["4|d"])
    }

    @Test(arguments: damages)
    func `an id that was used cannot be given`(damage: String) async throws {
        let cache = try await Self.cache(after: damage)
        try await cache.write("INSERT INTO todos (title) VALUES ('x')")
        try await cache.write("DELETE FROM todos")
        // Until syncd looks, a program may write a row that it has just deleted once more.
        _ = try await cache.store.openCycle(of: todosTable, now: boot(0))
        try await cache.write(damage)
        try await cache.expectRefusal(
            "this id of todos was used before, or is too large: leave it out, and the row gets the next one",
            of: "INSERT INTO todos (id, title) VALUES (4, 'y')")
        try await cache.write("INSERT INTO todos (id, title) VALUES (6, 'z')")
        #expect(try await cache.rows("SELECT id FROM todos") == ["6"])
    }

    @Test func `what a program gives back takes its delete back all the same`() async throws {
        let cache = try await Self.cache(after: "DELETE FROM sqlite_sequence")
        try await cache.write("INSERT INTO todos (id, title) VALUES (2, 'b')")
        #expect(try await cache.rows("SELECT op, row_id FROM outbox") == ["delete|1", "delete|3"])
    }

    @Test func `a table that is emptied at once is noted once`() async throws {
        let cache = try await Self.cache(after: "DELETE FROM sqlite_sequence")
        #expect(try await cache.rows("SELECT * FROM highest_id") == ["todos|3"])
    }
}
