import Rules

/// What a person is told, and whether it is so.
extension EditWorld {
    func isSame(_ one: String?, _ other: String?) -> Bool { setting.isSame(one, other) }

    /// A line of `conflicts` is about something that happened.
    func judgeConflict(_ conflict: EditImage.Conflict) {
        let field = EditField.all.firstIndex { $0.name == conflict.field }
        if let field, conflict.mine != conflict.theirs,
            setting.kept(conflict.mine, of: field) == conflict.theirs
        {
            count(.altered, "\(conflict.field) of row \(conflict.row)")
            // The server's form of ours is a value from before: nothing tells whether it was taken.
            if conflict.reason == "not taken" { return }
        }
        if conflict.reason == "gone", isHiddenByFilter(conflict.row) {
            return count(.filtered, "\(conflict.field) of row \(conflict.row)")
        }
        if isOfAlike(conflict) { return }
        if conflict.reason == "merged", setting.unkindness.has(.answersOtherRow) {
            return takeMerged(conflict)
        }
        if setting.unkindness.isEmpty {
            guard !hasForeignWrites, setting.alteration != .clamps else { return }
            return blame(
                "SPURIOUS_CONFLICT: \(conflict.field) of row \(conflict.row): nobody else wrote")
        }
        guard !ledger.ended.contains(conflict.row), setting.alteration != .clamps else { return }
        switch conflict.reason {
        case "not taken": judgeNotTaken(conflict, field)
        case "refused":
            if !wasRefused(conflict, field) {
                blame("SPURIOUS_CONFLICT: row \(conflict.row): nothing was refused")
            }
        case "gone": judgeGone(conflict)
        default: judgeForeign(conflict, field)
        }
    }

    /// The answer to a create was another row that has all that was sent: nothing tells it from a server that merges.
    private func takeMerged(_ conflict: EditImage.Conflict) {
        count(.alike, "the row that became row \(conflict.row)")
        let image = image()
        for (row, wish) in ledger.wishes where image.rows[row]?.isShown != true {
            let isMerged = wish == .deleted && image.rows[row] == nil
            if wish == .kept || isMerged && ledger.firstInstance[row] == nil {
                ledger.wishes[row] = nil
            }
        }
    }

    /// The row is gone, by our delete or another's, and its id was used again for one that nothing tells from it.
    private func isOfAlike(_ conflict: EditImage.Conflict) -> Bool {
        guard let instance = ledger.firstInstance[conflict.row] else { return false }
        let isAnother =
            !server.rows.contains { $0.instance == instance }
            && server.rows.contains { server.isAlike($0.instance, instance) }
        guard isAnother || ledger.alike.contains(conflict.row) else { return false }
        hasForeignWrites = true
        ledger.ended.insert(conflict.row)
        count(.alike, "\(conflict.reason), of row \(conflict.row)")
        return true
    }

    /// The column of the marks that creates carry.
    private static let mark = "mark"

    /// The server did not do what it said yes to.
    private func judgeNotTaken(_ conflict: EditImage.Conflict, _ field: Int?) {
        let what = "\(conflict.field) of row \(conflict.row)"
        guard let instance = ledger.firstInstance[conflict.row] else { return }
        let row = server.rows.first { $0.instance == instance }
        guard let field else {
            if conflict.field != Self.mark, ledger.wishes[conflict.row] == .deleted,
                let effect = server.deletedAt[instance],
                !isOutdated(conflict.row, instance, effect: effect)
            {
                blame("FALSE_ALARM: the delete of row \(conflict.row) was taken")
            }
            return
        }
        guard let edit = ledger.edit(of: conflict.row, field, to: conflict.mine), let row,
            let effect = server.effects[edit]?.last, !hasForeign(instance, field)
        else { return }
        if isOutdated(conflict.row, instance, effect: effect.moment) { return }
        if isBeforeRefused(conflict, field) { return }
        if isSame(row.values[field], setting.kept(conflict.mine, of: field)) {
            blame("FALSE_ALARM: \(what) was taken")
        }
    }

    /// The server acted late, and a cache that does not tell its age showed what was before, in a list that began a
    /// minute or more after the answer.
    private func isOutdated(_ row: Int64, _ instance: Int, effect: Int) -> Bool {
        guard setting.unkindness.has(.isLater), setting.unkindness.has(.silentCache),
            let answered = ledger.answered[row], now >= answered + 60_000,
            let list = cachedList, !list.tellsAge, list.snapshot.time < now,
            list.snapshot.moment < effect,
            list.snapshot.rows.contains(where: { $0.instance == instance })
        else { return false }
        count(.outdated, "row \(row)")
        return true
    }

    private func wasRefused(_ conflict: EditImage.Conflict, _ field: Int?) -> Bool {
        guard let field else { return ledger.refusedRows.contains(conflict.row) }
        return ledger.edits(of: conflict.row, field).contains { ledger.edits[$0].isRefused }
    }

