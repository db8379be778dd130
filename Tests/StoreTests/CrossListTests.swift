import Declarations
import Store
import TestSupport
import Testing

/// What a program's own rules on one list write to another one while syncd brings the first up to date.
@Suite struct CrossListTests {
    private static func reviewing() async throws -> Cache {
        let cache = try Cache()
        try await cache.write(
            """
            CREATE TRIGGER review AFTER INSERT ON movies
            BEGIN INSERT INTO todos (title) VALUES ('see ' || NEW.title); END
            """)
        return cache
    }

    @Test func `a trigger that writes to another list during a pull queues its change`()
        async throws
    {
        let cache = try await Self.reviewing()
        try await cache.store.pull(movies: [movies(1...2)])
        #expect(
            try await cache.rows("SELECT op, state, title FROM outbox")
                == ["create|queued|see m1", "create|queued|see m2"])
        #expect(
            try await cache.rows("SELECT title, state FROM todos")
                == ["see m1|queued", "see m2|queued"])
        try await cache.expectLawful()
    }

    @Test func `what a foreign key takes along in another list is queued`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...20)])
        try await cache.store.pull(list([(7, "a"), (8, "b")]))
        for sql in [
            """
            CREATE TABLE plan (todo INTEGER, movie INTEGER REFERENCES movies (id) ON DELETE CASCADE)
            """,
            """
            CREATE TRIGGER dropped AFTER DELETE ON plan
            BEGIN DELETE FROM todos WHERE id = OLD.todo; END
            """, "INSERT INTO plan VALUES (1, 20)",
        ] {
            try await cache.write(sql)
        }
        try await cache.store.pull(movies: [movies(1...19)])
        #expect(try await cache.rows("SELECT * FROM plan") == [])
        #expect(try await cache.rows("SELECT op, row_id FROM outbox") == ["delete|1"])
        try await cache.expectLawful()
    }

    @Test func `the list itself is only read all the same`() async throws {
        let cache = try await Self.reviewing()
        try await cache.store.pull(movies: [movies(1...2)])
        await #expect(throws: (any Error).self) { try await cache.write("DELETE FROM movies") }
        #expect(try await cache.rows("SELECT applying FROM control") == ["-"])
    }

    @Test func `the change that a pull has brought about is news`() async throws {
        let cache = try await Self.reviewing()
        let question = WriteQuestion(since: nil, asksForWriter: false, asksForWork: false)
        let mark = try await cache.store.look(for: question, now: boot(1000)).mark
        try await cache.store.pull(movies: [movies(1...1)])
        let sign = try await cache.store.look(
            for: WriteQuestion(since: mark, asksForWriter: false, asksForWork: false),
            now: boot(1000))
        #expect(sign.work == WaitingWork(hasRequests: false, sendable: [.todos]))
        let next = WriteQuestion(since: sign.mark, asksForWriter: false, asksForWork: false)
        #expect(try await cache.store.look(for: next, now: boot(1000)).work == nil)
    }
}
