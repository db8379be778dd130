import Declarations
import Host
import Rules
import SQLite
import Store
import TestSupport
import Testing

extension Cache {
    /// The changes after `revision`, each in a line.
    func changes(since revision: Int64 = 0) async throws -> [String] {
        try await rows(
            """
            SELECT concat, rev FROM (SELECT rev, list || ' ' || change
                || coalesce(' ' || id, '') || coalesce(' ' || title, '')
                || coalesce(' ' || state, '') || coalesce(' ' || op, '') AS concat FROM changes)
            WHERE rev > \(revision) ORDER BY rev
            """
        ).map { String($0.prefix { $0 != "|" }) }
    }

    /// What `body` adds to the log.
    func changes(of body: () async throws -> Void) async throws -> [String] {
        let before = try await store.lastRevision()
        try await body()
        try await expectLawful()
        return try await changes(since: before)
    }
}

@Suite struct `the change log` {
    @Test(arguments: StorePlace.allCases)
    func `a todo's life is told as people see it`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, create) = try await cache.store.create("milk", in: .queued)
        #expect(
            try await cache.changes()
                == ["todos added 1 milk queued", "outbox added 1 milk queued create"])
        #expect(
            try await cache.changes { _ = try await cache.store.take([create]) } == [
                "outbox changed 1 milk sending create", "todos changed 1 milk sending",
            ])
        let answer = #"{"id":7,"title":"Milk"}"#
        #expect(
            try await cache.changes {
                _ = try await cache.store.settle(create, .answered(answer))
            } == ["todos changed 1 Milk synced", "outbox removed 1 Milk create"])
        #expect(
            try await cache.changes { try await cache.store.removeTodos([todo]) } == [
                "todos removed 1 Milk", "outbox added 2 Milk queued delete",
            ])
        let delete = try #require(try await cache.store.outbox().first?.sequence)
        try await cache.store.confirmTodos()
        #expect(
            try await cache.changes { _ = try await cache.store.take([delete]) }
                == ["outbox changed 2 Milk sending delete"])
        #expect(
            try await cache.changes { _ = try await cache.store.settle(delete, .answered()) }
                == ["outbox removed 2 Milk delete"])
        // It was told as removed when the server had acknowledged it: its end is no news.
        #expect(
            try await cache.changes { try await cache.store.witness("[]", began: 62_000) } == [])
    }

    @Test(arguments: StorePlace.allCases)
    func `a refused delete brings its todo back, a retried one takes it out again`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(1, "milk")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .sending)
        #expect(
            try await cache.changes {
                _ = try await cache.store.settle(delete, .rejected(wait(1, status: 403, "no")))
            } == ["outbox changed 1 milk rejected delete", "todos added 1 milk rejected"])
        #expect(
            try await cache.changes { try await cache.store.retry([delete]) }
                == ["outbox changed 1 milk queued delete", "todos removed 1 milk"])
        #expect(
            try await cache.changes { try await cache.store.drop([delete]) }
                == ["outbox removed 1 milk delete", "todos added 1 milk synced"])
    }

    @Test func `dropping a rejected delete only ends its state`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "milk")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .rejected)
        #expect(
            try await cache.changes { try await cache.store.drop([delete]) }
                == ["outbox removed 1 milk delete", "todos changed 1 milk synced"])
    }

    @Test(arguments: StorePlace.allCases)
    func `a todo that the server never saw goes with its create`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: .queued)
        let (_, bread) = try await cache.store.create("bread", in: .rejected)
        let gone = ["outbox removed 1 milk create", "todos removed 1 milk"]
        #expect(try await cache.changes { try await cache.store.removeTodos([todo]) } == gone)
        #expect(
            try await cache.changes { try await cache.store.drop([bread]) }
                == ["outbox removed 2 bread create", "todos removed 2 bread"])
    }

    @Test(arguments: StorePlace.allCases)
    func `a create in doubt that a delete waits for is told as gone once`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        let (todo, create) = try await cache.store.create("milk", in: .sending)
        #expect(
            try await cache.changes { try await cache.store.removeTodos([todo]) } == [
                "todos removed 1 milk", "outbox added 2 milk queued delete",
            ])
        #expect(
            try await cache.changes {
                _ = try await cache.store.settle(create, .doubtful(wait(5), isOver: false))
            } == ["outbox changed 1 milk in doubt create"])
        // Dropped, the delete brings it back as it is by now.
        #expect(
            try await cache.changes {
                try await cache.store.drop([OperationSequence(rawValue: 2)])
            } == ["outbox removed 2 milk delete", "todos added 1 milk in doubt"])
        try await cache.store.removeTodos([todo])
        #expect(
            try await cache.changes {
                try await cache.store.pull("[]") { pull in
                    for operation in try pull.openOperations() { try pull.requeue(operation) }
                }
            } == ["outbox removed 1 milk create", "outbox removed 3 milk delete"])
    }

    @Test func `an adopted todo is told as synced, under the server's title`() async throws {
        let cache = try Cache()
        let (_, _) = try await cache.store.create("milk", in: .inDoubt)
        #expect(
            try await cache.changes {
                try await cache.store.pull(list([(9, "Milk")])) { pull in
                    let doubt = try #require(try pull.openOperations().first)
                    try pull.adopt("9", for: doubt, shownAfter: boot(1000))
                }
            } == ["todos changed 1 Milk synced", "outbox removed 1 Milk create"])
    }

    @Test func `a pull tells what came and went, in its order`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(1, "a"), (2, "b"), (3, "c")]))
        _ = try await cache.store.delete(TodoID(rawValue: 3), in: .queued)
        _ = try await cache.store.delete(TodoID(rawValue: 2), in: .rejected)
        #expect(
            try await cache.changes { try await cache.store.pull(list([(1, "other"), (4, "d")])) }
                == ["todos removed 1 a", "todos added 4 other synced", "todos added 5 d synced"])
        #expect(
            try await cache.changes {
                try await cache.store.pull(list([(1, "other"), (4, "d")])) { pull in
                    for operation in try pull.openOperations() { try pull.end(operation) }
                }
            } == [
                "outbox removed 1 c delete", "todos removed 2 b", "outbox removed 2 b delete",
            ])
        #expect(
            try await cache.changes {
                try await cache.store.pull(
                    #"[{"id":1,"title":"other","more":1},{"id":4,"title":"d"}]"#)
            } == [])
    }

    @Test func `movies are told, but not for another rank alone`() async throws {
        let cache = try Cache()
        try await cache.store.pull(movies: [movies(1...3)])
        #expect(
            try await cache.changes()
                == ["movies added 1 m1", "movies added 2 m2", "movies added 3 m3"])
        #expect(
            try await cache.changes {
                try await cache.store.pull(
                    movies: [#"{"id":3,"title":"m3"},{"id":1,"title":"new"},{"id":9,"title":"m9"}"#]
                )
            } == ["movies removed 2 m2", "movies changed 1 new", "movies added 9 m9"])
    }

    @Test func `a long title is told by its beginning`() async throws {
        let cache = try Cache()
        _ = try await cache.store.add(String(repeating: "é", count: 2000))
        let batch = try await cache.store.changes(since: 0, of: "todos", limit: 10)
        #expect(batch.rows.map(\.title) == [String(repeating: "é", count: 500)])
        try await cache.expectLawful()
    }

    @Test func `another program's rollback undoes its changes, and its commit tells them`()
        async throws
    {
        let cache = try Cache()
        let script = try cache.script()
        try script.run("BEGIN")
        try script.run("INSERT INTO todos (title) VALUES ('undone')")
        #expect(try script.rows("SELECT count(*) FROM changes") == ["2"])
        try script.run("ROLLBACK")
        #expect(try await cache.changes() == [])
        try script.run("INSERT INTO todos (title) VALUES ('done')")
        #expect(try await cache.changes().first == "todos added 1 done queued")
        #expect(try await cache.store.lastRevision() == 2)
    }
}
