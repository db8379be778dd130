import CFaultVFS
import SQLite
import TestSupport

/// What scripts on the machine write, by plain SQL, at any moment.
extension Device {
    /// `name` is the same however many other steps are left out: fresh titles are made of it.
    func script(_ write: ScriptWrite, _ seed: UInt64, name: String, full: [Disturbance] = []) {
        for case .fullDisk(let countdown, let writes) in full.map(\.kind) {
            fault_vfs_arm_full_disk(scriptOwner, countdown, writes)
        }
        defer { fault_vfs_calm(scriptOwner) }
        let random = SeededRandom(seed: seed)
        current?.hasScriptWrites = true
        do throws(SQLiteError) {
            switch write {
            case .addFresh: try add(world.plan.setting.fresh(freshTitle(name, random)), seed)
            case .addEqual: try add(equalTitles[random.index(equalTitles.count)], seed)
            case .remove: try remove(random)
            case .mend: try mend(random)
            }
        } catch {
            // P5: a clear refusal; what was not accepted is not there (P2).
            note("a script is refused: \(error.code)")
            guard error.code == .full, fault_vfs_full_writes(scriptOwner) > 0 else {
                return blame("a script's write fails: \(error)")
            }
        }
    }

    private func freshTitle(_ name: String, _ random: SeededRandom) -> String {
        switch random.index(6) {
        case 0: "  todo  \(name) "
        case 1: "to\u{1}do \(name)"
        case 2: "todo \(name) of more than twelve"
        default: "todo \(name)"
        }
    }

    private func add(_ text: String, _ seed: UInt64) throws(SQLiteError) {
        guard let scripts else { return }
        let list = world.plan.setting.list
        let given = world.plan.setting.title(text, seed)
        let before = try scripts.count("SELECT coalesce(max(id), 0) FROM \(rows)")
        do throws(SQLiteError) {
            if let list {
                try list.insert(given, into: scripts)
            } else {
                try scripts.run("INSERT INTO todos (title) VALUES (?)", .text(given))
            }
        } catch {
            if try scripts.count(
                "SELECT count(*) FROM \(rows) WHERE id > ?", .integer(before)) > 0
            {
                blame("P2: a refused INSERT left a todo")
            }
            throw error
        }
        // With the mark that the table has made.
        let added = try scripts.first("SELECT max(id), title FROM \(rows)") {
            (id: $0.integer(0), title: $0.text(1))
        }
        guard let (id, title) = added, id > before,
            list?.once.isColumn == true || title.isSame(as: given)
        else { return blame("P2: an accepted INSERT left no todo") }
        books.added[id] = title
        if let list, list.once.isColumn { world.remember(mark: list.values(title)[0]) }
        note("add \(id) '\(title)'")
    }

    private struct Visible {
        let id: Int64
        let title: String
        let state: String
        let serverID: String?
    }

    private func remove(_ random: SeededRandom) throws(SQLiteError) {
        guard let scripts else { return }
        let visible = try scripts.all(
            "SELECT id, title, state, server_id FROM \(shown) ORDER BY id"
        ) {
            Visible(
                id: $0.integer(0), title: $0.text(1), state: $0.text(2), serverID: $0.textOrNil(3))
        }
        guard let todo = random.element(of: visible) else { return }
        do throws(SQLiteError) {
            try scripts.run("DELETE FROM \(listName) WHERE \(idColumn) = ?", .integer(todo.id))
        } catch {
            let left = try scripts.first(
                "SELECT state FROM \(shown) WHERE id = ?", .integer(todo.id)
            ) { $0.text(0) }
            if left != todo.state { blame("P2: a refused DELETE changed the todo") }
            throw error
        }
        books.deleted[todo.id] = DeviceBooks.Deletion(
            at: world.clock.now, row: row(serverID: todo.serverID, title: todo.title))
        note("remove \(todo.id) '\(todo.title)' (\(todo.state), \(todo.serverID ?? "new"))")
    }

    /// The newest row known for the id, where it looks like the todo.
    func row(serverID: String?, title: String) -> Int? {
        guard let serverID, let row = books.latest[serverID],
            world.ledger.rows[row].title.isSame(as: title)
        else { return nil }
        return row
    }

    private func mend(_ random: SeededRandom) throws(SQLiteError) {
        current?.hasMend = true
        guard let scripts else { return }
        let rejected = try scripts.all(
            "SELECT seq, op = 'create', row_id FROM outbox WHERE state = 'rejected' ORDER BY seq"
        ) { (sequence: $0.integer(0), isCreate: $0.integer(1) == 1, todo: $0.integer(2)) }
        guard let operation = random.element(of: rejected) else { return }
        guard random.happens(40) else {
            try scripts.run(
                "UPDATE outbox SET state = 'queued' WHERE seq = ?", .integer(operation.sequence))
            books.keys[operation.todo] = nil
            books.created.remove(operation.todo)
            return note("retry \(operation.sequence)")
        }
        try scripts.run("DELETE FROM outbox WHERE seq = ?", .integer(operation.sequence))
        if operation.isCreate {
            books.dropped.insert(operation.todo)
        } else {
            books.deleted[operation.todo] = nil
        }
        note("drop \(operation.sequence) of \(operation.todo)")
    }

    /// Everything that the server refused may go again.
    func retryAll() {
        books.keys = [:]
        books.created = []
        do {
            try scripts?.run("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")
        } catch {
            blame("a retry fails: \(error)")
        }
    }
}
