internal import Host
internal import SQLite

/// An operation as its settlement finds it.
private struct SettlingOperation {
    let sequence: OperationSequence
    let todo: Int64
    let isCreate: Bool
    /// An earlier attempt may have arrived.
    let isUndecided: Bool
    /// A delete waits behind the create: it must not be sent again.
    let isUnwanted: Bool
}

extension CacheStore {
    /// Commits what one attempt came to, inside the caller's transaction.
    func settle(
        _ sequence: OperationSequence, _ settlement: Settlement
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
                sequence: sequence, todo: row.integer(0), isCreate: row.text(1) == "create",
                isUndecided: row.integer(2) == 1,
                isUnwanted: row.text(1) == "create" && row.integer(3) == 1)
        }
        // Another operation's answer showed that its row is another todo: nothing is left to settle.
        guard let operation = found else { return .done }
        switch settlement {
        case .created(let body, let otherwise):
            return try finishCreate(operation, body: body, otherwise: otherwise)
        case .deleted:
            try remove(todo: operation.todo)
            return .done
        case .doubtful(let wait, let isOver):
            return try doubt(operation, wait, isOver: isOver)
        case .rejected(let wait), .notApplied(let wait):
            // Whatever this attempt came to, an earlier one may have been applied.
            if operation.isUndecided { return try doubt(operation, wait) }
            if operation.isUnwanted {
                try remove(todo: operation.todo)
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
        _ operation: SettlingOperation, body: [UInt8], otherwise: Postponement
    ) throws -> Settled {
        let row = try body.withUnsafeBufferPointer { bytes in
            try JSONStaging(connection: connection, body: bytes).singleTodo()
        }
        guard let row else { return try doubt(operation, otherwise) }
        let previous = try connection.first(
            """
            SELECT id, \(TodoRows.knownTitle) = ?3 OR id IN (SELECT todo_id FROM unconfirmed) FROM s_todos
            WHERE server_id = ?1 AND id <> ?2
            """, .text(row.id), .integer(operation.todo), .text(row.title)
        ) { (id: $0.integer(0), isOfAnswer: $0.integer(1) == 1) }
        if let previous {
            // A key that is sent again is answered with what its first sending made, also when others
            // have deleted that since: then this cycle's pull has shown whose the id is now.
            guard previous.isOfAnswer || !operation.isUndecided else {
                // A delete that waits would go with it, so the next pull decides.
                if operation.isUnwanted { return try doubt(operation, otherwise) }
                try remove(todo: operation.todo)
                return .done
            }
            // The id belongs to this create: a row that still holds it is gone, ids are used again.
            try remove(todo: previous.id)
        }
        try noteCut(of: operation.todo, to: row.title)
        try TodoRows(connection: connection).adopt(
            operation.todo, serverID: row.id, document: row.document, ending: operation.sequence)
        try connection.run(
            "INSERT OR IGNORE INTO unconfirmed (todo_id) VALUES (?)", .integer(operation.todo))
        try connection.run(
            "INSERT OR IGNORE INTO unseen (todo_id) VALUES (?)", .integer(operation.todo))
        return .done
    }

    /// Remembers the length at which the server cuts titles. Later creates with a lost answer need
    /// it.
    private func noteCut(of todo: Int64, to title: String) throws {
        try connection.run(
            """
            UPDATE sync_state SET title_cut = length(?2)
            WHERE resource = 'todos' AND title_cut IS NOT length(?2) AND EXISTS (
                SELECT 1 FROM (SELECT \(TodoRows.title) AS given FROM (SELECT ?1 AS row_id))
                WHERE length(given) > length(?2) AND substr(given, 1, length(?2)) = ?2)
            """, .integer(todo), .text(title))
    }

    private func remove(todo: Int64) throws {
        try TodoRows(connection: connection).forget(todo)
    }
}

/// A todo as the answer to its create shows it.
struct AnsweredTodo {
    let id: String
    let title: String
    let document: String
}

extension JSONStaging {
    /// The todo in the body, by the same rules as a pulled row; nil if the body is not a todo. Its
    /// document is written as a list's would be, so that the next pull finds it unchanged.
    func singleTodo() throws -> AnsweredTodo? {
        let isObject = try single(
            "SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON') = 'object'"
        ) { $0.integer(0) == 1 }
        guard isObject else { return nil }
        return try all(
            """
            SELECT CAST(id AS TEXT), title, json(?1) FROM (
                SELECT json_type(?1, '$.id') AS id_type, ?1 ->> '$.id' AS id,
                    json_type(?1, '$.title') AS title_type, ?1 ->> '$.title' AS title)
            WHERE \(Self.usableID) AND \(Self.usableTitle)
            """
        ) { AnsweredTodo(id: $0.text(0), title: $0.text(1), document: $0.text(2)) }.first
    }
}
