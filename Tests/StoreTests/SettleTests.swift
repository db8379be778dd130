import Rules
import SQLite
import Store
import TestSupport
import Testing

/// What an operation was when its attempt began.
private enum Attempted: String, CaseIterable, Sendable {
    /// A create, sent for the first time.
    case create
    /// A create of which an earlier attempt is undecided, sent again under its key.
    case repeatedCreate
    /// A create whose todo was deleted meanwhile.
    case unwantedCreate
    /// Both.
    case unwantedRepeatedCreate
    case delete
}

private struct Outcome: Sendable, CustomTestStringConvertible {
    let attempted: Attempted
    let settlement: Settlement
    let settled: Settled
    /// The rows `title|state|server id` of the todos, then `op|state|undecided|wait` of the outbox.
    let rows: [String]

    var testDescription: String {
        let answer = String(describing: settlement).prefix { $0 != "(" }
        return "\(attempted.rawValue), \(answer), then \(settled)"
    }
}

private let todo = Settlement.answered(#"{"id":7,"title":"Milk"}"#)
private let noTodo = Settlement.answered(#"{"ok":true}"#)
private let later = Settlement.answered(#"{"id":7,"title":"Milk"}"#, status: 202)
private let refusal = Settlement.answered(#"{"ok":false}"#, refusal: wait(5))
/// What looks like a refusal beside the row is none.
private let todoWithErrors = Settlement.answered(
    #"{"id":7,"title":"Milk","errors":["no colour"]}"#, refusal: wait(5))

private let outcomes: [Outcome] = [
    Outcome(attempted: .create, settlement: todo, settled: .done, rows: ["Milk|synced|7"]),
    Outcome(
        attempted: .create, settlement: noTodo, settled: .acknowledged,
        rows: ["milk|acknowledged|-", "create|acknowledged|0|-"]),
    Outcome(
        attempted: .create, settlement: later, settled: .acknowledged,
        rows: ["milk|acknowledged|-", "create|acknowledged|0|-"]),
    Outcome(
        attempted: .create, settlement: refusal, settled: .rejected,
        rows: ["milk|rejected|-", "create|rejected|0|-"]),
    Outcome(
        attempted: .create, settlement: todoWithErrors, settled: .done, rows: ["Milk|synced|7"]),
    Outcome(
        attempted: .create, settlement: .rejected(wait(5)), settled: .rejected,
        rows: ["milk|rejected|-", "create|rejected|0|-"]),
    Outcome(
        attempted: .create, settlement: .notApplied(wait(5)), settled: .queued,
        rows: ["milk|queued|-", "create|queued|0|5"]),
    Outcome(
        attempted: .create, settlement: .doubtful(wait(5), isOver: false), settled: .inDoubt,
        rows: ["milk|in doubt|-", "create|in doubt|1|5"]),

    Outcome(attempted: .repeatedCreate, settlement: todo, settled: .done, rows: ["Milk|synced|7"]),
    Outcome(
        attempted: .repeatedCreate, settlement: noTodo, settled: .acknowledged,
        rows: ["milk|acknowledged|-", "create|acknowledged|0|-"]),
    Outcome(
        attempted: .repeatedCreate, settlement: refusal, settled: .inDoubt,
        rows: ["milk|in doubt|-", "create|in doubt|1|5"]),
    Outcome(
        attempted: .repeatedCreate, settlement: .rejected(wait(5)), settled: .inDoubt,
        rows: ["milk|in doubt|-", "create|in doubt|1|5"]),
    Outcome(
        attempted: .repeatedCreate, settlement: .notApplied(wait(5)), settled: .inDoubt,
        rows: ["milk|in doubt|-", "create|in doubt|1|5"]),
    Outcome(
        attempted: .repeatedCreate, settlement: .doubtful(wait(5), isOver: false),
        settled: .inDoubt,
        rows: ["milk|in doubt|-", "create|in doubt|1|5"]),

    Outcome(
        attempted: .unwantedCreate, settlement: todo, settled: .done,
        rows: ["delete|queued|0|-"]),
    Outcome(
        attempted: .unwantedCreate, settlement: noTodo, settled: .acknowledged,
        rows: ["create|acknowledged|0|-", "delete|queued|0|-"]),
    Outcome(attempted: .unwantedCreate, settlement: refusal, settled: .withdrawn, rows: []),
    Outcome(
        attempted: .unwantedCreate, settlement: .rejected(wait(5)), settled: .withdrawn, rows: []),
    Outcome(
        attempted: .unwantedCreate, settlement: .notApplied(wait(5)), settled: .withdrawn,
        rows: []),
    Outcome(
        attempted: .unwantedCreate, settlement: .doubtful(wait(5), isOver: false),
        settled: .inDoubt,
        rows: ["create|in doubt|1|5", "delete|queued|0|-"]),

    Outcome(
        attempted: .unwantedRepeatedCreate, settlement: todo, settled: .done,
        rows: ["delete|queued|0|-"]),
    Outcome(
        attempted: .unwantedRepeatedCreate, settlement: .rejected(wait(5)), settled: .inDoubt,
        rows: ["create|in doubt|1|5", "delete|queued|0|-"]),
    Outcome(
        attempted: .unwantedRepeatedCreate, settlement: .notApplied(wait(5)),
        settled: .inDoubt, rows: ["create|in doubt|1|5", "delete|queued|0|-"]),
    Outcome(
        attempted: .unwantedRepeatedCreate, settlement: .doubtful(wait(5), isOver: false),
        settled: .inDoubt,
        rows: ["create|in doubt|1|5", "delete|queued|0|-"]),

    Outcome(
        attempted: .delete, settlement: .answered(status: 204), settled: .done,
        rows: ["delete|acknowledged|0|-"]),
    // Servers answer with the row that they deleted.
    Outcome(
        attempted: .delete, settlement: todo, settled: .done, rows: ["delete|acknowledged|0|-"]),
    Outcome(
        attempted: .delete, settlement: refusal, settled: .rejected,
        rows: ["milk|rejected|7", "delete|rejected|0|-"]),
    Outcome(
        attempted: .delete, settlement: .rejected(wait(5)), settled: .rejected,
        rows: ["milk|rejected|7", "delete|rejected|0|-"]),
    Outcome(
        attempted: .delete, settlement: .notApplied(wait(5)), settled: .queued,
        rows: ["delete|queued|0|5"]),
    Outcome(
        attempted: .delete, settlement: .doubtful(wait(5), isOver: false), settled: .inDoubt,
        rows: ["delete|in doubt|1|5"]),
]

@Suite struct `settling an attempt` {
    @Test(arguments: StorePlace.allCases, outcomes)
    fileprivate func `each settlement leaves what the table says`(
        place: StorePlace, outcome: Outcome
    ) async throws {
        let cache = try Cache(place)
        let operation = try await attempt(outcome.attempted, in: cache)
        #expect(try await cache.store.settle(operation, outcome.settlement) == outcome.settled)
        let rows =
            try await cache.rows("SELECT title, state, server_id FROM todos")
            + cache.rows("SELECT kind, state, undecided, wait_ms FROM operation ORDER BY seq")
        #expect(rows == outcome.rows)
        try await cache.expectLawful()
    }

    private func attempt(_ attempted: Attempted, in cache: Cache) async throws -> OperationSequence
    {
        switch attempted {
        case .create:
            return try await cache.store.create("milk", in: .sending).operation
        case .repeatedCreate:
            let (_, operation) = try await cache.store.create("milk", in: .inDoubt)
            #expect(try await cache.store.take([operation]).map(\.attempts) == [2])
            return operation
        case .unwantedCreate:
            let (todo, operation) = try await cache.store.create("milk", in: .sending)
            try await cache.store.removeTodos([todo])
            return operation
        case .unwantedRepeatedCreate:
            let (todo, operation) = try await cache.store.create("milk", in: .inDoubt)
            #expect(try await cache.store.take([operation]).count == 1)
            try await cache.store.removeTodos([todo])
            return operation
        case .delete:
            try await cache.store.pull(list([(7, "milk")]))
            return try await cache.store.delete(TodoID(rawValue: 1), in: .sending)
        }
    }

    @Test(arguments: [
        "", "null", "[]", "7", #"{"id":1}"#, #"{"title":"x"}"#, #"{"id":null,"title":"x"}"#,
        #"{"id":1.5,"title":"x"}"#, #"{"id":1,"title":null}"#, #"{"id":"","title":"x"}"#,
        #"{"id":1,"title":"x"}trailing"#, #"{"id":1,"title":"x""#, "<html></html>",
        #"[{"id":1,"title":"x"}]"#, #"{"id":9223372036854775808,"title":"x"}"#,
        // Another row than the one that was sent names nothing.
        #"{"id":1,"title":"x"}"#,
    ])
    func `an answer without the todo acknowledges the create, which is never sent again`(
        body: String
    ) async throws {
        let cache = try Cache(.memory)
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        #expect(
            try await cache.store.settle(operation, .answered(body, status: 201)) == .acknowledged)
        let row = try #require(try await cache.store.outbox().first)
        #expect(row.state == "acknowledged")
        #expect(row.lastError == nil)
        #expect(row.lastStatus == nil)
        #expect(try await cache.store.take([operation]).isEmpty)
        #expect(
            try await cache.rows("SELECT answered_boot, answered_ms FROM operation")
                == ["first|2000"])
        #expect(
            try await cache.rows("SELECT title, state, error FROM todos") == ["milk|acknowledged|-"]
        )
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `an answer that shows the todo leaves its trail in the same commit`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        let (todo, operation) = try await cache.store.create("milk", in: .sending)
        _ = try await cache.store.settle(operation, .answered(#"{"id":7,"title":"milk"}"#))
        #expect(
            try await cache.rows(
                """
                SELECT list, row_id, answered_boot, answered_ms, is_new, is_claim, holds_edits
                FROM trail
                """) == ["todos|\(todo)|first|2000|1|0|0"])
        try await cache.expectLawful()
    }

    @Test(arguments: ["n-5", "5"])
    func `an id that a header names binds the todo, as a claim`(id: String) async throws {
        let cache = try Cache()
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        let settled = try await cache.store.settle(operation, .answered(status: 201, named: id))
        #expect(settled == .done)
        #expect(
            try await cache.rows("SELECT title, state, server_id FROM todos")
                == ["milk|synced|\(id)"])
        #expect(try await cache.rows("SELECT is_new, is_claim FROM trail") == ["1|1"])
        #expect(try await cache.store.outbox() == [])
        try await cache.expectLawful()
    }

    @Test func `an id that another todo has names nothing`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(7, "bread")]))
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        _ = try await cache.store.settle(operation, .answered(status: 201, named: "7"))
        #expect(
            try await cache.rows("SELECT title, state, server_id FROM todos ORDER BY id")
                == ["bread|synced|7", "milk|acknowledged|-"])
        try await cache.expectLawful()
    }

    @Test func `a todo that the server took for one that was there goes, and is told`() async throws
    {
        let cache = try Cache()
        try await cache.store.pull(list([(7, "milk")]))
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        let answer = Settlement.answered(#"{"id":7,"title":"milk"}"#)
        #expect(try await cache.store.settle(operation, answer) == .done)
        #expect(
            try await cache.rows("SELECT id, title, state, server_id FROM todos")
                == ["1|milk|synced|7"])
        #expect(
            try await cache.rows("SELECT row_id, field, why, theirs FROM conflicts")
                == ["1|-|merged|-"])
        #expect(try await cache.store.outbox() == [])
        try await cache.expectLawful()
    }

    @Test func `a new todo does not become one that is to be deleted`() async throws {
        let cache = try Cache()
        try await cache.store.pull(list([(7, "milk")]))
        try await cache.store.withConnection { try $0.execute(script: "DELETE FROM todos") }
        let (_, operation) = try await cache.store.create("milk", in: .sending)
        let answer = Settlement.answered(#"{"id":7,"title":"milk"}"#)
        #expect(try await cache.store.settle(operation, answer) == .done)
        #expect(
            try await cache.rows("SELECT id, title, state, server_id FROM todos")
                == ["2|milk|synced|7"])
        #expect(try await cache.store.outbox() == [])
        #expect(try await cache.rows("SELECT * FROM conflicts").isEmpty)
        try await cache.expectLawful()
    }

    @Test(arguments: StorePlace.allCases)
    func `the id in an answer is taken from a cached todo, with its operations`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.pull(list([(7, "old"), (8, "other")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .sending)
        let (todo, create) = try await cache.store.create("milk", in: .sending)
        let exchange = try await cache.store.exchange(
            settling: [
                (create, .answered(#"{"id":7,"title":"milk"}"#)), (delete, .rejected(wait(5))),
            ],
            taking: [], for: demo, now: boot(2000), settlingTime: .seconds(20))
        #expect(exchange.settled == [.done, .done])
        #expect(
            try await cache.rows("SELECT id, title, state, server_id FROM todos ORDER BY id")
                == ["2|other|synced|8", "\(todo)|milk|synced|7"])
        #expect(try await cache.store.outbox().isEmpty)
        try await cache.expectLawful()
    }

    @Test func `a todo just created is not deleted before a pull has shown it`() async throws {
        let cache = try Cache()
        let (todo, create) = try await cache.store.create("milk", in: .sending)
        _ = try await cache.store.settle(create, .answered(#"{"id":7,"title":"milk"}"#))
        let delete = try await cache.store.delete(todo, in: .queued)
        #expect(try await cache.store.take([delete]).isEmpty)
        try await cache.store.confirmTodos()
        #expect(try await cache.store.take([delete]).map(\.serverID) == ["7"])
    }

    /// How long each operation may still take effect after its intent.
    private static let settlingTimes = "SELECT kind, settling_ms FROM operation ORDER BY seq"

    @Test func `D7: an attempt that is over settles at once, where no earlier one is undecided`()
        async throws
    {
        let cache = try Cache()
        let create = try await cache.store.create("milk", in: .sending).operation
        let repeated = try await cache.store.create("bread", in: .inDoubt).operation
        #expect(try await cache.store.take([repeated]).count == 1)
        for operation in [create, repeated] {
            let doubt = Settlement.doubtful(wait(5), isOver: true)
            #expect(try await cache.store.settle(operation, doubt) == .inDoubt)
        }
        #expect(try await cache.rows(Self.settlingTimes) == ["create|0", "create|20000"])
        #expect(try await cache.store.take([create]).count == 1)
        #expect(try await cache.rows(Self.settlingTimes) == ["create|20000", "create|20000"])
        try await cache.expectLawful()
    }

    @Test func `a settlement of what is gone is done`() async throws {
        let cache = try Cache()
        #expect(
            try await cache.store.settle(
                OperationSequence(rawValue: 99), .doubtful(wait(1), isOver: false))
                == .done)
    }
}
