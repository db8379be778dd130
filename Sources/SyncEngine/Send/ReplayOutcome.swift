internal import Rules
internal import Store

/// What a replay did, and why it stopped before its plan was empty.
struct ReplayOutcome {
    var counts = ReplayCounts()
    /// Updates that reads before it have decided.
    var decided = 0
    /// Credentials or base URL are wrong: no operation can be sent.
    var halt: CycleFailure?
    /// The kinds of operations that the server refuses whatever their rows, and why: nothing more of them was sent.
    var closed: [OperationKind: CycleFailure] = [:]
    /// Operations of a kind were left out, because others of it had been refused or had failed.
    var isPartial = false
    /// The rows that it needs whole could not be read.
    var readFailure: CycleFailure?
    /// The server failed several in a row: the rest waits.
    var isPaused = false
    /// Deletes wait for a list that is younger than this cycle's.
    var needsList = false
    /// It got on, and ended before the queue did.
    var isCutShort = false

    /// It got on, and nothing speaks against another one.
    var mayGoOn: Bool { counts.hasProgress && !hasStopped }
    /// Why the first of the kinds that are closed is closed.
    var closing: CycleFailure? {
        let order: [OperationKind] = [.create, .update, .delete]
        return order.lazy.compactMap { closed[$0] }.first
    }
    /// Nothing more is sent for now, whatever waits.
    var hasStopped: Bool { halt != nil || readFailure != nil || isPaused || isPartial }

    /// A later replay of the same cycle.
    mutating func add(_ other: ReplayOutcome) {
        counts.add(other.counts)
        decided += other.decided
        (halt, isPaused, needsList) = (other.halt, other.isPaused, other.needsList)
        (closed, isPartial) = (other.closed, other.isPartial)
    }
}
