/// What holds when the server is well again, and nothing waits.
extension EditWorld {
    func checkEnd() {
        let image = image()
        let again = image.operations.first { $0.kind == "create" && ledger.ended.contains($0.row) }
        if image.hasWork, setting.declaration.hasMark, let again {
            // Its row has come under its mark, and the server does not make another.
            return count(.ended, "the create of row \(again.row) is refused")
        }
        if image.hasWork {
            return blame("STUCK: \(image.operations.map { "\($0.kind) of \($0.row) \($0.state)" })")
        }
        for (row, wish) in ledger.wishes.sorted(by: { $0.key < $1.key }) {
            checkCreate(of: row, wish, image)
            checkDelete(of: row, wish, image)
        }
        for number in ledger.edits.indices {
            checkEdit(number, image)
            noteEqual(number)
        }
        if !hasForeignWrites, setting.alteration != .clamps { checkValues(image) }
        checkCache(image)
        checkQuiet()
    }

    private func isRefused(_ kind: String, of row: Int64, _ image: EditImage) -> Bool {
        image.operations(of: row, kind).contains { $0.state == "rejected" }
    }

    private func checkCreate(of row: Int64, _ wish: EditLedger.Wish, _ image: EditImage) {
        guard wish == .kept, image.rows[row]?.isShown == true, ledger.inserted.contains(row) else {
            return
        }
        let made = server.creations[row] ?? 0
        // Two creates of equal rows can each have found the row of the other.
        let isSwapped = ledger.inserted.contains { other in
            other != row && server.creations[other] == nil && ledger.wishes[other] == .kept
                && image.rows[other]?.serverID != nil
        }
        if made > 1, !isSwapped {
            let what = "row \(row) was made \(made) times"
            if isTakenForAlike(row) {
                count(.alike, what)
            } else if ledger.ended.contains(row) {
                count(.ended, what)
            } else if ledger.refusedRows.contains(row) {
                count(.refused, what)
            } else if hasForeignWrites, !setting.declaration.hasMark {
                count(.recreated, what)
            } else {
                blame("DOUBLED: \(what)")
            }
        }
        let isMarked = server.marked.contains { $0.origin == .ours(row) }
        if made == 0, image.rows[row]?.serverID != nil, !isMarked,
            !isRefused("create", of: row, image)
        {
            let isOurs = setting.declaration.hasMark && !ledger.foundUnmarked.contains(row)
            if hasForeignWrites || setting.rows > 0, !isOurs {
                count(.adopted, "row \(row)")
            } else if !isSwapped, !hasSwapped(row) {
                blame("ADOPTED: row \(row) is one that nobody made for it")
            }
        }
    }

    /// What the create has made counts as a row that was there before, with its id and all that tells it.
    private func isTakenForAlike(_ row: Int64) -> Bool {
        server.rows.contains { made in
            made.origin == .ours(row)
                && ledger.alike.contains { ledger.firstInstance[$0] == made.instance }
        }
    }

    /// Another create of ours made the row that this one has.
    private func hasSwapped(_ row: Int64) -> Bool {
        guard let instance = ledger.firstInstance[row] else { return false }
        return server.rows.contains { other in
            guard other.instance == instance, case .ours(let maker) = other.origin else {
                return false
            }
            return maker != row
        }
    }

    /// The answer to its create was another row, which equals it in the columns by which it would be looked for.
    private func isOfAnotherAnswer(_ row: Int64) -> Bool {
        guard setting.unkindness.has(.answersOtherRow), let answered = answeredInstances[row] else {
            return false
        }
        return server.rows.contains { $0.origin == .ours(row) && $0.instance != answered.instance }
    }

    private func checkDelete(of row: Int64, _ wish: EditLedger.Wish, _ image: EditImage) {
        guard wish != .kept, !isRefused("delete", of: row, image),
            !ledger.conflicts.contains(where: { $0.row == row })
        else { return }
        let bound = Set(
            image.rows.values.filter {
                ledger.wishes[$0.id] == .kept && ledger.inserted.contains($0.id)
            }
            .compactMap { ledger.firstInstance[$0.id] })
        let left = server.rows.filter { $0.origin == .ours(row) && !bound.contains($0.instance) }
        if let other = left.first {
            let what = "\(other) of row \(row) is still there"
            if ledger.ended.contains(row) {
                count(.ended, what)
            } else if ledger.refusedRows.contains(row) {
                count(.refused, what)
            } else if isHiddenByFilter(row)
                || !setting.lists(other) && ledger.firstInstance[row] == nil
            {
                count(.filtered, what)
            } else if isOfAnotherAnswer(row) {
                count(.alike, what)
            } else if !hasForeignWrites || setting.declaration.hasMark {
                blame("UNDELETED: \(what)")
            } else {
                count(server.creations[row] ?? 0 > 1 ? .recreated : .adopted, what)
            }
        } else if wish == .deleted, let instance = ledger.firstInstance[row],
            server.rows.contains(where: { $0.instance == instance })
        {
            let what = "row \(row) is still at the server"
            // Shown with a mark: no list tells a delete that did nothing from one that was done.
            if isHiddenByFilter(row) || setting.declaration.hasWhile && isUnlisted(row) {
                count(.filtered, what)
            } else if setting.unkindness.has(.answersOtherRow), bound.contains(instance) {
                // The answer to a create was this row, and nothing tells that from a server that merges.
                count(.alike, what)
            } else {
                blame("UNDELETED: \(what)")
            }
        }
    }

