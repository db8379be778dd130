internal import Declarations
public import Host
public import Rules
internal import SQLite
internal import Tables

/// A pull of a list that programs write to, inside its transaction: what it holds, and the steps that reconcile
/// the cache with it. The caller decides, by pure rules; nothing else reads or writes meanwhile.
public struct RowsPull {
    let connection: Connection
    let table: ListTable
    let sql: WriteReconciliation
    /// Rows that were taken.
    public internal(set) var rows: Int64
    /// All rows of the answer, taken or not, and those of them that could be any row.
    let listed: (rows: Int64, unidentified: Int64)
    /// Rows that were not taken.
    public let skipped: SkippedRows
    /// Whether a row came on two pages.
    public let hasDoubledRow: Bool
    let now: WallTime
    /// Whether it asked for every row. If not, the rows that leave are those that it says are gone.
    var isWhole = true
    /// The parts that it has asked for; nil: the list has none.
    var parts: PartsCommit?
    /// The numbers of the pages with rows of which another one differs under the same id.
    var pagesOfDiffering: Set<Int> = []
    /// Whether it agrees with one that was held: then only rows leave that both lack.
    var agrees = false
    /// Rows that the list does not show, and that the server may have all the same.
    var beside = RowsBeside()
    /// Whether it has rows for which `while` does not hold: their changes wait, or they may be those of creates.
    var keepsRowsOut = false
    /// Rows that the list does not show, and whose answer is too young for it to say anything about them.
    var echoes: Set<Int64> = []
    /// So many pages had come before a create was sent beside them; their rows are not its effect.
    var pagesBeforeCreates = 0
    /// How far it got, as the caller judges. A list that is not complete removes nothing for being absent.
    public var reach = PullReach.partial

    /// Whether every row of the server is in it.
    public var isComplete: Bool { reach == .complete || reach == .untold }

    var listName: Value { .text(table.declaration.name.text) }

    /// What the pull would take away, and what an earlier one would have.
    public var hold: PullHold {
        PullHold(
            connection: connection, listName: table.declaration.name, table: sql.known, id: "id",
            list: sql.pulled, counted: sql.counted,
            missing: "\(sql.counted) AND \(missing)", isWhole: isWhole,
            emptied: parts?.sql.countEmptied)
    }

    /// From how many pulls in a row a row has to be absent before it leaves; nil: it stays.
    private var pullsToLeave: Int? { isWhole ? reach.pullsToLeave : 1 }

    private var missing: String {
        if let parts { return "(\(isShownOut) OR \(parts.sql.leaves))" }
        return switch pullsToLeave {
        case nil: isShownOut
        case 1: sql.notShown
        case .some(let pulls):
            "\(sql.notShown) AND (\(isShownOut) OR \(isLasting(pulls)))"
        }
    }

    /// Rows of which the pull itself says that they are none of the table.
    private var isShownOut: String {
        table.condition.map { "(\(sql.shownOtherwise) OR \($0.isAside))" } ?? sql.shownOtherwise
    }

    /// Rows that so many pulls in a row have not shown, or that the server says it has no more.
    private func isLasting(_ pulls: Int) -> String {
        let gone = beside.gone.sorted().map { "\($0)" }.joined(separator: ", ")
        return "(\(sql.missedPulls) + 1 >= \(pulls) OR \(sql.known).id IN (\(gone)))"
    }

    /// What decides whether the list holds every row.
    public func facts() -> ListFacts {
        ListFacts(
            rows: listed.rows, unidentified: listed.unidentified)
    }

    /// Rows that leave: those that the pull shows as another row, and those without an operation that as many
    /// pulls in a row as are needed have not shown. Absence decides about an operation only when seen twice.
    private var leaving: String {
        if let parts {
            return "(\(isShownOut) OR \(parts.sql.leaves) AND NOT \(sql.hasOperation))"
        }
        guard let pulls = pullsToLeave else { return isShownOut }
        let isLasting = pulls == 1 ? "" : " AND \(isLasting(pulls))"
        return """
            \(sql.notShown)
                AND (\(isShownOut) OR NOT \(sql.hasOperation)\(isLasting))
            """
    }

    /// Lets rows go that the pull shows as another row, because ids are used again. Their operations are
    /// done. Then those whose id is gone, as the reach of the pull allows. Where the pull began is remembered for
    /// those that are gone.
    public func removeVanished(pullBegan: BootTime) throws {
        let agreed = PullHold.agreed("\(sql.known).id", of: table.listName)
        let gone = agrees ? "\(leaving) AND (\(sql.shownOtherwise) OR \(agreed))" : leaving
        let vanished = try connection.all("SELECT id FROM \(sql.known) WHERE \(gone)") {
            $0.integer(0)
        }
        if pullsToLeave != nil || table.condition != nil, !vanished.isEmpty {
            try connection.run(
                sql.rememberDeparted + " \(gone) AND NOT \(sql.shownOtherwise)",
                .text(pullBegan.boot), .integer(pullBegan.milliseconds))
        }
        try pauseChangeLog(vanished: Int64(vanished.count))
        let rows = ListRows(connection: connection, table: table)
        let edits = RowEdits(connection: connection, table: table)
        let mayReturn = try remembers
        for id in vanished {
            try edits?.recordGone(id)
            let trail = mayReturn ? try edits?.trails.trail(of: id) : nil
            try rows.forget(id)
            // If this list is wrong, a later one still says what became of the values that were sent.
            if let trail, !trail.fields.isEmpty { try edits?.trails.keep(trail, of: id) }
        }
        try countMisses()
    }

