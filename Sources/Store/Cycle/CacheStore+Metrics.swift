public import Host
internal import Rules
internal import SQLite
internal import Tables

/// What there is to measure of a cache, at one moment.
public struct CacheMetrics: Sendable, Hashable {
    /// How syncing of each list goes, with the rows that its view shows.
    public let lists: [StatusRow]
    /// The rows of the table `todos` in each of its states, a state without one too.
    public let todos: [String: Int64]
    /// The creates that wait in the outbox.
    public let creates: QueueCounts
    /// The updates that wait in the outbox.
    public let updates: QueueCounts
    /// The deletes that wait in the outbox.
    public let deletes: QueueCounts
    /// Operations that have been in doubt for so long that the person is told; see ``OpenDoubt``.
    public let lastingDoubts: Int64
    /// Edits that conflict with the server, and that nobody has looked at yet.
    public let conflicts: Int64
    /// Deletes that wait for a person.
    public let heldDeletes: Int64
    /// When the oldest operation that is not rejected was queued; nil if there is no such
    /// operation.
    public let oldestQueued: WallTime?
    /// Sync requests that no daemon has answered.
    public let requests: Int64
    /// The newest revision of the change log.
    public let revision: Int64
    /// The size of the database, in bytes.
    public let databaseBytes: Int64
    /// The size of its write-ahead log, in bytes.
    public let walBytes: Int64
    /// How many migrations are applied.
    public let schemaVersion: Int
}

extension CacheStore {
    /// Counts what there is. Cheap with a million todos: only the outbox is read row by row.
    public func metrics(now: BootTime) throws(StoreError) -> CacheMetrics {
        let walBytes = Int64(walBytes())
        return try read {
            let oldest = try connection.first(
                "SELECT min(queued_at) FROM operation WHERE state <> 'rejected' AND state <> 'acknowledged'"
            ) { $0.wallTime(0) }
            return CacheMetrics(
                lists: try statusRows(), todos: try countTodos(),
                creates: try countQueue(.create),
                updates: try countQueue(.update), deletes: try countQueue(.delete),
                lastingDoubts: try countLastingDoubts(now: now),
                conflicts: try countConflicts(),
                heldDeletes: try connection.count("SELECT count(*) FROM held_deletes"),
                oldestQueued: oldest ?? nil,
                requests: try connection.count("SELECT count(*) FROM sync_request"),
                revision: try boundsOfChanges().newest,
                databaseBytes: try connection.count(
                    "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
                walBytes: walBytes,
                schemaVersion: Int(try connection.count("SELECT max(version) FROM migration")))
        }
    }

    /// A todo without an operation is synced; one with a waiting delete is not shown.
    private func countTodos() throws(SQLiteError) -> [String: Int64] {
        var counts: [String: Int64] = [
            "queued": 0, "sending": 0, "in doubt": 0, "rejected": 0,
        ]
        var withOperation: Int64 = 0
        try connection.each(
            """
            SELECT state, is_hidden, count(*) FROM (
                SELECT coalesce(max(iif(kind = 'create', state, NULL)), 'rejected') AS state,
                    max(kind = 'delete' AND state <> 'rejected') AS is_hidden
                FROM operation WHERE list = 'todos' GROUP BY row_id)
            GROUP BY state, is_hidden
            """, []
        ) { row in
            guard row.integer(1) == 0 else { return }
            withOperation += row.integer(2)
            counts[row.text(0), default: 0] += row.integer(2)
        }
        counts["synced"] = try connection.count(ListRows.todos.countRows) - withOperation
        return counts
    }
}
