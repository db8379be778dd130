internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Tables

/// One cycle of a list: pull, and where programs write to it, reconcile and replay.
struct ListCycle {
    let engine: Synchronizer
    let source: ListSource
    let cause: CycleCause

    var name: ListName { source.name }

    /// A trigger, an index or a foreign key that another program has put on the table can refuse what a list, a
    /// read or an answer shows, and rows can keep the cache at work without end. Then this list stops, and says so; no
    /// other one does.
    func run() async throws(StoreError) -> CycleReport {
        var report = try await cycle()
        if source.writing != nil {
            report.changes = try await engine.store.waitingChanges(of: name)
        }
        report.heldDeletes = try await engine.store.heldDeletes().first {
            $0.list == name.text
        }
        return report
    }

    private func cycle() async throws(StoreError) -> CycleReport {
        let (began, attemptedAt) = (engine.time.bootTime(), engine.time.wallTime())
        do throws(StoreError) {
            return try await attempt()
        } catch {
            let failure: CycleFailure
            if case .longWork = error {
                failure = CycleFailure(longWork: error)
            } else if error.isOfOthers {
                let rules = try await engine.store.rulesOfOthers(on: source.table)
                failure = CycleFailure(unpublished: error, of: name, rules: rules)
            } else {
                throw error
            }
            let memory = try await engine.store.memory(of: name)
            var report = CycleReport(list: name, memory: memory, due: memory.due ?? began)
            return try await fail(
                &report, failure, memory: memory, began: began, attemptedAt: attemptedAt)
        }
    }

