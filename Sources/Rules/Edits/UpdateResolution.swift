package import Declarations
package import Host

/// What becomes of the edits of a row when the server shows it: by a pull, a read, or the answer to an update.
///
/// Laws: what is on its way keeps its base, and is decided by a settled pull only, each column by itself. What may
/// have arrived is never sent over another's value. What was acknowledged is remembered for a minute: until then, an
/// older value of our own is an echo, and changes nothing. The first pull after that decides. Where an edit and
/// another's change meet, or the server did not take what it acknowledged, both values are on record. Two values are
/// equal if they are the same JSON value; folding tells only a form of ours.
package struct UpdateResolution: Sendable, Hashable {
    /// Who wins where an edit that was not sent meets another's change.
    package let rule: ConflictRule

    /// The rules of a list.
    package init(_ rule: ConflictRule = .theirs) { self.rule = rule }

    /// A pull that began at `began`, or a read, shows the row. What was sent may take effect for `settlingTime`,
    /// where it is not known for how long it may. A read decides as a list does. But what is remembered stays for the
    /// lists, if the last of them, which began at `listed`, was too old to decide: the next one may be as old.
    package func decide(
        _ row: EditedRow, shownAfter began: BootTime, listed: BootTime? = nil,
        settlingTime: Duration
    ) -> EditOutcome {
        var outcome = EditOutcome()
        if row.isLeaving {
            // The row can be gone: what changes of it is looked at when that is known.
            outcome.isFrozen = true
            return outcome
        }
        let isDecided =
            row.update?.isSettled(at: began, settlingTime: settlingTime) == true
            && !row.fields.contains { $0.isEcho(at: began) }
        if isDecided { outcome.update = .ends }
        let isStale = row.fields.contains { $0.isStale(at: began) }
        for field in row.fields {
            if let sent = field.sent {
                if isDecided {
                    decide(sent, of: field, in: row, at: began, &outcome)
                } else {
                    outcome.keep(field, as: .frozen)
                }
            } else {
                let sight = Sight(
                    began: began, isEcho: field.isEcho(at: began),
                    isKept: listed.map { field.isEcho(at: $0) } ?? false, isStale: isStale)
                learn(field, of: row, by: sight, &outcome)
            }
        }
        // Another's new value beside an older one of ours: the version is the one that it was shown with.
        if row.fields.contains(where: { outcome.moves($0) }) { outcome.isEcho = false }
        if row.update?.state == .acknowledged,
            !outcome.trails.values.contains(where: { !$0.isShown })
        {
            outcome.update = .ends
        }
        outcome.isEarly =
            row.answeredAt.map { Witness.isEcho(began: began, answeredAt: $0) } ?? false
        if isDecided, let update = row.update, isRefusedAgain(update, outcome) {
            outcome.update = .isRejected
        }
        return outcome
    }

    /// The server has acknowledged the row's update at `moment`, and the answer shows the row, or a part of it. A
    /// server may alter what it takes: any value but an older one is its form of ours.
    package func acknowledge(_ row: EditedRow, at moment: BootTime) -> EditOutcome {
        var outcome = EditOutcome()
        outcome.update = .ends
        for field in row.fields {
            guard let sent = field.sent else {
                learn(field, of: row, by: Sight(isEcho: true), &outcome)
                if field.isShown, field.trail == nil, field.shown != field.base {
                    // A list that is older than the answer shows how it was.
                    outcome.trails[field.name] =
                        FieldTrail(
                            of: field.shown, after: nil, before: [field.base], answeredAt: moment
                        ).passed
                }
                continue
            }
            let trail = FieldTrail(
                of: sent, after: field.trail, before: [field.base], answeredAt: moment)
            answer(field, trail, witnessedAt: nil, &outcome)
        }
        // What an earlier answer did not show either is still waited for.
        if outcome.trails.values.contains(where: { !$0.isShown }) {
            outcome.update = .isAcknowledged
        }
        return outcome
    }

    /// The server has acknowledged the row's create at `moment`, and the answer or a list shows the row. A value that
    /// was not taken is null there, or empty. Where a list shows the row of a create that was sent more than once, or
    /// that the server refused, then it `mayBeEarlier`: what the last request said besides was not taken.
    package func bind(
        _ row: EditedRow, at moment: BootTime, byList isList: Bool, mayBeEarlier: Bool = false
    ) -> EditOutcome {
        var outcome = EditOutcome()
        for field in row.fields {
            guard let sent = field.sent else {
                outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
                continue
            }
            let empty = [FieldValue(nil)] + field.empty
            let trail = FieldTrail(
                of: sent, after: nil, before: empty, answeredAt: moment)
            guard isList, field.isShown, trail.meaning(of: field.shown) == .other else {
                answer(field, trail, witnessedAt: isList ? moment : nil, &outcome)
                continue
            }
            if mayBeEarlier, field.waiting == nil {
                outcome.conflicts.append(EditConflict(field.name, .notTaken, .sent))
            }
            // Another client may have changed it since.
            outcome.trails[field.name] = trail.givenUp
            outcome.fields[field.name] = meet(field, of: row, &outcome) ?? .taken
        }
        return outcome
    }

    /// What an answer says of a column that was sent, or the first witness of a new row.
    private func answer(
        _ field: EditedField, _ trail: FieldTrail, witnessedAt began: BootTime?,
        _ outcome: inout EditOutcome
    ) {
        guard field.isShown, trail.meaning(of: field.shown) != .older else {
            outcome.trails[field.name] = trail
            outcome.fields[field.name] = .acknowledged
            return
        }
        outcome.trails[field.name] = trail.taking(field.shown, witnessedAt: began)
        outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
    }

    /// What shows a column: a list, a read, or an answer.
    private struct Sight {
        /// When the list or the read began; nil: it is an answer, which only claims.
        var began: BootTime?
        /// It may show what was before the last answer.
        var isEcho: Bool
        /// What is remembered stays for the next list, which may be as old as the last.
        var isKept = false
        /// It began before the last answer: by its age it may be older than all that is remembered.
        var isStale = false
        /// It ends nothing that is remembered.
        var endsNothing: Bool { isEcho || isKept }
    }

    /// Of a column without an undecided update. What does not show it, or is stale, says nothing.
    private func learn(
        _ field: EditedField, of row: EditedRow, by sight: Sight, _ outcome: inout EditOutcome
    ) {
        guard field.isShown else { return outcome.keep(field, as: .frozen) }
        if sight.isStale {
            outcome.keep(field, as: .frozen)
            outcome.isEcho = true
            return
        }
        let meaning = field.trail?.meaning(of: field.shown) ?? .other
        guard let trail = field.trail else {
            outcome.fields[field.name] = moved(field, of: row, &outcome)
            return
        }
        switch meaning {
        case .own where sight.isEcho && !trail.isShown && trail.isOfBefore,
            .older where sight.isEcho:
            outcome.keep(field, as: .frozen)
            outcome.isEcho = true
        case .own:
            if sight.endsNothing {
                outcome.trails[field.name] = trail.taking(field.shown, witnessedAt: sight.began)
            }
            outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
        case .older where !trail.isRefused:
            if sight.isKept { outcome.trails[field.name] = trail.givenUp }
            if trail.own == nil || trail.isWitnessed {
                outcome.fields[field.name] = moved(field, of: row, &outcome)
                return
            }
            if field.waiting == nil {
                outcome.conflicts.append(EditConflict(field.name, .notTaken, .acknowledged))
            }
            outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
        case .refused, .older:
            if sight.endsNothing { outcome.trails[field.name] = trail }
            if field.waiting == nil, field.shown != field.base {
                // It was taken back since, for what was there before.
                outcome.conflicts.append(EditConflict(field.name, .notTaken, .known))
            }
            outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
        case .other:
            if sight.endsNothing { outcome.trails[field.name] = trail.givenUp }
            outcome.fields[field.name] = moved(field, of: row, &outcome)
        }
    }

    /// What is remembered of an update that the server refused in a success at `moment`: it may be there.
    package func refused(_ row: EditedRow, at moment: BootTime) -> [String: FieldTrail] {
        var trails: [String: FieldTrail] = [:]
        for field in row.fields {
            trails[field.name] =
                field.sent.map { sent in
                    FieldTrail(
                        of: sent, after: field.trail, before: [field.base], answeredAt: moment
                    ).refused
                } ?? field.trail
        }
        return trails
    }

    /// Of a column that nothing is remembered of.
    private func moved(
        _ field: EditedField, of row: EditedRow, _ outcome: inout EditOutcome
    ) -> FieldOutcome {
        guard field.shown != field.base else { return field.waiting == nil ? .taken : .overlaid }
        giveWay(to: field, in: row, &outcome)
        return meet(field, of: row, &outcome) ?? .taken
    }

    /// Another's change meets an edit that waits; nil where none does.
    private func meet(
        _ field: EditedField, of row: EditedRow, _ outcome: inout EditOutcome
    ) -> FieldOutcome? {
        guard let waiting = field.waiting else { return nil }
        // The list before may be younger than the read. So the edit goes, and its own answer ends it.
        if field.shown == waiting { return row.goesByRead ? .frozen : .taken }
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
        _ sent: FieldValue, of field: EditedField, in row: EditedRow, at began: BootTime,
        _ outcome: inout EditOutcome
    ) {
        let trail = FieldTrail(
            of: sent, after: field.trail, before: [field.base], answeredAt: began)
        switch trail.meaning(of: field.shown) {
        case .own:
            outcome.trails[field.name] = trail.taking(field.shown, witnessedAt: began)
            outcome.fields[field.name] = field.waiting == nil ? .taken : .overlaid
        case .older where field.showsBeforeTaken && !field.shown.folds(to: sent):
            decideOther(field, in: row, &outcome)
        case .older,
            .other where field.showsEarlier:
            outcome.fields[field.name] = field.waiting == nil ? .waitsAgain : .overlaid
        case .refused, .other: decideOther(field, in: row, &outcome)
        }
    }

    /// Another's value is where one of ours may have been: whatever the rule, ours is never sent again.
    private func decideOther(
        _ field: EditedField, in row: EditedRow, _ outcome: inout EditOutcome
    ) {
        giveWay(to: field, in: row, &outcome)
        if let met = meet(field, of: row, &outcome) {
            outcome.fields[field.name] = met
            return
        }
        outcome.conflicts.append(EditConflict(field.name, .doubt, .sent))
        outcome.fields[field.name] = .taken
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
