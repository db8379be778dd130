internal import APIClient
public import Declarations
public import Host
internal import Rules
public import Store
internal import Tables

/// Runs cycles: pull, reconcile, replay. Decides by pure rules, acts on the store and the servers
/// at the edge, and keeps nothing between cycles but what the store remembers.
///
/// A list's cycle never overlaps itself: its caller awaits one before it starts the next. The
/// lists may run beside each other.
public struct Synchronizer: Sendable {
    let store: CacheStore
    let sources: [ListSource]
    let time: any TimeSource
    let random: any RandomSource
    let backoff: Backoff
    let stop: StopSignal
    let tell: @Sendable (CycleStep) -> Void
    /// Two of the largest answers.
    let bodies: BodyBudget

    /// A synchronizer of one cache with its sources; a list without one is left out.
    /// `tell` is called in each cycle's own task, as it goes on; it must not block.
    public init(
        store: CacheStore, lists: [ListSource], time: any TimeSource,
        random: any RandomSource, backoff: Backoff, stop: StopSignal,
        tell: @escaping @Sendable (CycleStep) -> Void
    ) {
        self.store = store
        sources = lists
        self.time = time
        self.random = random
        self.backoff = backoff
        self.stop = stop
        self.tell = tell
        bodies = BodyBudget(bytes: 2 * (lists.map(\.client.limits.maxBodyBytes).max() ?? 0))
        stop.whenStopped { store.stopPulls() }
    }

    /// The lists that have a source.
    public var lists: [ListName] {
        sources.map(\.name)
    }

    /// The lists that stand below rows of others: their cycles find more after those of the others.
    public var listsBelow: [ListName] {
        sources.filter { $0.table.declaration.each?.list != nil }.map(\.name)
    }

    /// Runs one cycle of `list` and returns how it went; a failure of the server is a report,
    /// only a failure of the cache is thrown. A list without a source is left as it is.
    ///
    /// When the caller's task is cancelled, requests in flight end, and what they may have done is
    /// in doubt.
    public func cycle(
        _ list: ListName, because cause: CycleCause
    ) async throws(StoreError) -> CycleReport {
        if let source = source(of: list) {
            return try await ListCycle(engine: self, source: source, cause: cause).run()
        }
        return try await idleReport(of: list)
    }

    /// When the next cycle of `list` is due, as the last one left it: at once where nothing is
    /// known or it was in another boot, never later than one interval or the longest backoff.
    public func due(_ list: ListName) async throws(StoreError) -> BootTime {
        let memory = try await store.memory(of: list)
        let now = time.bootTime()
        guard let due = memory.due, due.boot == now.boot else { return now }
        let interval = source(of: list)?.interval ?? .zero
        // A backoff, or what a server asked for, can be longer than the interval.
        let latest = now.advanced(
            by: memory.failures == 0 ? interval : max(interval, .seconds(3600)))
        return due.milliseconds > latest.milliseconds ? latest : due
    }

    private func source(of list: ListName) -> ListSource? {
        sources.first { $0.name == list }
    }

    private func idleReport(of list: ListName) async throws(StoreError) -> CycleReport {
        let memory = try await store.memory(of: list)
        return CycleReport(
            list: list, memory: memory,
            due: time.bootTime().advanced(by: .seconds(7 * 86400)))
    }
}

extension Synchronizer {
    /// Holds the deletes of the list that a program may not have meant.
    func holdDeletes(of source: ListSource) async throws(StoreError) {
        try await store.holdDeletes(of: source.table, now: time.wallTime())
    }

    /// The next moment after a success.
    func nextDue(after interval: Duration) -> BootTime {
        time.bootTime().advanced(by: Spacing(of: interval).wait(random: random))
    }

    /// When the second pull that can agree with a held one may come: neither sooner nor later, as
    /// long as that moment lies ahead. What was held in another boot was held when this one began.
    func nextDue(heldSince: BootTime, interval: Duration) -> BootTime {
        let now = time.bootTime()
        let since =
            heldSince.boot == now.boot ? heldSince : BootTime(boot: now.boot, milliseconds: 0)
        let second = since.advanced(by: interval)
        return second.milliseconds > now.milliseconds ? second : nextDue(after: interval)
    }

    /// The next moment after so many failures in a row, and the part of the wait for it that the
    /// server asked for, which can be much shorter than our own backoff.
    func wait(
        afterFailures failures: Int, serverAsks: Duration?
    ) -> (until: BootTime, askedUntil: BootTime?) {
        let now = time.bootTime()
        let delay = backoff.delay(
            afterFailures: failures, serverAsks: serverAsks, random: random)
        return (now.advanced(by: delay), serverAsks.map { now.advanced(by: $0) })
    }

    /// What the wall clock will show at `moment`, for people.
    func shown(_ moment: BootTime) -> WallTime {
        let wait = moment.milliseconds - time.bootTime().milliseconds
        return WallTime(milliseconds: time.wallTime().milliseconds + wait)
    }

    /// Writes the status row of a cycle, after the checkpoint that it may be time for: the first
    /// commit into an emptied WAL costs a sync, a second one does not. It also empties the file, so
    /// that its size is told after it.
    func conclude(
        _ report: inout CycleReport, began: BootTime, attemptedAt: WallTime, pull: PullFacts?,
        failures: Int, dueAskedUntil: BootTime?, refused: Set<OperationKind> = []
    ) async throws(StoreError) {
        try await store.checkpointIfDue()
        var record = CycleRecord(
            list: report.list, state: report.state, attemptedAt: attemptedAt,
            pull: pull, failures: failures, error: report.error, due: report.due,
            dueShown: shown(report.due), dueAskedUntil: dueAskedUntil,
            durationMilliseconds: time.bootTime().milliseconds - began.milliseconds)
        record.endedAt = time.bootTime()
        record.replay = report.replay
        record.halt = report.halt
        record.refusedKinds = refused
        try await store.record(record)
        report.walBytes = await store.walBytes()
    }
}
