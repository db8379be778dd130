internal import SQLite
internal import Tables

/// The full text of a list, as a commit of syncd keeps it, inside its transaction.
struct ListIndex {
    let connection: Connection
    let statements: SearchStatements

    /// Brings the full text to the table. Rows whose words stayed are not written.
    func update() throws {
        do throws(SQLiteError) {
            try connection.run(statements.takeOut)
            try connection.run(statements.putIn)
            // The words that wait in memory are written now. In COMMIT, an error could not be
            // mended any more.
            try connection.run("SAVEPOINT full_text")
            try connection.run("RELEASE full_text")
        } catch {
            // Somebody wrote to the index. It holds nothing that is not in the table.
            guard error.code.primary == .corrupt else { throw error }
            for sql in statements.rebuild { try connection.run(sql) }
        }
    }
}
