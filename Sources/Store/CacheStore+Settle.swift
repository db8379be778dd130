internal import Declarations
internal import Host
internal import SQLite
internal import Tables

/// An operation as its settlement finds it.
private struct SettlingOperation {
    let sequence: OperationSequence
    let row: Int64
    let isCreate: Bool
    /// An earlier attempt may have arrived.
    let isUndecided: Bool
    /// A delete waits behind the create: it must not be sent again.
    let isUnwanted: Bool
}

extension CacheStore {
    /// Commits what one attempt came to, inside the caller's transaction.
    func settle(
        _ sequence: OperationSequence, _ settlement: Settlement, of table: ListTable
    ) throws -> Settled {
        let found = try connection.first(
            """
            SELECT row_id, kind, undecided, EXISTS (SELECT 1 FROM operation AS deletion
                WHERE deletion.resource = operation.resource
                    AND deletion.row_id = operation.row_id AND deletion.kind = 'delete')
            FROM operation WHERE seq = ? AND state = 'sending'
            """, .integer(sequence.rawValue)
        ) { row in
            SettlingOperation(
                sequence: sequence, row: row.integer(0), isCreate: row.text(1) == "create",
                isUndecided: row.integer(2) == 1,
                isUnwanted: row.text(1) == "create" && row.integer(3) == 1)
        }
        let rows = ListRows(connection: connection, table: table)
        // Another operation's answer showed that its row is another one: nothing is left to settle.
        guard let operation = found else { return .done }
        switch settlement {
        case .created(let body, let otherwise):
            return try finishCreate(operation, body: body, otherwise: otherwise, of: table)
        case .deleted:
            try rows.forget(operation.row)
            return .done
        case .doubtful(let wait, let isOver):
            return try doubt(operation, wait, isOver: isOver)
        case .rejected(let wait), .notApplied(let wait):
            // Whatever this attempt came to, an earlier one may have been applied.
            if operation.isUndecided { return try doubt(operation, wait) }
            if operation.isUnwanted {
                try rows.forget(operation.row)
                return .withdrawn
            }
            if case .rejected = settlement {
                return try park(operation, as: .rejected, wait)
            }
            return try park(operation, as: .queued, wait)
        }
    }

    /// Where this attempt `isOver` and no earlier one is undecided, the next pull may decide.
    private func doubt(
        _ operation: SettlingOperation, _ wait: Postponement, isOver: Bool = false
    ) throws -> Settled {
        if isOver, !operation.isUndecided {
            try connection.run(
                "UPDATE operation SET settling_ms = 0 WHERE seq = ?",
                .integer(operation.sequence.rawValue))
        }
        return try park(operation, as: .inDoubt, wait)
    }

    /// Writes the new state, why, and until when it waits. Only an attempt in doubt stays undecided.
    private func park(
        _ operation: SettlingOperation, as state: OperationState, _ wait: Postponement
    ) throws -> Settled {
        let waits = state != .rejected
        try connection.run(
            """
            UPDATE operation SET state = ?2, undecided = ?3, wait_boot = ?4, wait_ms = ?5,
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
        switch state {
        case .queued: return .queued
        case .inDoubt, .sending: return .inDoubt
        case .rejected: return .rejected
        }
    }

    private func finishCreate(
        _ operation: SettlingOperation, body: [UInt8], otherwise: Postponement, of table: ListTable
    ) throws -> Settled {
        guard let sql = table.queueStatements else { return try doubt(operation, otherwise) }
        let answer = try body.withUnsafeBufferPointer { bytes in
            try JSONStaging(connection: connection, body: bytes).all(sql.answered) {
                (id: $0.text(0), document: $0.text(1))
            }.first
        }
        guard let answer else { return try doubt(operation, otherwise) }
        let rows = ListRows(connection: connection, table: table)
        let previous = try connection.first(
            sql.owner, .text(answer.id), .integer(operation.row), .text(answer.document)
        ) { (id: $0.integer(0), isOfAnswer: $0.integer(1) == 1) }
        if let previous {
            // A key that is sent again is answered with what its first sending made, also when others
            // have deleted that since: then this cycle's pull has shown whose the id is now.
            guard previous.isOfAnswer || !operation.isUndecided else {
                // A delete that waits would go with it, so the next pull decides.
                if operation.isUnwanted { return try doubt(operation, otherwise) }
                try rows.forget(operation.row)
                return .done
            }
            // The id belongs to this create: a row that still holds it is gone, ids are used again.
            try rows.forget(previous.id)
        }
        let resource = Value.text(table.declaration.name.text)
        if let cut = sql.cut,
            let length = try connection.first(
                cut, .integer(operation.row), .text(answer.document), row: { $0.integer(0) })
        {
            // Later creates with a lost answer need it.
            try connection.run(
                "UPDATE sync_state SET title_cut = ?2 WHERE resource = ?1 AND title_cut IS NOT ?2",
                resource, .integer(length))
        }
        try rows.adopt(
            operation.row, serverID: answer.id, document: answer.document,
            ending: operation.sequence)
        for list in ["unconfirmed", "unseen"] {
            try connection.run(
                "INSERT OR IGNORE INTO \(list) (resource, row_id) VALUES (?, ?)", resource,
                .integer(operation.row))
        }
        return .done
    }
}
