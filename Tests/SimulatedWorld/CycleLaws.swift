import Declarations
import Host
import SQLite
import Store
import SyncEngine
import TestSupport

/// The laws of one cycle: what it may have changed, given what came over the wire.
struct CycleLaws {
    let device: Device
    let run: CycleRun
    let before: CacheImage
    let after: CacheImage
    /// Nil where the cycle did not end: a crash, a full disk.
    let report: CycleReport?
    let cause: CycleCause

    private var world: World { device.world }
    private var isHeld: Bool { report?.state == .held && report?.hasPulled == false }
    private var mayHavePulled: Bool { run.snapshot != nil && !isHeld && report?.hasPulled != false }

    func check() {
        checkRows()
        checkOperations()
        checkAcknowledged()
        checkHold()
        checkQuiet()
        checkMinute()
        noteTaken()
    }

    private func shows(_ todo: CacheImage.Todo) -> Bool {
        todo.serverID.flatMap { run.snapshot?[$0] }.map { isShown($0, as: todo.title) } ?? false
    }

    private func isShown(_ row: Int, as title: String) -> Bool {
        let shown = world.ledger.rows[row].title
        if shown.isSame(as: title) { return true }
        let rows = run.snapshot?.values.map { world.ledger.rows[$0].title } ?? []
        return world.plan.setting.list?.listed(title, in: rows).isSame(as: shown) == true
    }

    /// A row of the list was taken for one of ours. Until a later list decides, it shows what was sent.
    private func isAdopted(_ todo: CacheImage.Todo) -> Bool {
        todo.serverID.map { run.snapshot?[$0] != nil } == true
            && after.operations.values.contains {
                $0.todo == todo.id && !$0.isCreate && $0.state == "acknowledged"
            }
    }

    private func isAcknowledged(_ id: String) -> Bool {
        run.acknowledged.contains { $0.serverID == id }
    }

    /// Rows come and go by a list that was taken, or by the answers of this cycle. P12, P14, P15.
    private func checkRows() {
        for todo in before.byServerID.values {
            guard let id = todo.serverID, after.todos[todo.id]?.serverID != id else { continue }
            if run.deleted.contains(id) || isAcknowledged(id) { continue }
            if mayHavePulled, !shows(todo), !run.isSpoiled || run.snapshot?[id] != nil { continue }
            device.blame("P15: the row \(id) '\(todo.title)' left the cache without a cause")
        }
        for todo in after.byServerID.values {
            guard let id = todo.serverID, before.todos[todo.id]?.serverID != id else { continue }
            if isAcknowledged(id) || mayHavePulled && (shows(todo) || isAdopted(todo)) { continue }
            device.blame("P12: the row \(id) '\(todo.title)' came from nowhere")
        }
        guard report?.hasPulled == true, let snapshot = run.snapshot else { return }
        for (id, row) in snapshot
        where !run.deleted.contains(id) && !isAcknowledged(id) && !isEcho(of: id) && !isYoung(id) {
            let todo = after.byServerID[id]
            if todo.map({ isShown(row, as: $0.title) }) != true, todo.map(isAdopted) != true {
                device.blame("P15: the list's row \(id) is not in the cache after its pull")
            }
        }
        guard isWhole else { return }
        let agreed = agreedRows
        for todo in after.byServerID.values {
            guard let id = todo.serverID, !isAcknowledged(id), !shows(todo) else { continue }
            // The list may be older than the answer that acknowledged it.
            if device.books.unseen[id] != nil,
                !isMissedTwice(id, since: device.books.surelyMissedSince)
            {
                continue
            }
            if isYoung(id) || agreed.map({ !$0.contains(todo.id) }) == true { continue }
            // What is to be deleted waits until a second list agrees that it is gone.
            guard !after.operations.values.contains(where: { $0.todo == todo.id }) else { continue }
            device.blame("P15: the cache shows \(id) '\(todo.title)', which its pull did not")
        }
    }

