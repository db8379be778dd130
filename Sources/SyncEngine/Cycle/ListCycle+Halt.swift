internal import Host
internal import Rules
internal import Store

/// How a cycle ends early.
extension ListCycle {
    /// A failure ends the cycle; the queue stays as it is, and the next one comes after backoff.
    func fail(
        _ report: inout CycleReport, _ failure: CycleFailure, memory: SyncMemory, began: BootTime,
        attemptedAt: WallTime, pull: PullFacts? = nil
    ) async throws(StoreError) -> CycleReport {
        // A request that we ended ourselves says nothing about the server.
        guard !failure.isOurs else { return report }
        report.note(failure)
        return try await backOff(
            &report, failure, memory: memory, began: began, attemptedAt: attemptedAt, pull: pull)
    }

    /// No change can be sent, or none of the kinds that are `refused`. What was read stands.
    func stop(
        _ report: inout CycleReport, _ halt: CycleFailure, memory: SyncMemory, began: BootTime,
        attemptedAt: WallTime, pull: PullFacts?, refused: Set<OperationKind>
    ) async throws(StoreError) -> CycleReport {
        guard !halt.isOurs else { return report }
        report.noteHalt(halt)
        return try await backOff(
            &report, halt, memory: memory, began: began, attemptedAt: attemptedAt, pull: pull,
            refused: refused)
    }

    /// Operations of other kinds went in the backoff of those that the server refuses: it stands, and so does what it
    /// is about.
    func goOn(
        _ report: inout CycleReport, memory: SyncMemory, began: BootTime, attemptedAt: WallTime,
        pull: PullFacts?
    ) async throws(StoreError) -> CycleReport {
        report.due = memory.due ?? engine.time.bootTime()
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: pull, failures: memory.failures,
            dueAskedUntil: memory.dueAskedUntil, refused: memory.refusedKinds)
        return report
    }

    /// Whether a cycle may begin. In the backoff of kinds that the server refuses, a local write begins one if
    /// operations of other kinds may go.
    func mayBegin(_ memory: SyncMemory, at now: BootTime) async throws(StoreError) -> Bool {
        guard memory.wait(for: cause, at: now) != nil else { return true }
        let refused = refusedKinds(memory, at: now)
        guard !refused.isEmpty else { return false }
        return try await engine.store.hasSendable(of: name, at: now, besides: refused)
    }

    /// The kinds of operations that the backoff is about, as long as it lasts.
    func refusedKinds(_ memory: SyncMemory, at now: BootTime) -> Set<OperationKind> {
        guard cause == .localWrite, memory.wait(for: cause, at: now) != nil else { return [] }
        return memory.refusedKinds
    }

    /// A halt stands until something was sent, or nothing waits: a good list says nothing of it.
    func forgetHalt(
        after outcome: ReplayOutcome, in report: inout CycleReport
    ) async throws(StoreError) {
        guard report.halt != nil else { return }
        if outcome.counts.sent == 0 {
            let changes = try await engine.store.waitingChanges(of: name)
            guard changes.waiting == 0 else { return }
        }
        report.halt = nil
    }

    private func backOff(
        _ report: inout CycleReport, _ failure: CycleFailure, memory: SyncMemory, began: BootTime,
        attemptedAt: WallTime, pull: PullFacts?, refused: Set<OperationKind> = []
    ) async throws(StoreError) -> CycleReport {
        let failures = memory.failures + 1
        let wait = engine.wait(afterFailures: failures, serverAsks: failure.serverAsks)
        report.due = wait.until
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: pull, failures: failures,
            dueAskedUntil: wait.askedUntil, refused: refused)
        return report
    }
}
