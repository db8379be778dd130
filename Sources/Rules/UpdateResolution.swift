package import Declarations
package import Host

/// What becomes of the edits of a row when the server shows it: by a pull, or in the answer to an update.
///
/// Laws: what is on its way keeps its base, and is decided by a settled pull only, each column by itself. What may
/// have arrived is never sent over another's value. Where an edit and another's change meet, both values are on
/// record.
package struct UpdateResolution: Sendable, Hashable {
    /// Who wins where an edit that was not sent meets another's change.
    package let rule: ConflictRule

    /// The rules of a list.
    package init(_ rule: ConflictRule = .theirs) { self.rule = rule }

    /// A pull that began at `began`, or a read, shows the row. What was sent may take effect for `settlingTime`,
    /// where it is not known for how long it may.
    package func decide(
        _ row: EditedRow, shownAfter began: BootTime, settlingTime: Duration
    ) -> EditOutcome {
        guard let update = row.update, let sentAt = update.sentAt else {
            return decide(row, isSettled: true)
        }
        return decide(
            row, isSettled: began.elapsed(since: sentAt) >= update.settlingTime ?? settlingTime)
    }

    /// A pull shows the row. Where it `isSettled`, it began when nothing that was sent could arrive any more.
    package func decide(_ row: EditedRow, isSettled: Bool) -> EditOutcome {
        var outcome = EditOutcome()
        guard row.delete != .inDoubt, row.delete != .sending else {
            // The row can be gone: what changes of it is looked at when that is known.
            outcome.isFrozen = true
            return outcome
        }
        let isDecided = isSettled && row.update?.state == .inDoubt
        if isDecided { outcome.update = .ends }
        for field in row.fields {
            if let sent = field.sent {
                outcome.fields[field.name] =
                    isDecided ? decide(sent, of: field, in: row, &outcome) : .frozen
            } else {
                outcome.fields[field.name] = learn(field, of: row, &outcome)
            }
        }
        if isDecided, let update = row.update, isRefusedAgain(update, outcome) {
            outcome.update = .isRejected
        }
        return outcome
    }

    /// The answer to the row's update shows the row. A server may alter what it takes.
    package func acknowledge(_ row: EditedRow) -> EditOutcome {
        var outcome = EditOutcome()
        outcome.update = .ends
        for field in row.fields {
            guard let sent = field.sent else {
                outcome.fields[field.name] = learn(field, of: row, &outcome)
                continue
            }
            if field.shown.isSame(as: field.base), !field.shown.isSame(as: sent) {
                outcome.conflicts.append(EditConflict(field.name, .notTaken, .sent))
            }
            outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
        }
        return outcome
    }

    /// Of a column without an undecided update.
    private func learn(
        _ field: EditedField, of row: EditedRow, _ outcome: inout EditOutcome
    ) -> FieldOutcome {
        guard !field.shown.isSame(as: field.base) else {
            return field.waiting == nil ? .taken : .overlaid
        }
        giveWay(to: field, in: row, &outcome)
        return meet(field, &outcome) ?? .taken
    }

    /// Another's change meets an edit that waits; nil where none does.
    private func meet(_ field: EditedField, _ outcome: inout EditOutcome) -> FieldOutcome? {
        guard let waiting = field.waiting else { return nil }
        if field.shown.isSame(as: waiting) { return .taken }
        switch rule {
        case .theirs:
            outcome.conflicts.append(EditConflict(field.name, .edited, .waiting))
            return .taken
        case .mine:
            outcome.conflicts.append(EditConflict(field.name, .overwritten, .waiting))
            return .overlaid
        }
    }

    /// Of a column whose update was sent, and whose answer was lost.
    private func decide(
        _ sent: FieldValue, of field: EditedField, in row: EditedRow, _ outcome: inout EditOutcome
    ) -> FieldOutcome {
        if field.shown.isSame(as: sent) { return field.waiting == nil ? .taken : .overlaid }
        if field.shown.isSame(as: field.base) {
            return field.waiting == nil ? .waitsAgain : .overlaid
        }
        giveWay(to: field, in: row, &outcome)
        if let met = meet(field, &outcome) { return met }
        // Ours may have been there before: whatever the rule, it is never sent again.
        outcome.conflicts.append(EditConflict(field.name, .doubt, .sent))
        return .taken
    }

    /// A delete gives way to a change that came after it was asked for.
    private func giveWay(to field: EditedField, in row: EditedRow, _ outcome: inout EditOutcome) {
        guard row.delete != nil, rule == .theirs, !outcome.dropsDelete else { return }
        outcome.dropsDelete = true
        outcome.conflicts.append(EditConflict(field.name, .delete, .none))
    }

    private func isRefusedAgain(_ update: EditedRow.Update, _ outcome: EditOutcome) -> Bool {
        update.wasRefused && update.refuted + 1 >= DoubtResolution.refusalsAtMost
            && outcome.fields.values.contains(.waitsAgain)
    }
}

extension FieldValue {
    /// Equal but for what servers alter on the way.
    fileprivate func isSame(as other: FieldValue) -> Bool {
        switch (text, other.text) {
        case (nil, nil): true
        case (let one?, let other?): one == other || FoldedTitle(one) == FoldedTitle(other)
        case (nil, _?), (_?, nil): false
        }
    }
}

extension EditedRow.Update {
    /// It was answered, in a way that does not say for certain whether it was applied.
    fileprivate var wasRefused: Bool {
        lastStatus.map { (200..<500).contains($0) && $0 != 408 } ?? false
    }
}
