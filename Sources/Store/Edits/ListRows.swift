internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// The rows of a list that programs write to, as a pull and an answer change them.
struct ListRows {
    let connection: Connection
    let table: ListTable

    /// The table of the todos, which every cache has; what a configuration says of them changes none of it.
    static let todos = ListTable(
        .todos(isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(900)))

    private var listName: Value { .text(table.declaration.name.text) }

    /// Removes a row with its operations, and tells watchers of it once.
    func forget(_ row: Int64) throws(SQLiteError) {
        try connection.beginApplying(to: table)
        for sql in table.rowStatements?.forget ?? [] { try connection.run(sql, .integer(row)) }
        try connection.endApplying()
    }

    /// Ends a create: the row is this one of the server. What its columns are remembered for stands in `trail`. If the
    /// answer did not show all of them, the operation stays, as an acknowledged update.
    func adopt(
        _ row: Int64, serverID: String, document: String, ending operation: OperationSequence,
        remembering trail: RowTrail
    ) throws(SQLiteError) {
        try RowTrails(connection: connection, name: table.declaration.name).keep(trail, of: row)
        try connection.beginApplying(to: table)
        for sql in table.rowStatements?.adopt ?? [] {
            try connection.run(sql, .integer(row), .text(serverID), .text(document))
        }
        if let tell = table.rowStatements?.tellChanged { try connection.run(tell, .integer(row)) }
        try connection.endApplying()
        if trail.fields.values.allSatisfy(\.isShown) {
            try connection.run("DELETE FROM operation WHERE seq = ?", .integer(operation.rawValue))
        } else {
            try connection.run(
                """
                UPDATE operation SET kind = 'update', stage = 0, state = 'acknowledged', undecided = 0,
                    first_sent_boot = NULL, first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL,
                    wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
                    last_status = NULL, last_error = NULL, answered_boot = NULL, answered_ms = NULL
                WHERE seq = ?
                """, .integer(operation.rawValue))
        }
        try follow(row)
    }

    /// The server has the row under another id since it was changed: a name, or what is made of one.
    func move(_ row: Int64, to serverID: String) throws(SQLiteError) {
        try connection.beginApplying(to: table)
        for sql in table.rowStatements?.move ?? [] {
            try connection.run(sql, .integer(row), .text(serverID))
        }
        try connection.endApplying()
    }

    /// A document of the row's own columns, as the server has it if it took all of them.
    func document(of row: Int64, serverID: String) throws(SQLiteError) -> String {
        guard let statement = table.rowStatements?.document else { return "{}" }
        return try connection.first(statement, .integer(row), .text(serverID)) { $0.text(0) }
            ?? "{}"
    }

    /// Tells the person that the server has taken the row for one that was there before.
    func tellMerged(_ row: Int64, into older: Int64) throws(SQLiteError) {
        try tell(.merged, of: older, mine: try document(of: row, serverID: ""))
    }

    /// Tells the person what became of a whole row that the server had acknowledged; `mine` is a document of it, nil
    /// if it was to be deleted.
    func tell(_ reason: ConflictReason, of row: Int64, mine: String?) throws(SQLiteError) {
        guard let statement = table.rowStatements?.tellConflict else { return }
        try connection.run(statement, .integer(row), .text(reason.rawValue), .text(mine))
    }

    /// Remembers which row had the id at the server: a list that lags can still show it.
    func rememberDeparted(_ row: Int64, at moment: BootTime) throws(SQLiteError) {
        guard let remember = table.writeReconciliation?.rememberDeparted else { return }
        try connection.run(
            remember + " id = ?3", .text(moment.boot), .integer(moment.milliseconds),
            .integer(row))
    }

    /// Whether a program has deleted the row, and the server was not told yet.
    func isLeaving(_ row: Int64) throws(SQLiteError) -> Bool {
        try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM operation
                WHERE list = ? AND row_id = ? AND kind = 'delete' AND state <> 'rejected')
            """, listName, .integer(row)) == 1
    }

    /// A row that the server only claimed to have made is a rejected create again; with a delete behind it, it goes.
    func takeBack(_ row: Int64) throws(SQLiteError) {
        guard try !isLeaving(row) else { return try forget(row) }
        for statement in table.rowStatements?.takeBack ?? [] {
            try connection.run(statement, .integer(row))
        }
        try follow(row)
    }

    /// Shows in a row what its operations say. Whatever changes an operation calls this after it; where the change
    /// can hide the row or show it, the operation `isDelete`.
    func follow(_ row: Int64, isDelete: Bool = false) throws(SQLiteError) {
        let statements = table.rowStatements
        let follow = isDelete ? statements?.followDelete : statements?.follow
        for sql in follow ?? [] { try connection.run(sql, .integer(row)) }
    }
}

@available(*, unavailable) extension ListRows: Sendable {}
