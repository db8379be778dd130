internal import Declarations
package import SQLite
internal import Tables

/// Who writes to the table of a list: syncd, whose writes queue nothing, or a program.
extension Connection {
    /// From here to ``endApplying()`` the triggers of the list `name` rest, inside the caller's transaction. Those
    /// of all other lists do not: a program's own trigger or foreign key may write to them meanwhile, and
    /// what it writes is queued as any change is.
    package func beginApplying(to name: String) throws(SQLiteError) {
        try run("UPDATE control SET applying = ?", .text(name))
    }

    /// See ``beginApplying(to:)``.
    package func endApplying() throws(SQLiteError) {
        try run("UPDATE control SET applying = NULL")
    }

    /// How many tables have such a name. One text for all patterns: SQLite reads it once.
    func countTables(like pattern: String) throws(SQLiteError) -> Int64 {
        try count(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name GLOB ?",
            .text(pattern))
    }

    /// See ``beginApplying(to:)``.
    func beginApplying(to table: ListTable) throws(SQLiteError) {
        try beginApplying(to: table.declaration.name.text)
    }
}
