public import Host
internal import SQLite

/// What one page of the movies says of itself.
public struct MoviePageFacts: Sendable, Hashable {
    public let totalPages: Int64
    public let totalResults: Int64
    /// Rows that were taken.
    public let rows: Int64
    public let skipped: SkippedRows
}

/// A page as it is published: where it came from, its version, and its number.
public struct PublishedPage: Sendable, Hashable {
    public var number: Int
    public var url: String
    public var validators: StoredValidators
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

    /// How many rows of the cache would leave.
    public func removals() throws -> RemovalCount {
        RemovalCount(
            counted: try connection.count("SELECT count(*) FROM movie"),
            missing: try connection.count("SELECT count(*) FROM movie WHERE \(leaving)"))
    }

    /// Since when a pull has been held, nil when none is.
    public func heldSince() throws -> BootTime? {
        try connection.first("SELECT since_boot, since_ms FROM hold WHERE resource = 'movies'") {
            $0.bootTime(0)
        } ?? nil
    }

    /// How many rows are missing both from the held pull and from this one.
    public func removalsHeldBefore() throws -> Int64 {
        try connection.count(
            """
            SELECT count(*) FROM movie WHERE \(leaving)
                AND id IN (SELECT row_id FROM held_row WHERE resource = 'movies')
            """)
    }

    /// Remembers which rows would leave, as of `since`.
    public func hold(since: BootTime) throws {
        try connection.run(
            "INSERT INTO hold (resource, since_boot, since_ms) VALUES ('movies', ?, ?)",
            .text(since.boot), .integer(since.milliseconds))
        try connection.run(
            """
            INSERT INTO held_row (resource, row_id)
            SELECT 'movies', id FROM movie WHERE \(leaving)
            """)
    }

    /// Forgets the held pull.
    public func release() throws {
        try connection.run("DELETE FROM hold WHERE resource = 'movies'")
        try connection.run("DELETE FROM held_row WHERE resource = 'movies'")
    }

    private var leaving: String {
        let absent = "NOT EXISTS (SELECT 1 FROM pulled_movie WHERE pulled_movie.id = movie.id)"
        return switch reach {
        case .complete: absent
        case .everyPage: "\(absent) AND missed_pulls + 1 >= \(Self.missesAllowed)"
        case .partial: "false"
        }
    }

    /// Brings the table `movie` to what was staged.
    func publish(now: WallTime) throws {
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
