internal import Configuration
internal import Declarations
internal import Host
internal import Store
internal import SyncEngine

/// What a sync would send: read from the cache, without a request and without a write.
struct SyncPlan: Sendable, Hashable {
    /// The cache, canonical.
    let path: String
    /// The whole outbox; what would be sent comes first, in its order.
    let changes: [PlannedChange]
    /// Before this moment nothing is sent; nil where a sync can begin now.
    let start: WallTime?
    /// A pull is held: nothing is sent before it is decided.
    let isHeld: Bool
    /// Why nothing is sent where the configuration names another account.
    let refusal: StoreError?

    /// The plan of a sync for `cause`.
    static func read(
        from place: CachePlace, because cause: CycleCause, by composition: Composition
    ) async throws(CommandError) -> SyncPlan {
        let path = try composition.find(place)
        let store = try composition.openForReading(place)
        let now = composition.time.bootTime()
        let (queue, account) = try await CommandError.from(CommandError.store) {
            () async throws(StoreError) in
            (try await store.queueSnapshot(), try await store.account(of: .todos))
        }
        // A cycle sends deletes after a pull of its own.
        let outlooks = ReplayOutlook.all(
            of: queue.waiting,
            under: ReplayPlan.Permission(
                now: now, listedAt: now, ignoresBackoff: cause.isAsked,
                repeatsUnderKey: place.settings?.todos.idempotency == .key))
        let changes = queue.rows.map {
            PlannedChange(row: $0, outlook: outlooks[$0.sequence])
        }
        let waits = [
            queue.memory.wait(for: cause, at: now), queue.memory.pause(for: cause, at: now),
        ]
        let wait = waits.compactMap { $0?.milliseconds }.max().map { $0 - now.milliseconds }
        return SyncPlan(
            path: path,
            changes: changes.filter { $0.turn != nil }.sorted { $0.turn ?? 0 < $1.turn ?? 0 }
                + changes.filter { $0.turn == nil },
            start: wait.map {
                WallTime(milliseconds: composition.time.wallTime().milliseconds + $0)
            },
            isHeld: queue.memory.heldSince != nil && !cause.acceptsRemovals,
            refusal: place.settings?.refusal(ofCacheOf: account))
    }
}

/// An operation of the outbox, and what the next sync would do with it.
struct PlannedChange: Sendable, Hashable {
    let row: OperationRow
    /// Nil for a rejected one, which waits for the person.
    let outlook: ReplayOutlook?

    /// Its place in the order, from 1; nil where it would not be sent.
    var turn: Int? {
        switch outlook {
        case .turn(let turn, _): turn
        case .waits, nil: nil
        }
    }
}
