internal import Host
internal import SQLite

/// Which movies appeared, slipped or vanished, as a pull writes it inside its transaction.
struct MovieHistory {
    /// So many are kept at most.
    static let rowsKept: Int64 = 10_000
    /// So many are kept however old they are: a clock that jumps forgets no more than the rest.
    static let rowsKeptForever: Int64 = 1_000
    /// What is older than this goes, beyond ``rowsKeptForever``.
    static let daysKept: Int64 = 400

    let connection: Connection

    /// Writes how `touched_movie` differs from `movie`, and forgets what is too old.
    func add(now: WallTime) throws {
        let added = try connection.run(Self.insert, .integer(now.milliseconds))
        guard added > 0 else { return }
        try connection.run(
            Self.prune, .integer(Self.rowsKept), .integer(Self.rowsKeptForever),
            .integer(now.milliseconds - Self.daysKept * 86_400_000))
    }

    /// A date that was unknown and is known now has changed; two ways to be unknown are the same.
    static let insert = """
        INSERT INTO movie_change (at, movie_id, title, change, old_release_date, new_release_date)
        SELECT ?1, old.id, substr(coalesce(movie.title, old.title), 1, 500),
            CASE WHEN old.is_new THEN 'appeared' WHEN movie.id IS NULL THEN 'vanished'
                ELSE 'slipped' END,
            nullif(old.release_date, ''), nullif(movie.release_date, '')
        FROM touched_movie AS old LEFT JOIN movie ON movie.id = old.id
        WHERE old.is_new OR movie.id IS NULL
            OR nullif(old.release_date, '') IS NOT nullif(movie.release_date, '')
        ORDER BY movie.id IS NULL, movie.rank, old.id
        """

    static let prune = """
        DELETE FROM movie_change
        WHERE seq <= (SELECT max(seq) FROM movie_change) - ?1
            OR seq <= (SELECT max(seq) FROM movie_change) - ?2 AND at < ?3
        """
}
