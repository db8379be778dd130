internal import Declarations
internal import SQLite
internal import Tables

/// The rows of the todos as the queue, a pull and an answer see them.
struct TodoRows {
    let connection: Connection

    /// Their table and what stands beside it; what a configuration says of them changes none of it.
    static let table = ListTable(
        .todos(isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(900)))

    private static let statements = table.rowStatements

    /// The operations of the todos, as a condition on `operation`.
    static let isOperation = "resource = 'todos'"

    /// The title of the row of an operation, shown or hidden, where `row_id` is its local id.
    static let title = """
        coalesce((SELECT shown.title FROM todos AS shown WHERE shown.id = row_id),
            (SELECT hidden.c_title FROM d_todos AS hidden WHERE hidden.id = row_id))
        """

    /// Its id at the server.
    static let serverID = "(SELECT known.server_id FROM s_todos AS known WHERE known.id = row_id)"

    /// The title of a row of `s_todos`.
    static let knownTitle = "s_todos.document ->> '$.title'"

    /// Removes a row with its operations, and tells watchers of it once.
    func forget(_ row: Int64) throws(SQLiteError) {
        try connection.run("UPDATE control SET applying = 1, leaving = ?", .integer(row))
        for sql in Self.statements?.forget ?? [] { try connection.run(sql, .integer(row)) }
        try connection.run("DELETE FROM unseen WHERE todo_id = ?", .integer(row))
        try connection.run("UPDATE control SET applying = 0, leaving = NULL")
    }

    /// Ends a create: the row is this one of the server.
    func adopt(
        _ row: Int64, serverID: String, document: String, ending operation: OperationSequence
    ) throws(SQLiteError) {
        try connection.run("UPDATE control SET applying = 1")
        for sql in Self.statements?.adopt ?? [] {
            try connection.run(sql, .integer(row), .text(serverID), .text(document))
        }
        if let tell = Self.statements?.tellChanged { try connection.run(tell, .integer(row)) }
        try connection.run("UPDATE control SET applying = 0")
        try connection.run("DELETE FROM operation WHERE seq = ?", .integer(operation.rawValue))
    }
}

extension CacheStore {
    /// Brings the bookkeeping of a todo, `?1`, to what its operations say.
    package static let mirrorOfTodo = TodoRows.table.rowStatements?.mirror ?? "SELECT ?1"
}

@available(*, unavailable) extension TodoRows: Sendable {}
