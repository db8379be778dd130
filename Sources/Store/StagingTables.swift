/// Temporary tables of the store's connection: in memory, seen by nobody else, gone with it.
enum StagingTables {
    /// Pulled rows stand here until they are published by one commit.
    ///
    /// The memory of rows that are deleted is given back: without that the largest pull's would be kept
    /// for as long as the connection, 16 MB after one of 100 000 todos. It takes 7 ms of such a pull.
    /// Source: https://www.sqlite.org/pragma.html#pragma_auto_vacuum
    static let script = """
        PRAGMA temp.auto_vacuum = FULL;
        CREATE TEMP TABLE pulled_todo (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            document TEXT NOT NULL
        ) STRICT;
        -- Todos that this cycle's own pull has not shown: no DELETE may be sent for them.
        CREATE TEMP TABLE unconfirmed (todo_id INTEGER PRIMARY KEY) STRICT;
        CREATE TEMP TABLE pulled_movie (
            page INTEGER NOT NULL,
            place INTEGER NOT NULL,
            id INTEGER NOT NULL,
            document TEXT NOT NULL,
            PRIMARY KEY (page, place)
        ) STRICT;
        CREATE INDEX temp.pulled_movie_id ON pulled_movie (id);
        -- The movies that a pull is about to add, change or remove, as they were.
        CREATE TEMP TABLE touched_movie (
            id INTEGER PRIMARY KEY,
            is_new INTEGER NOT NULL,
            title TEXT,
            original_title TEXT,
            overview TEXT,
            release_date TEXT
        ) STRICT;
        """
}
