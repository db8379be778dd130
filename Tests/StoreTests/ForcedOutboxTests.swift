import Rules
import SQLite
import Store
import TestSupport
import Testing

/// Operations in doubt that a person retries or drops.
@Suite struct `doubt that is ended by force` {
    private let outbox = "SELECT op, title, state, last_error FROM outbox"

    @Test func `by force it is queued again, under a new key`() async throws {
        let cache = try Cache()
        let (_, create) = try await cache.store.create("milk", in: .inDoubt)
        let key = try await cache.store.outbox().first?.idempotencyKey
        let outcome = try await cache.store.retry([create], endingDoubt: true)
        var expected = OutboxOutcome()
        (expected.changed, expected.creates, expected.left.queued) = (1, 1, 1)
        #expect(outcome == expected)
        #expect(try await cache.rows(outbox) == ["create|milk|queued|-"])
        #expect(try await cache.store.outbox().first?.idempotencyKey != key)
        try await cache.expectLawful()
    }

    @Test func `by force it is dropped: a create with its todo, a delete brings its todo back`()
        async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(7, "milk")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .inDoubt)
        let (_, create) = try await cache.store.create("bread", in: .inDoubt)
        let outcome = try await cache.store.drop([delete, create], endingDoubt: true)
        var expected = OutboxOutcome()
        (expected.changed, expected.creates, expected.deletes) = (2, 1, 1)
        #expect(outcome == expected)
        #expect(try await cache.rows("SELECT title, state, error FROM todos") == ["milk|synced|-"])
        try await cache.expectLawful()
    }

    @Test func `a create and the delete behind it can be forced in one call`() async throws {
        for isDrop in [true, false] {
            let cache = try Cache()
            let (todo, _) = try await cache.store.create("milk", in: .inDoubt)
            try await cache.store.removeTodos([todo])
            let both = try await cache.store.outbox().map(\.sequence)
            #expect(both.count == 2)
            if isDrop {
                try await cache.store.drop(both, endingDoubt: true)
            } else {
                try await cache.store.retry(both, endingDoubt: true)
            }
            #expect(try await cache.store.outbox().isEmpty)
            #expect(try await cache.rows("SELECT title FROM \(EveryTodo.rows)") == [])
            try await cache.expectLawful()
        }
    }

    @Test func `no force ends what is being sent, and all or none is changed`() async throws {
        let cache = try Cache()
        let (_, first) = try await cache.store.create("milk", in: .inDoubt)
        let (_, second) = try await cache.store.create("bread", in: .sending)
        let sentence = "the operation is being sent and cannot be "
        await #expect(throws: StoreError.refused(sentence + "changed: wait for its answer")) {
            try await cache.store.retry([first, second], endingDoubt: true)
        }
        await #expect(throws: StoreError.refused(sentence + "dropped: wait for its answer")) {
            try await cache.store.drop([first, second], endingDoubt: true)
        }
        await #expect(throws: StoreError.unknownOperation(OperationSequence(rawValue: 77))) {
            try await cache.store.drop([first, OperationSequence(rawValue: 77)], endingDoubt: true)
        }
        #expect(try await cache.store.outbox().map(\.state) == ["in doubt", "sending"])
    }
}

/// What a person changes without naming it.
@Suite struct `the whole outbox` {
    /// One create in each state, and a delete that waits behind the one in doubt.
    private func cache() async throws -> Cache {
        let cache = try Cache()
        _ = try await cache.store.create("a", in: .queued)
        _ = try await cache.store.create("b", in: .sending)
        let (doubtful, _) = try await cache.store.create("c", in: .inDoubt)
        _ = try await cache.store.create("d", in: .rejected)
        _ = try await cache.store.create("e", in: .inDoubt)
        try await cache.store.removeTodos([doubtful])
        return cache
    }

    private let outbox = "SELECT op, title, state FROM outbox ORDER BY seq"

    @Test func `D12: all that is rejected is queued again, and nothing else is touched`()
        async throws
    {
        let cache = try await cache()
        let outcome = try await cache.store.retryAll(endingDoubt: false)
        #expect([outcome.changed, outcome.creates, outcome.deletes] == [1, 0, 0])
        #expect(
            try await cache.rows(outbox) == [
                "create|a|queued", "create|b|sending", "create|c|in doubt", "create|d|queued",
                "create|e|in doubt", "delete|c|queued",
            ])
        #expect(outcome.left == (try await cache.store.queueCounts()))
        try await cache.expectLawful()
    }

    @Test func `by force all that is in doubt is queued again, too`() async throws {
        let cache = try await cache()
        let outcome = try await cache.store.retryAll(endingDoubt: true)
        #expect([outcome.changed, outcome.creates, outcome.deletes] == [2, 2, 0])
        // The create that a delete waits for is never sent again.
        #expect(
            try await cache.rows(outbox)
                == ["create|a|queued", "create|b|sending", "create|d|queued", "create|e|queued"])
        #expect(outcome.left == (try await cache.store.queueCounts()))
        try await cache.expectLawful()
    }

    @Test func `D12: all that waits or was refused is dropped, and nothing else is touched`()
        async throws
    {
        let cache = try await cache()
        let outcome = try await cache.store.dropAll(endingDoubt: false)
        #expect([outcome.changed, outcome.creates, outcome.deletes] == [3, 0, 0])
        #expect(
            try await cache.rows(outbox)
                == ["create|b|sending", "create|c|in doubt", "create|e|in doubt"])
        #expect(outcome.left == (try await cache.store.queueCounts()))
        try await cache.expectLawful()
    }

    @Test func `by force all is dropped but what is being sent`() async throws {
        let cache = try await cache()
        let outcome = try await cache.store.dropAll(endingDoubt: true)
        #expect([outcome.changed, outcome.creates, outcome.deletes] == [5, 2, 0])
        #expect(try await cache.rows(outbox) == ["create|b|sending"])
        #expect(try await cache.rows("SELECT title FROM \(EveryTodo.rows)") == ["b"])
        #expect(outcome.left == (try await cache.store.queueCounts()))
        try await cache.expectLawful()
    }

    @Test func `an empty one is left as it is`() async throws {
        let cache = try Cache()
        #expect(try await cache.store.retryAll(endingDoubt: true) == OutboxOutcome())
        #expect(try await cache.store.dropAll(endingDoubt: true) == OutboxOutcome())
    }
}
