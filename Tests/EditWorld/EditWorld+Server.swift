import APIClient
import Declarations

/// What the server does with a write, and what must not happen then.
extension EditWorld {
    /// The write takes effect now; the status, and the row that it answers with.
    func apply(
        _ request: HTTPRequest, _ shipment: EditShipment, _ manner: EditManner
    ) -> (status: Int, row: EditServerRow?) {
        note("server: \(shipment.operation.kind) of row \(shipment.operation.row) arrives")
        if manner.ignored != .nothing { note("server: it ignores \(manner.ignored)") }
        if shipment.operation.kind == "create" { return create(request, shipment, manner) }
        guard let id = Int(request.rowID),
            let index = server.index(of: id)
        else { return (404, nil) }
        let row = server.rows[index]
        if let version = request.fields.first(where: { $0.isNamed("If-Match") })?.value,
            version != "\(row.version)"
        {
            return (412, nil)
        }
        if row.instance != shipment.instance {
            let what = "\(shipment.operation.kind) of row \(shipment.operation.row) hits \(row)"
            let isTaken = shipment.instance.map { server.removed.contains($0) } ?? false
            if setting.declaration.reusesIDs, isTaken {
                // Another client has deleted its row meanwhile.
                count(.reused, what)
            } else if setting.declaration.reusesIDs, ledger.ended.contains(shipment.operation.row) {
                count(.ended, what)
            } else if setting.declaration.reusesIDs,
                ledger.refusedRows.contains(shipment.operation.row),
                shipment.instance.map({ server.deleted.contains($0) }) == true
            {
                // The server has refused the delete, and done it.
                count(.refused, what)
            } else {
                blame("WRONG_ROW: \(what)")
            }
        }
        if manner.ignored == .everything {
            return (shipment.operation.kind == "delete" ? 204 : 200, row)
        }
        if shipment.operation.kind == "delete" {
            judgeDelete(of: row, shipment)
            server.deleteOurs(index)
            return (204, nil)
        }
        let values = server.values(of: request).filter {
            !manner.ignores($0.key)
        }
        for (field, value) in values.sorted(by: { $0.key < $1.key }) {
            judgeValue(setting.kept(value, of: field), field, of: row, shipment)
        }
        for (field, edit) in shipment.edits.sorted(by: { $0.key < $1.key })
        where !manner.ignores(field) {
            judgeEdit(edit, setting.kept(values[field] ?? nil, of: field), field, of: row, shipment)
        }
        noteCarried(values, shipment)
        for (field, value) in values {
            let kept = setting.kept(value, of: field)
            if kept != row.values[field] || shipment.edits[field] != nil {
                server.rows[index].authors[field] = .ours(shipment.operation.row)
            }
            server.rows[index].values[field] = kept
        }
        server.rows[index].version += 1
        return (200, server.rows[index])
    }

    /// A body that holds more than its edits carries what was acknowledged before, and was not taken then.
    private func noteCarried(_ values: [Int: String?], _ shipment: EditShipment) {
        for (field, value) in values where shipment.edits[field] == nil {
            guard let number = ledger.newestKept(of: shipment.operation.row, field),
                ledger.edits[number].listed != nil, server.effects[number] == nil,
                value == ledger.edits[number].value
            else { continue }
            server.effects[number] = [.init(moment: server.tick(), known: nil)]
        }
    }

    private func create(
        _ request: HTTPRequest, _ shipment: EditShipment, _ manner: EditManner
    ) -> (status: Int, row: EditServerRow?) {
        let (values, mark) = server.values(in: request.body ?? [])
        if let mark, server.rows.contains(where: { $0.mark == mark }) { return (409, nil) }
        if manner.ignored == .everything { return (201, nil) }
        let row = shipment.operation.row
        server.creations[row, default: 0] += 1
        for (field, edit) in shipment.edits where !manner.ignores(field) {
            server.effects[edit, default: []].append(.init(moment: server.tick(), known: nil))
        }
        return (
            201,
            server.create(
                setting.declaration.fields.indices.map {
                    manner.ignores($0) ? nil : values[$0] ?? nil
                }, by: .ours(row), mark: mark)
        )
    }

