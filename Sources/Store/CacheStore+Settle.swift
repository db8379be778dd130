internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// An operation as its settlement finds it.
private struct SettlingOperation {
    let sequence: OperationSequence
    let kind: OperationKind
    let row: Int64
    var facts: SettlingFacts
    /// The row in a create's answer.
    var answered: (id: String, document: String)?
    /// The row that has its id.
    var holder: Int64?
}

extension CacheStore {
    /// Commits what one attempt came to, inside the caller's transaction.
    func settle(
        _ sequence: OperationSequence, _ settlement: Settlement, of table: ListTable
    ) throws -> Settled {
        // Another operation's answer showed that its row is another one: nothing is left to settle.
        guard var operation = try settling(sequence) else { return .done }
        switch settlement {
        case .created(let body, _): try read(body, of: &operation, in: table)
        case .updated(let body): try readUpdated(body, of: &operation, in: table)
        case .stale(_, let version):
            operation.facts.isStaleAgain =
                try connection.count(
                    "SELECT stale_version IS ? FROM operation WHERE seq = ?",
                    .text(version ?? ""), .integer(sequence.rawValue)) == 1
        case .deleted, .rejected, .notApplied, .doubtful: break
        }
        let outcome = SettlementRules.outcome(
            of: operation.facts, settlement, by: UpdateResolution(table.declaration.conflict))
        return try carryOut(outcome, on: operation, of: table)
    }

    private func settling(_ sequence: OperationSequence) throws -> SettlingOperation? {
        try connection.first(
            """
            SELECT row_id, undecided, kind = 'create' AND EXISTS (
                SELECT 1 FROM operation AS deletion
                WHERE deletion.resource = operation.resource
                    AND deletion.row_id = operation.row_id AND deletion.kind = 'delete'), kind
            FROM operation WHERE seq = ? AND state = 'sending'
            """, .integer(sequence.rawValue)
        ) { row in
            SettlingOperation(
                sequence: sequence, kind: OperationKind(rawValue: row.text(3)) ?? .create,
                row: row.integer(0),
                facts: SettlingFacts(
                    isUndecided: row.integer(1) == 1, isUnwanted: row.integer(2) == 1))
        }
    }

    /// Finds the row in the answer to a create, and whose its id is.
    private func read(
        _ body: [UInt8], of operation: inout SettlingOperation, in table: ListTable
    ) throws {
        guard let sql = table.queueStatements else { return }
        let answered = try body.withUnsafeBufferPointer { bytes in
            try JSONStaging(connection: connection, body: bytes).all(sql.answered) {
                (id: $0.text(0), document: $0.text(1))
            }.first
        }
        guard let answered else { return }
        let holder = try connection.first(
            sql.owner, .text(answered.id), .integer(operation.row), .text(answered.document)
        ) { (id: $0.integer(0), isAnswered: $0.integer(1) == 1) }
        operation.answered = answered
        operation.holder = holder?.id
        operation.facts.answer = holder.map { .held(isSame: $0.isAnswered) } ?? .free
    }

    /// Finds the row in the answer to an update, if it is the one that was changed. One of another identity is
    /// another row, which has got the id since: the next list says what became of this one.
    private func readUpdated(
        _ body: [UInt8], of operation: inout SettlingOperation, in table: ListTable
    ) throws {
        guard let sql = table.queueStatements, let updated = sql.answeredUpdate, !body.isEmpty,
            let edits = edits(of: table)
        else { return }
        let answered = try body.withUnsafeBufferPointer { bytes in
            try JSONStaging(connection: connection, body: bytes).all(updated) {
                (id: $0.text(0), document: $0.text(1))
            }.first
        }
        guard let answered,
            try connection.count(
                sql.isSameRow, .integer(operation.row), .text(answered.id),
                .text(answered.document)) == 1
        else { return }
        operation.answered = answered
        operation.facts.edited = try edits.row(operation.row, showing: answered.document)
    }

    private func edits(of table: ListTable) -> RowEdits? {
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
        case .learned(let learned):
            guard let answered = operation.answered else { return .done }
            try edits(of: table)?.carryOut(learned, on: operation.row, showing: answered.document)
            return .done
        case .acknowledged:
            try edits(of: table)?.acknowledge(operation.row)
            return .done
        case .adopted:
            if let holder = operation.holder {
                try edits(of: table)?.recordGone(holder)
                try rows.forget(holder)
            }
            try adopt(operation, in: rows, of: table)
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
            case .rejected: return .rejected
            }
        case .waitsForVersion(let version, let wait):
            try connection.run(
                "INSERT OR IGNORE INTO unconfirmed (resource, row_id) VALUES (?, ?)",
                .text(table.declaration.name.text), .integer(operation.row))
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
                wait_asked_ms = ?10, first_sent_boot = iif(?3, first_sent_boot, NULL),
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
        _ operation: SettlingOperation, in rows: ListRows, of table: ListTable
    ) throws {
        guard let answered = operation.answered else { return }
        let resource = Value.text(table.declaration.name.text)
        if let cut = table.queueStatements?.cut,
            let length = try connection.first(
                cut, .integer(operation.row), .text(answered.document), row: { $0.integer(0) })
        {
            // Later creates with a lost answer need it.
            try connection.run(
                "UPDATE sync_state SET title_cut = ?2 WHERE resource = ?1 AND title_cut IS NOT ?2",
                resource, .integer(length))
        }
        try rows.adopt(
            operation.row, serverID: answered.id, document: answered.document,
            ending: operation.sequence)
        for list in ["unconfirmed", "unseen"] {
            try connection.run(
                "INSERT OR IGNORE INTO \(list) (resource, row_id) VALUES (?, ?)", resource,
                .integer(operation.row))
        }
    }
}
