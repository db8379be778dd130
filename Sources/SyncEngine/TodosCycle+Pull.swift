internal import APIClient
internal import Host
internal import Store

/// What a pull came to.
enum PullOutcome {
    case taken(PullFacts)
    /// It would take too much away: nothing of it was taken, and nothing is replayed after it.
    case held
    case failed(CycleFailure)
}

extension TodosCycle {
    /// Reads the list and reconciles the cache with it.
    func pull(
        _ opening: CycleOpening, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        // An "unchanged" answer decides no doubt and shows no row to delete.
        let maySayUnchanged = opening.isQueueSettled && opening.memory.heldSince == nil
        let validators = maySayUnchanged ? opening.validators : nil
        let began = engine.time.bootTime()
        engine.tell(.pulling(.todos))
        let answer: PullAnswer
        do {
            answer = try await source.session.pullTodos(validators: validators.map(Validators.init))
        } catch {
            return .failed(CycleFailure(pull: error))
        }
        switch answer {
        case .notModified:
            try await engine.store.confirmTodos()
            report.noteTaken()
            return .taken(PullFacts(began: began, rows: nil, complete: nil))
        case .body(let body, let validators):
            if maySayUnchanged,
                let rows = try await engine.store.confirmTodos(
                    body: body, url: source.url, validators: StoredValidators(validators))
            {
                report.rows = rows
                report.noteTaken()
                return .taken(PullFacts(began: began, rows: rows, complete: true))
            }
            return try await reconcile(body, validators, began: began, into: &report)
        }
    }

    private func reconcile(
        _ body: [UInt8], _ validators: Validators, began: BootTime, into report: inout CycleReport
    ) async throws(StoreError) -> PullOutcome {
        let reconciliation = TodosReconciliation(
            wipeGuard: WipeGuard(
                pullBegan: began, interval: source.interval, isAccepted: cause.acceptsRemovals),
            settlingTime: source.settlingTime)
        let reconciled: Reconciled
        do {
            reconciled = try await engine.store.reconcileTodos(
                body: body, url: source.url, validators: StoredValidators(validators),
                now: engine.time.wallTime()
            ) { try reconciliation.run($0) }
        } catch {
            guard case .unusableBody(let text) = error else { throw error }
            return .failed(CycleFailure(unusable: text))
        }
        report.rows = reconciled.rows
        report.skipped = reconciled.skipped
        guard !reconciled.isHeld else {
            report.noteHeld()
            return .held
        }
        report.noteTaken()
        return .taken(
            PullFacts(
                began: began, rows: reconciled.rows, complete: reconciled.skipped.count == 0))
    }
}

/// The steps that bring the cache to a pull, in the order that keeps every promise.
struct TodosReconciliation {
    let wipeGuard: WipeGuard
    let settlingTime: Duration

    func run(_ pull: TodosPull) throws -> Reconciled {
        var reconciled = Reconciled(
            rows: pull.rows, skipped: pull.skipped, isHeld: false, decided: 0)
        reconciled.isHeld = try wipeGuard.isHeld(pull.hold)
        guard !reconciled.isHeld else { return reconciled }
        try pull.removeVanished(absentToo: pull.isComplete)
        reconciled.decided = try decideDoubt(pull)
        try pull.addRows()
        return reconciled
    }

    private func decideDoubt(_ pull: TodosPull) throws -> Int {
        let doubts = try pull.operationsInDoubt()
        guard !doubts.isEmpty else { return 0 }
        let resolution = DoubtResolution(
            pullBegan: wipeGuard.pullBegan, isComplete: pull.isComplete,
            settlingTime: settlingTime)
        var decided = 0
        for (operation, decision) in resolution.decide(doubts, unowned: try pull.unownedRows()) {
            switch decision {
            case .adopt(let serverID): try pull.adopt(serverID, for: operation)
            case .requeue: try pull.requeue(operation)
            case .wait: continue
            }
            decided += 1
        }
        return decided
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
