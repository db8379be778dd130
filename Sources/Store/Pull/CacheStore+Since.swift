internal import Declarations
package import Host
package import Rules
internal import SQLite
package import Tables

/// What a list of which only changes are asked for remembers.
extension CacheStore {
    /// How much of the list the pull asks for that begins at `now`. `wishes` is what speaks for a whole list as the
    /// caller knows it. The last pull that was taken began at `pulledAt`. What was sent may take effect for
    /// `settlingTime`, where an operation does not know for how long.
    package func scope(
        of table: ListTable, _ wishes: PullScope.Wishes, pulledAt: BootTime?,
        settlingTime: Duration,
        now: BootTime
    ) throws(StoreError) -> PullScope {
        guard let since = table.declaration.since else { return .whole }
        return try read {
            var memory = try sinceMemory(of: table)
            if foundSince[table.declaration.name]?.asksForWhole == true {
                memory.wholeWish = .asked
            }
            var wishes = wishes
            wishes.hasDoubt = try hasDoubt(
                of: table, memory, pulledAt: pulledAt, settlingTime: settlingTime, now: now)
            return PullScope.of(since, memory, wishes, now: now)
        }
    }

    /// How many rows the list has, as a page says of which no row is taken; nil where it does not.
    package func totalRows(in body: [UInt8], of table: ListTable) throws(StoreError) -> Int64? {
        try read {
            let json = JSONStaging(connection: connection, body: body)
            return try json.single(table.pull.envelope) { $0.integerOrNil(5) }
        }
    }

    /// How many pages the last whole list had; at most 500.
    package func pagesOfWhole(_ table: ListTable) throws(StoreError) -> Int {
        try read { Int(min(max(try sinceMemory(of: table).wholePages, 0), 500)) }
    }

    /// The mark as the server is asked with it.
    package func sentMark(_ mark: String, of table: ListTable) throws(StoreError) -> String {
        guard let sql = table.since?.sent else { return mark }
        return try read {
            try connection.first(sql, .text(mark)) { $0.text(0) } ?? mark
        }
    }

    /// The server does not know the mark any more: the next pull asks for the whole list.
    package func forgetMark(of table: ListTable) throws(StoreError) {
        try write(.normal) { try forgetMark(of: table.declaration.name) }
    }

    func forgetMark(of name: ListName) throws(SQLiteError) {
        foundSince[name] = nil
        try connection.run(
            """
            UPDATE sync_state SET mark = NULL, candidate = NULL, candidate_boot = NULL,
                candidate_ms = NULL, newest = NULL
            WHERE list = ? AND (mark IS NOT NULL OR newest IS NOT NULL)
            """, .text(name.text))
    }

    /// Whether the number of rows may ask for the whole list: at most once an hour.
    package func mayAskByNumber(_ table: ListTable, now: BootTime) throws(StoreError) -> Bool {
        let asked = try read {
            try connection.first(
                "SELECT counted_boot, counted_ms FROM sync_state WHERE list = ?",
                .text(table.declaration.name.text)
            ) { $0.bootTime(0) } ?? nil
        }
        return asked.map { now.elapsed(since: $0) >= PullScope.shortestWish } ?? true
    }

    /// Whether the server, which tells of `rows` rows in all, has other ones than are known. Then the whole list is asked
    /// for, from `now` on.
    package func hasOtherNumber(
        _ rows: Int64, of table: ListTable, now: BootTime
    ) throws(StoreError) -> Bool {
        guard let known = try countKnown(of: table), known != rows else { return false }
        try write(.normal) {
            try connection.run(
                "UPDATE sync_state SET counted_boot = ?2, counted_ms = ?3 WHERE list = ?1",
                .text(table.declaration.name.text), .text(now.boot), .integer(now.milliseconds))
        }
        return true
    }

    /// How many rows the server has, as far as they are known. They are counted anew only after somebody has written:
    /// of a long list, nothing else in an increment takes so long.
    private func countKnown(of table: ListTable) throws(StoreError) -> Int64? {
        guard let sql = table.since?.countKnown else { return nil }
        let name = table.declaration.name
        return try read {
            let version = try connection.count("PRAGMA data_version")
            if let counted = countedRows[name], counted.version == version { return counted.rows }
            let rows = try connection.count(sql)
            countedRows[name] = KnownCount(rows: rows, version: version)
            return rows
        }
    }