    private func judgeGone(_ conflict: EditImage.Conflict) {
        guard let instance = ledger.firstInstance[conflict.row],
            server.rows.contains(where: { $0.instance == instance }), !unlisted.contains(instance)
        else { return }
        blame("NOT_GONE: row \(conflict.row) is at the server, and each list has shown it")
    }

    /// A line that says that somebody else wrote: nobody is told so of a value that was their own.
    private func judgeForeign(_ conflict: EditImage.Conflict, _ field: Int?) {
        guard let instance = ledger.firstInstance[conflict.row] else { return }
        let isForeign =
            field.map { hasForeign(instance, $0) }
            ?? setting.declaration.fields.indices.contains { hasForeign(instance, $0) }
        guard !isForeign, !hasRevised(conflict.row) else { return }
        if let field, isDerived(field) {
            return count(.altered, "\(conflict.field) of row \(conflict.row)")
        }
        // The answer had shown another form of it: the law takes the list's for somebody else's.
        if let field, !setting.unkindness.isEmpty,
            ledger.edits(of: conflict.row, field).contains(where: { edit in
                let value = ledger.edits[edit].value
                return value != conflict.theirs
                    && setting.kept(value, of: field) == conflict.theirs
            })
        {
            return count(.form, "\(conflict.field) of row \(conflict.row)")
        }
        // Ours came late, and a list that lagged by a minute and more still lacked it: it met itself.
        if let field, setting.unkindness.has(.listsLag), ledger.late.contains(conflict.row),
            ledger.edits(of: conflict.row, field).contains(where: {
                server.effects[$0] != nil
                    && setting.kept(ledger.edits[$0].value, of: field) == conflict.theirs
            })
        {
            return count(.outdated, "\(conflict.field) of row \(conflict.row)")
        }
        // An old list, or a late effect, meets the row that has the id now.
        if setting.declaration.reusesIDs, server.holders(likeThatOf: instance) > 1 {
            return count(.reused, "\(conflict.field) of row \(conflict.row)")
        }
        blame(
            "SPURIOUS_CONFLICT: \(conflict.field) of row \(conflict.row) \(conflict.reason),"
                + " theirs \(conflict.theirs ?? "NULL"): nobody else wrote")
    }

    /// Another client has written the field, or made or deleted the row.
    func hasForeign(_ instance: Int, _ field: Int) -> Bool {
        server.lastWrite(instance, field) != nil || server.removed.contains(instance)
    }

    /// The row is one that somebody else made, and that was taken for ours.
    private func hasRevised(_ row: Int64) -> Bool {
        guard ledger.inserted.contains(row), let instance = ledger.firstInstance[row] else {
            return false
        }
        return !server.rows.contains { $0.instance == instance && $0.origin == .ours(row) }
    }

    /// What the line says is told from now on.
    func noteTold(_ conflict: EditImage.Conflict) {
        // That the server dropped a create's own mark says nothing of the rest.
        guard conflict.field != Self.mark else { return }
        let field = EditField.all.firstIndex { $0.name == conflict.field }
        let isAboutRow = conflict.reason == "delete" || field == nil
        if isAboutRow, ledger.wishes[conflict.row] == .deleted || conflict.reason == "delete" {
            ledger.wishes[conflict.row] = .kept
        } else if isAboutRow {
            ledger.changeAll(where: { $0.row == conflict.row }) { $0.hasConflict = true }
        } else if conflict.reason != "overwritten", let field {
            // Told is what the person typed, or the server's form of it.
            let edit =
                ledger.edit(of: conflict.row, field, to: conflict.mine)
                ?? ledger.edits(of: conflict.row, field).last {
                    setting.kept(ledger.edits[$0].value, of: field) == conflict.mine
                }
            guard let edit else {
                if isBeforeRefused(conflict, field) { return }
                return blame(
                    "UNKNOWN_CONFLICT: nobody wrote \(conflict.mine ?? "NULL") into"
                        + " \(conflict.field)")
            }
            ledger.change(edit) { $0.hasConflict = true }
        }
    }

    /// What was there before an edit that the server refused and took, at first or by another client's write: the
    /// person has taken the edit back.
    private func isBeforeRefused(_ conflict: EditImage.Conflict, _ field: Int) -> Bool {
        conflict.reason == "not taken"
            && ledger.edits(of: conflict.row, field).contains { number in
                let edit = ledger.edits[number]
                return edit.isRefused
                    && (isSame(beneath(number), conflict.mine)
                        || ledger.firstInstance[conflict.row].map { hasForeign($0, field) } ?? false)
            }
    }

    /// What the server had before an edit. That is no value of ours that it had said yes to, and not taken.
    private func beneath(_ number: Int) -> String? {
        let edit = ledger.edits[number]
        let earlier = ledger.edits(of: edit.row, edit.field).last {
            $0 < number && isSame(ledger.edits[$0].value, edit.base)
        }
        guard let earlier, server.effects[earlier] == nil else { return edit.base }
        return beneath(earlier)
    }

