public import Host
internal import SQLite

extension CacheStore {
    /// The rows of the view `movies`, at most `limit` of them, released within the two dates
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

    /// Forgets what was staged: a pull of the movies begins.
    ///
    /// Throws ``StoreError/replaced(path:)`` where the file is not the one that was opened, and
    /// ``StoreError/newerSchema(path:found:known:)`` where a newer syncd has migrated it meanwhile.
    public func beginMoviesPull() throws(StoreError) {
        try requireUnchangedFile()
        do {
            try clearStagedMovies()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// The version of a page that the cache holds whole; nil where it has to be read again.
    public func storedPage(url: String) throws(StoreError) -> StoredValidators? {
        try read {
            try connection.first(
                """
                SELECT entity_tag, last_modified FROM validator
                WHERE url = ? AND NOT EXISTS (
                    SELECT 1 FROM json_each(movie_ids) AS row
                    WHERE row.value NOT IN (SELECT id FROM movie))
                """, .text(url)
            ) { StoredValidators(entityTag: $0.textOrNil(0), lastModified: $0.textOrNil(1)) }
        }
    }

    /// Takes the rows of a page out of its answer into the staging table; nobody sees them yet.
    ///
    /// A body that is no page throws ``StoreError/unusableBody(_:)``.
    public func stageMovies(body: [UInt8], page: Int) throws(StoreError) -> MoviePageFacts {
        try pulling { () throws(StoreError) in
            do {
                return try connection.staging {
                    try body.withUnsafeBufferPointer { bytes in
                        try JSONStaging(connection: connection, body: bytes).stageMovies(page: page)
                    }
                }
            } catch {
                throw .wrapping(error, path: path)
            }
        }
    }

    /// Takes the rows of a page that has not changed from the cache into the staging table.
    public func stageUnchangedMovies(url: String, page: Int) throws(StoreError) -> MoviePageFacts {
        do {
            return try connection.staging {
                try connection.run(
                    """
                    INSERT INTO pulled_movie (page, place, id, document)
                    SELECT ?2, row.key, movie.id, movie.document
                    FROM validator, json_each(movie_ids) AS row JOIN movie ON movie.id = row.value
                    WHERE url = ?1
                    """, .text(url), .integer(page))
                let facts = try connection.first(
                    """
                    SELECT total_pages, total_results, json_array_length(movie_ids),
                        count(page), ifnull(sum(length(CAST(document AS BLOB))), 0)
                    FROM validator LEFT JOIN pulled_movie ON page = ?2 WHERE url = ?1 GROUP BY url
                    """, .text(url), .integer(page)
                ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3), $0.integer(4)) }
                guard let (pages, results, expected, staged, bytes) = facts, expected == staged
                else {
                    throw StoreError.unusableBody(
                        "the server says that page \(page) is unchanged, but it is not in the cache"
                    )
                }
                return MoviePageFacts(
                    totalPages: pages, totalResults: results, rows: staged,
                    skipped: SkippedRows(count: 0, named: []), bytes: Int(bytes))
            }
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Whether a staged row stands on two pages.
    public func hasDoubledMovies() throws(StoreError) -> Bool {
        do {
            return try connection.count(
                "SELECT count(*) > count(DISTINCT id) FROM pulled_movie") == 1
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Publishes the staged rows by one commit. Their fields are read before it begins. If `isHeld`
    /// decides to hold the pull back, nothing is published. Returns the number of rows; nil if
    /// held. Rows and validators that have not changed are not written.
    public func publishMovies(
        _ pages: [PublishedPage], reach: PullReach, now: WallTime,
        isHeld: @Sendable (MoviesPull) throws -> Bool
    ) throws(StoreError) -> Int64? {
        defer { _ = try? clearStagedMovies() }  // Frees memory early.
        return try pulling { () throws(StoreError) in
            try readStagedMovies()
            return try publishReadMovies(pages, reach: reach, now: now, isHeld: isHeld)
        }
    }

    private func publishReadMovies(
        _ pages: [PublishedPage], reach: PullReach, now: WallTime,
        isHeld: (MoviesPull) throws -> Bool
    ) throws(StoreError) -> Int64? {
        try write(.normal) {
            let before = connection.totalChanges
            let pull = MoviesPull(connection: connection, reach: reach)
            guard try !isHeld(pull) else { return nil }
            try pull.publish(now: now)
            for page in pages { try keep(page) }
            try connection.run(
                """
                DELETE FROM validator
                WHERE resource = 'movies' AND url NOT IN (SELECT value FROM json_each(?))
                """, .text(Self.list(of: pages.map(\.url))))
            if connection.totalChanges > before { noteDataWritten() }
            return try connection.count("SELECT count(*) FROM movie")
        }
    }

    /// Takes the fields out of the staged documents, which needs no lock.
    private func readStagedMovies() throws(StoreError) {
        do {
            try connection.staging {
                try connection.run("DELETE FROM read_movie")
                try connection.run(MovieSQL.read)
            }
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    private func clearStagedMovies() throws(SQLiteError) {
        for table in ["pulled_movie", "read_movie"] {
            try connection.run("DELETE FROM \(table)")
        }
    }

    private func keep(_ page: PublishedPage) throws {
        let isKept =
            page.facts.skipped.count == 0
            && (page.validators.entityTag != nil || page.validators.lastModified != nil)
        guard isKept else {
            try connection.run("DELETE FROM validator WHERE url = ?", .text(page.url))
            return
        }
        try connection.run(
            """
            INSERT INTO validator (url, resource, entity_tag, last_modified, total_pages,
                total_results, movie_ids)
            SELECT ?1, 'movies', ?2, ?3, ?4, ?5, json_group_array(id)
            FROM (SELECT id FROM pulled_movie WHERE page = ?6 ORDER BY place)
            WHERE true
            ON CONFLICT (url) DO UPDATE SET entity_tag = ?2, last_modified = ?3, total_pages = ?4,
                total_results = ?5, movie_ids = excluded.movie_ids
            WHERE entity_tag IS NOT ?2 OR last_modified IS NOT ?3 OR total_pages IS NOT ?4
                OR total_results IS NOT ?5 OR movie_ids IS NOT excluded.movie_ids
            """, .text(page.url), .text(page.validators.entityTag),
            .text(page.validators.lastModified), .integer(page.facts.totalPages),
            .integer(page.facts.totalResults), .integer(page.number))
    }

    /// URLs hold no character that JSON would escape: they are percent-encoded.
    private static func list(of urls: [String]) -> String {
        "[" + urls.map { "\"\($0)\"" }.joined(separator: ",") + "]"
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

extension JSONStaging {
    /// The rows of a page of movies, and what its envelope says.
    func stageMovies(page: Int) throws -> MoviePageFacts {
        let envelope = try single(
            """
            SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
                iif(json_valid(?1), json_type(?1, '$.results'), NULL),
                iif(json_valid(?1), ?1 -> '$.total_pages', NULL),
                iif(json_valid(?1), ?1 -> '$.total_results', NULL),
                iif(json_valid(?1), json_array_length(?1, '$.results'), NULL)
            """
        ) { row in
            PageEnvelope(
                kind: row.text(0), resultsKind: row.text(1), totalPages: Int64(row.text(2)),
                totalResults: Int64(row.text(3)), rows: row.integer(4))
        }
        guard let totals = envelope.totals else {
            throw StoreError.unusableBody(
                "expected a page of movies, found \(envelope.finding) on page \(page)")
        }
        let before = connection.totalChanges
        try run(MovieSQL.stage, page: page)
        let taken = connection.totalChanges - before
        return MoviePageFacts(
            totalPages: totals.pages, totalResults: totals.results, rows: taken,
            skipped: SkippedRows(
                count: envelope.rows - taken,
                named: taken == envelope.rows ? [] : try namedSkippedMovies()),
            bytes: body.count)
    }

    private func namedSkippedMovies() throws -> [SkippedRow] {
        try all(MovieSQL.nameSkipped) {
            Self.skippedRow($0, of: "results", expectedID: "an integer")
        }
    }

    private func run(_ sql: String, page: Int) throws {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(borrowedText: body, at: 1)
        try statement.bind(.integer(page), at: 2)
        while try statement.step() {}
    }
}

/// The part of a body around its rows, if it is a page of movies.
private struct PageEnvelope {
    let kind: String
    let resultsKind: String
    /// The two totals; nil for one that is missing or not a whole number.
    let totalPages: Int64?
    let totalResults: Int64?
    let rows: Int64

    /// The totals of a page that can be taken.
    var totals: (pages: Int64, results: Int64)? {
        guard kind == "object", resultsKind == "array", rows <= CacheStore.maxRows,
            let totalPages, let totalResults, totalPages >= 0, totalResults >= 0
        else { return nil }
        return (totalPages, totalResults)
    }

    /// What is there instead of a page.
    var finding: String {
        guard kind == "object" else { return kind }
        guard resultsKind == "array" else { return "no list under `results`" }
        guard rows <= CacheStore.maxRows else { return "\(rows) rows" }
        return "no usable number under `total_pages` or `total_results`"
    }
}
