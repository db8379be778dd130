internal import Host
internal import Store

/// How a cycle ends early.
extension ResourceCycle {
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

    /// No change can be sent. What was read stands.
    func stop(
        _ report: inout CycleReport, _ halt: CycleFailure, memory: SyncMemory, began: BootTime,
        attemptedAt: WallTime, pull: PullFacts?
    ) async throws(StoreError) -> CycleReport {
        guard !halt.isOurs else { return report }
        report.noteHalt(halt)
        return try await backOff(
            &report, halt, memory: memory, began: began, attemptedAt: attemptedAt, pull: pull)
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
        attemptedAt: WallTime, pull: PullFacts?
    ) async throws(StoreError) -> CycleReport {
        let failures = memory.failures + 1
        let wait = engine.wait(afterFailures: failures, serverAsks: failure.serverAsks)
        report.due = wait.until
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: pull, failures: failures,
            dueAskedUntil: wait.askedUntil)
        return report
    }
}