    /// An operation leaves the queue for a reason. P1, P13.
    private func checkOperations() {
        for (sequence, operation) in before.operations {
            // What was found is shown until a later list decides of each column.
            let left = after.operations[sequence]
            guard left == nil || operation.isCreate && left?.isCreate == false else { continue }
            let reason = operation.isCreate ? createEnded(operation) : deleteEnded(operation)
            if !reason {
                device.blame(
                    "P1: the \(operation.isCreate ? "create" : "delete") of \(operation.todo) "
                        + "(\(operation.state)) left the queue without a cause")
            }
        }
        // A pull that failed or is held ends its cycle; only one that may be skipped has no list. Creates may go while its
        // pages come.
        if run.hasAskedForList, report?.hasPulled == false, run.sendingsByList > 0 {
            device.blame("P14: something is sent after a pull that was not taken")
        }
    }

    private func createEnded(_ operation: CacheImage.Operation) -> Bool {
        let books = device.books
        guard let todo = after.todos[operation.todo], let id = todo.serverID else {
            if books.deleted[operation.todo] != nil || books.dropped.contains(operation.todo) {
                return true
            }
            // Its answer came, or the list showed its row, and the id was given away in the same cycle.
            return run.acknowledged.contains { answer in
                let shown = run.snapshot?[answer.serverID]
                return answer.todo == operation.todo || shown != nil && shown != answer.row
            }
        }
        if run.acknowledged.contains(where: { $0.todo == todo.id && $0.serverID == id }) {
            return true
        }
        guard mayHavePulled, let row = run.snapshot?[id] else { return false }
        device.noteAdoption(of: todo.id, row: row)
        // The next list can be of before. The id can have been another row's.
        let isOurs = before.byServerID[id].map { $0.id == todo.id } ?? true
        device.books.madeAt[id] =
            (isOurs ? device.books.madeAt[id] : nil) ?? device.books.answeredAt[todo.id]
            ?? run.beganAt
        // What was rejected because no list had shown it may be there all the same.
        let states = ["in doubt", "sending", "acknowledged", "rejected"]
        // It was sent while the pages came, and a later one showed it.
        let wasSent = device.books.doubtfulAt[operation.todo].map { $0 >= run.beganAt } ?? false
        return wasSent || states.contains(operation.state)
    }

    private func deleteEnded(_ operation: CacheImage.Operation) -> Bool {
        // A drop, or the create before it came to nothing.
        guard device.books.deleted[operation.todo] != nil,
            let todo = before.todos[operation.todo], let id = todo.serverID
        else { return true }
        if run.deleted.contains(id) || isAcknowledged(id) { return true }
        guard mayHavePulled, !shows(todo) else { return false }
        // Its id is another row's now, or two lists in a row have not shown it.
        return run.snapshot?[id] != nil || isMissedTwice(id, since: device.books.missedSince)
    }

    /// The list held every row, as far as a device can know.
    private var isWhole: Bool { !run.isSpoiled && !run.isPage && run.snapshot != nil }

    /// The list is younger than a minute after the delete of the row was acknowledged.
    private func isEcho(of id: String) -> Bool {
        guard let deletedAt = device.books.deletedAt[id] else { return false }
        return run.beganAt - deletedAt < Setting.memoryMilliseconds
    }

    /// The list is younger than a minute after the create of the row was acknowledged.
    private func isYoung(_ id: String?) -> Bool {
        guard let id, let madeAt = device.books.madeAt[id] else { return false }
        return run.beganAt - madeAt < Setting.memoryMilliseconds
    }

    private func isMissedTwice(_ id: String, since missed: [String: Int64]) -> Bool {
        guard let since = missed[id] else { return false }
        return run.beganAt - since >= Setting.confirmationMilliseconds
    }

