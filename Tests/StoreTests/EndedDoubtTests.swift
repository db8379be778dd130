import Rules
import SQLite
import Store
import TestSupport
import Testing

/// A person ends a doubt: `UPDATE outbox SET state = 'rejected'`.
@Suite struct `a doubt ended by hand` {
    private static let columns = """
        SELECT kind, state, undecided, first_sent_ms, missed_ms, wait_ms, last_error
        FROM operation ORDER BY seq
        """

    private func end(_ operation: OperationSequence, in cache: Cache) async throws {
        try await cache.write(
            "UPDATE outbox SET state = 'rejected' WHERE seq = ?", .integer(operation.rawValue))
    }

    @Test(arguments: StorePlace.allCases)
    func `D6: a create is rejected, says so, and can be retried under a new key or dropped`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        let (_, operation) = try await cache.store.create("milk", in: .inDoubt)
        try await cache.execute("UPDATE operation SET missed_boot = 'first', missed_ms = 9")
        #expect(
            try await cache.rows(Self.columns) == ["create|in doubt|1|1000|9|5000|why"])
        let key = try await cache.store.outbox()[0].idempotencyKey
        try await end(operation, in: cache)
        #expect(
            try await cache.rows(Self.columns)
                == ["create|rejected|0|-|-|-|given up while in doubt: why"])
        #expect(
            try await cache.rows("SELECT title, state, error FROM todos")
                == ["milk|rejected|given up while in doubt: why"])
        try await cache.expectLawful()
        try await cache.store.retry([operation])
        let retried = try #require(try await cache.store.outbox().first)
        #expect(retried.state == "queued")
        #expect(retried.idempotencyKey != key)
        try await cache.store.drop([operation])
        #expect(try await cache.rows("SELECT title FROM \(EveryTodo.rows)") == [])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `D6: a delete is rejected, and its todo is back`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(7, "milk")]))
        let operation = try await cache.store.delete(TodoID(rawValue: 1), in: .inDoubt)
        #expect(try await cache.rows("SELECT title FROM todos") == [])
        try await end(operation, in: cache)
        #expect(
            try await cache.rows(Self.columns)
                == ["delete|rejected|0|-|-|-|given up while in doubt: why"])
        #expect(
            try await cache.rows("SELECT title, state, server_id FROM todos")
                == ["milk|rejected|7"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `D6: a create that a delete waits for goes with its todo`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, operation) = try await cache.store.create("milk", in: .inDoubt)
        try await cache.store.removeTodos([todo])
        try await end(operation, in: cache)
        #expect(
            try await cache.rows(
                "SELECT id FROM \(EveryTodo.rows) UNION ALL SELECT seq FROM operation") == [])
        try await cache.expectLawful()
    }

    @Test func `D6: one that crashed before its answer says why it was in doubt`() async throws {
        let cache = try Cache()
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        _ = try await cache.store.openTodosCycle(url: todosURL, now: boot(1_000_000))
        try await end(operation, in: cache)
        #expect(
            try await cache.store.outbox().map(\.lastError)
                == ["given up while in doubt: syncd stopped before the answer"])
        try await cache.expectLawful()
    }

    @Test(
        arguments: [
            (
                OperationState.queued,
                """
                only an operation in doubt can be ended by state = 'rejected': drop another one \
                with DELETE FROM outbox
                """
            ),
            (.sending, "the operation is being sent and cannot be changed: wait for its answer"),
        ], ["create", "delete"])
    func `D6: one that waits or is being sent cannot be ended`(
        refusal: (state: OperationState, sentence: String), kind: String
    ) async throws {
        let cache = try Cache()
        if kind == "create" {
            _ = try await cache.store.create("milk", in: refusal.state)
        } else {
            try await cache.store.pull(list([(7, "milk")]))
            _ = try await cache.store.delete(TodoID(rawValue: 1), in: refusal.state)
        }
        for clause in ["", "OR IGNORE ", "OR REPLACE "] {
            try await cache.expectRefusal(
                refusal.sentence, of: "UPDATE \(clause)outbox SET state = 'rejected'")
        }
        try await cache.expectLawful()
    }

    @Test func `D6: one that the server has refused stays as it is`() async throws {
        let cache = try Cache()
        _ = try await cache.store.create("milk", in: .rejected)
        let before = try await cache.rows("SELECT * FROM operation")
        try await cache.write("UPDATE outbox SET state = 'rejected'")
        #expect(try await cache.rows("SELECT * FROM operation") == before)
    }
}
