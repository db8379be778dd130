internal import Declarations
public import Host
public import Rules
internal import SQLite
internal import Tables

/// The rows that a pull would take away, and the memory of an earlier pull that was held because
/// they were too many. Lives inside the pull's transaction.
public struct PullHold {
    let connection: Connection
    let listName: ListName
    /// The table of the cached rows.
    let table: String
    /// The column of their ids.
    let id: String
    /// The table of the pulled rows.
    let list: String
    /// Which of its rows could be missed at all, as a condition.
    let counted: String
    /// Which of those the pull takes away, as a condition.
    let missing: String
    /// Whether the pull asked for every row: only then it means something that it has none.
    var isWhole = true
    /// How many parts of the list have rows, and how many would have none; nil: it has no parts.
    var emptied: String?

    /// How many rows of the cache would leave, or become another row. Where none would, the others are
    /// not counted: that takes time with their number, under the write lock.
    public func removals() throws -> RemovalCount {
        let missing = try connection.count("SELECT count(*) FROM \(table) WHERE \(missing)")
        guard missing > 0 else { return RemovalCount(counted: 0, missing: 0) }
        if let emptied,
            let parts = try connection.first(
                emptied,
                row: { RemovalCount(counted: $0.integer(0), missing: $0.integer(1)) }),
            WipeGuard.isGuarded(parts)
        {
            return parts
        }
        return RemovalCount(
            counted: try connection.count("SELECT count(*) FROM \(table) WHERE \(counted)"),
            missing: missing,
            isListEmpty: try isWhole
                && connection.count("SELECT NOT EXISTS (SELECT 1 FROM \(list))") == 1)
    }

    /// Since when a pull has been held, nil when none is.
    public func since() throws -> BootTime? {
        try connection.first(
            "SELECT since_boot, since_ms FROM hold WHERE list = ?", .text(listName.text)
        ) { $0.bootTime(0) } ?? nil
    }

    /// How many rows are missing both from the held pull and from this one.
    public func removalsHeldBefore() throws -> Int64 {
        try connection.count(
            """
            SELECT count(*) FROM \(table) WHERE \(missing)
                AND \(id) IN (SELECT row_id FROM held_row WHERE list = ?)
            """, .text(listName.text))
    }

    /// Whether the pull is held, as `guarding` judges; remembers or forgets the hold accordingly.
    func isHeld(by guarding: WipeGuard) throws -> Bool {
        let since = try since()
        let judgement = WipeGuard.judge(
            try removals(), heldBefore: try since.map { _ in try removalsHeldBefore() },
            isHoldDue: since.map { guarding.pullBegan.elapsed(since: $0) >= guarding.interval }
                ?? false,
            isAccepted: guarding.isAccepted)
        switch judgement {
        case .take: try forget()
        case .agree: break
        case .hold:
            try forget()
            try remember(since: guarding.pullBegan)
        case .keepHolding: try keepMissing(since: guarding.pullBegan)
        }
        return judgement == .hold || judgement == .keepHolding
    }

    /// A row that a pull shows meanwhile is held no longer; if none is left, the hold is of other rows, and begins anew.
    private func keepMissing(since moment: BootTime) throws {
        try connection.run(
            """
            DELETE FROM held_row WHERE list = ? AND row_id NOT IN (
                SELECT \(id) FROM \(table) WHERE \(missing))
            """, .text(listName.text))
        let left = try connection.count(
            "SELECT EXISTS (SELECT 1 FROM held_row WHERE list = ?)", .text(listName.text))
        guard left == 0 else { return }
        try forget()
        try remember(since: moment)
    }

    /// The rows that a held pull lacked, as a condition. A pull that agrees with it takes no others away.
    static func agreed(_ id: String, of list: SQLText) -> String {
        "\(id) IN (SELECT row_id FROM held_row WHERE list = \(list))"
    }

    /// Remembers which rows this pull does not hold, as of `moment`.
    public func remember(since moment: BootTime) throws {
        try connection.run(
            "INSERT INTO hold (list, since_boot, since_ms) VALUES (?, ?, ?)",
            .text(listName.text), .text(moment.boot), .integer(moment.milliseconds))
        try connection.run(
            """
            INSERT INTO held_row (list, row_id)
            SELECT ?, \(id) FROM \(table) WHERE \(missing)
            """, .text(listName.text))
    }

    /// Forgets the held pull, if there is one.
    public func forget() throws {
        try connection.run("DELETE FROM hold WHERE list = ?", .text(listName.text))
        try connection.run("DELETE FROM held_row WHERE list = ?", .text(listName.text))
    }
}

@available(*, unavailable) extension PullHold: Sendable {}
