/// Temporary tables of the store's connection: in memory, seen by nobody else, gone with it.
enum StagingTables {
    /// Pulled rows stand here until they are published by one commit.
    ///
    /// The memory of rows that are deleted is given back: without that the largest pull's would be kept
    /// for as long as the connection, 16 MB after one of 100 000 todos. It takes 7 ms of such a pull.
    /// Deleted rows are not overwritten, which some builds of SQLite do by default: for that their
    /// pages would stand in memory a second time, in the journal.
    /// Source: https://www.sqlite.org/pragma.html#pragma_auto_vacuum
    static let script = """
        PRAGMA temp.auto_vacuum = FULL;
        PRAGMA temp.secure_delete = OFF;
        CREATE TEMP TABLE pulled_todo (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            document TEXT NOT NULL,
            -- Another row of the list has the same id, and is not equal.
            differs INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- The rows of a list that no todo of the cache equals, and the todos that no row of it equals.
        CREATE TEMP TABLE differing_row (position INTEGER PRIMARY KEY) STRICT;
        CREATE TEMP TABLE differing_todo (todo_id INTEGER PRIMARY KEY) STRICT;
        -- The rows that no todo owns, each with the local id that it gets.
        CREATE TEMP TABLE arriving_todo (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;
        -- Todos that this cycle's own pull has not shown: no DELETE may be sent for them.
        CREATE TEMP TABLE unconfirmed (todo_id INTEGER PRIMARY KEY) STRICT;
        -- Operations that the last replay could not send, and how many were in doubt then.
        CREATE TEMP TABLE blocked_operation (
            seq INTEGER PRIMARY KEY,
            doubts INTEGER NOT NULL
        ) STRICT;
        """
}
