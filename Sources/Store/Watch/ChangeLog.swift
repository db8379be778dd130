internal import Declarations
internal import SQLite

/// The log of changes during a pull, inside the pull's transaction. The triggers on the tables fill
/// it row by row. If a pull changes more rows than a watcher would follow, the log gets one line.
struct ChangeLog {
    /// A pull that changes more rows is told as one `reset`.
    static let rowsOfOneCommit: Int64 = 10_000
    /// So many rows are kept at least; every thousandth row prunes what is older.
    static let rowsKept: Int64 = 20_000

    let connection: Connection

    /// Tells a `reset` of `list` where more than ``rowsOfOneCommit`` changes follow, and none of
    /// them one by one. Without effect on a smaller number: nothing is written then.
    func pause(_ list: ListName, before changes: Int64) throws {
        guard changes > Self.rowsOfOneCommit else { return }
        try connection.run(
            "UPDATE control SET paused = ?", .text(list.text))
        try reset(list)
    }

    /// Tells whoever follows the log that the rows of `list` are to be read anew.
    func reset(_ list: ListName) throws {
        try connection.run(
            "INSERT INTO change (list, change) VALUES (?, 'reset')", .text(list.text))
    }

    /// Brings the one row of control to rest, whatever left it otherwise. Always a write: SQLite
    /// leaves a page alone where a row becomes what it was, so it becomes something else between.
    func rest() throws {
        try connection.run(
            """
            INSERT INTO control (id, rewriting) VALUES (1, 0)
            ON CONFLICT (id) DO UPDATE SET rewriting = coalesce(rewriting, 0) + 1
            """)
        try connection.run(
            "UPDATE control SET applying = NULL, paused = NULL, rewriting = NULL, returning_row = NULL"
        )
    }

    /// Ends a pause. Without a pause, writes nothing.
    func resume() throws {
        try connection.run("UPDATE control SET paused = NULL WHERE paused IS NOT NULL")
    }
}
