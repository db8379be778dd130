import Declarations
import Rules
import Store
import TestSupport
import Testing

@Suite struct `taking operations` {
    @Test func `an intent is written whole before the request`() async throws {
        let cache = try Cache()
        let (todo, operation) = try await cache.store.create("milk", in: .queued)
        let before = try #require(try await cache.store.outbox().first)
        let outgoing = try #require(try await cache.store.take([operation]).first)
        #expect(outgoing == OutgoingOperation.like(before, attempts: 1))
        #expect(
            try await cache.rows(
                "SELECT state, attempts, sent_boot, sent_ms, first_sent_ms FROM operation")
                == ["sending|1|first|1000|1000"])
        #expect(try await cache.store.todos(search: nil).map(\.state) == ["sending"])
        #expect(try await cache.store.todos(search: nil).map(\.id) == [todo])
        try await cache.expectLawful()
    }

    @Test(arguments: [OperationState.sending, .acknowledged, .rejected])
    func `what is under way, acknowledged or refused cannot be taken`(state: OperationState)
        async throws
    {
        let cache = try Cache(.memory)
        let (_, create) = try await cache.store.create("milk", in: state)
        try await cache.store.pull(list([(7, "x")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 2), in: state)
        #expect(try await cache.store.take([create, delete]).isEmpty)
    }

    @Test func `a delete in doubt is never sent again, a create is under its key`() async throws {
        let cache = try Cache(.memory)
        try await cache.store.pull(list([(7, "x")]))
        let delete = try await cache.store.delete(TodoID(rawValue: 1), in: .inDoubt)
        let (_, create) = try await cache.store.create("milk", in: .inDoubt)
        let key = try await cache.store.outbox().last?.idempotencyKey
        let taken = try await cache.store.take([delete, create])
        #expect(taken.map(\.sequence) == [create])
        #expect(taken.map(\.idempotencyKey) == [key])
    }

    @Test(arguments: [OperationState.sending, .inDoubt, .acknowledged])
    func `a delete is not sent while its create may arrive`(state: OperationState) async throws {
        let cache = try Cache(.memory)
        let (todo, _) = try await cache.store.create("milk", in: state)
        let delete = try await cache.store.delete(todo, in: .queued)
        #expect(try await cache.store.take([delete]).isEmpty)
        try await cache.expectLawful()
    }

    @Test func `the first undecided attempt keeps its moment`() async throws {
        let cache = try Cache(.memory)
        let (_, create) = try await cache.store.create("milk", in: .inDoubt)
        _ = try await cache.store.exchange(
            settling: [], taking: [create], for: demo, now: boot(90_000), settlingTime: .seconds(20)
        )
        _ = try await cache.store.settle(create, .doubtful(wait(100_000), isOver: false))
        let waiting = try await cache.store.foldWaitingOperations(into: [WaitingOperation]()) {
            $0.append($1)
        }
        #expect(waiting.map(\.firstSentAt) == [boot(1000)])
        #expect(waiting.map(\.sentAt) == [boot(90_000)])
        #expect(waiting.map(\.wait) == [boot(100_000)])
        #expect(waiting.map(\.attempts) == [2])
    }

    @Test(arguments: StorePlace.allCases)
    func `another account is refused before anything is sent, and nothing changes`(
        place: StorePlace
    ) async throws {
        let cache = try Cache(place)
        try await cache.store.bind(to: demo)
        let (_, sending) = try await cache.store.create("milk", in: .sending)
        let (_, queued) = try await cache.store.create("bread", in: .queued)
        let before = try await cache.rows("SELECT * FROM operation")
        for other in [
            Account(baseURL: demo.baseURL, email: "other@example.com"),
            Account(baseURL: "http://127.0.0.1:8081", email: demo.email),
        ] {
            let refusal = StoreError.otherAccount(cached: demo, configured: other)
            await #expect(throws: refusal) {
                try await cache.store.exchange(
                    settling: [(sending, .doubtful(wait(1), isOver: false))], taking: [queued],
                    for: other,
                    now: boot(1), settlingTime: .seconds(20))
            }
            await #expect(throws: refusal) { try await cache.store.bind(to: other) }
            #expect(refusal.description.contains(demo.email))
            #expect(refusal.description.contains(other.email))
        }
        #expect(try await cache.rows("SELECT * FROM operation") == before)
    }

    @Test func `an e-mail is the same in other letters, and the first one is kept`() async throws {
        let cache = try Cache()
        #expect(try await cache.store.account() == nil)
        try await cache.store.bind(to: demo)
        let shouted = Account(baseURL: demo.baseURL, email: "DEMO@Example.com")
        try await cache.store.bind(to: shouted)
        #expect(try await cache.store.account()?.email == demo.email)
        #expect(shouted.hashValue == demo.hashValue)
    }

    @Test func `the first intent makes the cache its account's`() async throws {
        let cache = try Cache()
        _ = try await cache.store.create("milk", in: .sending)
        #expect(try await cache.store.account() == demo)
    }
}

extension OutgoingOperation {
    fileprivate static func like(_ row: OperationRow, attempts: Int) -> OutgoingOperation? {
        OperationKind(rawValue: row.kind).map { kind in
            OutgoingOperation(
                sequence: row.sequence, kind: kind, values: ["title": "\"\(row.title)\""],
                serverID: nil,
                idempotencyKey: row.idempotencyKey, attempts: attempts)
        }
    }
}
