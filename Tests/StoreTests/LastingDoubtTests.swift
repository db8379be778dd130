import Declarations
import Host
import Rules
import SQLite
import Store
import Testing

@Suite struct `doubt that lasts` {
    /// A create and a delete in doubt, sent first at the second 1 of the boot `first`.
    private func cacheInDoubt(_ place: StorePlace = .memory) async throws -> Cache {
        let cache = try Cache(place)
        try await cache.store.pull(list([(7, "milk")]))
        _ = try await cache.store.delete(TodoID(rawValue: 1), in: .inDoubt)
        _ = try await cache.store.create("bread", in: .inDoubt)
        return cache
    }

    private func pullOnce(_ cache: Cache) async throws {
        try await cache.store.pull(list([(7, "milk")])) { try $0.countOpenPulls() }
    }

    private func told(_ cache: Cache, at now: BootTime) async throws -> [String] {
        try await cache.store.lastingDoubts(now: now).map { "\($0.kind) of \($0.title)" }
    }

    private let hourLater = boot(1000 + 3_600_000)

    @Test(arguments: StorePlace.allCases)
    func `D6: it is told after an hour and three pulls, and not before`(
        place: StorePlace
    ) async throws {
        let cache = try await cacheInDoubt(place)
        for _ in 0..<2 { try await pullOnce(cache) }
        #expect(try await told(cache, at: hourLater) == [])
        try await pullOnce(cache)
        #expect(try await told(cache, at: boot(hourLater.milliseconds - 1)) == [])
        #expect(try await told(cache, at: hourLater) == ["delete of milk", "create of bread"])
        #expect(try await cache.store.metrics(now: hourLater).lastingDoubts == 2)
        let early = boot(hourLater.milliseconds - 1)
        #expect(try await cache.store.metrics(now: early).lastingDoubts == 0)
    }

    @Test func `a moment of another boot counts as longer ago`() async throws {
        let cache = try await cacheInDoubt()
        for _ in 0..<3 { try await pullOnce(cache) }
        let reboot = BootTime(boot: "second", milliseconds: 1)
        #expect(try await told(cache, at: reboot).count == 2)
    }

    @Test func `what was decided is told no more`() async throws {
        let cache = try await cacheInDoubt()
        for _ in 0..<3 { try await pullOnce(cache) }
        try await cache.store.pull(list([(7, "milk"), (8, "bread")])) { pull in
            for operation in try pull.openOperations() where operation.kind == .create {
                try pull.adopt("8", for: operation, shownAfter: boot(1000))
            }
        }
        #expect(try await told(cache, at: hourLater) == ["delete of milk"])
        try await cache.store.drop([OperationSequence(rawValue: 1)], endingDoubt: true)
        #expect(try await told(cache, at: hourLater) == [])
    }

    private static let notice = "the list is cut: it has 5 rows, and lacks 1"

    @Test(
        arguments: [
            (SyncState.ok, false, nil, true, nil),
            (.ok, false, nil, nil, nil),
            (.ok, false, nil, false, .rowsSkipped),
            (.ok, false, notice, false, .listCut(notice)),
            (.held, true, "misses rows", false, .pullHeld),
            // A hold outlives a cycle that cannot reach the server.
            (.offline, true, "timed out", false, .pullHeld),
            (.offline, false, "timed out", true, .pullFails("timed out")),
            (.waiting, false, nil, nil, .pullFails("waiting")),
        ] as [(SyncState, Bool, String?, Bool?, LastingDoubt.Reason?)])
    func `the status of the pulls gives the reason`(
        state: SyncState, isHeld: Bool, error: String?, complete: Bool?,
        reason: LastingDoubt.Reason?
    ) {
        #expect(
            LastingDoubt.Reason.ofPulls(
                state: state, isHeld: isHeld, error: error, complete: complete) == reason)
    }

    @Test func `the reason is read with the doubt`() async throws {
        let cache = try await cacheInDoubt()
        for _ in 0..<3 { try await pullOnce(cache) }
        func reasons() async throws -> [LastingDoubt.Reason] {
            try await cache.store.lastingDoubts(now: hourLater).map(\.reason)
        }
        func record(error: String?, complete: Bool) async throws {
            try await cache.store.record(
                CycleRecord(
                    list: .todos, state: .ok, attemptedAt: noon,
                    pull: PullFacts(began: boot(5000), rows: 5, complete: complete), failures: 0,
                    error: error, due: boot(9000), dueShown: noon, dueAskedUntil: nil,
                    durationMilliseconds: 1))
        }
        try await record(error: nil, complete: true)
        #expect(try await reasons() == [.attempt("why"), .attempt("why")])
        try await record(error: nil, complete: false)
        #expect(try await reasons() == [.rowsSkipped, .rowsSkipped])
        try await record(error: Self.notice, complete: false)
        #expect(try await reasons() == [.listCut(Self.notice), .listCut(Self.notice)])
    }

    @Test func `only what is not queued is looked at`() async throws {
        let cache = try await cacheInDoubt()
        let plan = try await cache.rows(
            """
            EXPLAIN QUERY PLAN SELECT count(*) FROM operation
            WHERE \(CacheStore.isLastingDoubt.replacing("?1", with: "''").replacing("?2", with: "0"))
            """)
        #expect(plan.contains { $0.contains("operation_exception") }, "\(plan)")
    }
}
