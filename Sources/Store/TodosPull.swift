internal import Declarations
public import Host
internal import SQLite

/// A pull of the todos inside its transaction: what it holds, and the steps that reconcile the
/// cache with it. The caller decides, by pure rules; nothing else reads or writes meanwhile.
public struct TodosPull {
    let connection: Connection
    /// Rows that were taken.
    public let rows: Int64
    /// All rows of the answer, taken or not, and those of them that could be any row.
    let listed: (rows: Int64, unidentified: Int64)
    /// Rows that were not taken.
    public let skipped: SkippedRows
    let now: WallTime
    /// Whether every row of the server is in it, as the caller judges: else it removes nothing for being
    /// absent.
    public var isComplete = false

    /// What the pull would take away, and what an earlier one would have.
    public var hold: PullHold {
        PullHold(
            connection: connection, resource: .todos, table: "s_todos", id: "id",
            list: "pulled_todo",
            counted: Self.counted,
            missing: "\(Self.counted) AND \(isComplete ? Self.notShown : Self.shownOtherwise)")
    }

    /// What decides whether the list holds every row.
    public func facts() throws -> ListFacts {
        ListFacts(
            rows: listed.rows, unidentified: listed.unidentified,
            unseen: try connection.count("SELECT count(*) FROM (\(Self.unseen))"))
    }

    /// Lets rows go that the pull shows with another title, because ids are used again and there
    /// is no edit: that is another todo. Their operations are done. Of a complete pull also rows whose
    /// id is gone, but not those with an operation: absence decides about it only when seen twice. Where
    /// the pull began is remembered for those that are gone.
    public func removeVanished(pullBegan: BootTime) throws {
        let gone =
            isComplete
            ? """
            \(Self.notShown)
                AND (\(Self.shownOtherwise)
                    OR NOT EXISTS (SELECT 1 FROM operation
                        WHERE \(TodoRows.isOperation) AND row_id = s_todos.id))
            """
            : Self.shownOtherwise
        let vanished = try connection.all("SELECT id FROM s_todos WHERE \(gone)") { $0.integer(0) }
        if isComplete, !vanished.isEmpty {
            try connection.run(
                """
                INSERT OR REPLACE INTO departed (server_id, title, todo_id, missed_boot, missed_ms)
                SELECT server_id, \(TodoRows.knownTitle), id, ?, ? FROM s_todos
                WHERE \(gone) AND NOT \(Self.shownOtherwise)
                """, .text(pullBegan.boot), .integer(pullBegan.milliseconds))
        }
        try pauseChangeLog(vanished: Int64(vanished.count))
        let todos = TodoRows(connection: connection)
        for id in vanished { try todos.forget(id) }
    }

    /// Tells the changes of a large pull as one, before the first of them.
    private func pauseChangeLog(vanished: Int64) throws {
        let differing = try connection.count("SELECT count(*) FROM differing_row")
        guard vanished + differing > ChangeLog.rowsOfOneCommit else { return }
        let arriving =
            // A row that stays is in a complete pull, so that all others of it arrive.
            isComplete
            ? try rows + vanished
                - connection.count("SELECT count(*) FROM s_todos")
            : try connection.count(Self.countArriving)
        try ChangeLog(connection: connection).pause(.todos, before: vanished + arriving)
    }

    private static let countArriving = """
        SELECT count(*) FROM differing_row CROSS JOIN pulled_todo AS pulled USING (position)
        WHERE NOT EXISTS (SELECT 1 FROM s_todos
            WHERE s_todos.server_id = pulled.id AND \(TodoRows.knownTitle) = pulled.title)
        """

    /// The pulled rows that no todo owns, in the order of the list; without those that were here before and
    /// that a single pull has not shown.
    public func unownedRows() throws -> [UnownedRow] {
        try connection.all(
            """
            SELECT id, title FROM differing_row CROSS JOIN pulled_todo USING (position)
            WHERE NOT EXISTS (SELECT 1 FROM s_todos WHERE s_todos.server_id = pulled_todo.id)
                AND NOT EXISTS (SELECT 1 FROM departed
                    WHERE departed.server_id = pulled_todo.id AND departed.title = pulled_todo.title)
            ORDER BY position
            """
        ) { UnownedRow(serverID: $0.text(0), title: $0.text(1)) }
    }

    /// The number of rows that one statement adds. If the table has triggers, SQLite keeps all rows
    /// of a statement in memory before it writes the first.
    private static let rowsOfOneInsert: Int64 = 4096

