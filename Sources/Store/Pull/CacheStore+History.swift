internal import SQLite

/// What became of a movie in the list.
public enum MovieChangeKind: String, Sendable, Hashable {
    /// It came into the list.
    case appeared
    /// Its release date changed, in whichever direction.
    case slipped
    /// It left the list.
    case vanished
}

/// A row of the view `movie_changes`.
public struct MovieChangeRow: Sendable, Hashable {
    /// When the pull was taken that showed it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let at: String
    /// The server's id.
    public let id: Int64
    /// As it was then.
    public let title: String
    /// What became of it.
    public let change: MovieChangeKind
    /// `YYYY-MM-DD`; nil where none was known, and for a movie that appeared.
    public let oldReleaseDate: String?
    /// `YYYY-MM-DD`; nil where none is known, and for a movie that vanished.
    public let newReleaseDate: String?
}

extension CacheStore {
    /// Which movies appeared, slipped or vanished, oldest first; with `since`, a date `YYYY-MM-DD`
    /// or a moment as the view shows it, those from then on.
    ///
    /// The first pull of a cache tells nothing, everything would have appeared.
    public func movieChanges(since: String?) throws(StoreError) -> [MovieChangeRow] {
        try read {
            try connection.all(
                """
                SELECT at, id, title, change, old_release_date, new_release_date
                FROM movie_changes WHERE ?1 IS NULL OR at >= ?1 ORDER BY seq
                """, .text(since)
            ) { row in
                // The table's CHECK allows no other change.
                MovieChangeRow(
                    at: row.text(0), id: row.integer(1), title: row.text(2),
                    change: MovieChangeKind(rawValue: row.text(3)) ?? .appeared,
                    oldReleaseDate: row.textOrNil(4), newReleaseDate: row.textOrNil(5))
            }
        }
    }
}