    /// An edit has taken effect, or somebody was told why not.
    private func checkEdit(_ number: Int, _ image: EditImage) {
        let edit = ledger.edits[number]
        guard ledger.newestKept(of: edit.row, edit.field) == number, !edit.hasConflict,
            !edit.isDropped, !edit.isEchoed,
            !edit.isSatisfied, !edit.isBack, server.effects[number] == nil,
            ledger.wishes[edit.row] == .kept,
            !image.operations.contains(where: { $0.row == edit.row && $0.state == "rejected" }),
            !ledger.conflicts.contains(where: { $0.row == edit.row && $0.reason == "delete" })
        else { return }
        if ledger.ended.contains(edit.row), edit.value.isSame(as: edit.base) { return }
        if image.rows[edit.row] == nil,
            server.creations[edit.row] != nil || edit.value.isSame(as: edit.base)
        {
            return
        }
        // The server did not take an earlier value, and still has what this one asks for again.
        if !setting.unkindness.isEmpty, isAtServer(edit) { return count(.equal, "edit \(number)") }
        if isDerived(edit.field) { return count(.altered, "edit \(number)") }
        if edit.listed != nil, isUnlisted(edit.row) { return count(.filtered, "edit \(number)") }
        if ledger.alike.contains(edit.row) { return count(.alike, "edit \(number)") }
        if ledger.ended.contains(edit.row), setting.unkindness.has(.isLater) {
            return count(.ended, "edit \(number)")
        }
        if !setting.unkindness.isEmpty, isHidden(number) {
            return count(.hidden, "edit \(number)")
        }
        if let row = image.rows[edit.row], isFormOfEarlier(row.values[edit.field], edit) {
            return count(.form, "edit \(number)")
        }
        if ledger.goneBack.contains(edit.row) { return count(.outdated, "edit \(number)") }
        if image.rows[edit.row] == nil, ledger.refusedRows.contains(edit.row) {
            // Its own delete, refused and dropped since, had taken the row away, and its edits with it.
            return count(.refused, "edit \(number)")
        }
        blame(
            "LOST_EDIT: \(EditField.all[edit.field].name) of row \(edit.row) = \(edit.value ?? "NULL")"
        )
    }

    private func isAtServer(_ edit: Edit) -> Bool {
        guard let instance = ledger.firstInstance[edit.row] else { return false }
        return server.rows.contains {
            $0.instance == instance && $0.values[edit.field].isSame(as: edit.value)
        }
    }

    /// The server has shown what the edit wanted, and it was another client that wrote it.
    private func noteEqual(_ number: Int) {
        let edit = ledger.edits[number]
        guard edit.isSatisfied, !edit.isBack, !edit.isDropped, !edit.hasConflict,
            !edit.isOfNewRow, server.effects[number] == nil,
            ledger.newestKept(of: edit.row, edit.field) == number,
            !edit.value.isSame(as: edit.base)
        else { return }
        count(.equal, "\(EditField.all[edit.field].name) of row \(edit.row)")
    }

    /// Nobody else wrote: every field is what the person wrote last.
    private func checkValues(_ image: EditImage) {
        for row in image.rows.values where ledger.wishes[row.id] == .kept {
            guard let id = row.serverID,
                let index = server.rows.firstIndex(where: { "\($0.id)" == id }),
                image.operations(of: row.id, "update").isEmpty
            else { continue }
            for field in row.values.indices {
                let edits = ledger.edits(of: row.id, field).map { ledger.edits[$0] }
                guard let last = edits.last, !edits.contains(where: \.isDropped),
                    !last.hasConflict, !last.isEchoed, isOnlyOurs(field, of: row.id)
                else { continue }
                let found = server.rows[index].values[field]
                if !isSame(found, last.value), found != setting.kept(last.value, of: field),
                    !ledger.refusedRows.contains(row.id), !isFormOfEarlier(found, last)
                {
                    blame(
                        "WRONG_END: \(EditField.all[field].name) of row \(row.id) was to be"
                            + " \(last.value ?? "NULL"), and is \(found ?? "NULL") at the server")
                }
            }
        }
    }

    private func checkCache(_ image: EditImage) {
        let cached = image.rows.values.compactMap { row in
            row.serverID.map { "\($0) \(row.base ?? [])" }
        }
        // A row that a filter hides is read alone, or shown with a mark, while there is an operation of it.
        let read = image.operations.compactMap { image.rows[$0.row]?.serverID }
        let there =
            server.rows.filter { row in
                setting.lists(row)
                    || (setting.declaration.reads || setting.declaration.hasWhile)
                        && read.contains("\(row.id)")
            } + server.marked.filter { read.contains("\($0.id)") }
        let shown = there.map { "\($0.id) \($0.values)" }
        if cached.sorted() != shown.sorted() {
            blame("CACHE: \(cached.sorted()), and the server has \(shown.sorted())")
        }
        for row in image.shown where !image.operations.contains(where: { $0.row == row.id }) {
            if row.values != row.base ?? [] {
                blame("SHOWN: row \(row.id) shows \(row.values) over \(row.base ?? [])")
            }
        }
    }
}