    /// Of a list in pages, for the rows that it does not show.
    private func countMisses() throws {
        if let parts { return try parts.countMisses() }
        guard isWhole else { return }
        switch reach.pullsToLeave {
        case nil: break
        case 1: try connection.run("DELETE FROM missed_row WHERE list = ?", listName)
        default: for statement in sql.countMisses { try connection.run(statement) }
        }
    }

    /// Tells the changes of a large pull as one, before the first of them.
    private func pauseChangeLog(vanished: Int64) throws {
        let differing = try connection.count("SELECT count(*) FROM \(sql.differing)")
        guard vanished + differing > ChangeLog.rowsOfOneCommit else { return }
        let arriving: Int64
        if sql.noteChanging != nil {
            // Each of them is new, or has another column.
            arriving = differing
        } else {
            // A row that stays is in a complete pull, so that all others of it arrive.
            arriving =
                isComplete
                ? try rows + vanished - connection.count("SELECT count(*) FROM \(sql.known)")
                : try connection.count(sql.countArriving)
        }
        try ChangeLog(connection: connection)
            .pause(table.declaration.name, before: vanished + arriving)
    }

    /// The pulled rows that no row of the table is, in the order of the list; without those that were here before
    /// and that a single pull has not shown.
    public func unownedRows() throws -> [UnownedRow] {
        try connection.all(sql.unowned) { row in
            UnownedRow(
                serverID: row.text(0),
                values: (2..<max(row.columnCount, 2)).map { row.textOrNil($0) },
                page: Int(clamping: row.integer(1)))
        }
    }

    /// The number of rows that one statement adds. If the table has triggers, SQLite keeps all rows
    /// of a statement in memory before it writes the first.
    private static let rowsOfOneInsert: Int64 = 4096

    /// Brings rows that stay to the list, with their documents, and adds the rows that no row of the table is, in the
    /// order of the list. One that a single pull had not shown gets its local id again.
    public func addRows() throws {
        // A list that is as it was writes nothing, not even beside the cache.
        guard try connection.count("SELECT EXISTS (SELECT 1 FROM \(sql.differing))") == 1 else {
            return
        }
        if let leaveOut = table.condition?.leaveOut { try connection.run(leaveOut) }
        try changeRows()
        try nameArriving()
        if try hasNoted {
            try connection.beginApplying(to: table)
            try connection.run(sql.addKnown)
            try addShown()
            try connection.endApplying()
            try connection.run("DELETE FROM \(sql.arriving)")
        }
        try connection.run(sql.updateDocuments)
    }

    /// A list can come in another order, with the same rows.
    func placeRows() throws {
        guard let placing = sql.placing, try connection.count(placing.count) > 0 else { return }
        try connection.beginApplying(to: table)
        try connection.run(placing.place)
        try connection.endApplying()
    }

    private var hasNoted: Bool {
        get throws {
            try connection.count("SELECT EXISTS (SELECT 1 FROM \(sql.arriving))") == 1
        }
    }

    private func changeRows() throws {
        guard let noteChanging = sql.noteChanging else { return }
        try connection.run("DELETE FROM \(sql.arriving)")
        try connection.run(noteChanging)
        guard try hasNoted else { return }
        try connection.beginApplying(to: table)
        for statement in sql.change { try connection.run(statement) }
        try connection.endApplying()
    }

    /// A row without an id gets the next one. The last one may belong to a row that comes back.
    private func nameArriving() throws {
        try connection.run("DELETE FROM \(sql.arriving)")
        let last = try connection.count(sql.lastID)
        try connection.run("INSERT INTO \(sql.arriving) (row_id) VALUES (?)", .integer(last))
        try connection.run(sql.nameArriving)
        try connection.run("DELETE FROM \(sql.arriving) WHERE position IS NULL")
    }

    private func addShown() throws {
        let moment = try connection.first(
            "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ? / 1000.0, 'unixepoch')",
            .integer(now.milliseconds)
        ) { $0.text(0) }
        let end = try connection.count("SELECT max(row_id) + 1 FROM \(sql.arriving)")
        let first = try connection.count("SELECT min(row_id) FROM \(sql.arriving)")
        for start in stride(from: first, to: end, by: Int(Self.rowsOfOneInsert)) {
            try connection.run(
                sql.addShown, .integer(start), .integer(start + Self.rowsOfOneInsert - 1),
                .text(moment))
        }
        try connection.run(sql.tellAdded)
    }
}

@available(*, unavailable) extension RowsPull: Sendable {}
