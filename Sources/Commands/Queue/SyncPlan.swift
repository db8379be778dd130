internal import Configuration
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import SyncEngine
internal import Tables

/// What a sync would send: read from the cache, without a request and without a write.
struct SyncPlan: Sendable, Hashable {
    /// The cache, canonical.
    let path: String
    /// Each list with changes, in the order of their names.
    let lists: [ListPlan]

    /// The plan of a sync of the lists `names` for `cause`; nil for every list.
    static func read(
        from place: CachePlace, of names: [ListName]? = nil, because cause: CycleCause,
        acceptsDeletes: Bool = false, by composition: Composition
    ) async throws(CommandError) -> SyncPlan {
        let store = try composition.openForReading(place)
        let moment = (boot: composition.time.bootTime(), wall: composition.time.wallTime())
        let tables = try await CommandError.awaiting(
            CommandError.store, try await store.tables())
        var lists: [ListPlan] = []
        for table in tables where !table.declaration.isReadOnly {
            let name = table.declaration.name
            guard names?.contains(name) ?? place.settings?.keeps(name.text) ?? true else {
                continue
            }
            let (queue, account) = try await CommandError.from(CommandError.store) {
                () async throws(StoreError) in
                (try await store.queueSnapshot(of: table), try await store.account(of: name))
            }
            let refusal = name == .todos ? place.settings?.refusal(ofCacheOf: account) : nil
            lists.append(
                ListPlan(
                    of: queue, in: table, because: cause, at: moment, refusal: refusal,
                    acceptsDeletes: acceptsDeletes,
                    repeatsUnderKey: place.settings.map { settings in
                        name == .todos
                            ? settings.todos.idempotency == .key : table.declaration.honoursKeys
                    } ?? false))
        }
        return SyncPlan(path: store.path, lists: lists.filter { !$0.changes.isEmpty })
    }
}

/// What a sync of one list would send.
struct ListPlan: Sendable, Hashable {
    /// The list.
    let list: ListName
    /// Its part of the outbox; what would be sent comes first, in its order.
    let changes: [PlannedChange]
    /// Before this moment nothing is sent; nil where a sync can begin now.
    let start: WallTime?
    /// A pull is held: nothing is sent before it is decided.
    let isHeld: Bool
    /// Why nothing is sent where the configuration names another account.
    let refusal: StoreError?

    init(
        of queue: QueueSnapshot, in table: ListTable, because cause: CycleCause,
        at moment: (boot: BootTime, wall: WallTime), refusal: StoreError?, acceptsDeletes: Bool,
        repeatsUnderKey: Bool
    ) {
        let now = moment.boot
        // A cycle sends deletes and updates after a pull of its own.
        let outlooks = ReplayOutlook.all(
            of: queue.waiting(acceptsDeletes: acceptsDeletes),
            under: ReplayPlan.Permission(
                now: now, listedAt: now, ignoresBackoff: cause.isAsked,
                repeatsUnderKey: repeatsUnderKey))
        let all = queue.rows.map { row in
            // No operation is looked at beneath the delete of its row.
            let isBeneath = row.state == OperationState.queued.rawValue
            return PlannedChange(
                row: row,
                outlook: outlooks[row.sequence] ?? (isBeneath ? .waits(.delete) : nil))
        }
        let waits = [
            queue.memory.wait(for: cause, at: now), queue.memory.pause(for: cause, at: now),
        ]
        let wait = waits.compactMap { $0?.milliseconds }.max().map { $0 - now.milliseconds }
        list = table.declaration.name
        changes =
            all.filter { $0.turn != nil }.sorted { $0.turn ?? 0 < $1.turn ?? 0 }
            + all.filter { $0.turn == nil }
        start = wait.map { WallTime(milliseconds: moment.wall.milliseconds + $0) }
        isHeld = queue.memory.heldSince != nil && !cause.acceptsRemovals
        self.refusal = refusal
    }
}

extension QueueSnapshot {
    /// What waits, as the next sync judges it.
    fileprivate func waiting(acceptsDeletes: Bool) -> [WaitingOperation] {
        let held = Set((deletes.map { DeleteGuard.held($0) } ?? []).map(\.sequence))
        return waiting.map { operation in
            var operation = operation
            operation.isHeld =
                !acceptsDeletes && (operation.isHeld || held.contains(operation.sequence))
            return operation
        }
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
