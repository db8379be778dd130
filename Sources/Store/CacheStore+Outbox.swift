internal import SQLite

extension CacheStore {
    /// The rows of the view `outbox`, in the order they were queued.
    public func outbox() throws(StoreError) -> [OperationRow] {
        try read {
            try connection.all(
                """
                SELECT seq, op, todo_id, title, state, attempts, not_before, last_status,
                    last_error, idempotency_key, queued_at
                FROM outbox ORDER BY seq
                """
            ) { row in
                OperationRow(
                    sequence: OperationSequence(rawValue: row.integer(0)), kind: row.text(1),
                    todo: TodoID(rawValue: row.integer(2)), title: row.text(3), state: row.text(4),
                    attempts: row.integer(5), notBefore: row.textOrNil(6),
                    lastStatus: row.integerOrNil(7), lastError: row.textOrNil(8),
                    idempotencyKey: row.text(9), queuedAt: row.text(10))
            }
        }
    }

    /// Queues rejected operations again, all or none; one that is queued already stays as it is.
    ///
    /// One that is being sent or in doubt throws ``StoreError/refused(_:)``.
    public func retry(_ operations: [OperationSequence]) throws(StoreError) {
        try change(operations, by: "UPDATE outbox SET state = 'queued' WHERE seq = ?")
    }

    /// Drops operations, all or none: a dropped create removes its todo, a dropped delete brings
    /// its todo back. One that is being sent or in doubt throws ``StoreError/refused(_:)``.
    public func drop(_ operations: [OperationSequence]) throws(StoreError) {
        try change(operations, by: "DELETE FROM outbox WHERE seq = ?")
    }

    private func change(_ operations: [OperationSequence], by sql: String) throws(StoreError) {
        try write(.full) {
            for operation in operations {
                let found = try connection.count(
                    "SELECT count(*) FROM outbox WHERE seq = ?", .integer(operation.rawValue))
                guard found == 1 else {
                    throw StoreError.unknownID("there is no operation \(operation) in the outbox")
                }
                try connection.run(sql, .integer(operation.rawValue))
            }
        }
    }

    /// How many operations there are in each state.
    public func queueCounts() throws(StoreError) -> QueueCounts {
        try read { try countQueue(nil) }
    }

    /// The operations of one kind in each state; nil for those of both.
    func countQueue(_ kind: OperationKind?) throws(SQLiteError) -> QueueCounts {
        var counts = QueueCounts()
        try connection.each(
            """
            SELECT state, count(*) FROM operation WHERE ?1 IS NULL OR kind = ?1 GROUP BY state
            """, [.text(kind?.rawValue)]
        ) { row in
            switch OperationState(rawValue: row.text(0)) {
            case .queued: counts.queued = row.integer(1)
            case .sending: counts.sending = row.integer(1)
            case .inDoubt: counts.inDoubt = row.integer(1)
            case .rejected: counts.rejected = row.integer(1)
            case nil: break  // The table's CHECK allows no other.
            }
        }
        return counts
    }
}
