internal import Host
internal import SQLite
internal import Store

/// What was copied obeys the laws of the cache.
extension QueueTransfer {
    /// Mends rows first, then operations: these follow from each other.
    mutating func mend() throws {
        for list in lists {
            try new.beginApplying(to: list.name)
            try mendRows(of: list)
        }
        try mendOperations()
        for list in lists {
            try new.beginApplying(to: list.name)
            try follow(list)
        }
        try new.endApplying()
    }

    /// What one of the three tables of a list has lost, the others have.
    private mutating func mendRows(of list: SalvagedList) throws {
        for sql in list.mendRows { try new.run(sql) }
        guard let query = list.unusableRows else { return }
        for row in try new.all(query, row: { (id: $0.integer(0), column: $0.text(1)) }) {
            lose(
                list.name == SalvagedList.todos.name
                    ? "the \(row.column) of todo \(row.id)"
                    : "the \(row.column) of row \(row.id) of \(list.name)")
            try new.run(
                "DELETE FROM operation WHERE list = ? AND row_id = ?", .text(list.name),
                .integer(row.id))
            try new.run(
                "DELETE FROM \(TableScan.quoted(list.shown)) WHERE rowid = ?", .integer(row.id))
        }
    }

    /// A row shows what its operations say.
    private func follow(_ list: SalvagedList) throws {
        let wrong = "SELECT offender FROM invariant_\(list.name)_state"
        for row in try new.all(wrong, row: { $0.integer(0) }) {
            for sql in list.follow { try new.run(sql, .integer(row)) }
        }
    }

    private mutating func mendOperations() throws {
        for list in lists {
            let orphans = "SELECT offender FROM invariant_\(list.name)_row"
            for operation in try new.all(orphans, row: { $0.integer(0) }) {
                lose(operation: operation)
                try new.run("DELETE FROM operation WHERE seq = ?", .integer(operation))
            }
            try mendCreates(of: list)
        }
        try putInDoubt("seq IN (\(Self.unlawful))")
        // A delete waits behind a create only while that is being sent or in doubt. It has not been
        // sent itself: there is no id that it could have named.
        let waiting = "SELECT offender FROM invariant_delete_waits"
        try putInDoubt(
            """
            kind = 'create' AND (list, row_id) IN (
                SELECT list, row_id FROM operation WHERE seq IN (\(waiting)))
            """)
        try new.run(
            """
            UPDATE operation SET state = 'queued', undecided = 0, first_sent_boot = NULL,
                first_sent_ms = NULL WHERE seq IN (\(waiting))
            """)
    }

    /// If the server has the row, its create is done. Of a row that it does not have there is
    /// one, which may have been sent.
    private func mendCreates(of list: SalvagedList) throws {
        try new.run(
            """
            DELETE FROM operation WHERE list = ?1 AND kind = 'create'
                AND row_id IN (SELECT offender FROM invariant_\(list.name)_synced)
            """, .text(list.name))
        try new.run(
            """
            INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
            SELECT ?1, 'create', offender, '', 0 FROM invariant_\(list.name)_create
            UNION ALL SELECT ?1, 'create', id, '', 0 FROM \(list.hidden) AS hidden
            WHERE id NOT IN (SELECT id FROM \(list.known)) AND NOT EXISTS (
                SELECT 1 FROM operation WHERE list = ?1 AND row_id = hidden.id AND kind = 'create')
            """, .text(list.name))
    }

    /// The numbers of the operations that cannot be as they are: they break a law, bear a key that was
    /// never made here, or were sent, or wait for a moment, later than anything can.
    private static let unlawful = """
        SELECT offender FROM invariant_undecided UNION SELECT offender FROM invariant_first_attempt
        UNION SELECT offender FROM invariant_attempts UNION SELECT offender FROM invariant_wait
        UNION SELECT offender FROM invariant_reason
        UNION SELECT offender FROM invariant_operation_moments
        UNION SELECT seq FROM operation
        WHERE length(idempotency_key) <> 32 OR idempotency_key GLOB '*[^0-9a-f]*'
            OR sent_boot = ?1 AND sent_ms > ?2 OR first_sent_boot = ?1 AND first_sent_ms > ?2
            OR wait_boot = ?1 AND wait_ms > ?2 + 3600000
        """

    /// They may be under way at this moment. Their first attempt is of no boot at all, and their
    /// keys are new. So nobody relies on a server that knows the keys: pulls decide. A mark of fields was never
    /// sent.
    private func putInDoubt(_ condition: String) throws {
        try new.run(
            """
            UPDATE operation SET state = 'in doubt', undecided = 1, attempts = max(attempts, 1),
                idempotency_key = lower(hex(randomblob(16))), sent_boot = ?1, sent_ms = ?2,
                first_sent_boot = 'before the damage', first_sent_ms = 0, wait_boot = NULL,
                wait_ms = NULL, wait_shown = NULL, wait_asked = 0, last_status = NULL,
                last_error = 'the cache was damaged, so that nobody knows whether this was sent'
            WHERE (kind <> 'update' OR stage = 0) AND (\(condition))
            """, .text(now.boot), .integer(now.milliseconds))
    }
}
