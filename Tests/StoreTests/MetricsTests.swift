import Declarations
import Host
import Migrations
import Rules
import SQLite
import Store
import Testing

@Suite struct `metrics and counts` {
    @Test(arguments: StorePlace.allCases)
    func `they count what the views show`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let empty = try await cache.store.metrics(now: boot(2000))
        #expect(
            empty.todos
                == ["synced": 0, "queued": 0, "sending": 0, "in doubt": 0, "rejected": 0])
        #expect(empty.oldestQueued == nil)
        #expect(empty.revision == 0)
        try await cache.store.pull(list((1...6).map { ($0, "t\($0)") }))
        try await cache.store.pull(movies: [movies(1...3)])
        _ = try await cache.store.delete(TodoID(rawValue: 1), in: .queued)
        _ = try await cache.store.delete(TodoID(rawValue: 2), in: .inDoubt)
        _ = try await cache.store.delete(TodoID(rawValue: 3), in: .rejected)
        _ = try await cache.store.delete(TodoID(rawValue: 4), in: .acknowledged)
        _ = try await cache.store.create("a", in: .queued)
        _ = try await cache.store.create("b", in: .rejected)
        let (waiting, _) = try await cache.store.create("c", in: .inDoubt)
        _ = try await cache.store.create("d", in: .inDoubt)
        _ = try await cache.store.create("e", in: .acknowledged)
        try await cache.store.removeTodos([waiting])
        _ = try await cache.store.requestSync(of: nil, acceptsRemovals: false)
        let metrics = try await cache.store.metrics(now: boot(2000))
        let shown = try await cache.rows("SELECT state, count(*) FROM todos GROUP BY state")
        #expect(
            metrics.todos.filter { $0.value > 0 }.map { "\($0.key)|\($0.value)" }.sorted()
                == shown.sorted())
        #expect(metrics.todos["synced"] == 2)
        #expect(metrics.creates.total == 5)
        #expect(metrics.creates.acknowledged == 1)
        #expect(metrics.creates.inDoubt == 2)
        // One that is acknowledged is not in the outbox any more.
        #expect(metrics.deletes.total == 4)
        #expect(metrics.deletes.acknowledged == 0)
        #expect(metrics.deletes.rejected == 1)
        #expect(metrics.requests == 1)
        #expect(metrics.lists.map(\.rows) == [3, 7])
        #expect(metrics.revision == (try await cache.store.lastRevision()))
        #expect(metrics.schemaVersion == Migration.all.count)
        #expect(metrics.databaseBytes > 4096)
        #expect((metrics.walBytes > 0) == (place == .file))
        let oldest = try #require(metrics.oldestQueued)
        let first = try await cache.rows("SELECT min(queued_at) FROM operation")
        #expect(first == ["\(oldest.milliseconds)"])
    }

    @Test(arguments: StorePlace.allCases)
    func `the status counts what is there now, not what the last pull brought`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        func rows() async throws -> [Int64?] { try await cache.store.status().map(\.rows) }
        #expect(try await rows() == [0, 0])
        try await cache.store.pull(list([(1, "a"), (2, "b")]))
        try await cache.store.pull(movies: [movies(1...4)])
        #expect(try await rows() == [4, 2])
        let (_, create) = try await cache.store.create("c", in: .sending)
        #expect(try await rows() == [4, 3])
        _ = try await cache.store.settle(create, .answered(#"{"id":3,"title":"c"}"#))
        #expect(try await rows() == [4, 3])
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .queued)
        #expect(try await rows() == [4, 2])
        try await cache.store.drop([delete])
        #expect(try await rows() == [4, 3])
        try await cache.expectLawful()
    }

    @Test func `the status reads no todo row by row`() async throws {
        let cache = try Cache(.memory)
        let plan = try await cache.rows("EXPLAIN QUERY PLAN SELECT * FROM sync_status")
        #expect(plan.contains { $0.contains("SCAN s_todos USING COVERING INDEX") }, "\(plan)")
        #expect(plan.contains { $0.contains("SCAN movies USING COVERING INDEX") }, "\(plan)")
    }
}
