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
            connection: connection, resource: .todos, table: "todo", id: "id", list: "pulled_todo",
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
            server_id IS NOT NULL AND \(Self.notShown)
                AND (\(Self.shownOtherwise)
                    OR NOT EXISTS (SELECT 1 FROM operation WHERE todo_id = todo.id))
            """
            : Self.shownOtherwise
        let vanished = try connection.all("SELECT id FROM todo WHERE \(gone)") { $0.integer(0) }
        if isComplete, !vanished.isEmpty {
            try connection.run(
                """
                INSERT OR REPLACE INTO departed (server_id, title, todo_id, missed_boot, missed_ms)
                SELECT server_id, title, id, ?, ? FROM todo WHERE \(gone) AND NOT \(Self.shownOtherwise)
                """, .text(pullBegan.boot), .integer(pullBegan.milliseconds))
        }
        try pauseChangeLog(vanished: Int64(vanished.count))
        for id in vanished {
            // A trigger takes their operations along.
            try connection.run("DELETE FROM todo WHERE id = ?", .integer(id))
        }
    }

    /// Tells the changes of a large pull as one, before the first of them.
    private func pauseChangeLog(vanished: Int64) throws {
        let differing = try connection.count("SELECT count(*) FROM differing_row")
        guard vanished + differing > ChangeLog.rowsOfOneCommit else { return }
        let arriving =
            // A row that stays is in a complete pull, so that all others of it arrive.
            isComplete
            ? try rows + vanished
                - connection.count("SELECT count(*) FROM todo WHERE server_id IS NOT NULL")
            : try connection.count(Self.countArriving)
        try ChangeLog(connection: connection).pause(.todos, before: vanished + arriving)
    }

    private static let countArriving = """
        SELECT count(*) FROM differing_row CROSS JOIN pulled_todo AS pulled USING (position)
        WHERE NOT EXISTS (SELECT 1 FROM todo
            WHERE todo.server_id = pulled.id AND todo.title = pulled.title)
        """

    /// The pulled rows that no todo owns, in the order of the list; without those that were here before and
    /// that a single pull has not shown.
    public func unownedRows() throws -> [UnownedRow] {
        try connection.all(
            """
            SELECT id, title FROM differing_row CROSS JOIN pulled_todo USING (position)
            WHERE NOT EXISTS (SELECT 1 FROM todo WHERE todo.server_id = pulled_todo.id)
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
        let end = try connection.count("SELECT coalesce(max(position) + 1, 0) FROM differing_row")
        for start in stride(from: 0, to: end, by: Int(Self.rowsOfOneInsert)) {
            try connection.run(
                """
                INSERT INTO todo (id, title, server_id, created_at, document)
                SELECT (SELECT todo_id FROM departed WHERE departed.server_id = pulled_todo.id
                    AND departed.title = pulled_todo.title), title, id, ?1, document
                FROM differing_row CROSS JOIN pulled_todo USING (position)
                WHERE position >= ?2 AND position < ?2 + ?3
                    AND NOT EXISTS (SELECT 1 FROM todo WHERE todo.server_id = pulled_todo.id)
                ORDER BY position
                """, .integer(now.milliseconds), .integer(start),
                .integer(Self.rowsOfOneInsert))
        }
        try connection.run(
            """
            UPDATE todo SET document = pulled.document FROM pulled_todo AS pulled
            WHERE todo.id IN (SELECT todo_id FROM differing_todo)
                AND pulled.id = todo.server_id AND pulled.document IS NOT todo.document
            """)
    }

    /// Rows that were pulled before and are not about to be deleted anyway.
    private static let counted = """
        server_id IS NOT NULL AND todo.id NOT IN (SELECT todo_id FROM operation
            WHERE kind = 'delete' AND state <> 'rejected')
        """

    // Only a row that differs from the list can be absent from it, or have another title there.

    private static let notShown = """
        todo.id IN (SELECT todo_id FROM differing_todo)
            AND NOT EXISTS (SELECT 1 FROM pulled_todo AS pulled
                WHERE pulled.id = todo.server_id AND pulled.title = todo.title)
        """

    private static let shownOtherwise = """
        (todo.id IN (SELECT todo_id FROM differing_todo)
            AND EXISTS (SELECT 1 FROM pulled_todo AS pulled
                WHERE pulled.id = todo.server_id AND pulled.title <> todo.title))
        """
}

@available(*, unavailable) extension TodosPull: Sendable {}
