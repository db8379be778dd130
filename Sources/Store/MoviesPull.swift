internal import Host
internal import SQLite

/// What one page of the movies says of itself.
public struct MoviePageFacts: Sendable, Hashable {
    /// How many pages the list has, as this page says.
    public let totalPages: Int64
    /// How many rows the list has, as this page says.
    public let totalResults: Int64
    /// Rows that were taken.
    public let rows: Int64
    /// Rows that have no usable id or title.
    public let skipped: SkippedRows
    /// How much there is of it, in bytes: of its answer, or of the rows that stand for it.
    public let bytes: Int

    /// What a page says, from its parts, for tests of what decides about it.
    package init(
        totalPages: Int64, totalResults: Int64, rows: Int64, skipped: SkippedRows, bytes: Int = 0
    ) {
        self.totalPages = totalPages
        self.totalResults = totalResults
        self.rows = rows
        self.skipped = skipped
        self.bytes = bytes
    }
}

/// A page as it is published: where it came from, its version, and its number.
public struct PublishedPage: Sendable, Hashable {
    /// 1 for the first.
    public var number: Int
    /// Without credentials: the key of its validators.
    public var url: String
    /// The version that its answer named.
    public var validators: StoredValidators
    /// What it says of itself.
    public var facts: MoviePageFacts

    /// The page `number` from `url`.
    public init(number: Int, url: String, validators: StoredValidators, facts: MoviePageFacts) {
        self.number = number
        self.url = url
        self.validators = validators
        self.facts = facts
    }
}

/// How far a pull in pages got, which decides what it may remove.
public enum PullReach: Sendable, Hashable {
    /// Every row of the server, seen once: what is absent is gone.
    case complete
    /// Every page, but rows were doubled, skipped or moved: a row may have slipped through, and
    /// leaves when it was absent from three such pulls in a row.
    case everyPage
    /// Not every page: nothing is removed.
    case partial
}

/// A staged pull of the movies inside its transaction; the caller decides whether it is held.
public struct MoviesPull {
    let connection: Connection
    let reach: PullReach

    /// How many pulls in a row a row may be absent from before it leaves.
    static let missesAllowed = 3

    /// What the pull would take away, and what an earlier one would have.
    public var hold: PullHold {
        PullHold(
            connection: connection, resource: .movies, table: "movie",
            list: "pulled_movie", counted: "true",
            missing: leaving)
    }

    private var leaving: String {
        let absent = "NOT EXISTS (SELECT 1 FROM pulled_movie WHERE pulled_movie.id = movie.id)"
        return switch reach {
        case .complete: absent
        case .everyPage: "\(absent) AND missed_pulls + 1 >= \(Self.missesAllowed)"
        case .partial: "false"
        }
    }

    /// Brings the table `movie` to what was staged, and the index, the history and the change log
    /// with it.
    func publish(now: WallTime) throws {
        defer { _ = try? connection.run("DELETE FROM touched_movie") }  // Frees memory early.
        let touched = try noteTouched()
        let isFirst = try isFirstPull()
        let log = ChangeLog(connection: connection)
        try log.pause(.movies, before: touched)
        try write(now: now)
        if touched > 0 {
            try MovieIndex(connection: connection).update()
            if !isFirst { try MovieHistory(connection: connection).add(now: now) }
        }
        try log.resume()
    }

    /// Remembers what is about to change, and returns how many rows that are.
    private func noteTouched() throws -> Int64 {
        try connection.run("DELETE FROM touched_movie")
        try connection.run(MovieSQL.noteNew)
        try connection.run(MovieSQL.noteChanged)
        try connection.run(
            """
            INSERT OR IGNORE INTO touched_movie
            SELECT id, 0, title, original_title, overview, release_date FROM movie WHERE \(leaving)
            """)
        return try connection.count("SELECT count(*) FROM touched_movie")
    }

    /// Whether there was nothing before, to which a movie could be new.
    private func isFirstPull() throws -> Bool {
        try connection.count(
            """
            SELECT NOT EXISTS (SELECT 1 FROM movie) AND EXISTS (
                SELECT 1 FROM sync_state WHERE resource = 'movies' AND pulled_boot IS NULL)
            """) == 1
    }

    private func write(now: WallTime) throws {
        try connection.run("DELETE FROM movie WHERE \(leaving)")
        if reach == .everyPage {
            try connection.run(
                """
                UPDATE movie SET missed_pulls = missed_pulls + 1
                WHERE NOT EXISTS (SELECT 1 FROM pulled_movie WHERE pulled_movie.id = movie.id)
                """)
        }
        try connection.run(MovieSQL.upsert, .integer(now.milliseconds))
    }
}

@available(*, unavailable) extension MoviesPull: Sendable {}
