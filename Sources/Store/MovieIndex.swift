internal import SQLite

/// The full text of the movies, as the pull keeps it, inside its transaction. It holds no copy of the
/// texts: what is taken out of it has to be said with the words that were put in.
///
/// Source: https://www.sqlite.org/fts5.html#external_content_tables
struct MovieIndex {
    let connection: Connection

    /// Replaces the words that `touched_movie` remembers by those in `movie`. Movies whose words
    /// stayed are not written.
    func update() throws {
        do throws(SQLiteError) {
            try connection.run(Self.takeOut)
            try connection.run(Self.putIn)
            // The words that wait in memory are written now. In COMMIT, an error could not be
            // mended any more.
            try connection.run("SAVEPOINT movie_index")
            try connection.run("RELEASE movie_index")
        } catch {
            // Somebody wrote to the index. It holds nothing that is not in `movie`.
            guard error.code.primary == .corrupt else { throw error }
            try rebuild()
        }
    }

    /// Makes it anew from `movie`.
    func rebuild() throws(SQLiteError) {
        try connection.run("INSERT INTO movie_search (movie_search) VALUES ('rebuild')")
    }

    /// A hit in the title counts most. Kept in the index, for everybody's `ORDER BY rank`.
    static let weigh = """
        INSERT INTO movie_search (movie_search, rank) VALUES ('rank', 'bm25(10.0, 5.0, 1.0)')
        """

    private static let otherWords = """
        (movie.title IS NOT old.title OR movie.original_title IS NOT old.original_title
            OR movie.overview IS NOT old.overview)
        """

    static let takeOut = """
        INSERT INTO movie_search (movie_search, rowid, title, original_title, overview)
        SELECT 'delete', old.id, old.title, old.original_title, old.overview
        FROM touched_movie AS old LEFT JOIN movie ON movie.id = old.id
        WHERE NOT old.is_new AND (movie.id IS NULL OR \(otherWords))
        """

    static let putIn = """
        INSERT INTO movie_search (rowid, title, original_title, overview)
        SELECT movie.id, movie.title, movie.original_title, movie.overview
        FROM touched_movie AS old JOIN movie ON movie.id = old.id
        WHERE old.is_new OR \(otherWords)
        """
}
