internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

extension CacheStore {
    /// Commits what one attempt came to, inside the caller's transaction.
    func settle(
        _ sequence: OperationSequence, _ attempted: Settlement, of table: ListTable
    ) throws -> Settled {
        // Another operation's answer showed that its row is another one: nothing is left to settle.
        guard var operation = try settling(sequence) else { return .done }
        var settlement = try judged(attempted, of: sequence)
        switch settlement {
        case .accepted(let acceptance):
            operation.answeredAt = acceptance.at
            try read(acceptance, of: &operation, in: table)
        case .stale(_, let version):
            operation.facts.isStaleAgain =
                try connection.count(
                    "SELECT stale_version IS ? FROM operation WHERE seq = ?",
                    .text(version ?? ""), .integer(sequence.rawValue)) == 1
        case .rejected, .refusedInRun, .notApplied, .doubtful: break
        }
        let standing = try standing(of: operation, settlement, of: table)
        operation.facts.isBehind = standing == .behind
        // A refusal that does not count yet may hide an effect.
        if operation.facts.isBehind { settlement = attempted }
        let outcome = SettlementRules.outcome(
            of: operation.facts, settlement, by: UpdateResolution(table.declaration.conflict))
        let settled = try carryOut(outcome, on: operation, of: table)
        if standing != .alone, settled == .queued || settled == .inDoubt {
            try connection.run(
                "UPDATE operation SET behind = ? WHERE seq = ?", .integer(standing.rawValue),
                .integer(sequence.rawValue))
            return settled == .queued && standing == .behind ? .behind : settled
        }
        if settled == .rejected, case .accepted(let acceptance) = settlement {
            // It may have taken effect all the same, and the id of a deleted row may be another's by now.
            if operation.kind == .delete { try leaveToLists(operation.row, of: table) }
            try rememberRefused(operation, at: acceptance.at, in: table)
            try connection.run(
                """
                UPDATE operation SET answered_boot = ?2, answered_ms = ?3
                WHERE seq = ?1 AND kind = 'create'
                """, .integer(sequence.rawValue), .text(acceptance.at.boot),
                .integer(acceptance.at.milliseconds))
        }
        if case .accepted(let acceptance) = settlement, acceptance.isLater {
            try connection.run(
                "UPDATE trail SET holds_edits = 1 WHERE list = ? AND row_id = ?",
                .text(table.declaration.name.text), .integer(operation.row))
        }
        return settled
    }

    /// Nothing more is sent of the row before a list shows it.
    private func leaveToLists(_ row: Int64, of table: ListTable) throws {
        try connection.run(
            "INSERT OR IGNORE INTO unconfirmed (list, row_id) VALUES (?, ?)",
            .text(table.declaration.name.text), .integer(row))
    }

    private func rememberRefused(
        _ operation: SettlingOperation, at moment: BootTime, in table: ListTable
    ) throws {
        guard operation.kind == .update, let row = operation.facts.edited,
            let trails = edits(of: table)?.trails
        else { return }
        let rules = UpdateResolution(table.declaration.conflict)
        var trail = try trails.trail(of: operation.row) ?? RowTrail(answeredAt: moment)
        trail.answeredAt = moment
        trail.fields = rules.refused(row, at: moment)
        try trails.keep(trail, of: operation.row)
    }

    private func settling(_ sequence: OperationSequence) throws -> SettlingOperation? {
        try connection.first(
            """
            SELECT row_id, undecided, kind = 'create' AND EXISTS (
                SELECT 1 FROM operation AS deletion
                WHERE deletion.list = operation.list
                    AND deletion.row_id = operation.row_id AND deletion.kind = 'delete'), kind,
                refusals
            FROM operation WHERE seq = ? AND state = 'sending'
            """, .integer(sequence.rawValue)
        ) { row in
            var facts = SettlingFacts(
                kind: OperationKind(rawValue: row.text(3)) ?? .create,
                isUndecided: row.integer(1) == 1, isUnwanted: row.integer(2) == 1)
            facts.refusals = Int(clamping: row.integer(4))
            return SettlingOperation(sequence: sequence, row: row.integer(0), facts: facts)
        }
    }

    func edits(of table: ListTable) -> RowEdits? {
        RowEdits(connection: connection, table: table)
    }

