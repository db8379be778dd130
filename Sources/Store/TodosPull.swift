internal import Host
internal import SQLite

/// A pull of the todos inside its transaction: what it holds, and the steps that reconcile the
/// cache with it. The caller decides, by pure rules; nothing else reads or writes meanwhile.
public struct TodosPull {
    let connection: Connection
    /// Rows that were taken.
    public let rows: Int64
    /// Rows that have no usable id or title. Such a pull removes nothing.
    public let skipped: SkippedRows
    let now: WallTime

    /// Whether every row of the server is in it.
    public var isComplete: Bool { skipped.count == 0 }

    /// What the pull would take away, and what an earlier one would have.
    ///
    /// A pull with skipped rows takes no row away for being absent.
    public var hold: PullHold {
        PullHold(
            connection: connection, resource: .todos, table: "todo", counted: Self.counted,
            missing: "\(Self.counted) AND \(isComplete ? Self.notShown : Self.shownOtherwise)")
    }

    /// Lets rows go that the pull shows with another title, because ids are used again and there
    /// is no edit: that is another todo. With `absentToo`, also rows whose id is gone. Their
    /// operations are done.
    public func removeVanished(absentToo: Bool) throws {
        let gone =
            absentToo
            ? "server_id IS NOT NULL AND \(Self.notShown)"
            : Self.shownOtherwise
        let vanished = try connection.all("SELECT id FROM todo WHERE \(gone)") { $0.integer(0) }
        try pauseChangeLog(vanished: Int64(vanished.count))
        for id in vanished {
            // A trigger takes their operations along.
            try connection.run("DELETE FROM todo WHERE id = ?", .integer(id))
        }
    }

    /// Tells the changes of a large pull as one, before the first of them.
    private func pauseChangeLog(vanished: Int64) throws {
        guard vanished + rows > ChangeLog.rowsOfOneCommit else { return }
        let arriving =
            // A row that stays is in a complete pull, so that all others of it arrive.
            isComplete
            ? try rows + vanished
                - connection.count("SELECT count(*) FROM todo WHERE server_id IS NOT NULL")
            : try connection.count(Self.countArriving)
        try ChangeLog(connection: connection).pause(.todos, before: vanished + arriving)
    }

    private static let countArriving = """
        SELECT count(*) FROM pulled_todo AS pulled
        WHERE NOT EXISTS (SELECT 1 FROM todo
            WHERE todo.server_id = pulled.id AND todo.title = pulled.title)
        """

    /// The operations in doubt, in the order they were queued.
    public func operationsInDoubt() throws -> [OperationInDoubt] {
        try connection.all(
            """
            SELECT seq, kind, todo_id, title, sent_boot, sent_ms, ifnull(settling_ms, 0)
            FROM operation JOIN todo ON todo.id = todo_id
            WHERE state = 'in doubt' ORDER BY seq
            """
        ) { row in
            OperationInDoubt(
                sequence: OperationSequence(rawValue: row.integer(0)),
                kind: row.text(1) == "create" ? .create : .delete,
                todo: TodoID(rawValue: row.integer(2)), title: row.text(3),
                sentAt: row.bootTime(4), settlingTime: .milliseconds(row.integer(6)))
        }
    }

    /// The pulled rows that no todo owns, in the order of the list.
    public func unownedRows() throws -> [UnownedRow] {
        try connection.all(
            """
            SELECT id, title FROM pulled_todo
            WHERE NOT EXISTS (SELECT 1 FROM todo WHERE todo.server_id = pulled_todo.id)
            ORDER BY position
            """
        ) { UnownedRow(serverID: $0.text(0), title: $0.text(1)) }
    }

    /// Ends a create in doubt: the row `serverID` of the pull is its effect.
    public func adopt(_ serverID: String, for operation: OperationInDoubt) throws {
        try connection.run(
            """
            UPDATE todo SET (server_id, title, document) =
                (SELECT id, title, document FROM pulled_todo WHERE pulled_todo.id = ?2)
            WHERE todo.id = ?1
            """, .integer(operation.todo.rawValue), .text(serverID))
        try connection.run(
            "DELETE FROM operation WHERE seq = ?", .integer(operation.sequence.rawValue))
    }

    /// Decides that an operation in doubt did not take effect: it is queued as if never sent. A
    /// create that a delete waits for is never sent again: both go, and their todo.
    public func requeue(_ operation: OperationInDoubt) throws {
        let waitingDelete = try connection.count(
            "SELECT count(*) FROM operation WHERE todo_id = ? AND kind = 'delete'",
            .integer(operation.todo.rawValue))
        if operation.kind == .create, waitingDelete > 0 {
            try connection.run("DELETE FROM todo WHERE id = ?", .integer(operation.todo.rawValue))
        } else {
            try connection.run(
                """
                UPDATE operation SET state = 'queued', undecided = 0, first_sent_boot = NULL,
                    first_sent_ms = NULL
                WHERE seq = ?
                """, .integer(operation.sequence.rawValue))
        }
    }

    /// So many rows of the list are added by one statement: SQLite keeps those of a statement whose
    /// table has triggers in memory, all of them, before it writes the first.
    private static let rowsOfOneInsert: Int64 = 4096

    /// Adds the rows that no todo owns, in the order of the list, and brings the documents of the
    /// others up to date.
    public func addRows() throws {
        let end = try connection.count("SELECT coalesce(max(position) + 1, 0) FROM pulled_todo")
        for start in stride(from: 0, to: end, by: Int(Self.rowsOfOneInsert)) {
            try connection.run(
                """
                INSERT INTO todo (title, server_id, created_at, document)
                SELECT title, id, ?1, document FROM pulled_todo
                WHERE position >= ?2 AND position < ?2 + ?3
                    AND NOT EXISTS (SELECT 1 FROM todo WHERE todo.server_id = pulled_todo.id)
                ORDER BY position
                """, .integer(now.milliseconds), .integer(start),
                .integer(Self.rowsOfOneInsert))
        }
        try connection.run(
            """
            UPDATE todo SET document = pulled_todo.document FROM pulled_todo
            WHERE pulled_todo.id = todo.server_id AND pulled_todo.document IS NOT todo.document
            """)
    }

    /// Rows that were pulled before and are not about to be deleted anyway.
    private static let counted = """
        server_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM operation
            WHERE todo_id = todo.id AND kind = 'delete' AND state <> 'rejected')
        """

    private static let notShown = """
        NOT EXISTS (SELECT 1 FROM pulled_todo AS pulled
            WHERE pulled.id = todo.server_id AND pulled.title = todo.title)
        """

    private static let shownOtherwise = """
        EXISTS (SELECT 1 FROM pulled_todo AS pulled
            WHERE pulled.id = todo.server_id AND pulled.title <> todo.title)
        """
}

@available(*, unavailable) extension TodosPull: Sendable {}
