internal import SQLite

extension CacheStore {
    /// The rows of the table `movies`, at most `limit` of them, released within the two dates
    /// (`YYYY-MM-DD`, both included).
    public func movies(
        from: String?, to: String?, limit: Int?, order: MovieOrder = .list
    ) throws(StoreError) -> [MovieRow] {
        try read {
            try connection.all(
                """
                SELECT id, title, original_title, release_date, popularity, vote_average,
                    vote_count, rank, document
                FROM movies
                WHERE (?1 IS NULL OR release_date >= ?1)
                    AND (?2 IS NULL OR release_date <= ?2 AND release_date <> '')
                ORDER BY
                    -- What has no date or no votes comes last.
                    CASE ?4
                        WHEN 'date' THEN ifnull(release_date, '') = ''
                        WHEN 'rating' THEN ifnull(vote_count, 0) = 0
                    END,
                    CASE ?4
                        WHEN 'date' THEN nullif(release_date, '')
                        WHEN 'rating' THEN -vote_average
                        WHEN 'title' THEN title
                    END COLLATE NOCASE,
                    rank
                LIMIT ?3
                """, .text(from), .text(to), .integer(limit ?? -1), .text(order.rawValue),
                row: MovieRow.init(row:))
        }
    }
}

extension MovieRow {
    init(row: Statement) {
        self.init(
            id: row.integer(0), title: row.text(1), originalTitle: row.textOrNil(2),
            releaseDate: row.textOrNil(3), popularity: row.realOrNil(4),
            voteAverage: row.realOrNil(5), voteCount: row.integerOrNil(6), rank: row.integer(7),
            document: row.text(8))
    }
}
