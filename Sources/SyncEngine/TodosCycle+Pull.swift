internal import APIClient
internal import Declarations
internal import Host
internal import Store

/// What a pull came to.
enum PullOutcome {
    /// It came at that moment, and was taken.
    case taken(PullFacts, at: BootTime)
    /// It would remove too many rows. Nothing of it was taken, and no replay follows.
    case held
    case failed(CycleFailure)
}

extension TodosCycle {
    /// Reads the list and reconciles the cache with it.
    func pull(
        _ opening: CycleOpening, at pace: inout Pace, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        // An "unchanged" answer decides no doubt and shows no row to delete.
        let maySayUnchanged = opening.isQueueSettled && opening.memory.heldSince == nil
        let validators = maySayUnchanged ? opening.validators : nil
        let began = engine.time.bootTime()
        engine.tell(.pulling(.todos))
        let answer: PullAnswer
        do {
            answer = try await engine.read(at: &pace) { () async throws(APIError) in
                try await source.session.pullTodos(validators: validators.map(Validators.init))
            }
        } catch {
            return .failed(CycleFailure(pull: error))
        }
        let came = engine.time.bootTime()
        switch answer {
        case .notModified:
            try await engine.store.confirmTodos()
            report.noteTaken()
            return .taken(PullFacts(began: began, rows: nil, complete: nil), at: came)
        case .body(let body, let validators, let extent):
            if maySayUnchanged,
                let rows = try await engine.store.confirmTodos(
                    body: body, url: source.url, validators: StoredValidators(validators))
            {
                report.rows = rows
                report.noteTaken()
                return .taken(PullFacts(began: began, rows: rows, complete: true), at: came)
            }
            return try await reconcile(
                body, validators, extent, began: began, came: came, into: &report)
        }
    }

    private func reconcile(
        _ body: [UInt8], _ validators: Validators, _ extent: ListExtent, began: BootTime,
        came: BootTime, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let reconciliation = TodosReconciliation(
            wipeGuard: WipeGuard(
                pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals),
            extent: extent, settlingTime: source.settlingTime)
        let reconciled: Reconciled
        do {
            reconciled = try await engine.store.reconcileTodos(
                body: body, url: source.url, validators: StoredValidators(validators),
                now: engine.time.wallTime()
            ) { try reconciliation.run($0) }
        } catch {
            guard case .unusableBody(let text) = error else { throw error }
            return .failed(CycleFailure(unusable: text, without: source.session.client.secrets))
        }
        report.rows = reconciled.rows
        report.skipped = reconciled.skipped
        guard !reconciled.isHeld else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        report.decided = reconciled.decided
        (report.error, report.hint) = (reconciled.notice, reconciled.hint)
        return .taken(
            PullFacts(began: began, rows: reconciled.rows, complete: reconciled.isComplete),
            at: came)
    }
}

/// The steps that bring the cache to a pull, in the order that keeps every promise.
struct TodosReconciliation {
    let wipeGuard: WipeGuard
    let extent: ListExtent
    let settlingTime: Duration

    func run(_ staged: TodosPull) throws -> Reconciled {
        var pull = staged
        let facts = try pull.facts()
        let gap = ListGap.of(
            facts, extent: extent, cutRows: try pull.cutRows(), isAccepted: wipeGuard.isAccepted)
        pull.isComplete = gap == nil
        var reconciled = Reconciled(
            rows: pull.rows, skipped: pull.skipped, isComplete: pull.isComplete)
        reconciled.isHeld = try wipeGuard.isHeld(pull.hold)
        guard !reconciled.isHeld else {
            if gap == nil { try pull.noteHeld() }
            return reconciled
        }
        (reconciled.notice, reconciled.hint) = (gap?.notice, gap?.hint)
        try pull.removeVanished(pullBegan: wipeGuard.pullBegan)
        reconciled.decided = try decide(pull)
        try pull.addRows()
        try pull.noteShown(cutRows: gap?.cutRows)
        try pull.forgetDeparted(pullBegan: wipeGuard.pullBegan, confirmation: confirmation)
        return reconciled
    }

    private var confirmation: Duration { Absence.confirmation(interval: wipeGuard.interval) }

    private func decide(_ pull: TodosPull) throws -> Int {
        let operations = try pull.openOperations()
        guard !operations.isEmpty else { return 0 }
        let resolution = DoubtResolution(
            absence: Absence(
                pullBegan: wipeGuard.pullBegan, isComplete: pull.isComplete,
                confirmation: confirmation),
            settlingTime: settlingTime, titleCut: try pull.titleCut())
        let hasCreates = operations.contains { $0.kind == .create }
        let decisions = resolution.decide(
            operations, unowned: hasCreates ? try pull.unownedRows() : [])
        var decided = 0
        for (operation, decision) in decisions where try carryOut(decision, operation, pull) {
            decided += 1
        }
        try pull.countOpenPulls()
        return decided
    }

    /// Returns whether the operation is decided.
    private func carryOut(
        _ decision: DoubtResolution.Decision, _ operation: OpenOperation, _ pull: TodosPull
    ) throws -> Bool {
        switch decision {
        case .adopt(let serverID): try pull.adopt(serverID, for: operation)
        case .requeue: try pull.requeue(operation)
        case .reject: try pull.reject(operation)
        case .gone: try pull.end(operation)
        case .miss:
            try pull.note(operation, missedSince: wipeGuard.pullBegan)
            return false
        case .shown:
            try pull.note(operation, missedSince: nil)
            return false
        case .wait: return false
        }
        return true
    }
}

extension Validators {
    init(_ stored: StoredValidators) {
        self.init(entityTag: stored.entityTag, lastModified: stored.lastModified)
    }
}

extension StoredValidators {
    init(_ validators: Validators) {
        self.init(entityTag: validators.entityTag, lastModified: validators.lastModified)
    }
}
