package import SQLite

/// Closes a cache to writers before it is moved aside: a program that is still connected to
/// it gets an error at its next write, and does not go on writing where nobody reads.
package enum CacheSeal: Sendable {
    /// What such a program is told.
    package static let sentence = "this cache was moved aside: open the cache again"

    private static let triggers = [
        ("BEFORE", ["todo", "operation", "sync_request"]),
        ("INSTEAD OF", ["todos", "outbox", "sync_requests"]),
    ]

    /// Whether the cache is closed.
    package static func isOn(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.count("SELECT count(*) FROM sqlite_schema WHERE name GLOB 'moved_aside_*'")
            > 0
    }

    /// Closes it, in a transaction of the caller. Who is connected sees that the schema has changed.
    package static func put(on connection: Connection) throws(SQLiteError) {
        for (time, names) in triggers {
            for name in names {
                for event in ["INSERT", "UPDATE", "DELETE"] {
                    try connection.execute(
                        script: """
                            CREATE TRIGGER moved_aside_\(name)_\(event) \(time) \(event) ON \(name)
                            BEGIN SELECT RAISE(ABORT, '\(sentence)'); END
                            """)
                }
            }
        }
    }
}