    private func attempt() async throws(StoreError) -> CycleReport {
        let began = engine.time.bootTime()
        let attemptedAt = engine.time.wallTime()
        let before = try await engine.store.memory(of: name)
        var report = CycleReport(list: name, memory: before, due: before.due ?? began)
        if let refusal = try await recognise(in: &report) {
            return try await fail(
                &report, refusal, memory: before, began: began, attemptedAt: attemptedAt)
        }
        let opening = try await open(now: began)
        guard try await mayBegin(opening.memory, at: began), !engine.stop.isStopping else {
            return report
        }

        var facts: PullFacts?
        var listedAt: BootTime?
        if try await !maySkipPull(opening, now: began) {
            let outcome: PullOutcome
            do {
                if let read = try await readRows(opening, in: &report) {
                    outcome = read
                } else {
                    outcome = try await pullList(opening, into: &report)
                }
            } catch .changedTable {
                // The configuration was read again: the cycles of the new one go on.
                return report
            }
            switch outcome {
            case .taken(let taken, let came): (facts, listedAt) = (taken, came)
            case .read(let decided, let began): (report.decided, listedAt) = (decided, began)
            case .held: break
            case .failed(let error):
                return try await fail(
                    &report, error, memory: opening.memory, began: began, attemptedAt: attemptedAt)
            }
        }
        guard let writing = source.writing else {
            report.due =
                report.state == .held
                ? engine.nextDue(
                    heldSince: opening.memory.heldSince ?? began, interval: source.interval)
                : engine.nextDue(after: source.interval)
            try await engine.conclude(
                &report, began: began, attemptedAt: attemptedAt, pull: facts, failures: 0,
                dueAskedUntil: nil)
            return report
        }
        var replayBegan = engine.time.bootTime()
        var outcome = ReplayOutcome()
        if report.state != .held, opening.memory.pause(for: cause, at: replayBegan) == nil {
            (outcome, replayBegan) = try await replay(
                writing, as: report.identity, listedAt: listedAt, memory: opening.memory)
        }
        report.replay.add(outcome.counts)
        report.decided += outcome.decided
        if let failure = outcome.readFailure {
            return try await fail(
                &report, failure, memory: opening.memory, began: began, attemptedAt: attemptedAt,
                pull: facts)
        }
        let refused = refusedKinds(opening.memory, at: began)
        if let halt = outcome.halt ?? outcome.closing {
            return try await stop(
                &report, halt, memory: opening.memory, began: began, attemptedAt: attemptedAt,
                pull: facts, refused: outcome.halt == nil ? refused.union(outcome.closed.keys) : [])
        }
        guard refused.isEmpty else {
            return try await goOn(
                &report, memory: opening.memory, began: began, attemptedAt: attemptedAt,
                pull: facts)
        }
        try await forgetHalt(after: outcome, in: &report)
        if report.state != .held { try await readColumns() }
        let memory = try await engine.store.memory(of: name)
        facts?.gap = pullGap(after: memory.pullGap, report)
        report.due = try await nextDue(
            writing, memory, facts, pullBegan: facts?.began ?? memory.pulledAt ?? began,
            replayBegan: replayBegan, outcome: outcome)
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: facts, failures: 0,
            dueAskedUntil: nil)
        return report
    }

    /// What stands when the cycle begins.
    private func open(now: BootTime) async throws(StoreError) -> CycleOpening {
        guard let writing = source.writing else {
            return CycleOpening(reading: try await engine.store.memory(of: name))
        }
        // By the rows that a program saw: a pull can bring others.
        try await engine.holdDeletes(of: source)
        let opening = try await engine.store.openCycle(of: source.table, now: now)
        // Before another account's list is pulled, or our changes go there.
        try await engine.store.bind(name, to: writing.account)
        return opening
    }

    /// Sends the queue, and repeats while it makes progress and new changes arrive, so that changes that trickle in
    /// share one list. Ends when the list would be too old for a delete. Returns when the last replay began, too.
    private func replay(
        _ writing: ListSource.Writing, as identity: ListIdentity?, listedAt: BootTime?,
        memory: SyncMemory
    ) async throws(StoreError) -> (ReplayOutcome, BootTime) {
        let first = engine.time.bootTime()
        var listed = listedAt.map { usableMoment(ofListAt: $0, now: first) }
        var began = first
        var total = ReplayOutcome()
        var seen: Set<Int64> = []
        while true {
            var hasMore = false
            if listed != nil, let call = wholeRowCall {
                switch try await readWholeRows(call, isFirst: began == first) {
                case nil: break
                case .read(let moment, let decided, let rows):
                    listed = moment
                    total.decided += decided
                    hasMore = rows.count == RowReader.most && !rows.isSubset(of: seen)
                    seen.formUnion(rows)
                case .failed(let failure):
                    total.readFailure = failure
                    return (total, began)
                }
            }
            let outcome = try await Replay(
                engine: engine, source: source, writing: writing, identity: identity,
                permission: permission(listedAt: listed, now: began, memory)
            ).run()
            total.add(outcome)
            let now = engine.time.bootTime()
            guard outcome.mayGoOn || hasMore && !outcome.hasStopped,
                try await engine.store.hasSendable(of: name, at: now)
            else {
                return (total, began)
            }
            guard !engine.stop.isStopping, !Task.isCancelled,
                now.elapsed(since: first) < ReplayPlan.listLifetime
            else {
                total.isCutShort = true
                return (total, began)
            }
            began = now
        }
    }

    /// A local write makes a list needed only for a delete, and not sooner than the gap allows: creates
    /// need none. Doubt waits for its own moments.
    private func maySkipPull(
        _ opening: CycleOpening, now: BootTime
    ) async throws(StoreError) -> Bool {
        guard cause == .localWrite, isListFresh(opening, now: now) else { return false }
        // What was written is a row above this list.
        guard try await !engine.store.hasDuePart(source.table) else { return false }
        guard opening.needsList, let pulledAt = opening.memory.pulledAt else { return true }
        // One row is read at once.
        return source.table.declaration.read == nil
            && now.elapsed(since: pulledAt) < gap(opening.memory.pullGap)
    }

    /// The last list is not older than the interval, and nothing was wrong with it.
    func isListFresh(_ opening: CycleOpening, now: BootTime) -> Bool {
        guard opening.memory.state == .ok, opening.memory.heldSince == nil,
            let pulledAt = opening.memory.pulledAt,
            // How long ago something was in another boot, nobody knows.
            pulledAt.boot == now.boot
        else { return false }
        return now.elapsed(since: pulledAt) < source.interval
    }

    /// How far a pull that a local write causes is from the one before.
    private func gap(_ remembered: Duration?) -> Duration {
        min(max(remembered ?? .zero, Self.shortestGap), source.interval)
    }

    private static let shortestGap = Duration.seconds(1)

    /// The gap grows while such pulls change nothing: then the operations wait for something else.
    /// Nil leaves it as it is.
    private func pullGap(after remembered: Duration?, _ report: CycleReport) -> Duration? {
        if report.replay.hasProgress || report.decided > 0 { return Self.shortestGap }
        return cause == .localWrite ? min(gap(remembered) * 2, source.interval) : nil
    }

    /// The list is as old as the time since its oldest page came. Reading a long one and taking it in can take
    /// longer than a delete may wait. Then deletes get a second of the first replay all the same, and their
    /// turn at the server's pace, even if it refuses them once: else such a list would keep them for ever.
    private func usableMoment(ofListAt came: BootTime, now: BootTime) -> BootTime {
        let granted = Duration.seconds(1) + source.lanes.pace.wait * 3
        let oldest = now.advanced(by: granted - ReplayPlan.listLifetime)
        return came.milliseconds < oldest.milliseconds ? oldest : came
    }

    func permission(
        listedAt: BootTime?, now: BootTime, _ memory: SyncMemory
    ) -> ReplayPlan.Permission {
        var permission = ReplayPlan.Permission(
            now: now, listedAt: listedAt, ignoresBackoff: cause.isAsked,
            repeatsUnderKey: source.table.declaration.honoursKeys)
        permission.closed = refusedKinds(memory, at: now)
        return permission
    }

    /// One interval later, or earlier where an operation waits for less: for its own moment, for
    /// the time when doubt can be decided, or, where the replay was cut short, for nothing but its turn.
    /// What became possible while the cycle was under way makes the next one due at once.
    private func nextDue(
        _ writing: ListSource.Writing, _ memory: SyncMemory, _ facts: PullFacts?,
        pullBegan: BootTime, replayBegan: BootTime,
        outcome: ReplayOutcome
    ) async throws(StoreError) -> BootTime {
        var due = engine.nextDue(after: source.interval)
        let now = engine.time.bootTime()
        if let held = memory.heldSince {
            // Nothing is replayed until then.
            return engine.nextDue(heldSince: held, interval: source.interval)
        }
        // In a pause nothing goes: what could have gone since the replay began waits for its end.
        let waits = try await engine.store.queueWaits(
            of: name, pullBegan: pullBegan, replayBegan: outcome.isPaused ? now : replayBegan,
            now: now,
            settlingTime: writing.settlingTime,
            confirmation: Absence.confirmation(interval: source.interval))
        if let wait = waits.next { due = due.milliseconds < wait.milliseconds ? due : wait }
        // What is queued from now on is a local write like any other: it needs no list.
        if outcome.isCutShort { due = now }
        if outcome.needsList, !outcome.isPaused, let pulledAt = facts?.began ?? memory.pulledAt {
            let next = pulledAt.advanced(by: gap(facts?.gap ?? memory.pullGap))
            due = due.milliseconds < next.milliseconds ? due : next
        }
        // Ignore expired pauses. Otherwise operations that wait behind the same title would make
        // every cycle due at once.
        if let pause = memory.pause, pause.isAhead(of: replayBegan), waits.hasSendable {
            due = due.milliseconds < pause.milliseconds ? due : pause
        }
        return due.milliseconds < now.milliseconds ? now : due
    }
}
