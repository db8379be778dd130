package import SQLite

/// Closes a cache to writers before it is moved aside: a program that is still connected to
/// it gets an error at its next write, and does not go on writing where nobody reads.
package enum CacheSeal: Sendable {
    /// What such a program is told.
    package static let sentence = "this cache was moved aside: open the cache again"

    private static let tables = ["operation", "sync_request"]
    private static let views = ["outbox", "sync_requests"]

    /// Whether the cache is closed.
    package static func isOn(_ connection: Connection) throws(SQLiteError) -> Bool {
        try connection.count("SELECT count(*) FROM sqlite_schema WHERE name GLOB 'moved_aside_*'")
            > 0
    }

    /// Closes it, in a transaction of the caller. Who is connected sees that the schema has changed.
    package static func put(on connection: Connection) throws(SQLiteError) {
        for name in try tables + lists(connection) { try refuse("BEFORE", on: name, connection) }
        for name in views { try refuse("INSTEAD OF", on: name, connection) }
    }

    /// The three tables of each list that programs write to. The schema alone is asked: of a damaged cache, that
    /// was read.
    private static func lists(_ connection: Connection) throws(SQLiteError) -> [String] {
        let names = try connection.all(
            """
            SELECT substr(hidden.name, 3) FROM sqlite_schema AS hidden
            WHERE hidden.type = 'table' AND hidden.name GLOB 'd_[a-z]*'
                AND substr(hidden.name, 3) NOT GLOB '*[^a-z0-9_]*'
                AND (SELECT count(*) FROM sqlite_schema AS other WHERE other.type = 'table'
                    AND other.name IN (substr(hidden.name, 3), 's_' || substr(hidden.name, 3))) = 2
            ORDER BY 1
            """
        ) { $0.text(0) }
        return names.flatMap { [$0, "s_" + $0, "d_" + $0] }
    }

    private static func refuse(
        _ time: String, on name: String, _ connection: Connection
    ) throws(SQLiteError) {
        for event in ["INSERT", "UPDATE", "DELETE"] {
            try connection.execute(
                script: """
                    CREATE TRIGGER moved_aside_\(name)_\(event) \(time) \(event) ON "\(name)"
                    BEGIN SELECT RAISE(ABORT, '\(sentence)'); END
                    """)
        }
    }
}