    /// P15: what was just acknowledged stays, and shows the server's id.
    private func checkAcknowledged() {
        guard report != nil else { return }
        for (place, answer) in run.acknowledged.enumerated() {
            let isGivenAway = run.acknowledged[(place + 1)...].contains {
                $0.serverID == answer.serverID
            }
            guard !isGivenAway, !run.deleted.contains(answer.serverID) else { continue }
            // A repeated key tells of a row that is gone: the list showed whose its id is now.
            if let shown = run.snapshot?[answer.serverID], shown != answer.row { continue }
            // A server that forgets gives ids again: the answer is like a row that has its id.
            if after.todos[answer.todo]?.serverID == nil,
                let older = after.byServerID[answer.serverID],
                world.ledger.rows[answer.row].title.isSame(as: older.title)
            {
                continue
            }
            if after.todos[answer.todo]?.serverID != answer.serverID {
                device.blame(
                    "P15: \(answer.todo) was acknowledged as \(answer.serverID), and is not")
            }
        }
    }

    /// The rows that the pull does not show. A row that was just acknowledged is no absence.
    private var missing: [CacheImage.Todo] {
        before.guarded.filter { !shows($0) && !isYoung($0.serverID) }
    }

    /// Whether the pull would take so much that it is held.
    private var isMost: Bool {
        let (counted, missing) = (before.guarded.count, missing.count)
        return run.snapshot?.isEmpty == true
            ? counted >= 2 && missing > 0 : counted >= 10 && missing * 2 > counted
    }

    /// The rows that leave because an earlier pull, which was held, lacked them, too; nil where none was.
    private var agreedRows: Set<Int64>? {
        guard isMost, cause != .asked(acceptsRemovals: true) else { return nil }
        return switch device.books.hold {
        case .none: nil
        case .unknown: []
        case .held(_, let todos): todos
        }
    }

    /// P14: a pull that takes more than half of at least ten rows waits for a second one.
    private func checkHold() {
        guard run.snapshot != nil, isWhole, !run.hasScriptWrites else {
            if run.snapshot != nil { device.books.hold = .unknown }
            return
        }
        guard let report else { return device.books.hold = .unknown }
        guard isHeld || report.hasPulled else { return }
        let (counted, missing) = (before.guarded, missing)
        let isEmpty = run.snapshot?.isEmpty == true
        let half = isEmpty ? missing.count : counted.count
        if isHeld {
            if !isMost { device.blame("P14: a pull is held that takes little") }
            let rows = Set(missing.map(\.id))
            // A pull begins before its login: that is how the engine counts the interval.
            var hold: DeviceBooks.Hold = .held(since: run.beganAt, todos: rows)
            if case .unknown = device.books.hold { hold = .unknown }
            if case .held(let since, let todos) = device.books.hold, !beginsHold(missing, of: half),
                !todos.isDisjoint(with: rows)
            {
                hold = .held(since: since, todos: todos.intersection(rows))
            }
            device.books.hold = hold
            return
        }
        defer { device.books.hold = .none }
        guard isMost, cause != .asked(acceptsRemovals: true) else { return }
        switch device.books.hold {
        case .unknown: return
        case .none: break
        case .held(let since, let todos):
            let both = missing.count { todos.contains($0.id) }
            let isDue = run.beganAt - since >= Setting.intervalMilliseconds
            if isDue, both * 2 > half { return }
        }
        device.blame("P14: \(missing.count) of \(counted.count) rows were taken away at once")
    }

    /// A first hold, or another one, because an interval later other rows are missing.
    private func beginsHold(
        _ missing: [CacheImage.Todo], of half: Int
    ) -> Bool {
        switch device.books.hold {
        case .none: return true
        case .unknown: return false
        case .held(let since, let todos):
            return run.beganAt - since >= Setting.intervalMilliseconds
                && missing.count { todos.contains($0.id) } * 2 <= half
        }
    }

