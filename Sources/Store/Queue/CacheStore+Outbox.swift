internal import Declarations
public import Rules
internal import SQLite
public import Tables

extension CacheStore {
    /// The rows of the view `outbox`, in the order they were queued.
    public func outbox() throws(StoreError) -> [OperationRow] {
        try read { try outboxRows() }
    }

    /// How many changes of each list are in the outbox, in the order of their names.
    public func changesByList() throws(StoreError) -> [(list: String, count: Int64)] {
        try read {
            try connection.all(
                "SELECT list, count(*) FROM outbox GROUP BY list ORDER BY list"
            ) { ($0.text(0), $0.integer(1)) }
        }
    }

    /// The queue of a list as it is at one moment, for a person who asks what would be sent.
    public func queueSnapshot(of table: ListTable) throws(StoreError) -> QueueSnapshot {
        let name = table.declaration.name
        return try read {
            QueueSnapshot(
                rows: try outboxRows().filter { $0.list == name.text },
                waiting: try foldWaiting(of: table, into: []) { $0.append($1) },
                deletes: try recentDeletes(of: table), memory: try recall(name))
        }
    }

    private func outboxRows() throws(SQLiteError) -> [OperationRow] {
        try connection.all(
            """
            SELECT seq, op, row_id, title, state, attempts, not_before, last_status,
                last_error, idempotency_key, queued_at, list
            FROM outbox ORDER BY seq
            """
        ) { row in
            OperationRow(
                sequence: OperationSequence(rawValue: row.integer(0)), kind: row.text(1),
                list: row.text(11), row: row.integer(2), title: row.textOrNil(3) ?? "",
                state: row.text(4),
                attempts: row.integer(5), notBefore: row.textOrNil(6),
                lastStatus: row.integerOrNil(7), lastError: row.textOrNil(8),
                idempotencyKey: row.text(9), queuedAt: row.text(10))
        }
    }

    /// How many operations there are in each state.
    public func queueCounts() throws(StoreError) -> QueueCounts {
        try read { try countQueue(nil) }
    }

    /// The operations of one kind in each state; nil for every kind. An index has only the
    /// operations that are not waiting creates. So the number of waiting creates is the rest.
    func countQueue(_ kind: OperationKind?) throws(SQLiteError) -> QueueCounts {
        var counts = QueueCounts()
        var waitingCreates = try connection.count("SELECT count(*) FROM operation")
        try connection.each(
            """
            SELECT state, count(*), kind FROM operation
            WHERE state <> 'queued' OR kind <> 'create' GROUP BY kind, state
            """, []
        ) { row in
            let number = row.integer(1)
            waitingCreates -= number
            guard kind == nil || kind?.rawValue == row.text(2) else { return }
            switch OperationState(rawValue: row.text(0)) {
            case .queued: counts.queued += number
            case .sending: counts.sending += number
            case .inDoubt: counts.inDoubt += number
            case .acknowledged where row.text(2) == OperationKind.delete.rawValue: break
            case .acknowledged: counts.acknowledged += number
            case .rejected: counts.rejected += number
            case nil: break  // The table's CHECK allows no other.
            }
        }
        if kind == nil || kind == .create { counts.queued += waitingCreates }
        return counts
    }
}

/// The queue of one moment.
public struct QueueSnapshot: Sendable, Hashable {
    /// The rows of the view `outbox`, in queue order.
    public let rows: [OperationRow]
    /// What a plan needs to know of those that are not rejected, in the same order.
    public let waiting: [WaitingOperation]
    /// What a sync would judge the deletes by; nil where none waits.
    public let deletes: RecentDeletes?
    /// What is remembered of the cycles that replay it.
    public let memory: SyncMemory
}
