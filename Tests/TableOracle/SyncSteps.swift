import SQLite

/// The steps of syncd on the generated tables, row by row.
///
/// Each transaction raises the flag `applying`, looks at every row that has an operation, works, looks
/// again, and lowers the flag.
final class SyncSteps {
    let cache: Connection
    let setting: Setting
    /// Bring the row `?1` to what its operations say, after these were changed.
    private let follow: [String]
    /// How many rows had been changed when a look at the whole queue found nothing to do.
    private var changesAtRest: Int64?
    /// The rows that the look at the queue has seen.
    var seen: [Int64: Layers] = [:]
    /// What documents show and what requests say, by their text: the same ones are asked for again and again.
    var shownByDocument: [String: Fields] = [:]
    var membersByJSON: [String: Fields] = [:]

    /// What they need beside the schema; and an index, for the comparison asks for the last change of each row.
    static let tables = """
        CREATE TEMP TABLE pulled (
            position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL
        ) STRICT;
        CREATE INDEX change_of_row ON change (list, row_id);
        """

    init(_ cache: Connection, _ setting: Setting, follow: [String]) {
        self.cache = cache
        self.setting = setting
        self.follow = follow
    }

    /// Runs `body` in a transaction of syncd.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try cache.transaction {
            try begin()
            let result = try body()
            try end()
            return result
        }
    }

    /// What each transaction begins with.
    func begin() throws {
        try cache.run("UPDATE control SET applying = 'notes'")
        try liftCount()
        try takeBackWithdrawn()
        try lookAtQueue()
    }

    /// What each transaction ends with.
    func end() throws {
        try lookAtQueue()
        try cache.run("UPDATE control SET applying = NULL")
    }

    /// A look sees nothing but the tables. After one that wrote nothing, another one would do nothing until
    /// something is written.
    private func lookAtQueue() throws {
        let before = cache.totalChanges
        guard before != changesAtRest else { return }
        let rows = try cache.all(
            "SELECT DISTINCT row_id FROM operation WHERE list = 'notes' ORDER BY row_id"
        ) { $0.integer(0) }
        seen = [:]
        for row in rows { try look(row) }
        changesAtRest = cache.totalChanges == before ? before : nil
        if changesAtRest == nil { seen = [:] }
    }

    // MARK: Ids

    /// The largest id that was ever used. The id of a mark says nothing: its row may be about to be refused.
    func largestID() throws -> Int64 {
        try cache.count(
            """
            SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notes'), 0),
                coalesce((SELECT max(row_id) FROM operation WHERE list = 'notes' AND kind <> 'update'), 0),
                coalesce((SELECT max(row_id) FROM withdrawn WHERE list = 'notes' AND kind <> 'update'), 0),
                coalesce((SELECT max(id) FROM s_notes), 0), coalesce((SELECT max(id) FROM d_notes), 0))
            """)
    }

    /// No row of a program gets an id that was used.
    private func liftCount() throws {
        let largest = max(
            try largestID(), try cache.count("SELECT coalesce(max(id), 0) FROM notes"))
        let counted = try cache.first("SELECT seq FROM sqlite_sequence WHERE name = 'notes'") {
            $0.integer(0)
        }
        guard let counted else {
            try cache.run(
                "INSERT INTO sqlite_sequence (name, seq) VALUES ('notes', ?)", .integer(largest))
            return
        }
        guard counted < largest else { return }
        try cache.run(
            "UPDATE sqlite_sequence SET seq = ? WHERE name = 'notes'", .integer(largest))
    }

    // MARK: The queue

    /// Changes operations, and follows their rows. The triggers on the tables may see it as a program's.
    @discardableResult
    func changeQueue(_ sql: String, _ values: Value...) throws -> Int {
        if setting.opensQueue { try cache.run("UPDATE control SET applying = NULL") }
        var rows: [Int64] = []
        try cache.each("\(sql) RETURNING row_id", values) { rows.append($0.integer(0)) }
        for row in rows { try follow(row) }
        if setting.opensQueue { try cache.run("UPDATE control SET applying = 'notes'") }
        return rows.count
    }

    func follow(_ row: Int64) throws {
        for statement in follow { try cache.run(statement, .integer(row)) }
    }

    func remove(_ operation: Layers.Queued) throws {
        let rows = try cache.all(
            "DELETE FROM operation WHERE seq = ? RETURNING row_id", .integer(operation.sequence)
        ) { $0.integer(0) }
        for row in rows { try follow(row) }
    }

    func queue(_ kind: Operation.Kind, of row: Int64, fields: Int64 = 0) throws {
        try cache.run(
            """
            INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
            VALUES ('notes', ?, ?, ?, lower(hex(randomblob(16))), 0)
            """, .text(kind.rawValue), .integer(row), .integer(fields))
        try mirror(row)
    }

    func requeue(_ operation: Layers.Queued) throws {
        try changeQueue(
            """
            UPDATE operation SET state = 'queued', attempts = 0,
                idempotency_key = lower(hex(randomblob(16))), sent = NULL, last_error = NULL
            WHERE seq = ?
            """, .integer(operation.sequence))
    }

    /// Brings a row's bookkeeping to what the queue says.
    func mirror(_ row: Int64) throws { try cache.run(Self.mirror, .integer(row)) }

    private static let mirror: String = {
        let first =
            "FROM operation WHERE list = 'notes' AND row_id = ?1 ORDER BY kind = 'delete', seq LIMIT 1"
        return """
            UPDATE notes SET _state = coalesce((SELECT state \(first)), 'synced'),
                _error = (SELECT last_error \(first)),
                _server_id = (SELECT server_id FROM s_notes WHERE id = ?1),
                _added_at = coalesce(_added_at, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
            WHERE id = ?1
            """
    }()

    /// Removes a row with everything of it.
    func forget(_ row: Int64) throws {
        for queue in ["operation", "withdrawn"] {
            try cache.run(
                "DELETE FROM \(queue) WHERE list = 'notes' AND row_id = ?", .integer(row))
        }
        for table in ["notes", "d_notes", "s_notes"] {
            try cache.run("DELETE FROM \(table) WHERE id = ?", .integer(row))
        }
    }

    func tellConflict(_ row: Int64, _ field: Field) throws {
        try cache.run(
            """
            INSERT INTO conflict (at, list, row_id, field, why) VALUES (0, 'notes', ?, ?, 'edited')
            """, .integer(row), .text(field.rawValue))
    }
}
