internal import Declarations

/// The objects of the schema that name every list.
public enum SharedObjects: Sendable {
    /// How syncing of each list goes. `rows` counts what the table shows now, whatever the last pull brought. `state` is
    /// that of reading. What waits to be written is told by `waiting`, `stuck` and `stuck_error`.
    public static func syncStatus(of lists: [ListTable]) -> SchemaObject {
        let counts = lists.map { list in
            "        WHEN \(list.listName) THEN \(list.shownRows)\n"
        }
        return SchemaObject(
            name: "sync_status",
            sql: """
                CREATE VIEW sync_status AS
                SELECT list, state,
                    strftime('%Y-%m-%dT%H:%M:%fZ', last_attempt_at / 1000.0, 'unixepoch') AS last_attempt_at,
                    strftime('%Y-%m-%dT%H:%M:%fZ', last_success_at / 1000.0, 'unixepoch') AS last_success_at,
                    strftime('%Y-%m-%dT%H:%M:%fZ', due_shown / 1000.0, 'unixepoch') AS next_due_at,
                    failures, last_error,
                    CASE list
                \(counts.joined())    END AS rows,
                    duration_ms, complete, skipped,
                    (SELECT count(*) FROM operation
                        WHERE operation.list = sync_state.list AND \(StuckChange.waits)) AS waiting,
                    (SELECT count(*) FROM operation
                        WHERE operation.list = sync_state.list AND \(StuckChange.isStuck)) AS stuck,
                    (SELECT coalesce(operation.last_error, own.halt_error,
                            iif(own.state = 'ok', NULL, own.last_error))
                        FROM operation JOIN sync_state AS own ON own.list = operation.list
                        WHERE operation.list = sync_state.list AND \(StuckChange.isStuck)
                        -- The boot clock of another boot says nothing.
                        ORDER BY operation.last_error IS NULL, operation.sent_boot IS NOT own.due_boot,
                            operation.sent_ms DESC, operation.seq
                        LIMIT 1) AS stuck_error,
                    pages_read, pages_told, mark,
                    strftime('%Y-%m-%dT%H:%M:%fZ', iif(since_of IS NULL, last_success_at, whole_at) / 1000.0,
                        'unixepoch') AS whole_at,
                    missed,
                    strftime('%Y-%m-%dT%H:%M:%fZ', (SELECT min(read_at) FROM part WHERE part.list = sync_state.list)
                        / 1000.0, 'unixepoch') AS oldest_part_at
                FROM sync_state
                """)
    }
}
