internal import APIClient
internal import Declarations
internal import Host
internal import Store

/// The steps that bring the cache to a pull, in the order that keeps every promise.
struct Reconciliation {
    let pages: [PublishedPage]
    let declaration: Declaration
    let wipeGuard: WipeGuard
    let settlingTime: Duration

    func run(_ staged: RowsPull) throws -> Reconciled {
        var pull = staged
        let facts = try pull.facts()
        let gap = ListGap.of(
            facts, extent: ListExtent(of: pages, declaration.paging), cutRows: try pull.cutRows(),
            isAccepted: wipeGuard.isAccepted)
        pull.reach =
            gap == nil
            ? PageReach.of(
                pages, paging: declaration.paging, hasDoubledRow: pull.hasDoubledRow,
                hasSkippedRow: false)
            : .partial
        var reconciled = Reconciled(
            rows: pull.rows, skipped: pull.skipped, isComplete: pull.isComplete)
        reconciled.isHeld = try wipeGuard.isHeld(pull.hold)
        guard !reconciled.isHeld else {
            if pull.isComplete { try pull.noteHeld() }
            return reconciled
        }
        reconciled.notice = gap?.notice
        reconciled.hint = gap?.hint(for: declaration.name.description)
        try pull.removeVanished(pullBegan: wipeGuard.pullBegan)
        reconciled.decided = try decide(pull)
        let edits = UpdateResolution(declaration.conflict)
        reconciled.decided += try pull.learnEdited { row in
            edits.decide(row, shownAfter: wipeGuard.pullBegan, settlingTime: settlingTime)
        }
        try pull.addRows()
        try pull.noteSkipped()
        try pull.noteShown(cutRows: gap?.cutRows)
        try pull.forgetDeparted(pullBegan: wipeGuard.pullBegan, confirmation: confirmation)
        return reconciled
    }

    private var confirmation: Duration { Absence.confirmation(interval: wipeGuard.interval) }

    private func decide(_ pull: RowsPull) throws -> Int {
        let operations = try pull.openOperations()
        guard !operations.isEmpty else { return 0 }
        let resolution = DoubtResolution(
            absence: Absence(
                pullBegan: wipeGuard.pullBegan, isComplete: pull.isComplete,
                confirmation: confirmation),
            settlingTime: settlingTime,
            adoption: Adoption(declaration, titleCut: try pull.titleCut()))
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
        _ decision: DoubtResolution.Decision, _ operation: OpenOperation, _ pull: RowsPull
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

extension ListExtent {
    /// What the answers tell of the whole list. A list that is read by the number of its pages may tell of more
    /// rows than it ever shows.
    fileprivate init(of pages: [PublishedPage], _ paging: Paging) {
        let total: Int64?
        if case .pages = paging { total = nil } else { total = pages.last?.facts.totalRows }
        self.init(
            total: total,
            next: paging == .none && pages.first?.facts.hasNextLink == true ? "" : nil)
    }
}
