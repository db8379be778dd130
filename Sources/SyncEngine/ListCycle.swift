internal import APIClient
internal import Declarations
internal import Host
internal import Store
internal import Tables

/// One cycle of a list that is only read: every page, staged aside, published by one commit.
struct ListCycle {
    let engine: Synchronizer
    let source: ListSource
    let cause: CycleCause

    private var name: ResourceName { source.name }

    func run() async throws(StoreError) -> CycleReport {
        let began = engine.time.bootTime()
        let attemptedAt = engine.time.wallTime()
        let memory = try await engine.store.memory(of: name)
        var report = CycleReport(resource: name, memory: memory, due: memory.due ?? began)
        if cause.isAsked, memory.dueAskedUntil?.isAhead(of: began) == true { return report }
        let outcome: PullOutcome
        do {
            outcome = try await pull(memory: memory, began: began, into: &report)
        } catch .changedTable {
            // The configuration was read again: the cycles of the new one go on.
            return report
        }
        let failures: Int
        var facts: PullFacts?
        var askedUntil: BootTime?
        switch outcome {
        case .taken(let taken, _):
            facts = taken
            failures = 0
            report.due = engine.nextDue(after: source.interval)
        case .held:
            failures = 0
            report.due = engine.nextDue(
                heldSince: memory.heldSince ?? began, interval: source.interval)
        case .failed(let failure):
            guard !failure.isOurs else { return report }
            failures = memory.failures + 1
            report.note(failure)
            let wait = engine.wait(afterFailures: failures, serverAsks: failure.serverAsks)
            (report.due, askedUntil) = (wait.until, wait.askedUntil)
        }
        try await engine.conclude(
            &report, began: began, attemptedAt: attemptedAt, pull: facts, failures: failures,
            dueAskedUntil: askedUntil)
        return report
    }

    private func pull(
        memory: SyncMemory, began: BootTime, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        engine.tell(.pulling(name))
        try await engine.store.beginPull(of: source.table)
        let pages: [PublishedPage]
        switch try await PageReader(engine: engine, source: source).run() {
        case .success(let read): pages = read
        case .failure(let failure): return .failed(failure)
        }
        let reach = PageReach.of(
            pages, paging: source.table.declaration.paging,
            hasDoubledRow: try await engine.store.hasDoubledRows(of: source.table))
        let wipeGuard = WipeGuard(
            pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals)
        let rows: Int64?
        do throws(StoreError) {
            rows = try await engine.store.publish(
                pages, of: source.table, reach: reach, now: engine.time.wallTime()
            ) { try wipeGuard.isHeld($0.hold) }
        } catch {
            // A trigger, an index or a foreign key that another program has put on the table.
            switch error {
            case .refused, .constraint, .foreignKey, .statement:
                return .failed(CycleFailure(unpublished: error, of: name))
            default: throw error
            }
        }
        report.skipped = Self.skippedRows(of: pages)
        guard let rows else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.rows = rows
        return .taken(
            PullFacts(began: began, rows: rows, complete: reach == .complete || reach == .untold),
            at: engine.time.bootTime())
    }

    private static func skippedRows(of pages: [PublishedPage]) -> SkippedRows {
        let named = pages.lazy.flatMap { page in
            page.facts.skipped.named.map {
                SkippedRow(place: "page \(page.number), \($0.place)", problem: $0.problem)
            }
        }
        return SkippedRows(
            count: pages.reduce(0) { $0 + $1.facts.skipped.count },
            named: Array(named.prefix(SkippedRows.namedAtMost)))
    }
}
