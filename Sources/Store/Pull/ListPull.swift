internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// A staged pull of a list inside its transaction; the caller decides whether it is held.
public struct ListPull {
    let connection: Connection
    let table: ListTable
    let reach: PullReach
    /// Whether it asked for every row. If not, the rows that leave are those that it says are gone.
    let isWhole: Bool
    /// The parts that it has asked for; nil: the list has none.
    var parts: PartsCommit?

    /// What the pull would take away, and what an earlier one would have.
    public var hold: PullHold {
        PullHold(
            connection: connection, listName: table.declaration.name, table: "\(table.table)",
            id: "\(table.id)", list: "temp.\(table.projected)", counted: "true", missing: leaving,
            isWhole: isWhole, emptied: parts?.sql.countEmptied)
    }

    private var leaving: String {
        // What the pull itself says to be none of the table leaves at once.
        let aside = table.condition.map { " OR \($0.isAside)" } ?? ""
        if let parts { return "(\(parts.sql.leaves)\(aside))" }
        guard isWhole else { return table.absent }
        guard let pulls = reach.pullsToLeave else { return "(false\(aside))" }
        return pulls == 1
            ? table.absent : "\(table.absent) AND (\(table.missedPulls) + 1 >= \(pulls)\(aside))"
    }

    /// The same without those that a pull which was held has shown.
    private func gone(_ agrees: Bool) -> String {
        guard agrees else { return leaving }
        let agreed = PullHold.agreed("\(table.table).\(table.id)", of: table.listName)
        return "\(leaving) AND \(agreed)"
    }

    /// Brings the table to what was staged, and the full text, the history and the change log with it.
    func publish(now: WallTime) throws {
        // Frees memory early.
        defer { _ = try? connection.run("DELETE FROM temp.\(table.touched)") }
        let agrees = try hold.since() != nil
        defer { if agrees { _ = try? hold.forget() } }
        let touched = try noteTouched(agrees)
        // What changes nothing writes nothing, the flag neither.
        guard try touched > 0 || connection.count(table.countDiffering) > 0 else {
            return try countMisses()
        }
        try connection.beginApplying(to: table)
        let isFirst = try isFirstPull()
        let log = ChangeLog(connection: connection)
        try log.pause(table.declaration.name, before: touched)
        try write(agrees, now: now)
        if touched > 0, let statements = table.fullTextStatements {
            try ListIndex(connection: connection, statements: statements).update()
        }
        if touched > 0, !isFirst, let remember = table.remember {
            try ListHistory(connection: connection, listName: table.declaration.name)
                .add(remember, now: now)
        }
        try log.resume()
        try connection.endApplying()
    }

    /// Remembers what is about to change, and returns how many rows that are.
    private func noteTouched(_ agrees: Bool) throws -> Int64 {
        try connection.run("DELETE FROM temp.\(table.touched)")
        try connection.run(table.pull.noteNew)
        try connection.run(table.pull.noteChanged)
        try connection.run(table.noteLeaving(where: gone(agrees)))
        return try connection.count("SELECT count(*) FROM temp.\(table.touched)")
    }

    /// Whether there was nothing before, to which a row could be new.
    private func isFirstPull() throws -> Bool {
        try connection.count(
            """
            SELECT NOT EXISTS (SELECT 1 FROM \(table.table)) AND EXISTS (
                SELECT 1 FROM sync_state WHERE list = ? AND pulled_boot IS NULL)
            """, .text(table.declaration.name.text)) == 1
    }

    /// Takes rows away, and what stands beside the table of them.
    static func remove(_ rows: [Int64], from table: ListTable, _ connection: Connection) throws {
        for sql in table.pull.prepare { try connection.run(sql) }
        let leaving =
            "\(table.table).\(table.id) IN (\(rows.map { "\($0)" }.joined(separator: ", ")))"
        try connection.run("DELETE FROM temp.\(table.touched)")
        try connection.run(table.noteLeaving(where: leaving))
        try connection.beginApplying(to: table)
        try connection.run("DELETE FROM \(table.table) WHERE \(leaving)")
        if let statements = table.fullTextStatements {
            try ListIndex(connection: connection, statements: statements).update()
        }
        try connection.run("DELETE FROM temp.\(table.touched)")
        try connection.endApplying()
    }

    private func countMisses() throws {
        if let parts { return try parts.countMisses() }
        guard isWhole else { return }
        try connection.run(table.forgetMisses)
        if let pulls = reach.pullsToLeave, pulls > 1 { try connection.run(table.countMisses) }
    }

    private func write(_ agrees: Bool, now: WallTime) throws {
        try connection.run("DELETE FROM \(table.table) WHERE \(gone(agrees))")
        try countMisses()
        for sql in table.countOn { try connection.run(sql) }
        let upsert =
            isWhole ? nil : parts == nil ? table.since?.upsert : parts?.sql.upsert
        try connection.run(upsert ?? table.pull.upsert, .integer(now.milliseconds))
    }
}

@available(*, unavailable) extension ListPull: Sendable {}
