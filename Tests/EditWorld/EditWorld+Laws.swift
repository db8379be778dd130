import SQLite
import TestSupport

/// The laws of every committed state.
extension EditWorld {
    /// Checks what stands in the cache now.
    func check() {
        let image = image()
        _ = conflicts()
        noteBindings(image)
        checkRows(image)
        checkEdits(image)
        checkOperations(image)
        checkRefusals(image)
        checkGhosts(image)
        checkFollowers()
    }

    /// The full text and the history say what the table shows.
    private func checkFollowers() {
        guard setting.declaration.isFollowed else { return }
        do {
            let table = cache.table
            let broken = try cache.with { connection in
                let laws = StoreInvariants.touchedLaws(of: table).map(\.query)
                return try (laws + ["SELECT law, offender FROM invariant_notes_state"]).flatMap {
                    try connection.all($0) { "\($0.text(0)): \($0.text(1))" }
                }
            }
            for sentence in broken { blame("FOLLOWS: \(sentence)") }
        } catch {
            blame("FOLLOWS: \(error)")
        }
    }

    /// Which row of the server a row of the cache is. That never changes.
    func noteBindings(_ image: EditImage) {
        for row in image.rows.values {
            guard let id = row.serverID else { continue }
            guard let first = ledger.firstInstance[row.id] else {
                let answered = answeredInstances[row.id]
                let made = answered?.id == id ? answered?.instance : nil
                guard let instance = made ?? cycle?.list?[id] ?? listedInstances[id] else {
                    continue
                }
                ledger.firstInstance[row.id] = instance
                if !knowsMarks,
                    !server.rows.contains(where: {
                        $0.instance == instance && $0.mark != nil
                    })
                {
                    ledger.foundUnmarked.insert(row.id)
                }
                noteFound(row.id, instance, image)
                continue
            }
            // Nil, or an older one, where no list that was taken has shown the row yet: the pull that bound it may
            // have been the last that syncd did.
            if let instance = listedInstances[id], instance > first, !isOther(row, instance) {
                let what = "row \(row.id) was \(first) of the server, and is \(instance)"
                if server.isAlike(first, instance) {
                    count(.alike, what)
                    ledger.ended.insert(row.id)
                    ledger.alike.insert(row.id)
                } else {
                    blame("REBOUND: \(what)")
                }
                ledger.firstInstance[row.id] = instance
            }
        }
    }

    /// The id is another row's now, by what makes a row that row, and syncd still knows the one before.
    private func isOther(_ row: EditImage.Row, _ instance: Int) -> Bool {
        setting.declaration.reusesIDs
            && row.base.map { !server.isIdentity($0[0], of: instance) } ?? false
    }

    /// What the create of a row sent has been found, or answered; but for what the server is known to have ignored.
    private func noteFound(_ row: Int64, _ instance: Int, _ image: EditImage) {
        let isOurs = server.rows.contains { $0.instance == instance && $0.origin == .ours(row) }
        for number in ledger.edits.indices where ledger.edits[number].row == row {
            let edit = ledger.edits[number]
            guard edit.isOfNewRow, !edit.isPending(image) else { continue }
            if isOurs, !setting.unkindness.isEmpty, edit.listed != nil,
                server.effects[number] == nil
            {
                continue
            }
            ledger.change(number) { $0.isSatisfied = true }
        }
    }