    /// A foreign value goes: the person has seen it, or it is on record.
    private func judgeValue(
        _ value: String?, _ field: Int, of row: EditServerRow, _ shipment: EditShipment
    ) {
        let current = row.values[field]
        guard current != value, row.authors[field] == .other,
            let written = server.lastWrite(row.instance, field)
        else { return }
        let local = shipment.operation.row
        let edit = shipment.edits[field].map { ledger.edits[$0] }
        let isSeen =
            edit.map { isSame(current, $0.base) || isSame(current, $0.before) } ?? false
            || ledger.edits(of: local, field).contains {
                isSame(setting.kept(ledger.edits[$0].value, of: field), current)
            }
            || conflicts().contains {
                $0.row == local && $0.field == EditField.all[field].name
                    && isSame(current, $0.theirs)
            }
        guard !isSeen else { return }
        let what =
            "\(EditField.all[field].name) of row \(local): another's \(current ?? "NULL") is overwritten"
        if edit?.isOfNewRow == true { return count(.unseen, what) }
        // Another client has set back what an edit of ours had changed: a server that did not take it looks the same.
        let isSetBack = ledger.edits(of: local, field).contains { number in
            server.effects[number]?.contains { isSame($0.known, current) } ?? false
        }
        if isSetBack { return count(.setBack, what) }
        if written > shipment.listed, !setting.declaration.hasVersion { return count(.race, what) }
        if isExcused(current, field, of: row, local) { return }
        blame("LOST_UPDATE: \(what)")
    }

    /// An edit takes effect once, or nobody notices, and none after a newer one.
    private func judgeEdit(
        _ number: Int, _ value: String?, _ field: Int, of row: EditServerRow,
        _ shipment: EditShipment
    ) {
        let edit = ledger.edits[number]
        let what = "\(EditField.all[field].name) of row \(edit.row) = \(value ?? "NULL")"
        if let last = server.effects[number]?.last, row.values[field] != value,
            server.lastWrite(row.instance, field) ?? 0 > last.moment
        {
            let older = ledger.edits(of: edit.row, field).map { ledger.edits[$0] }
            if row.values[field].isSame(as: server.effects[number]?.first?.known)
                || older.contains(where: { isSame(row.values[field], $0.base) })
            {
                count(.setBack, what)
            } else if ledger.ended.contains(edit.row) {
                count(.ended, what)
            } else if edit.isRefused {
                count(.refused, what)
            } else if isSame(value, edit.base) {
                // The server's form of it is what was there before: no list tells whether it was taken.
                count(.form, what)
            } else {
                blame("REAPPLIED: \(what) takes effect again over another's value")
            }
        }
        let newer = ledger.edits(of: edit.row, field).filter {
            $0 > number && server.effects[$0] != nil
        }
        if let newest = newer.last, setting.kept(ledger.edits[newest].value, of: field) != value {
            let law = "OWN_REORDER: \(what) takes effect after a newer edit"
            // What another client wrote after the answer is taken for its effect, and the next edit goes.
            let hasForeign = server.lastWrite(row.instance, field) ?? 0 > shipment.listed
            if ledger.ended.contains(edit.row) {
                count(.ended, law)
            } else if hasForeign, setting.unkindness.has(.isLater) {
                count(.race, law)
            } else {
                blame(law)
            }
        }
        server.effects[number, default: []].append(
            .init(moment: server.tick(), known: shipment.base?[field] ?? nil))
    }

    private func judgeDelete(of row: EditServerRow, _ shipment: EditShipment) {
        guard let seen = shipment.seenAtDelete else { return }
        for field in row.values.indices where row.authors[field] == .other {
            guard let written = server.lastWrite(row.instance, field),
                seen.isEmpty || !seen[field].contains(where: { isSame(row.values[field], $0) })
            else { continue }
            let what =
                "another's \(row.values[field] ?? "NULL") goes with row \(shipment.operation.row)"
            if seen.isEmpty {
                count(.unseen, what)
            } else if written > shipment.listed, !setting.declaration.hasVersion {
                count(.race, what)
            } else if setting.declaration.rule == .mine {
                count(.deletedEdit, what)
            } else if isExcused(row.values[field], field, of: row, shipment.operation.row) {
                continue
            } else {
                blame("DELETED_EDIT: \(what)")
            }
        }
    }
}
