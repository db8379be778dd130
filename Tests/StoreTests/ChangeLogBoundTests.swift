import Declarations
import Host
import Rules
import SQLite
import Store
import Testing

@Suite struct `following the change log` {
    @Test(arguments: StorePlace.allCases)
    func `a follower goes on where it stopped, and misses nothing`(place: StorePlace) async throws {
        let cache = try Cache(place)
        _ = try await cache.store.addTodos(["a", "b", "c"])
        try await cache.store.pull(movies: [movies(1...2)])
        var seen: [Int64] = []
        var next: Int64 = 0
        for _ in 0..<5 {
            let batch = try await cache.store.changes(since: next, of: nil, limit: 3)
            #expect(!batch.hasGap)
            seen += batch.rows.map(\.revision)
            next = batch.next
        }
        #expect(seen == Array(1...8))
        #expect(next == 8)
        // What it does not follow is passed over, so that no later gap comes of it.
        let movies = try await cache.store.changes(since: 0, of: "movies", limit: 2)
        #expect(movies.rows.map(\.revision) == [7, 8])
        let todos = try await cache.store.changes(since: 0, of: "todos", limit: 10)
        #expect(todos.rows.map(\.id) == [1, 2, 3])
        #expect(todos.next == 8)
        let outbox = try await cache.store.changes(since: 2, of: "outbox", limit: 1)
        #expect(outbox.rows.map(\.operation) == ["create"])
        #expect(outbox.rows.first?.state == "queued")
        #expect(outbox.next == 4)
    }

    @Test func `before the first change there is no gap`() async throws {
        let cache = try Cache(.memory)
        let batch = try await cache.store.changes(since: 0, of: nil, limit: 10)
        #expect(batch == ChangeBatch.empty(next: 0, hasGap: false))
        #expect(try await cache.store.lastRevision() == 0)
    }

    @Test(arguments: [1, 99, Int64.max, -1, .min])
    func `a revision of another log is a gap`(revision: Int64) async throws {
        let cache = try Cache(.memory)
        let batch = try await cache.store.changes(since: revision, of: nil, limit: 10)
        #expect(batch == ChangeBatch.empty(next: 0, hasGap: true))
    }

    @Test func `the newest twenty thousand are kept, and who is behind them is told`() async throws
    {
        let cache = try Cache()
        let many = """
            INSERT INTO todos (title) WITH RECURSIVE n(i) AS
                (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT 'n' || i FROM n
            """
        let script = try cache.script()
        try script.run("INSERT INTO todos (title) VALUES ('first')")
        try script.run(many)
        var batch = try await cache.store.changes(since: 2, of: nil, limit: 30_000)
        #expect(batch.rows.count == 20_000)
        #expect(!batch.hasGap)
        try script.run(many)
        #expect(try await cache.store.lastRevision() == 40_002)
        #expect(
            try await cache.rows("SELECT count(*), min(rev), max(rev) FROM changes")
                == ["20002|20001|40002"])
        batch = try await cache.store.changes(since: 20_000, of: nil, limit: 1)
        #expect(!batch.hasGap)
        #expect(batch.rows.map(\.revision) == [20_001])
        batch = try await cache.store.changes(since: 19_999, of: nil, limit: 1)
        #expect(batch.hasGap)
        #expect(batch.rows.map(\.revision) == [20_001])
        try await cache.expectLawful()
    }

    @Test func `a pull of more than ten thousand changes is told as one`() async throws {
        let cache = try Cache()
        let (_, _) = try await cache.store.create("mine", in: .inDoubt)
        let rows = (1...10_001).map { ($0, "t\($0)") }
        #expect(
            try await cache.changes {
                try await cache.store.pull(list(rows + [(99_999, "mine")])) { pull in
                    let doubt = try #require(try pull.openOperations().first)
                    try pull.adopt("99999", for: doubt, shownAfter: boot(1000))
                }
            } == ["todos reset", "outbox removed 1 mine create"])
        // Few changes of a large list are told one by one.
        #expect(
            try await cache.changes {
                try await cache.store.pull(
                    list(rows.dropFirst() + [(1, "new"), (99_999, "mine")]))
            } == ["todos removed 2 t1", "todos added 10003 new synced"])
        // What was adopted is remembered for a minute, so an earlier list would not let it go.
        #expect(
            try await cache.changes { try await cache.store.pull("[]", began: boot(61_000)) }
                == ["todos reset"])
        #expect(try await cache.changes { _ = try await cache.store.add("x") }.count == 2)
    }

    @Test func `exactly ten thousand are told one by one, removals counted`() async throws {
        let cache = try Cache()
        let stays = [(9999, "stays")]
        let first = try await cache.changes {
            try await cache.store.pull(list((1...6000).map { ($0, "a\($0)") } + stays))
        }
        #expect(first.count == 6001)
        let second = try await cache.changes {
            try await cache.store.pull(list((1001...6000).map { ($0, "b\($0)") } + stays))
        }
        #expect(second == ["todos reset"])
        let third = try await cache.changes {
            try await cache.store.pull(list((1001...6000).map { ($0, "c\($0)") } + stays))
        }
        #expect(third.count == 10_000)
    }

    @Test func `a pull with a skipped row counts what arrives`() async throws {
        let cache = try Cache()
        let old = (1...10_001).map { ($0, "a\($0)") }
        try await cache.store.pull(list(old))
        let body = list((20_001...30_001).map { ($0, "b\($0)") }).dropLast() + ",{}]"
        #expect(
            try await cache.changes { try await cache.store.pull(String(body)) } == ["todos reset"])
        #expect(try await cache.rows("SELECT count(*) FROM todos") == ["20002"])
    }

    @Test func `a list of more than ten thousand movies is told as one`() async throws {
        let cache = try Cache()
        #expect(
            try await cache.changes { try await cache.store.pull(movies: [movies(1...10_001)]) }
                == ["movies reset"])
        #expect(
            try await cache.changes { try await cache.store.pull(movies: [movies(1...10_000)]) }
                == ["movies removed 10001 m10001"])
    }

    @Test func `a pull that fails leaves the log at rest`() async throws {
        let cache = try Cache()
        let rows = list((1...10_001).map { ($0, "t\($0)") })
        await #expect(throws: StoreError.self) {
            try await cache.store.pull(rows) { _ in throw StoreError.busy }
        }
        #expect(try await cache.changes() == [])
        #expect(try await cache.changes { _ = try await cache.store.add("x") }.count == 2)
    }
}

extension ChangeBatch {
    fileprivate static func empty(next: Int64, hasGap: Bool) -> ChangeBatch {
        ChangeBatch(rows: [], hasGap: hasGap, next: next)
    }
}
