import Declarations
import Rules
import SQLite
import Store
import TestSupport
import Testing

private let pulled = #"[{"id":7,"title":"milk"}]"#

@Suite struct `deleting from todos` {
    @Test(arguments: StorePlace.allCases)
    func `one that was never sent goes with its create`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: .queued)
        try await cache.write("DELETE FROM todos WHERE id = ?", .integer(todo.rawValue))
        #expect(try await cache.rows("SELECT * FROM \(EveryTodo.rows)") == [])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases, [OperationState.queued, .rejected])
    func `one that was never sent has its create back when it is written again`(
        place: StorePlace, state: OperationState
    ) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: state)
        _ = try await cache.store.add("bread")
        let before = try await cache.store.outbox()
        try await cache.write("DELETE FROM todos WHERE id = ?", .integer(todo.rawValue))
        #expect(try await cache.store.outbox() == Array(before.dropFirst()))
        try await cache.write(
            "INSERT INTO todos (id, title) VALUES (?, 'milk')", .integer(todo.rawValue))
        let after = try await cache.store.outbox()
        #expect(after.map(\.sequence) == before.map(\.sequence))
        #expect(after.map(\.state) == before.map(\.state))
        // What was sent before goes under another key: its values may be other ones now.
        let isSame = after.map(\.idempotencyKey) == before.map(\.idempotencyKey)
        #expect(isSame == (state == .queued))
        #expect(
            try await cache.rows("SELECT title, state FROM todos")
                == ["milk|\(state.rawValue)", "bread|queued"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases, [OperationState.sending, .inDoubt])
    func `one whose create may arrive waits for that answer`(
        place: StorePlace, state: OperationState
    ) async throws {
        let cache = try Cache(place)
        let (todo, create) = try await cache.store.create("milk", in: state)
        try await cache.write("DELETE FROM todos WHERE id = ?", .integer(todo.rawValue))
        #expect(try await cache.store.todos(search: nil).isEmpty)
        #expect(
            try await cache.rows("SELECT op, state FROM outbox ORDER BY seq")
                == ["create|\(state.rawValue)", "delete|queued"])
        // What waits behind a create is not sent, and a second delete adds nothing.
        let delete = OperationSequence(rawValue: create.rawValue + 1)
        #expect(try await cache.store.take([delete]).isEmpty)
        try await cache.write("DELETE FROM todos WHERE id = ?", .integer(todo.rawValue))
        #expect(try await cache.store.outbox().count == 2)
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `one whose create was rejected goes with it`(place: StorePlace) async throws {
        let cache = try Cache(place)
        let (todo, _) = try await cache.store.create("milk", in: .rejected)
        #expect(try await cache.rows("SELECT state, error FROM todos") == ["rejected|no"])
        try await cache.write("DELETE FROM todos WHERE id = ?", .integer(todo.rawValue))
        #expect(
            try await cache.rows("SELECT id FROM \(EveryTodo.rows) UNION SELECT seq FROM operation")
                == [])
    }

    @Test(arguments: StorePlace.allCases)
    func `a pulled one queues a delete once, and leaves the table`(place: StorePlace) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(pulled)
        #expect(
            try await cache.rows("SELECT title, state, server_id FROM todos") == ["milk|synced|7"])
        try await cache.write("DELETE FROM todos")
        try await cache.write("DELETE FROM todos")
        #expect(try await cache.rows("SELECT * FROM todos") == [])
        #expect(
            try await cache.rows("SELECT op, state, title FROM outbox") == ["delete|queued|milk"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `one whose delete was rejected is back with its error, and can be deleted again`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(pulled)
        let todo = TodoID(rawValue: 1)
        let delete = try await cache.store.delete(todo, in: .rejected)
        #expect(
            try await cache.rows("SELECT title, state, error FROM todos") == ["milk|rejected|no"])
        let key = try await cache.store.outbox().map(\.idempotencyKey)
        try await cache.write("DELETE FROM todos WHERE id = 1")
        let again = try #require(try await cache.store.outbox().first)
        #expect(again.sequence == delete)
        #expect(again.state == "queued")
        #expect(again.attempts == 0)
        #expect(again.lastError == nil)
        #expect(again.lastStatus == nil)
        #expect([again.idempotencyKey] != key)
        try await cache.expectLawful()
    }

    @Test func `unknown ids are refused by the store, and nothing is deleted`() async throws {
        let cache = try Cache()
        let id = try await cache.store.add("milk")
        await #expect(throws: StoreError.unknownRow(9, of: .todos)) {
            try await cache.store.removeTodos([id, TodoID(rawValue: 9)])
        }
        #expect(try await cache.store.todos(search: nil).count == 1)
    }
}
