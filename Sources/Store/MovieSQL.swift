/// How a movie's JSON object becomes columns. A field of another type than expected is NULL in its
/// column and whole in the document: one odd field never blocks a row, nor a row the pull.
enum MovieSQL {
    private static func text(_ field: String) -> String {
        "iif(json_type(document, '$.\(field)') = 'text', document ->> '$.\(field)', NULL)"
    }

    private static func number(_ field: String) -> String {
        """
        iif(json_type(document, '$.\(field)') IN ('integer', 'real'),
            CAST(document ->> '$.\(field)' AS REAL), NULL)
        """
    }

    private static func flag(_ field: String) -> String {
        "CASE json_type(document, '$.\(field)') WHEN 'true' THEN 1 WHEN 'false' THEN 0 END"
    }

    /// Reads the fields of what was staged. A row on two pages counts where it stands first.
    static let read = """
        INSERT INTO read_movie (id, page, place, title, original_title, original_language, overview,
            release_date, poster_path, backdrop_path, genre_ids, popularity, vote_average,
            vote_count, adult, video, rank)
        SELECT id, position / 10000000, position % 10000000,
            document ->> '$.title', \(text("original_title")),
            \(text("original_language")), \(text("overview")), \(text("release_date")),
            \(text("poster_path")), \(text("backdrop_path")),
            iif(json_type(document, '$.genre_ids') = 'array', document -> '$.genre_ids', NULL),
            \(number("popularity")), \(number("vote_average")),
            iif(json_type(document, '$.vote_count') = 'integer'
                AND typeof(document ->> '$.vote_count') = 'integer',
                document ->> '$.vote_count', NULL),
            \(flag("adult")), \(flag("video")), row_number() OVER (ORDER BY position)
        FROM (SELECT id, document, min(page * 10000000 + place) AS position
            FROM pulled_movie GROUP BY id)
        """

    private static let withDocument = "read_movie AS pulled JOIN pulled_movie USING (page, place)"

    static let noteNew = """
        INSERT INTO touched_movie (id, is_new)
        SELECT id, 1 FROM read_movie
        WHERE NOT EXISTS (SELECT 1 FROM movie WHERE movie.id = read_movie.id)
        """

    static let noteChanged = """
        INSERT INTO touched_movie
        SELECT movie.id, 0, movie.title, movie.original_title, movie.overview, movie.release_date
        FROM \(withDocument) JOIN movie ON movie.id = pulled.id
        WHERE pulled_movie.document IS NOT movie.document
        """

    static let upsert = """
        INSERT INTO movie (id, title, original_title, original_language, overview, release_date,
            poster_path, backdrop_path, genre_ids, popularity, vote_average, vote_count, adult,
            video, rank, fetched_at, document)
        SELECT pulled.id, title, original_title, original_language, overview, release_date,
            poster_path, backdrop_path, genre_ids, popularity, vote_average, vote_count, adult,
            video, rank, ?1, document
        FROM \(withDocument)
        WHERE NOT EXISTS (SELECT 1 FROM movie WHERE movie.id = pulled.id
            AND movie.document = pulled_movie.document AND movie.rank = pulled.rank
            AND movie.missed_pulls = 0)
        ON CONFLICT (id) DO UPDATE SET
            title = excluded.title, original_title = excluded.original_title,
            original_language = excluded.original_language, overview = excluded.overview,
            release_date = excluded.release_date, poster_path = excluded.poster_path,
            backdrop_path = excluded.backdrop_path, genre_ids = excluded.genre_ids,
            popularity = excluded.popularity, vote_average = excluded.vote_average,
            vote_count = excluded.vote_count, adult = excluded.adult, video = excluded.video,
            rank = excluded.rank, missed_pulls = 0, document = excluded.document,
            fetched_at = iif(document IS NOT excluded.document, excluded.fetched_at, fetched_at)
        """

    /// The page's rows that can be taken: `?1` is the body, `?2` the page's number.
    static let stage = """
        INSERT INTO pulled_movie (page, place, id, document)
        SELECT ?2, key, id, value FROM (\(fields)) WHERE \(usable)
        """

    static let nameSkipped = """
        SELECT key, type, id_type, title_type, id_type = 'integer' AND typeof(id) = 'integer' FROM (
            \(fields)
            UNION ALL SELECT key, NULL, type, NULL, NULL, NULL, NULL FROM json_each(?1, '$.results')
            WHERE type <> 'object')
        WHERE NOT coalesce(\(usable), 0)
        ORDER BY key LIMIT \(SkippedRows.namedAtMost)
        """

    private static let fields = """
        SELECT key, value, type, json_type(value, '$.id') AS id_type, value ->> '$.id' AS id,
            json_type(value, '$.title') AS title_type, value ->> '$.title' AS title
        FROM json_each(?1, '$.results') WHERE type = 'object'
        """

    private static let usable = """
        (id_type = 'integer' AND typeof(id) = 'integer' AND title_type = 'text'
            AND length(CAST(title AS BLOB)) <= 1048576)
        """
}
