internal import Declarations
internal import Host
internal import SQLite

/// Which rows of a list appeared, changed or vanished, as a pull writes it inside its transaction.
struct ListHistory {
    /// So many are kept at most, of each list.
    static let rowsKept: Int64 = 10_000
    /// So many are kept however old they are: a clock that jumps forgets no more than the rest.
    static let rowsKeptForever: Int64 = 1_000
    /// What is older than this goes, beyond ``rowsKeptForever``.
    static let daysKept: Int64 = 400

    let connection: Connection
    let listName: ListName

    /// Runs `remember`, which writes what the pull changed, and forgets what is too old.
    func add(_ remember: String, now: WallTime) throws {
        guard try connection.run(remember, .integer(now.milliseconds)) > 0 else { return }
        try connection.run(
            Self.prune, .text(listName.text), .integer(Self.rowsKept),
            .integer(Self.rowsKeptForever), .integer(now.milliseconds - Self.daysKept * 86_400_000))
    }

    static let prune = """
        DELETE FROM row_change WHERE list = ?1 AND (
            seq <= (SELECT seq FROM row_change WHERE list = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)
            OR seq <= (SELECT seq FROM row_change WHERE list = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?3)
                AND at < ?4)
        """
}