    private func carryOut(
        _ outcome: SettlementOutcome, on operation: SettlingOperation, of table: ListTable
    ) throws -> Settled {
        let rows = ListRows(connection: connection, table: table)
        switch outcome {
        case .ended:
            try rows.forget(operation.row)
            return .done
        case .withdrawn:
            try rows.forget(operation.row)
            return .withdrawn
        case .merged:
            guard let holder = operation.holder else { return .done }
            try rows.tellMerged(operation.row, into: holder)
            try rows.forget(operation.row)
            return .done
        case .learned(let learned):
            guard let answered = operation.answered else { return .done }
            try edits(of: table)?.carryOut(
                learned, on: operation.row, showing: answered.document, isPart: true)
            if let id = operation.movedTo { try rows.move(operation.row, to: id) }
            return .done
        case .acknowledged(let moment):
            try connection.run(
                """
                UPDATE operation SET state = 'acknowledged', undecided = 0, first_sent_boot = NULL,
                    first_sent_ms = NULL, wait_boot = NULL, wait_ms = NULL, wait_shown = NULL,
                    wait_asked = 0, last_status = NULL, last_error = NULL, answered_boot = ?2,
                    answered_ms = ?3
                WHERE seq = ?1
                """, .integer(operation.sequence.rawValue), .text(moment.boot),
                .integer(moment.milliseconds))
            try rows.follow(operation.row, isDelete: operation.kind == .delete)
            return operation.kind == .create ? .acknowledged : .done
        case .adopted(let outcome):
            if let holder = operation.holder {
                try edits(of: table)?.recordGone(holder)
                try rows.rememberDeparted(holder, at: operation.answeredAt)
                try rows.forget(holder)
            }
            try adopt(operation, outcome, in: rows, of: table)
            return .done
        case .waits(let state, let wait, let isOver):
            if isOver {
                try connection.run(
                    "UPDATE operation SET settling_ms = 0 WHERE seq = ?",
                    .integer(operation.sequence.rawValue))
            }
            let edits = operation.kind == .delete || state == .inDoubt ? nil : edits(of: table)
            let mark = try edits?.liftMark(of: operation.row)
            try park(operation, as: state, wait)
            try edits?.join(mark ?? nil, to: operation.kind, of: operation.row)
            try rows.follow(operation.row, isDelete: operation.kind == .delete)
            switch state {
            case .queued: return .queued
            case .inDoubt, .sending: return .inDoubt
            case .acknowledged: return .done
            case .rejected: return .rejected
            }
        case .waitsUncounted(let wait):
            let settled = try carryOut(
                .waits(.queued, wait, isOver: false), on: operation, of: table)
            if !operation.facts.isBehind {
                try connection.run(
                    "UPDATE operation SET refusals = ?2 WHERE seq = ?1",
                    .integer(operation.sequence.rawValue), .integer(operation.facts.refusals + 1))
            }
            return settled
        case .waitsForVersion(let version, let wait):
            try leaveToLists(operation.row, of: table)
            try connection.run(
                "UPDATE operation SET stale_version = ? WHERE seq = ?", .text(version ?? ""),
                .integer(operation.sequence.rawValue))
            return try carryOut(.waits(.queued, wait, isOver: false), on: operation, of: table)
        }
    }

    /// Writes the new state, why, and until when it waits. Only an attempt in doubt stays undecided.
    private func park(
        _ operation: SettlingOperation, as state: OperationState, _ wait: Postponement
    ) throws {
        let waits = state != .rejected
        try connection.run(
            """
            UPDATE operation SET state = ?2, stage = iif(?3, stage, 1), undecided = ?3, wait_boot = ?4, wait_ms = ?5,
                wait_shown = ?6, wait_asked = ?7, last_status = ?8, last_error = ?9,
                wait_asked_ms = ?10, behind = 0, first_sent_boot = iif(?3, first_sent_boot, NULL),
                first_sent_ms = iif(?3, first_sent_ms, NULL)
            WHERE seq = ?1
            """, .integer(operation.sequence.rawValue), .text(state.rawValue),
            .flag(state == .inDoubt), waits ? .text(wait.until.boot) : .null,
            waits ? .integer(wait.until.milliseconds) : .null,
            waits ? .integer(wait.shown.milliseconds) : .null,
            .flag(waits && wait.askedUntil != nil), .integer(wait.status.map(Int64.init)),
            .text(wait.error), waits ? .integer(wait.askedUntil?.milliseconds) : .null)
    }

    /// The create's row is the one of the answer from now on.
    private func adopt(
        _ operation: SettlingOperation, _ outcome: EditOutcome, in rows: ListRows,
        of table: ListTable
    ) throws {
        guard let answered = operation.answered else { return }
        let list = Value.text(table.declaration.name.text)
        if let cut = table.queueStatements?.cut, !operation.isClaim,
            let length = try connection.first(
                cut, .integer(operation.row), .text(answered.document), row: { $0.integer(0) })
        {
            // Later creates with a lost answer need it.
            try connection.run(
                "UPDATE sync_state SET title_cut = ?2 WHERE list = ?1 AND title_cut IS NOT ?2",
                list, .integer(length))
        }
        let edits = edits(of: table)
        var shown = answered.document
        if operation.isClaim {
            // It is there as it was sent, whatever was edited since.
            shown = try rows.document(of: operation.row, serverID: answered.id)
            let unsent = operation.facts.edited?.fields.filter { $0.sent == nil } ?? []
            shown = try edits?.leaveOut(Set(unsent.map(\.name)), of: shown) ?? shown
        }
        let document = try edits?.acknowledged(outcome, of: operation.row, in: shown)
        let answeredAt = outcome.trails.values.first?.answeredAt ?? operation.answeredAt
        try rows.adopt(
            operation.row, serverID: answered.id, document: document ?? shown,
            ending: operation.sequence,
            remembering: RowTrail(
                answeredAt: answeredAt, isNew: true,
                isClaim: operation.isClaim,
                fields: outcome.trails))
        try leaveToLists(operation.row, of: table)
    }
}