    /// Whether something was sent of which only a whole list can tell that it did not happen, and an increment that
    /// began after it had settled has not shown it. Where that costs many requests, deletes that the server has
    /// acknowledged wait for an hour.
    private func hasDoubt(
        of table: ListTable, _ memory: SinceMemory, pulledAt: BootTime?, settlingTime: Duration,
        now: BootTime
    ) throws(SQLiteError) -> Bool {
        guard !table.declaration.isReadOnly, let whole = memory.wholeBegan else { return false }
        let isLong = memory.wholePages > Self.pagesOfShortList
        let isOld = now.elapsed(since: whole) >= PullScope.shortestWish
        let confirmation = Absence.confirmation(interval: table.declaration.interval)
        return try connection.count(
            """
            SELECT EXISTS (
                SELECT 1 FROM (
                    SELECT iif(sent_boot = ?2, sent_ms, 0) + ifnull(settling_ms, ?3) AS settled, 1 AS is_open
                    FROM operation WHERE list = ?1 AND state = 'in doubt' AND kind IN (\(unreadKinds(of: table)))
                    UNION ALL
                    SELECT iif(answered_boot = ?2, answered_ms, 0) + ?4, NOT ?8 OR ?7
                    FROM operation WHERE list = ?1 AND state = 'acknowledged' AND answered_ms IS NOT NULL
                        AND kind IN (\(unreadKinds(of: table)))
                    UNION ALL
                    SELECT iif(answered_boot = ?2, answered_ms, 0) + ?4, 1
                    FROM trail WHERE list = ?1)
                WHERE is_open AND settled <= ?5 AND (settled > ?6 OR ?7))
                OR EXISTS (
                    SELECT 1 FROM operation WHERE list = ?1 AND missed_ms IS NOT NULL
                        AND iif(missed_boot = ?2, missed_ms, 0) + ?9 BETWEEN ?6 + 1 AND ?10)
            """, .text(table.declaration.name.text), .text(now.boot),
            .integer(settlingTime.wholeMilliseconds), .integer(Witness.memory.wholeMilliseconds),
            .integer(pulledAt?.boot == now.boot ? pulledAt?.milliseconds ?? -1 : -1),
            .integer(whole.boot == now.boot ? whole.milliseconds : -1), .flag(isOld), .flag(isLong),
            .integer(confirmation.wholeMilliseconds), .integer(now.milliseconds)) == 1
    }

    /// A list of at most so many pages is read whole without a thought.
    private static let pagesOfShortList: Int64 = 16

    /// The kinds of changes of which no read of a row tells that they did not happen.
    private func unreadKinds(of table: ListTable) -> String {
        table.declaration.read == nil ? "'create', 'update', 'delete'" : "'create', 'delete'"
    }
}

/// What a pull finds.
extension CacheStore {
    /// The local ids of the rows that a pull shows: it asked for changes alone, and of no other row anything is sent.
    func rowsShown(by pull: RowsPull) throws(SQLiteError) -> Set<Int64> {
        Set(try connection.all(pull.sql.shownRows) { $0.integer(0) })
            .subtracting(pull.echoes)
    }

    /// Looks at the staged rows of a pull of `pages`, before it is taken.
    func findSince(
        of table: ListTable, _ pages: [PublishedPage], scope: PullScope, now: WallTime
    ) throws(SQLiteError) {
        guard let sql = table.since else { return }
        let facts = pages.map(\.facts)
        let reach = PageReach.of(
            facts, paging: table.declaration.paging, hasDoubledRow: false, hasSkippedRow: false)
        var found = SinceFindings(
            table: table, isWhole: scope.isWhole, isFinished: reach != .partial,
            pages: Int64(pages.count))
        found.token = facts.lazy.compactMap(\.token).first
        let memory = try sinceMemory(of: table)
        found.newest = memory.marks.newest
        if let newest = sql.newest {
            // A row that is dated far ahead would hide all that come before that date.
            let latest = (facts.first?.answeredAt ?? now.milliseconds / 1000) + 86_400
            found.newest =
                try connection.first(newest, .text(memory.marks.newest), .integer(latest)) {
                    $0.textOrNil(0)
                } ?? memory.marks.newest
        }
        if scope.isWhole, let mark = memory.marks.mark, let missed = sql.missed {
            found.missed =
                try connection.first(missed, .text(mark)) { ($0.integer(0), $0.integer(1)) } ?? (
                    0, 0
                )
        }
        if !scope.isWhole, let kept = sql.kept {
            found.asksForWhole = try connection.count(kept) == 1
        }
        foundSince[table.declaration.name] = found
    }
}
