internal import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// A pulled list that programs write to in the staging tables, before the transaction that reconciles the cache with
/// it: what takes time with the length of the list is done here, without the write lock.
struct RowsStaging {
    let connection: Connection
    let table: ListTable
    let sql: WritePull

    /// Nil for a list that programs only read.
    init?(connection: Connection, table: ListTable) {
        guard let sql = table.writePull else { return nil }
        (self.connection, self.table, self.sql) = (connection, table, sql)
    }

    /// Ends the staging: what the pages hold together. Of two rows that differ under one id nobody knows which
    /// of them is the row, so neither is taken.
    func pull(of pages: [PublishedPage], now: WallTime) throws -> RowsPull? {
        guard let reconciliation = table.writeReconciliation else { return nil }
        return try connection.staging {
            let staged = try connection.count(sql.countPulled)
            let facts = pages.map(\.facts)
            let usable = facts.reduce(0) { $0 + $1.usable }
            var skipped = SkippedRows(
                count: facts.reduce(0) { $0 + $1.skipped.count },
                named: facts.flatMap(\.skipped.named))
            var differing: Int64 = 0
            var pagesOfDiffering: Set<Int> = []
            if staged < usable {
                skipped.named += try connection.all(
                    sql.placesOfDiffering, .integer(Int64(SkippedRows.namedAtMost))
                ) { table.rowWithSharedID(at: $0.integer(0)) }
                pagesOfDiffering = Set(
                    try connection.all(sql.pagesOfDiffering) { Int(clamping: $0.integer(0)) })
                differing = Int64(try connection.run(sql.removeDiffering))
            }
            skipped.count += differing
            skipped.named = Array(skipped.named.prefix(SkippedRows.namedAtMost))
            var pull = RowsPull(
                connection: connection, table: table, sql: reconciliation,
                rows: staged - differing,
                listed: (
                    rows: facts.reduce(0) { $0 + $1.rows },
                    unidentified: facts.reduce(0) { $0 + $1.unidentified } + differing
                ), skipped: skipped, hasDoubledRow: pages.count > 1 && staged < usable, now: now)
            pull.pagesOfDiffering = pagesOfDiffering
            try setAside(&pull)
            return pull
        }
    }

    /// Takes the rows out of the pull for which `while` does not hold.
    private func setAside(_ pull: inout RowsPull) throws {
        guard let condition = table.condition else { return }
        for statement in condition.setAside { try connection.run(statement) }
        pull.rows = try connection.count(sql.countPulled)
        pull.keepsRowsOut = try connection.count(condition.hasKept) == 1
        if let deleted = condition.deleted {
            pull.beside.notFound = Set(try connection.all(deleted) { $0.integer(0) })
        }
    }

    /// The local ids of rows that have an edit or a delete, and that the list shows in a form that cannot be taken:
    /// nobody knows what the server has of them.
    func skippedRows() throws -> [Int64] {
        try connection.staging { try connection.all(sql.skippedRows) { $0.integer(0) } }
    }

    /// Finds what differs between the staged rows and the cache, and returns the `data_version` for
    /// which that holds. A transaction of its own: that of the staging may see an older state.
    func compare(_ scope: PullScope) throws -> Int64 {
        try connection.staging {
            let version = try connection.count("PRAGMA data_version")
            try findDifferences(scope)
            return version
        }
    }

    /// Under the write lock, finds again what differs, unless nobody has committed since ``compare(_:)``
    /// returned `version`. Returns the version that holds now.
    func compareAgain(_ scope: PullScope, unlessStill version: Int64) throws -> Int64 {
        let now = try connection.count("PRAGMA data_version")
        if now != version { try findDifferences(scope) }
        return now
    }

    /// Forgets what was staged.
    func clear() throws {
        try connection.staging {
            for statement in sql.clear { try connection.run(statement) }
        }
    }

    private func findDifferences(_ scope: PullScope) throws {
        if let compare = scope == .parts
            ? table.parts?.compare : scope.isWhole ? nil : table.since?.compare
        {
            for statement in compare { try connection.run(statement) }
            return
        }
        for statement in sql.compareRows { try connection.run(statement) }
        // Ids are unique on both sides: where all rows found theirs, none is left to look for.
        let equal = try connection.count(sql.countEqual)
        if try connection.count(sql.countKnown) > equal { try connection.run(sql.compareKnown) }
    }
}

@available(*, unavailable) extension RowsStaging: Sendable {}
