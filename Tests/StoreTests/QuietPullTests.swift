import Rules
import SQLite
import Store
import TestSupport
import Testing

@Suite struct `pulls and the other programs` {
    @Test func `an unchanged pull writes nothing at all`() async throws {
        let cache = try Cache()
        let body = list((1...500).map { ($0, "todo \($0)") })
        try await cache.store.pull(body, entityTag: "\"v1\"")
        let other = try cache.script()
        let version = try other.count("PRAGMA data_version")
        let before = try cache.contents()
        for _ in 0..<3 {
            _ = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
            try await cache.store.pull(
                body.replacing(",", with: ", ").replacing(", \"t", with: ",\n\"t"),
                entityTag: "\"v1\"")
            try await cache.store.confirmTodos()
        }
        #expect(try cache.contents() == before)
        #expect(try other.count("PRAGMA data_version") == version)
    }

    @Test func `a created todo that the next pull shows as answered changes nothing else`()
        async throws
    {
        let cache = try Cache()
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        let answer = "{ \"id\": 1,\n \"title\": \"milk\", \"done\": 1.50 }"
        _ = try await cache.store.settle(operation, .answered(answer))
        let todos = try await cache.rows("SELECT * FROM \(EveryTodo.rows)")
        let revision = try await cache.store.lastRevision()
        let trail = "SELECT row_id, is_new FROM trail"
        #expect(try await cache.rows(trail) == ["1|1"])
        try await cache.store.pull("[\(answer)]")
        #expect(try await cache.rows("SELECT * FROM \(EveryTodo.rows)") == todos)
        #expect(try await cache.store.lastRevision() == revision)
        #expect(try await cache.rows(trail) == ["1|0"])
        try await cache.store.pull("[\(answer)]", began: boot(62_000))
        #expect(try await cache.rows(trail) == [])
        let before = try cache.contents()
        try await cache.store.pull("[\(answer)]")
        #expect(try cache.contents() == before)
    }

    @Test func `P15: a reader never sees a half of a pull`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list((1...50).map { ($0, "old \($0)") }))
        let path = cache.path
        try await cache.store.pull(list((1...50).map { ($0, "new \($0)") })) { pull in
            let reader = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
            let seen = try reader.rows(
                "SELECT count(*), sum(title LIKE 'old%'), sum(title LIKE 'new%') FROM todos")
            #expect(seen == ["50|50|0"])
        }
        let reader = try cache.script()
        #expect(try reader.rows("SELECT count(*), sum(title LIKE 'new%') FROM todos") == ["50|50"])
    }

    @Test func `P16: an open reader keeps its view and holds no pull back`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "old")]))
        let reader = try cache.script()
        try reader.run("BEGIN")
        #expect(try reader.rows("SELECT title FROM todos") == ["old"])
        try await cache.store.pull(list([(1, "new")]))
        #expect(try reader.rows("SELECT title FROM todos") == ["old"])
        reader.rollBack()
        #expect(try reader.rows("SELECT title FROM todos") == ["new"])
    }

    @Test func `the memory of staged rows is given back`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list((1...5000).map { ($0, "todo \($0)") }))
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["5000"])
        // The tables themselves have a page each, and so have their indexes.
        let left = try await cache.rows("PRAGMA temp.page_count")
        #expect((left.first.flatMap { Int($0) } ?? .max) < 20)
        await cache.store.rest()
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["5000"])
    }
}
