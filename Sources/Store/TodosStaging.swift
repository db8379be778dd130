internal import Host
internal import SQLite

/// A pulled list of todos in the staging tables, before the transaction that reconciles the cache with
/// it: what takes time with the length of the list is done here, without the write lock.
struct TodosStaging {
    let connection: Connection

    /// Takes the rows out of `body`, in place of what was staged.
    func stage(_ body: [UInt8], now: WallTime) throws -> TodosPull {
        try connection.staging {
            try connection.run("DELETE FROM pulled_todo")
            let staged = try body.withUnsafeBufferPointer { bytes in
                try JSONStaging(connection: connection, body: bytes).stageTodos()
            }
            return TodosPull(
                connection: connection, rows: staged.taken,
                listed: (staged.rows, staged.unidentified), skipped: staged.skippedRows, now: now)
        }
    }

    /// Finds what differs between the staged rows and the cache, and returns the `data_version` for
    /// which that holds. A transaction of its own: the one of ``stage(_:now:)`` may see an older state.
    func compare() throws -> Int64 {
        try connection.staging {
            let version = try connection.count("PRAGMA data_version")
            try findDifferences()
            return version
        }
    }

    /// Under the write lock, finds again what differs, unless nobody has committed since ``compare()``
    /// returned `version`. Returns the version that holds now.
    func compareAgain(unlessStill version: Int64) throws -> Int64 {
        let now = try connection.count("PRAGMA data_version")
        if now != version { try findDifferences() }
        return now
    }

    /// Forgets what was staged.
    func clear() throws {
        try connection.staging {
            for table in ["pulled_todo", "differing_row", "differing_todo"] {
                try connection.run("DELETE FROM \(table)")
            }
        }
    }

    private func findDifferences() throws {
        try connection.run("DELETE FROM differing_row")
        try connection.run("DELETE FROM differing_todo")
        try connection.run(Self.noteRows)
        // Ids are unique on both sides: where all todos found their row, none is left to look for.
        let equal = try connection.count(
            "SELECT (SELECT count(*) FROM pulled_todo) - (SELECT count(*) FROM differing_row)")
        let pulledBefore = try connection.count(
            "SELECT count(*) FROM s_todos")
        if pulledBefore > equal { try connection.run(Self.noteTodos) }
    }

    static let noteRows = """
        INSERT INTO differing_row (position)
        SELECT position FROM pulled_todo AS pulled
        WHERE NOT EXISTS (SELECT 1 FROM s_todos AS known
            WHERE known.server_id = pulled.id AND known.document = pulled.document)
        """

    static let noteTodos = """
        INSERT INTO differing_todo (todo_id)
        SELECT id FROM s_todos AS known
        WHERE NOT EXISTS (SELECT 1 FROM pulled_todo AS pulled
            WHERE pulled.id = known.server_id AND pulled.document = known.document)
        """
}

@available(*, unavailable) extension TodosStaging: Sendable {}
