internal import APIClient
internal import Host
internal import Store

/// One cycle of the todos: pull, reconcile, replay.
struct TodosCycle {
    let engine: Synchronizer
    let source: TodosSource
    let cause: CycleCause

    func run() async throws(StoreError) -> CycleReport {
        let began = engine.time.bootTime()
        let attemptedAt = engine.time.wallTime()
        let opening = try await engine.store.openTodosCycle(url: source.url)
        // Before another account's list is pulled, or our changes go there.
        try await engine.store.bind(to: source.account)
        var report = CycleReport(
            resource: .todos, memory: opening.memory, due: opening.memory.due ?? began)
        guard !mustWait(opening.memory, now: began), !engine.stop.isStopping else { return report }

        var facts: PullFacts?
        if !maySkipPull(opening, now: began) {
            switch try await pull(opening, into: &report) {
            case .taken(let taken): facts = taken
            case .held: break
            case .failed(let error):
                return try await fail(
                    &report, error, memory: opening.memory, began: began, attemptedAt: attemptedAt)
            }
        }
        let replayBegan = engine.time.bootTime()
        var outcome = ReplayOutcome()
        if report.state != .held, !isPaused(opening.memory, now: replayBegan) {
            outcome = try await Replay(
                engine: engine, source: source,
                permission: permission(hasPulled: facts != nil, now: replayBegan)
            ).run()
        }
        report.replay = outcome.counts
        if let halt = outcome.halt {
            return try await fail(
                &report, halt, memory: opening.memory, began: began, attemptedAt: attemptedAt,
                pull: facts)
        }
        let memory = try await engine.store.memory(of: .todos)
        report.due = try await nextDue(
            memory, pullBegan: facts?.began ?? began, replayBegan: replayBegan, outcome: outcome)
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: facts, failures: 0,
            dueAskedUntil: nil)
        return report
    }

    /// A failure ends the cycle; the queue stays as it is, and the next one comes after backoff.
    private func fail(
        _ report: inout CycleReport, _ failure: CycleFailure, memory: SyncMemory, began: BootTime,
        attemptedAt: WallTime, pull: PullFacts? = nil
    ) async throws(StoreError) -> CycleReport {
        // A request that we ended ourselves says nothing about the server.
        guard !failure.isOurs else { return report }
        let failures = memory.failures + 1
        report.note(failure)
        let wait = engine.wait(afterFailures: failures, serverAsks: failure.serverAsks)
        report.due = wait.until
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: pull, failures: failures,
            dueAskedUntil: wait.askedUntil)
        return report
    }

    /// A local write does not break into a backoff, nor a person into a wait the server asked for.
    private func mustWait(_ memory: SyncMemory, now: BootTime) -> Bool {
        guard let due = memory.due, now.elapsed(since: due) < .zero else { return false }
        switch cause {
        case .scheduled: return false
        case .localWrite: return memory.failures > 0
        case .asked: return memory.dueAskedUntil?.isAhead(of: now) == true
        }
    }

    private func isPaused(_ memory: SyncMemory, now: BootTime) -> Bool {
        let until = cause.isAsked ? memory.pauseAskedUntil : memory.pause
        return until?.isAhead(of: now) == true
    }

    /// A large list is not fetched again for each added todo: creates need no list.
    private func maySkipPull(_ opening: CycleOpening, now: BootTime) -> Bool {
        guard cause == .localWrite, opening.holdsOnlyNewCreates, opening.memory.state == .ok,
            opening.memory.heldSince == nil, let pulledAt = opening.memory.pulledAt,
            // How long ago something was in another boot, nobody knows.
            pulledAt.boot == now.boot
        else { return false }
        return now.elapsed(since: pulledAt) < min(.seconds(10), source.interval)
    }

    private func permission(hasPulled: Bool, now: BootTime) -> ReplayPlan.Permission {
        ReplayPlan.Permission(
            now: now, deletes: hasPulled, ignoresBackoff: cause.isAsked,
            repeatsUnderKey: source.honoursIdempotencyKeys)
    }

    /// One interval later, or earlier where an operation waits for less: for its own moment, for
    /// the time when doubt can be decided, or, after progress, for nothing but its turn. What became
    /// possible while the cycle was under way makes the next one due at once.
    private func nextDue(
        _ memory: SyncMemory, pullBegan: BootTime, replayBegan: BootTime, outcome: ReplayOutcome
    ) async throws(StoreError) -> BootTime {
        var due = engine.nextDue(after: source.interval)
        let now = engine.time.bootTime()
        if let held = memory.heldSince {
            // Nothing is replayed until then.
            return engine.nextDue(heldSince: held, interval: source.interval)
        }
        let waits = try await engine.store.queueWaits(
            pullBegan: pullBegan, replayBegan: replayBegan, now: now,
            settlingTime: source.settlingTime)
        if let wait = waits.next { due = due.milliseconds < wait.milliseconds ? due : wait }
        if waits.hasSendable, outcome.counts.hasProgress, !outcome.isPaused { due = now }
        // What is queued behind another one of its title would make a pause that is over due for ever.
        if let pause = memory.pause, pause.isAhead(of: replayBegan), waits.hasSendable {
            due = due.milliseconds < pause.milliseconds ? due : pause
        }
        return due.milliseconds < now.milliseconds ? now : due
    }
}