    private func checkRows(_ image: EditImage) {
        for (row, wish) in ledger.wishes {
            let isShown = image.rows[row]?.isShown ?? false
            switch wish {
            case .kept where !isShown:
                let isTaken = ledger.firstInstance[row].map { server.removed.contains($0) } ?? false
                let isDoubtful = ledger.inserted.contains(row) && hasForeignWrites
                if !isTaken, !isDoubtful, !isUnlisted(row), !ledger.ended.contains(row),
                    !ledger.conflicts.contains(where: { $0.row == row })
                {
                    if ledger.refusedRows.contains(row) {
                        count(.refused, "row \(row) is in no view")
                        continue
                    }
                    if setting.declaration.reusesIDs, setting.unkindness.has(.listsLag),
                        let instance = ledger.firstInstance[row],
                        server.holders(likeThatOf: instance) > 1
                    {
                        // An old list shows the row that had the id before.
                        count(.reused, "row \(row) is in no view")
                        continue
                    }
                    if setting.unkindness.has(.answersOtherRow),
                        let instance = ledger.firstInstance[row], server.deleted.contains(instance)
                    {
                        // The answer to its create was a row that a delete of ours was about to take away.
                        count(.alike, "row \(row) is in no view")
                        continue
                    }
                    blame("VANISHED: row \(row) is in no view")
                }
            case .deleted where isShown:
                let isRefused = image.operations(of: row, "delete").contains {
                    $0.state == "rejected"
                }
                if let id = image.rows[row]?.serverID, let listed = listedInstances[id],
                    let first = ledger.firstInstance[row],
                    ledger.alike.contains(row) || listed != first && server.isAlike(first, listed)
                {
                    count(.alike, "row \(row) is shown again")
                    ledger.alike.insert(row)
                    ledger.wishes[row] = nil
                } else if let row = image.rows[row], mayShowPredecessor(row) {
                    count(.reused, "row \(row.id) is shown again")
                    ledger.wishes[row.id] = nil
                } else if !isRefused {
                    blame("REAPPEARS: row \(row)")
                }
            case .kept, .deleted, .dropped: break
            }
        }
    }

    /// The newest edit of a field is shown until it is decided, and is decided by something that happened.
    private func checkEdits(_ image: EditImage) {
        for row in image.shown {
            for field in row.values.indices {
                guard let number = ledger.newest(of: row.id, field) else { continue }
                let edit = ledger.edits[number]
                let shown = row.values[field]
                guard !edit.hasConflict, !edit.isDropped, !edit.isOver,
                    !isSame(shown, edit.value),
                    shown != setting.kept(edit.value, of: field)
                else { continue }
                let what =
                    "\(EditField.all[field].name) of row \(row.id) shows \(shown ?? "NULL"),"
                    + " and edit \(number) is \(edit.value ?? "NULL")"
                if edit.isPending(image), !isDerived(field) {
                    blame("FLICKER: \(what), which waits")
                }
                if server.effects[number] == nil, !edit.isSatisfied, !edit.isBack,
                    !edit.isEchoed
                {
                    // What was sent before may take effect all the same, also over an edit back to the base.
                    if ledger.ended.contains(row.id),
                        edit.value.isSame(as: edit.base) || isOfEarlier(shown, edit)
                    {
                        count(.ended, what)
                    } else if ledger.alike.contains(row.id) {
                        count(.alike, what)
                    } else if isDerived(field) {
                        count(.altered, what)
                    } else if !setting.unkindness.isEmpty, isHidden(number) {
                        count(.hidden, what)
                    } else if ledger.refusedRows.contains(row.id), edit.value.isSame(as: edit.base)
                    {
                        // The edit before it was refused: so it asks for what the server had, as far as lists showed.
                        count(.refused, what)
                    } else if wasMadeBefore(edit) {
                        // The create that was refused made the row all the same, as it was before the edit.
                        count(.refused, what)
                    } else if isFormOfEarlier(shown, edit) {
                        count(.form, what)
                    } else if ledger.goneBack.contains(row.id) {
                        // The list was older than a read before it, and the edit was what that list showed.
                        count(.outdated, what)
                    } else {
                        blame("LOST_EDIT: \(what)")
                    }
                }
                if ledger.refusedRows.contains(row.id) || wasMadeBefore(edit) {
                    count(.refused, what)
                } else if isFormOfEarlier(shown, edit) {
                    count(.form, what)
                } else if mayShowPredecessor(row) {
                    count(.reused, what)
                    ledger.ended.insert(row.id)
                } else if edit.isEchoed {
                    // A list from before showed the edit's value, so it asked for nothing.
                    count(.outdated, what)
                } else if isOnlyOurs(field, of: row.id) {
                    blame("FLICKER: \(what), and nobody else wrote")
                }
                ledger.change(number) { $0.isOver = true }
            }
        }
    }

