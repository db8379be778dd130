internal import Declarations
internal import Rules
internal import SQLite
internal import Tables
internal import Text

/// The marks that programs leave, and those of operations that wait again.
extension RowEdits {
    /// Whether programs have done something that ``tidy()`` is for.
    func isUntidy() throws -> Bool {
        try !dropped().isEmpty || !emptyMarks(of: nil).isEmpty || !changedRefusals().isEmpty
    }

    /// Brings the rows to their laws: what lies beneath dropped edits is shown again, and marks that name no edit
    /// any more go. An operation whose row is not what the server refused, after that, is queued anew.
    func tidy() throws {
        try applying {
            try giveBack(try dropped())
            let empty = try emptyMarks(of: nil)
            try endEmpty(empty)
            for mark in empty { try follow(mark.row) }
            for operation in try changedRefusals() {
                try connection.run(
                    "UPDATE operation SET \(QueueStatements.anew) WHERE seq = ? AND state = 'rejected'",
                    .integer(operation.sequence))
                try follow(operation.row)
            }
        }
    }

    /// Edits that were dropped: of which row, and which columns.
    private func dropped() throws -> [(row: Int64, bits: Int64)] {
        try connection.all(sql.dropped) { (row: $0.integer(0), bits: $0.integer(1)) }
    }

    /// Rejected operations whose row is not what was refused.
    private func changedRefusals() throws -> [(sequence: Int64, row: Int64)] {
        try connection.all(sql.refused) { row in
            (
                sequence: row.integer(0), kind: OperationKind(rawValue: row.text(1)) ?? .create,
                row: row.integer(2), sent: row.textOrNil(3)
            )
        }.compactMap { refused in
            guard let sent = refused.sent else { return nil }
            let payload = try payload(refused.kind, of: refused.row)
            let isSame = CanonicalJSON.isSame(payload.sent, sent)
            return isSame ? nil : (refused.sequence, refused.row)
        }
    }

    /// Takes dropped edits back before an answer, a list or a read moves what lies beneath them.
    func takeBackDropped() throws {
        let dropped = try dropped()
        guard !dropped.isEmpty else { return }
        try applying { try giveBack(dropped) }
        try connection.run(
            "DELETE FROM withdrawn WHERE list = ? AND kind = 'update'", listName)
    }

    private func giveBack(_ dropped: [(row: Int64, bits: Int64)]) throws {
        for (row, bits) in dropped {
            for field in sql.fields where field.bit & bits != 0 {
                for statement in field.giveBack {
                    try connection.run(statement, .integer(row))
                }
            }
            if let tell = table.rowStatements?.tellChanged {
                try connection.run(tell, .integer(row))
            }
        }
    }

    /// Takes the mark of the row away, for ``join(_:to:of:)``; returns its fields, nil where there is none.
    func liftMark(of row: Int64) throws(SQLiteError) -> Int64? {
        let fields = try connection.first(
            """
            SELECT fields FROM operation
            WHERE list = ? AND row_id = ? AND kind = 'update' AND stage = 1
            """, listName, .integer(row)
        ) { $0.integer(0) }
        guard fields != nil else { return nil }
        try connection.run(
            """
            DELETE FROM operation
            WHERE list = ? AND row_id = ? AND kind = 'update' AND stage = 1
            """, listName, .integer(row))
        return fields
    }

    /// Whether what was refused would be sent again, because the edits beside it are another call's.
    private func leftToAnotherCall(of row: Int64) throws(SQLiteError) -> Bool {
        guard !table.declaration.actions.isEmpty else { return false }
        let sent = try connection.first(
            """
            SELECT sent FROM operation
            WHERE list = ? AND row_id = ? AND kind = 'update' AND state = 'rejected'
            """, listName, .integer(row)
        ) { $0.textOrNil(0) }
        guard let sent = sent ?? nil else { return false }
        return CanonicalJSON.isSame(try payload(.update, of: row).sent, sent)
    }

    /// What was sent was not applied, so that the operation of the row waits again, or is rejected. It takes
    /// the edits along that were made meanwhile: what was refused is not what they say. Under a delete that
    /// waits, an update is not refused either. The row is to be followed.
    func join(_ mark: Int64?, to kind: OperationKind, of row: Int64) throws(SQLiteError) {
        let later = kind == .create ? (mark ?? 0) & sql.laterFields : 0
        var isTaken = mark != nil && (later == 0 || later != mark)
        if isTaken, kind == .update, try leftToAnotherCall(of: row) { isTaken = false }
        try connection.run(
            """
            UPDATE operation SET fields = iif(kind = 'update', fields | ?4, fields),
                sent = iif(state = 'rejected', sent, NULL),
                last_error = iif(state = 'rejected', coalesce(last_error, 'the server refuses it'), last_error),
                wait_boot = iif(state = 'rejected', NULL, wait_boot),
                wait_ms = iif(state = 'rejected', NULL, wait_ms)
            WHERE list = ?1 AND row_id = ?2 AND kind = ?3
            """, listName, .integer(row), .text(kind.rawValue), .integer(mark ?? 0))
        try connection.run(
            """
            UPDATE operation SET \(QueueStatements.anew)
            WHERE list = ?1 AND row_id = ?2 AND kind = ?3 AND state = 'rejected'
                AND NOT \(QueueStatements.wasAcknowledged)
                AND (?4 OR kind = 'update' AND EXISTS (SELECT 1 FROM operation AS deletion
                    WHERE deletion.list = ?1 AND deletion.row_id = ?2
                        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
            """, listName, .integer(row), .text(kind.rawValue), .flag(isTaken))
        guard later != 0 else { return }
        // What no create can give waits for it.
        try connection.run(
            """
            INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
            SELECT ?1, 'update', ?2, ?3, lower(hex(randomblob(16))), queued_at FROM operation
            WHERE list = ?1 AND row_id = ?2 AND kind = 'create'
            """, listName, .integer(row), .integer(later))
    }
}
