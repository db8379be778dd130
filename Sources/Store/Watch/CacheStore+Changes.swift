internal import SQLite

/// What became of a row.
public enum ChangeKind: String, Sendable, Hashable {
    /// It came into the table or view.
    case added
    /// The view shows it otherwise.
    case changed
    /// It left the table or view.
    case removed
    /// So many rows changed in one commit that they are not named: read the view again.
    case reset
}

/// A row of the view `changes`.
public struct ChangeRow: Sendable, Hashable {
    /// Its place in the log; grows with each one, and is never used again.
    public let revision: Int64
    /// When it happened, as the view shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let at: String
    /// The table or view that shows it.
    public let list: String
    /// What became of the row.
    public let change: ChangeKind
    /// The `id`, or `seq`, of the row; nil for a reset.
    public let id: Int64?
    /// Of the movie or todo, its first 500 characters; nil for a reset.
    public let title: String?
    /// The state of the todo or operation after the change; nil if it has no state then.
    public let state: String?
    /// `create` or `delete` of an operation; nil for the others.
    public let operation: String?
}

/// A part of the change log.
public struct ChangeBatch: Sendable, Hashable {
    /// In the order they happened.
    public let rows: [ChangeRow]
    /// Changes since the revision asked for are not in the log any more, or it is another log: a
    /// backup, or a new cache. What the views show has to be read again.
    public let hasGap: Bool
    /// The revision to go on from. Beyond the last of ``rows`` where changes of other lists follow.
    public let next: Int64

    /// A part from its parts, for tests of what follows the log.
    package init(rows: [ChangeRow], hasGap: Bool, next: Int64) {
        self.rows = rows
        self.hasGap = hasGap
        self.next = next
    }
}

extension CacheStore {
    /// The changes after `revision`, oldest first, at most `limit` of them; of all tables and views, or of the
    /// one with the name `list`.
    ///
    /// Nothing is missed between two calls when the second goes on from ``ChangeBatch/next``, whoever
    /// wrote meanwhile. Where ``ChangeBatch/hasGap`` is true, the rows are those that are still there.
    public func changes(
        since revision: Int64, of list: String?, limit: Int
    ) throws(StoreError) -> ChangeBatch {
        try read {
            let (oldest, newest) = try boundsOfChanges()
            let isOther = revision > newest || revision < 0
            let start = isOther ? newest : revision
            let rows = try connection.all(
                """
                SELECT rev, at, list, change, id, title, state, op FROM changes
                WHERE rev > ?1 AND (?2 IS NULL OR list = ?2)
                ORDER BY rev LIMIT ?3
                """, .integer(start), .text(list), .integer(limit), row: Self.changeRow)
            let isWhole = rows.count < limit
            return ChangeBatch(
                rows: rows, hasGap: isOther || start + 1 < oldest,
                next: isWhole ? newest : rows.last?.revision ?? start)
        }
    }

    /// The revision of the newest change; 0 before the first. Go on from it to see only later
    /// changes.
    public func lastRevision() throws(StoreError) -> Int64 {
        try read { try boundsOfChanges().newest }
    }

    /// The oldest revision that is kept, one more than the newest where none is; and the newest.
    func boundsOfChanges() throws(SQLiteError) -> (oldest: Int64, newest: Int64) {
        let newest = try connection.count(
            """
            SELECT max(coalesce((SELECT max(rev) FROM change), 0),
                coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0))
            """)
        let oldest = try connection.first("SELECT min(rev) FROM change") { $0.integerOrNil(0) }
        return ((oldest ?? nil) ?? newest + 1, newest)
    }

    private static func changeRow(_ row: Statement) -> ChangeRow {
        // The table's CHECK allows no other change.
        ChangeRow(
            revision: row.integer(0), at: row.text(1),
            list: row.text(2),
            change: ChangeKind(rawValue: row.text(3)) ?? .reset, id: row.integerOrNil(4),
            title: row.textOrNil(5), state: row.textOrNil(6), operation: row.textOrNil(7))
    }
}