    /// What did nothing must not come back at once: that would go on for ever. But for what the next list
    /// decides since this one was asked for: doubt that has settled, absence that counts, a wait that is over.
    private func checkQuiet() {
        let now = device.clock.bootTime()
        guard let report, report.state == .ok, report.hasPulled, run.sendings == 0,
            report.due.milliseconds <= now.milliseconds
        else { return }
        let began = now.milliseconds - (world.clock.now - run.beganAt)
        let hasSettled = !device.read(
            """
            SELECT 1 FROM operation WHERE state = 'in doubt'
                AND iif(sent_boot = ?1, sent_ms, 0) + settling_ms BETWEEN ?2 + 1 AND ?3
            UNION ALL SELECT 1 FROM operation
            WHERE wait_boot = ?1 AND wait_ms BETWEEN ?2 + 1 AND ?3
            UNION ALL SELECT 1 FROM operation WHERE missed_ms IS NOT NULL
                AND iif(missed_boot = ?1, missed_ms, 0) + ?4 BETWEEN ?2 + 1 AND ?3
            """, .text(now.boot), .integer(began), .integer(now.milliseconds),
            .integer(Setting.confirmationMilliseconds)
        ) { $0.integer(0) }.isEmpty
        guard !hasSettled else { return }
        device.blame("P11: a cycle that did nothing is due again at once")
    }

    /// From now on these rows are known: by a list that was taken, or by answers.
    private func noteTaken() {
        for answer in run.acknowledged { device.books.seen.insert(answer.row) }
        noteMissed()
        for id in run.deleted { device.books.deletedAt[id] = world.clock.now }
        for answer in run.acknowledged {
            device.books.unseen[answer.serverID] = world.clock.now
            device.books.madeAt[answer.serverID] = answer.moment
            device.books.mayBeDecided.remove(answer.serverID)
            device.books.deletedAt[answer.serverID] = nil
            device.books.missedSince[answer.serverID] = nil
            device.books.surelyMissedSince[answer.serverID] = nil
        }
        // Where a process died, nobody outside knows how far it came.
        if report == nil {
            for operation in after.operations.values
            where operation.isCreate && operation.state == "sending" {
                device.books.answeredAt[operation.todo] = nil
                for answer in run.acknowledged where answer.todo == operation.todo {
                    device.books.madeAt[answer.serverID] = nil
                }
            }
            let kept = device.unseen
            device.books.unseen = device.books.unseen.filter { kept.contains($0.key) }
        }
        guard report?.hasPulled == true, let snapshot = run.snapshot else { return }
        device.books.seen.formUnion(snapshot.values)
    }

    /// Which rows the lists have not shown, and since when; what a cycle that did not end made of its
    /// list is not known.
    private func noteMissed() {
        guard let snapshot = run.snapshot, !isHeld else { return }
        if run.isWrong {
            device.books.wrongSince = device.books.wrongSince ?? run.beganAt
        } else if report?.hasPulled == true, isWhole {
            device.books.wrongSince = nil
        }
        // What a cycle that did not end has written of its list is not known.
        if report?.hasPulled == true {
            for id in snapshot.keys {
                device.books.missedSince[id] = nil
                device.books.surelyMissedSince[id] = nil
                if !isYoung(id) { device.books.madeAt[id] = nil }
            }
        } else if report == nil {
            device.books.mayBeDecided.formUnion(snapshot.keys.filter { !isYoung($0) })
        }
        if isWhole {
            for id in before.byServerID.keys where snapshot[id] == nil {
                let isYoung = isYoung(id)
                if device.books.missedSince[id] == nil,
                    !isYoung || device.books.mayBeDecided.contains(id)
                {
                    device.books.missedSince[id] = run.beganAt
                }
                if isYoung { continue }
                if report?.hasPulled == true, device.books.surelyMissedSince[id] == nil {
                    device.books.surelyMissedSince[id] = run.beganAt
                }
            }
        }
        guard report?.hasPulled == true else { return }
        // What a list shows within a minute of the answer is no sign.
        for id in snapshot.keys where !isYoung(id) { device.books.unseen[id] = nil }
    }
}
