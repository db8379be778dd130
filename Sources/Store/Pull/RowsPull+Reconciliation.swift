internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// The steps that bring the cache to a pull, in the order that keeps every promise. What each of them decides is a
/// rule of the room `Rules`.
extension RowsPull {
    /// Brings the cache to the pull of `pages`, unless `wipeGuard` holds it. What was sent may take effect for
    /// `settlingTime`, where an operation does not know for how long.
    mutating func reconcile(
        _ pages: [PageFacts], guardedBy wipeGuard: WipeGuard, settlingTime: Duration
    ) throws -> Reconciled {
        let paging = table.declaration.paging
        let began = wipeGuard.pullBegan
        let gap = isWhole ? ListGap.of(facts(), pages: pages, paging: paging) : nil
        reach =
            gap == nil && isWhole
            ? PageReach.of(
                pages, paging: paging, hasDoubledRow: hasDoubledRow, hasSkippedRow: false)
            : .partial
        if try remembers {
            try identifyNewRows(began: began)
            try passOverEchoes(began: began)
        }
        if let parts {
            try parts.noteLeaving(beside.gone)
            if let unknown = parts.sql.unknown {
                beside.unknown.formUnion(try connection.all(unknown) { $0.integer(0) })
            }
        }
        var reconciled = Reconciled(rows: rows, skipped: skipped, isComplete: isComplete)
        reconciled.isHeld = try hold.isHeld(by: wipeGuard)
        guard !reconciled.isHeld else { return reconciled }
        reconciled.notice = gap?.notice
        reconciled.hint = gap?.hint
        try followMoves()
        agrees = try hold.since() != nil
        try removeVanished(pullBegan: began)
        if agrees { try hold.forget() }
        let confirmation = Absence.confirmation(interval: wipeGuard.interval)
        let absence = Absence(
            pullBegan: began, isComplete: isComplete || parts != nil, confirmation: confirmation)
        reconciled.decided = try decide(by: absence, settlingTime: settlingTime)
        reconciled.decided += try decideNewRows(by: absence)
        try learnMarks()
        try endWitnessed(began: began)
        let edits = UpdateResolution(table.declaration.conflict)
        let rule = { (row: EditedRow, read: ReadRow) in
            // A read beside the list can be younger than it: what is remembered stays for the next list.
            edits.decide(
                row, shownAfter: read.shownAfter ?? began,
                listed: read.shownAfter == nil ? nil : began, settlingTime: settlingTime)
        }
        reconciled.decided += try learnEdited(by: rule)
        try addRows()
        reconciled.decided += try learnReturned(by: rule)
        if isWhole {
            try noteSkipped()
            try placeRows()
        }
        try withdrawConflicts()
        try forgetDeparted(pullBegan: began, confirmation: confirmation)
        return reconciled
    }

    private func decide(by absence: Absence, settlingTime: Duration) throws -> Int {
        let operations = try openOperations()
        guard !operations.isEmpty else { return 0 }
        let resolution = DoubtResolution(
            absence: absence, settlingTime: settlingTime,
            adoption: Adoption(
                table.declaration, marks: try marks.known(), titleCut: try titleCut()),
            pagesBeforeCreates: pagesBeforeCreates)
        let hasCreates = operations.contains { $0.kind == .create }
        let unowned = hasCreates ? try unownedRows() : []
        let decisions = resolution.decide(operations, unowned: unowned)
        try learnMarks(decisions, unowned, by: resolution.adoption)
        var decided = 0
        for (operation, decision) in decisions
        where try maySay(decision, of: operation)
            && carryOut(decision, operation, pullBegan: absence.pullBegan)
        {
            decided += 1
        }
        if isWhole { try countOpenPulls() }
        return decided
    }

    /// A row that its part lacks can have moved to another one: it is not absent before those were read, too.
    private func maySay(
        _ decision: DoubtResolution.Decision, of operation: OpenOperation
    ) throws -> Bool {
        // Where the server has said that it deleted the row, its part is the second witness.
        guard let parts, operation.kind != .create, !operation.isRowShown,
            operation.answeredAt == nil
        else { return true }
        switch decision {
        case .adopt, .miss, .shown, .wait: return true
        case .requeue, .reject, .gone, .notTaken: return try parts.leaves(operation.row)
        }
    }

    /// Returns whether the operation is decided.
    private func carryOut(
        _ decision: DoubtResolution.Decision, _ operation: OpenOperation, pullBegan: BootTime
    ) throws -> Bool {
        switch decision {
        case .adopt(let serverID): try adopt(serverID, for: operation, shownAfter: pullBegan)
        case .requeue: try requeue(operation)
        case .reject: try reject(operation)
        case .gone: try end(operation)
        case .notTaken: try refute(operation)
        case .miss:
            try note(operation, missedSince: pullBegan)
            return false
        case .shown:
            try note(operation, missedSince: nil)
            return false
        case .wait: return false
        }
        return true
    }
}
