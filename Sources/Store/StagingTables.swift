/// Temporary tables of the store's connection: in memory, seen by nobody else, gone with it.
enum StagingTables {
    /// Pulled rows stand here until they are published by one commit.
    static let script = """
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
