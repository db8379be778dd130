/// Temporary tables of the store's connection: seen by nobody else, gone with it. Up to 64 MiB of them are in memory, the
/// rest is in a file without a name.
enum StagingTables {
    /// What a cycle notes beside the cache; the tables of a list's pull stand here, too.
    ///
    /// The memory of rows that are deleted is given back: without that the largest pull's would be kept
    /// for as long as the connection, 16 MB after one of 100 000 todos. It takes 7 ms of such a pull.
    /// Deleted rows are not overwritten, which some builds of SQLite do by default: for that their
    /// pages would stand in memory a second time, in the journal.
    /// Source: https://www.sqlite.org/pragma.html#pragma_auto_vacuum
    static let script = """
        PRAGMA temp.auto_vacuum = FULL;
        PRAGMA temp.cache_size = -65536;
        PRAGMA temp.secure_delete = OFF;
        -- Rows that their cycle's own pull has not shown: no DELETE may be sent for them.
        CREATE TEMP TABLE unconfirmed (
            list TEXT NOT NULL,
            row_id INTEGER NOT NULL,
            PRIMARY KEY (list, row_id)
        ) STRICT, WITHOUT ROWID;
        -- Operations that the last replay could not send, and how many were in doubt then.
        CREATE TEMP TABLE blocked_operation (
            seq INTEGER PRIMARY KEY,
            list TEXT NOT NULL,
            doubts INTEGER NOT NULL
        ) STRICT;
        """
}