    /// Adds the rows that no todo owns, in the order of the list; one that a single pull had not shown
    /// gets its local id again. Brings the documents of the others up to date.
    public func addRows() throws {
        // A list that is as it was writes nothing, not even beside the cache.
        guard try connection.count("SELECT EXISTS (SELECT 1 FROM differing_row)") == 1 else {
            return
        }
        try nameArriving()
        if try connection.count("SELECT EXISTS (SELECT 1 FROM arriving_todo)") == 1 {
            try connection.run("UPDATE control SET applying = 1")
            try connection.run(Self.addKnown)
            try addShown()
            try connection.run("UPDATE control SET applying = 0")
            try connection.run("DELETE FROM arriving_todo")
        }
        try connection.run(
            """
            UPDATE s_todos SET document = pulled.document FROM pulled_todo AS pulled
            WHERE s_todos.id IN (SELECT todo_id FROM differing_todo)
                AND pulled.id = s_todos.server_id AND pulled.document IS NOT s_todos.document
            """)
    }

    /// A row without an id gets the next one. The last one may belong to a row that comes back.
    private func nameArriving() throws {
        try connection.run("DELETE FROM arriving_todo")
        let last = try connection.count(Self.lastID)
        try connection.run("INSERT INTO arriving_todo (row_id) VALUES (?)", .integer(last))
        try connection.run(Self.nameRows)
        try connection.run("DELETE FROM arriving_todo WHERE position IS NULL")
    }

    private func addShown() throws {
        let moment = try connection.first(
            "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ? / 1000.0, 'unixepoch')",
            .integer(now.milliseconds)
        ) { $0.text(0) }
        let end = try connection.count("SELECT max(row_id) + 1 FROM arriving_todo")
        let first = try connection.count("SELECT min(row_id) FROM arriving_todo")
        for start in stride(from: first, to: end, by: Int(Self.rowsOfOneInsert)) {
            try connection.run(
                Self.addShown, .integer(start), .integer(start + Self.rowsOfOneInsert - 1),
                .text(moment))
        }
        try connection.run(Self.tellAdded)
    }

    /// No trigger tells of rows that a pull adds: it would run for each row of a first pull.
    private static let tellAdded = """
        INSERT INTO change (resource, change, row_id, title, state)
        SELECT 'todos', 'added', row_id, substr(title, 1, 500), 'synced'
        FROM arriving_todo CROSS JOIN pulled_todo USING (position)
        WHERE (SELECT paused FROM control) IS NOT 'todos' ORDER BY row_id
        """

    /// The largest id that a row has had.
    private static let lastID = """
        SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todos'), 0),
            coalesce((SELECT max(id) FROM s_todos), 0), coalesce((SELECT max(id) FROM todos), 0),
            coalesce((SELECT max(id) FROM d_todos), 0))
        """

    private static let nameRows = """
        INSERT INTO arriving_todo (row_id, position)
        SELECT (SELECT todo_id FROM departed WHERE departed.server_id = pulled_todo.id
            AND departed.title = pulled_todo.title), position
        FROM differing_row CROSS JOIN pulled_todo USING (position)
        WHERE NOT EXISTS (SELECT 1 FROM s_todos WHERE s_todos.server_id = pulled_todo.id)
        ORDER BY position
        ON CONFLICT (row_id) DO UPDATE SET position = excluded.position
        """

    private static let addKnown = """
        INSERT INTO s_todos (id, server_id, document)
        SELECT row_id, id, document FROM arriving_todo CROSS JOIN pulled_todo USING (position)
        ORDER BY row_id
        """

    /// `?1` is the first id, `?2` the last one, `?3` the moment.
    private static let addShown = """
        INSERT INTO todos (id, title, state, server_id, created_at)
        SELECT row_id, title, 'synced', id, ?3
        FROM arriving_todo CROSS JOIN pulled_todo USING (position)
        WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id
        """

    /// Rows that were pulled before and are not about to be deleted anyway.
    private static let counted = """
        s_todos.id NOT IN (SELECT row_id FROM operation
            WHERE \(TodoRows.isOperation) AND kind = 'delete' AND state <> 'rejected')
        """

    // Only a row that differs from the list can be absent from it, or have another title there.

    private static let notShown = """
        s_todos.id IN (SELECT todo_id FROM differing_todo)
            AND NOT EXISTS (SELECT 1 FROM pulled_todo AS pulled
                WHERE pulled.id = s_todos.server_id AND pulled.title = \(TodoRows.knownTitle))
        """

    private static let shownOtherwise = """
        (s_todos.id IN (SELECT todo_id FROM differing_todo)
            AND EXISTS (SELECT 1 FROM pulled_todo AS pulled
                WHERE pulled.id = s_todos.server_id AND pulled.title <> \(TodoRows.knownTitle)))
        """
}

@available(*, unavailable) extension TodosPull: Sendable {}
