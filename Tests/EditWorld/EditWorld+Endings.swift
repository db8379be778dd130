import SQLite
import Store
import TestSupport

/// A person who ends what syncd waits for.
extension EditWorld {
    /// Ends the doubt of an operation: from now on it counts as refused, though its request may have taken effect,
    /// or may yet.
    func endDoubt(_ random: SeededRandom) {
        let doubtful = image().operations.filter { $0.state == "in doubt" }
        guard let operation = random.element(of: doubtful) else { return }
        if random.happens(40) { dropWaiting(over: operation) }
        let before = image()
        ledger.forgetAcknowledged(operation.sequence)
        guard
            run(
                "UPDATE outbox SET state = 'rejected' WHERE seq = ?", [.integer(operation.sequence)]
            )
        else { return }
        // What was sent then belongs to nobody any more: as if another client had sent it.
        hasForeignWrites = true
        ledger.ended.insert(operation.row)
        if operation.kind == "delete" { ledger.wishes[operation.row] = .kept }
        let after = image()
        if operation.kind == "create", after.rows[operation.row] == nil {
            // The delete that waited for it went, too.
            ledger.wishes[operation.row] = .dropped
        }
        ledger.note(from: before, to: after, at: server.moment)
        guard after.operations.contains(where: { $0.sequence == operation.sequence }) else {
            return
        }
        switch random.index(3) {
        case 0:
            if run(
                "UPDATE outbox SET state = 'queued' WHERE seq = ?", [.integer(operation.sequence)]),
                operation.kind == "delete"
            {
                ledger.wishes[operation.row] = .deleted
            }
        case 1:
            guard let ended = after.operations.first(where: { $0.sequence == operation.sequence }),
                run("DELETE FROM outbox WHERE seq = ?", [.integer(operation.sequence)])
            else { return }
            ledger.noteDrop(of: ended, shipped: [:], updatable: setting.declaration.updatable)
        default: break
        }
    }

    /// Drops the edits that wait over it, so that syncd has not looked when the doubt ends.
    private func dropWaiting(over operation: EditImage.Operation) {
        let image = image()
        let waiting = image.operations(of: operation.row, "update").first { $0.isUnsent }
        guard let waiting,
            run("DELETE FROM outbox WHERE seq = ?", [.integer(waiting.sequence)])
        else { return }
        ledger.noteDrop(
            of: waiting, shipped: shipped(operation.row, in: image),
            updatable: setting.declaration.updatable)
    }

    /// Reads a conflict and is done with it, or wants its own value all the same.
    func endConflict(_ random: SeededRandom) {
        _ = conflicts()
        let open = cache.conflicts()
        guard let sequence = random.element(of: open) else { return }
        let before = image()
        switch random.index(3) {
        case 0:
            guard run("DELETE FROM conflicts WHERE seq = ?", [.integer(sequence)]) else { return }
        case 1: guard cache.take(.theirs, of: sequence) else { return }
        default: guard cache.take(.mine, of: sequence) else { return }
        }
        scripts += 1
        ledger.forgetAcknowledged()
        note("program: ends conflict \(sequence)")
        ledger.note(from: before, to: image(), at: server.moment)
        noteShownAgain()
    }

    private func run(_ sql: String, _ values: [Value]) -> Bool {
        scripts += 1
        do {
            _ = try cache.with { try $0.run(sql, values) }
            note("program: \(sql) \(values)")
            return true
        } catch {
            note("program: \(sql): \(error)")
            return false
        }
    }
}