    /// A create that the server refused may have made the row.
    private func wasMadeBefore(_ edit: Edit) -> Bool {
        setting.unkindness.has(.refusesInVain) && edit.isOfNewRow
            && server.creations[edit.row] ?? 0 > 0
    }

    /// What an earlier edit set, though a person has ended its doubt.
    private func isOfEarlier(_ shown: String?, _ edit: Edit) -> Bool {
        ledger.edits(of: edit.row, edit.field).contains { number in
            server.effects[number] != nil
                && setting.kept(ledger.edits[number].value, of: edit.field) == shown
        }
    }

    /// The server's form of an earlier edit, which no list had shown before: it may be another client's.
    func isFormOfEarlier(_ shown: String?, _ edit: Edit) -> Bool {
        ledger.edits(of: edit.row, edit.field).contains { number in
            let value = ledger.edits[number].value
            return value != shown && setting.kept(value, of: edit.field) == shown
        }
    }

    /// Its id was another row's before, and an old list still shows that one.
    private func mayShowPredecessor(_ row: EditImage.Row) -> Bool {
        guard setting.declaration.reusesIDs, let id = row.serverID,
            [.listsLag, .cache, .silentCache].contains(where: setting.unkindness.has)
        else { return false }
        return server.holders(of: id) > 1
    }

    /// What was refused is not sent again unless somebody has written the row since, or wants it again.
    private func checkRefusals(_ image: EditImage) {
        let updatable = setting.declaration.updatable
        for operation in image.operations where operation.kind != "delete" {
            let (row, base) = (operation.row, image.rows[operation.row]?.base)
            if operation.state == "rejected" {
                guard ledger.refusals[operation.sequence] == nil else { continue }
                ledger.refusals[operation.sequence] = EditRefusal(
                    fields: operation.sent.indices.filter { operation.sent[$0] != nil },
                    base: base, edits: ledger.edits.count,
                    sent: newestSent(by: operation.sequence) ?? -1)
            } else if let refusal = ledger.refusals.removeValue(forKey: operation.sequence) {
                let isEdited =
                    ledger.edits.lastIndex { $0.row == row }.map { $0 >= refusal.edits } ?? false
                    || updatable.contains { ledger.newestKept(of: row, $0) ?? -1 > refusal.sent }
                // A part of it is there by now: what is left is another request.
                let isLess = refusal.fields.contains { field in
                    base.map { $0[field] == image.rows[row]?.values[field] } ?? false
                }
                if !isEdited, !isLess, base == refusal.base,
                    image.operations(of: row, "delete").isEmpty
                {
                    blame("REVIVED: the \(operation.kind) of row \(row), which was refused")
                }
            }
        }
    }

    private func checkOperations(_ image: EditImage) {
        for operation in image.operations where image.rows[operation.row] == nil {
            blame("ORPHAN: a \(operation.kind) of row \(operation.row), which is not there")
        }
        for row in image.rows.keys {
            let updates = image.operations(of: row, "update")
            let underWay = updates.filter { !$0.isUnsent && !$0.isAcknowledged }
            if updates.filter(\.isUnsent).count > 1 || underWay.count > 1 {
                blame("TWO_UPDATES: of row \(row)")
            }
        }
    }
}

extension Edit {
    /// It waits, or is on its way.
    func isPending(_ image: EditImage) -> Bool {
        image.operations.contains { operation in
            guard operation.row == row, operation.kind != "delete", !operation.isAcknowledged
            else { return false }
            if case .some(let sent) = operation.sent[field] { return sent == value }
            return operation.kind == "create" && operation.isUnsent && value != nil
        }
    }
}
