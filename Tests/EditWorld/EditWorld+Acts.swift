import SQLite
import TestSupport

/// What the person's programs, other clients and the server do.
extension EditWorld {
    // MARK: Programs

    func person(_ act: EditPersonAct, _ random: SeededRandom) {
        noteIntents()
        // What a cycle under way has told is older than what the program does now.
        _ = conflicts()
        switch act {
        case .endDoubt: return endDoubt(random)
        case .endConflict: return endConflict(random)
        default: break
        }
        let before = image()
        guard let script = script(act, in: before, random) else { return }
        scripts += 1
        do {
            // The same few texts again and again: the triggers of each take long to compile.
            let (sql, values) = (script.sql, script.values)
            _ = try cache.with { try $0.run(sql, values) }
            note("program: \(sql) \(values)")
        } catch {
            return note("program: \(script.sql): \(error)")
        }
        if let row = script.deleted { ledger.noteDelete(of: row, in: before) }
        if let operation = script.dropped {
            ledger.noteDrop(
                of: operation, shipped: shipped(operation.row, in: before),
                updatable: setting.declaration.updatable)
        }
        ledger.forgetAcknowledged(script.retried?.sequence)
        if let operation = script.retried {
            ledger.refusals[operation.sequence] = nil
            // It was refused, and done all the same: what is wanted again is done twice.
            if ledger.refusedRows.contains(operation.row) { ledger.ended.insert(operation.row) }
            if operation.kind == "delete" { ledger.wishes[operation.row] = .deleted }
        }
        ledger.note(from: before, to: image(), at: server.moment)
        noteShownAgain()
    }

    /// What the server has shown in this cycle can be what a program wants only now.
    func noteShownAgain() {
        for shown in cycle?.shown ?? [] {
            ledger.noteShown(
                shown.values, of: shown.row, only: Set(shown.values.indices), until: .max)
        }
    }

    private struct Script {
        let sql: String
        var values: [Value] = []
        var deleted: EditImage.Row?
        var dropped: EditImage.Operation?
        var retried: EditImage.Operation?
    }

    private var fields: [EditField] { setting.declaration.fields }

    private func value(_ field: Int, _ random: SeededRandom) -> String? {
        let values = setting.values(of: field)
        return random.element(of: values) ?? values[0]
    }

    private func values(_ fields: [Int], _ random: SeededRandom) -> [Value] {
        fields.map { self.fields[$0].sql(value($0, random)) }
    }

    private func script(
        _ act: EditPersonAct, in image: EditImage, _ random: SeededRandom
    ) -> Script? {
        let row = random.element(of: image.shown)
        switch act {
        case .insert:
            guard setting.declaration.creates, server.rows.count + image.rows.count < 7 else {
                return nil
            }
            let given = fields.indices.filter { $0 == 0 || random.happens(60) }
            return Script(
                sql: """
                    INSERT INTO notes (\(given.map { fields[$0].name }.joined(separator: ", ")))
                    VALUES (\(given.map { _ in "?" }.joined(separator: ", ")))
                    """, values: values(given, random))
        case .edit:
            guard let row, let field = random.element(of: setting.declaration.updatable) else {
                return nil
            }
            return update([field], to: values([field], random), of: row)
        case .editMany:
            guard let row else { return nil }
            let set = setting.declaration.updatable.filter { _ in random.happens(70) }
            guard !set.isEmpty else { return nil }
            return update(set, to: values(set, random), of: random.happens(30) ? nil : row)
        case .editBack:
            guard let row, let field = random.element(of: setting.declaration.updatable) else {
                return nil
            }
            let old =
                [row.base?[field], image.beneath(field, of: row.id)]
                + ledger.edits(of: row.id, field).map { ledger.edits[$0].before }
            guard let value = random.element(of: old), field != 0 || value != nil else {
                return nil
            }
            return update([field], to: [fields[field].sql(value)], of: row)
        case .replace:
            guard let row, !setting.declaration.hasMark, setting.declaration.creates,
                !setting.declaration.reusesIDs
            else { return nil }
            let names = fields.map(\.name).joined(separator: ", ")
            return Script(
                sql: """
                    REPLACE INTO notes (_id, \(names))
                    VALUES (?\(String(repeating: ", ?", count: fields.count)))
                    """, values: [.integer(row.id)] + values(Array(fields.indices), random))
        case .upsert:
            guard let row, let field = setting.declaration.updatable.last,
                setting.declaration.creates
            else { return nil }
            return Script(
                sql: """
                    INSERT INTO notes (_id, title) VALUES (?, ?)
                    ON CONFLICT (_id) DO UPDATE SET \(fields[field].name) = ?
                    """,
                values: [.integer(row.id), .text(row.values[0])] + values([field], random))
        case .delete:
            guard let row, setting.declaration.deletes || image.hasUnsentCreate(row.id) else {
                return nil
            }
            return Script(
                sql: "DELETE FROM notes WHERE _id = ?", values: [.integer(row.id)], deleted: row)
        case .drop:
            let free = image.operations.filter { operation in
                operation.isUnsent
                    && !(operation.kind == "create"
                        && !image.operations(of: operation.row, "delete").isEmpty)
            }
            guard let operation = random.element(of: free) else { return nil }
            return Script(
                sql: "DELETE FROM outbox WHERE seq = ?", values: [.integer(operation.sequence)],
                dropped: operation)
        case .endDoubt, .endConflict: return nil
        case .retry:
            let refused = image.operations.filter { $0.state == "rejected" }
            guard let operation = random.element(of: refused) else { return nil }
            return Script(
                sql: "UPDATE outbox SET state = 'queued' WHERE seq = ?",
                values: [.integer(operation.sequence)], retried: operation)
        }
    }

    private func update(_ set: [Int], to values: [Value], of row: EditImage.Row?) -> Script {
        let names = set.map { "\(fields[$0].name) = ?" }.joined(separator: ", ")
        guard let row else { return Script(sql: "UPDATE notes SET \(names)", values: values) }
        return Script(
            sql: "UPDATE notes SET \(names) WHERE _id = ?", values: values + [.integer(row.id)])
    }

    // MARK: Other clients

    func others(_ act: EditOtherAct, _ random: SeededRandom) {
        switch act {
        case .create:
            guard server.rows.count < 4 else { return }
            hasForeignWrites = true
            let values = fields.indices.map { setting.kept(value($0, random), of: $0) }
            let row = server.create(values, by: .other)
            note("other: creates \(server.text(row))")
        case .edit:
            guard let index = random.element(of: Array(server.rows.indices)),
                let field = random.element(of: setting.declaration.updatable)
            else { return }
            let value = setting.kept(value(field, random), of: field)
            guard server.rows[index].values[field] != value else { return }
            hasForeignWrites = true
            server.edit(index, field, to: value)
            note("other: \(server.text(server.rows[index]))")
        case .delete:
            guard let index = random.element(of: Array(server.rows.indices)) else { return }
            hasForeignWrites = true
            note("other: deletes \(server.rows[index].id)")
            server.delete(index)
        }
    }
}
