internal import Declarations

/// The objects of the schema that name every list.
public enum SharedObjects: Sendable {
    /// How syncing of each list goes. `rows` counts what the table shows now, whatever the last pull brought.
    public static func syncStatus(of lists: [ListTable]) -> SchemaObject {
        let counts = lists.map { list in
            "        WHEN \(list.resource) THEN \(list.shownRows)\n"
        }
        return SchemaObject(
            name: "sync_status",
            sql: """
                CREATE VIEW sync_status AS
                SELECT resource, state,
                    strftime('%Y-%m-%dT%H:%M:%fZ', last_attempt_at / 1000.0, 'unixepoch') AS last_attempt_at,
                    strftime('%Y-%m-%dT%H:%M:%fZ', last_success_at / 1000.0, 'unixepoch') AS last_success_at,
                    strftime('%Y-%m-%dT%H:%M:%fZ', due_shown / 1000.0, 'unixepoch') AS next_due_at,
                    failures, last_error,
                    CASE resource
                \(counts.joined())    END AS rows,
                    duration_ms, complete, skipped
                FROM sync_state
                """)
    }
}
