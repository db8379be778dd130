import Declarations
import Rules
import SQLite
import Store
import TestSupport
import Testing

private let pulled = #"[{"id":7,"title":"milk"}]"#

@Suite struct `the view outbox` {
    private let sending =
        "the operation is being sent and cannot be dropped: wait for its answer"
    private let inDoubt = """
        the operation was sent and its answer was lost, so it cannot be dropped: the next pull \
        decides it
        """

    private let notRetried = """
        the operation was sent and its answer was lost, so it cannot be retried: the next pulls \
        decide it; state = 'rejected' ends the doubt and can double the todo
        """

    @Test(arguments: StorePlace.allCases, [OperationState.queued, .rejected])
    func `a dropped create takes its todo along`(
        place: StorePlace, state: OperationState
    ) async throws {
        let cache = try Cache(place)
        let (_, operation) = try await cache.store.create("milk", in: state)
        _ = try await cache.store.add("bread")
        try await cache.write("DELETE FROM outbox WHERE seq = ?", .integer(operation.rawValue))
        #expect(try await cache.rows("SELECT title FROM \(EveryTodo.rows)") == ["bread"])
        #expect(try await cache.rows("SELECT title FROM outbox") == ["bread"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases, [OperationState.queued, .rejected])
    func `a dropped delete brings its todo back`(
        place: StorePlace, state: OperationState
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(pulled)
        let operation = try await cache.store.delete(TodoID(rawValue: 1), in: state)
        try await cache.write("DELETE FROM outbox WHERE seq = ?", .integer(operation.rawValue))
        #expect(try await cache.rows("SELECT title, state, error FROM todos") == ["milk|synced|-"])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases, ["create", "delete"])
    func `what may arrive can neither be dropped nor retried`(
        place: StorePlace, kind: String
    ) async throws {
        let cache = try Cache(place)
        for state in [OperationState.sending, .inDoubt] {
            if kind == "create" {
                _ = try await cache.store.create("milk", in: state)
            } else {
                try await cache.store.pull(state == .sending ? pulled : #"[{"id":8,"title":"x"}]"#)
                let id = try #require(try await cache.store.todos(search: nil).last?.id)
                _ = try await cache.store.delete(id, in: state)
            }
            let sentences =
                state == .sending
                ? (sending, sending.replacing("dropped", with: "changed"))
                : (inDoubt, notRetried)
            let matching = "WHERE state = '\(state.rawValue)'"
            try await cache.expectRefusal(sentences.0, of: "DELETE FROM outbox \(matching)")
            for clause in ["", "OR IGNORE ", "OR REPLACE "] {
                try await cache.expectRefusal(
                    sentences.1, of: "UPDATE \(clause)outbox SET state = 'queued' \(matching)")
            }
        }
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `what the server has acknowledged can be neither dropped nor changed`(
        place: StorePlace
    ) async throws {
        let sentence = """
            the server has acknowledged the operation, so it cannot be dropped: the next lists \
            decide it
            """
        let cache = try Cache(place)
        _ = try await cache.store.create("milk", in: .acknowledged)
        try await cache.expectRefusal(sentence, of: "DELETE FROM outbox")
        for clause in ["", "OR IGNORE ", "OR REPLACE "] {
            for state in [OperationState.queued, .rejected] {
                try await cache.expectRefusal(
                    sentence.replacing("dropped", with: "changed"),
                    of: "UPDATE \(clause)outbox SET state = '\(state.rawValue)'")
            }
        }
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `a delete that the server has acknowledged is out of it, and stays in the queue`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(pulled)
        let operation = try await cache.store.delete(TodoID(rawValue: 1), in: .acknowledged)
        #expect(try await cache.store.outbox() == [])
        #expect(try await cache.store.queueCounts().total == 0)
        for sql in ["DELETE FROM outbox", "UPDATE outbox SET state = 'rejected'"] {
            try await cache.write(sql)
        }
        await #expect(throws: StoreError.unknownOperation(operation)) {
            try await cache.store.drop([operation])
        }
        #expect(
            try await cache.rows("SELECT kind, state FROM operation") == ["delete|acknowledged"])
        #expect(try await cache.rows("SELECT title FROM todos") == [])
        #expect(try await cache.rows("SELECT title FROM \(EveryTodo.rows)") == ["milk"])
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases, ["create", "delete"])
    func `a rejected one is queued again, under a new key`(
        place: StorePlace, kind: String
    ) async throws {
        let cache = try Cache(place)
        if kind == "create" {
            _ = try await cache.store.create("milk", in: .rejected)
        } else {
            try await cache.store.pull(pulled)
            _ = try await cache.store.delete(TodoID(rawValue: 1), in: .rejected)
        }
        let before = try #require(try await cache.store.outbox().first)
        #expect(before.lastStatus == 422)
        #expect(before.attempts == 1)
        try await cache.write("UPDATE outbox SET state = 'queued'")
        let after = try #require(try await cache.store.outbox().first)
        #expect(after.state == "queued")
        #expect(after.attempts == 0)
        #expect(after.lastStatus == nil)
        #expect(after.lastError == nil)
        #expect(after.sequence == before.sequence)
        #expect(after.idempotencyKey != before.idempotencyKey)
        #expect(
            try await cache.rows("SELECT title, state, error FROM todos")
                == (kind == "create" ? ["milk|queued|-"] : []))
        #expect(try await cache.store.take([after.sequence]).count == 1)
        try await cache.expectLawful()
    }

    @Test func `a queued one that is retried stays as it is, its wait too`() async throws {
        let cache = try Cache()
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        _ = try await cache.store.settle(operation, .notApplied(wait(60_000, status: 503)))
        let before = try await cache.store.outbox()
        #expect(before.first?.notBefore == "2023-11-14T22:14:20.000Z")
        try await cache.store.retry([operation])
        #expect(try await cache.store.outbox() == before)
    }

    @Test(arguments: [
        "state = 'sending'", "state = 'in doubt'", "state = NULL", "state = 'queued', attempts = 9",
        "seq = 99",
        "op = 'delete'", "todo_id = 5", "title = 'x'", "not_before = 'x'", "last_status = 1",
        "last_error = 'x'", "idempotency_key = 'x'", "queued_at = 'x'", "list = 'x'",
        "row_id = 5",
    ])
    func `any other update is refused`(change: String) async throws {
        let cache = try Cache()
        _ = try await cache.store.create("milk", in: .rejected)
        for clause in ["", "OR IGNORE ", "OR REPLACE "] {
            try await cache.expectRefusal(
                """
                only the state of an operation can be set, to retry it: UPDATE outbox SET state = \
                'queued' WHERE seq = ...
                """, of: "UPDATE \(clause)outbox SET \(change)")
        }
    }

    @Test func `an insert is refused with what to do instead`() async throws {
        let cache = try Cache()
        for clause in ["", "OR IGNORE ", "OR REPLACE "] {
            try await cache.expectRefusal(
                "operations are queued by writing to the tables: INSERT, UPDATE or DELETE there",
                of: "INSERT \(clause)INTO outbox (op, todo_id) VALUES ('create', 1)")
        }
    }

    @Test func `the store changes several all or none`() async throws {
        let cache = try Cache()
        let (_, first) = try await cache.store.create("milk", in: .rejected)
        let (_, second) = try await cache.store.create("bread", in: .inDoubt)
        await #expect(throws: StoreError.refused(inDoubt)) {
            try await cache.store.drop([first, second])
        }
        await #expect(throws: StoreError.unknownOperation(OperationSequence(rawValue: 77))) {
            try await cache.store.retry([first, OperationSequence(rawValue: 77)])
        }
        #expect(try await cache.store.outbox().map(\.state) == ["rejected", "in doubt"])
        try await cache.store.retry([first])
        try await cache.store.drop([first])
        #expect(try await cache.store.outbox().map(\.title) == ["bread"])
        try await cache.expectLawful()
    }

    @Test func `counts are by state`() async throws {
        let cache = try Cache(.memory)
        let states = [OperationState.queued, .sending, .inDoubt, .acknowledged, .rejected]
        for (index, state) in states.enumerated() {
            for number in 0...index {
                _ = try await cache.store.create("\(state)\(number)", in: state)
            }
        }
        let counts = try await cache.store.queueCounts()
        #expect([counts.queued, counts.sending, counts.inDoubt] == [1, 2, 3])
        #expect([counts.acknowledged, counts.rejected] == [4, 5])
        #expect(counts.total == 15)
    }
}