    /// Another's value goes unseen, which no client can help.
    func isExcused(
        _ value: String?, _ field: Int, of row: EditServerRow, _ local: Int64
    ) -> Bool {
        let what = "\(EditField.all[field].name) of row \(local): another's \(value ?? "NULL")"
        if let written = server.lastWrite(row.instance, field), server.forms.contains(written) {
            count(.form, what)
            return true
        }
        let isOwn = ledger.edits(of: local, field).contains { number in
            let edit = ledger.edits[number]
            // Where servers are kind, only an answer, or a list that shows what was in doubt, makes syncd take an older
            // value for an echo.
            guard
                edit.wasAcknowledged || server.effects[number] != nil
                    || !setting.unkindness.isEmpty
            else { return false }
            return [edit.value, edit.base, edit.before].contains { isSame($0, value) }
                || edit.isOfNewRow && (value == nil || value == "0")
        }
        // An answer has shown another client's value: what was there before is an older value from then on.
        if isOwn || setting.answersUpdates && ledger.shown[local]?[field]?.contains(value) == true {
            count(.echo, what)
            return true
        }
        // White space tells nothing where the form of ours is not known.
        let isForm = ledger.edits(of: local, field).contains {
            FieldValue(ledger.edits[$0].value).folds(to: FieldValue(value))
        }
        if isForm { count(.form, what) }
        return isForm
    }

    /// The server did not take the edit, and a value of another client stands where it would have been missed.
    func isHidden(_ number: Int) -> Bool {
        let edit = ledger.edits[number]
        guard let listed = edit.listed, server.effects[number] == nil,
            let instance = ledger.firstInstance[edit.row]
        else { return false }
        // An old list shows what was before another client's write, and looks like a newer one.
        let written = server.lastWrite(instance, edit.field)
        return written ?? 0 > listed || written != nil && setting.unkindness.has(.listsLag)
            || server.removed.contains(instance)
    }
}

extension EditWorld {
    /// The server sets the field of each new row.
    func isDerived(_ field: Int) -> Bool {
        field == EditSetting.derived.field && setting.unkindness.has(.derives)
    }

    /// Nobody but us has written the field: what it shows is ours, or was there before.
    func isOnlyOurs(_ field: Int, of row: Int64) -> Bool {
        guard setting.alteration != .clamps else { return false }
        if setting.unkindness.isEmpty { return !hasForeignWrites }
        if isDerived(field) { return false }
        guard let instance = ledger.firstInstance[row] else { return !hasForeignWrites }
        return !hasForeign(instance, field) && !hasRevised(row) && !ledger.ended.contains(row)
    }

    /// A row that a delete of ours took away does not come back, not even as a new one.
    func checkGhosts(_ image: EditImage) {
        for row in image.shown {
            guard let id = row.serverID, let instance = listedInstances[id],
                server.deleted.contains(instance), ledger.firstInstance[row.id] == instance
            else { continue }
            let makers = ledger.firstInstance.filter { $0.value == instance && $0.key != row.id }
            let isDone = makers.keys.contains { maker in
                ledger.wishes[maker] == .deleted && ledger.deletes.contains(maker)
            }
            if isDone, server.rows.contains(where: { "\($0.id)" == id }) {
                count(.reused, "row \(row.id) is \(instance) of the server")
                ledger.ended.insert(row.id)
            } else if isDone, setting.unkindness.has(.answersOtherRow) {
                // The answer to its create was that row, which was about to go.
                count(.alike, "row \(row.id) is \(instance) of the server")
            } else if isDone {
                blame("GHOST: row \(row.id) is \(instance) of the server, deleted by us")
            }
        }
    }

    /// When all is quiet, nothing is remembered of what was acknowledged, and no line is out of date.
    func checkQuiet() {
        let trails = cache.trails()
        if trails > 0 { blame("TRAIL: \(trails) values are waited for, and nothing happens") }
        let open = Set(cache.conflicts())
        // A row that comes back after long is another one to programs, and the lines of the first are theirs to end.
        let shown = Set(image().shown.map(\.id))
        for line in ledger.conflicts where open.contains(line.sequence) {
            guard line.reason == "not taken" || line.reason == "refused", shown.contains(line.row),
                let field = EditField.all.firstIndex(where: { $0.name == line.field }),
                let instance = ledger.firstInstance[line.row], !ledger.ended.contains(line.row),
                let row = server.rows.first(where: { $0.instance == instance }),
                row.values[field] == line.mine, setting.lists(row)
            else { continue }
            blame("NOT_WITHDRAWN: \(line.field) of row \(line.row) is \(line.mine ?? "NULL")")
        }
    }
}
