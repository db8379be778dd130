internal import Declarations
internal import SQLite
internal import Tables

/// The rows of a list that programs write to, as a pull and an answer change them.
struct ListRows {
    let connection: Connection
    let table: ListTable

    /// The table of the todos, which every cache has; what a configuration says of them changes none of it.
    static let todos = ListTable(
        .todos(isEnabled: true, honoursIdempotencyKeys: false, interval: .seconds(900)))

    private var resource: Value { .text(table.declaration.name.text) }

    /// Removes a row with its operations, and tells watchers of it once.
    func forget(_ row: Int64) throws(SQLiteError) {
        try connection.beginApplying(to: table)
        for sql in table.rowStatements?.forget ?? [] { try connection.run(sql, .integer(row)) }
        try connection.run(
            "DELETE FROM unseen WHERE resource = ? AND row_id = ?", resource, .integer(row))
        try connection.endApplying()
    }

    /// Ends a create: the row is this one of the server.
    func adopt(
        _ row: Int64, serverID: String, document: String, ending operation: OperationSequence
    ) throws(SQLiteError) {
        try connection.beginApplying(to: table)
        for sql in table.rowStatements?.adopt ?? [] {
            try connection.run(sql, .integer(row), .text(serverID), .text(document))
        }
        if let tell = table.rowStatements?.tellChanged { try connection.run(tell, .integer(row)) }
        try connection.endApplying()
        try connection.run("DELETE FROM operation WHERE seq = ?", .integer(operation.rawValue))
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
