public import Declarations
internal import Host
internal import Rules
internal import SQLite
internal import Tables

/// What the status row of a list keeps for the next increments.
extension CacheStore {
    /// The next pulls of these lists ask for every row.
    public func wantWhole(of lists: [ListName]) throws(StoreError) {
        try write(.normal) {
            for list in lists {
                try connection.run(
                    "UPDATE sync_state SET whole_wanted = 1 WHERE list = ?", .text(list.text))
                try wantParts(of: list)
            }
        }
    }

    /// Writes down what the pull of a cycle has found for the next increments.
    func recordSince(of record: CycleRecord) throws(SQLiteError) {
        guard
            let moved = try movedSince(
                of: record.list, by: record.pull, now: record.endedAt ?? record.due)
        else { return }
        let (memory, marks) = (moved.memory, moved.memory.marks)
        try connection.run(
            """
            UPDATE sync_state SET whole_at = iif(?2, ?3, whole_at), whole_boot = ?4, whole_ms = ?5,
                whole_pages = ?6, whole_wanted = ?7, mark = ?8, candidate = ?9, candidate_boot = ?10,
                candidate_ms = ?11, newest = ?12, since_of = ?13, missed = ?14, missed_why = ?15
            WHERE list = ?1
            """, .text(record.list.text), .flag(moved.isWhole),
            .integer(record.attemptedAt.milliseconds), .text(memory.wholeBegan?.boot),
            .integer(memory.wholeBegan?.milliseconds), .integer(memory.wholePages),
            .integer(memory.wholeWish.rawValue), .text(marks.mark), .text(marks.candidate?.moment),
            .text(marks.candidate?.since.boot), .integer(marks.candidate?.since.milliseconds),
            .text(marks.newest), .text(moved.text), .integer(memory.missed),
            .text(memory.whyMissed))
    }

    /// What is remembered, for the declaration as it is.
    func sinceMemory(of table: ListTable) throws(SQLiteError) -> SinceMemory {
        try connection.first(
            """
            SELECT whole_boot, whole_ms, whole_pages, whole_wanted, missed, missed_why, since_of,
                mark, newest, candidate, candidate_boot, candidate_ms
            FROM sync_state WHERE list = ?
            """, .text(table.declaration.name.text)
        ) { row in
            var memory = SinceMemory()
            memory.wholeBegan = row.bootTime(0)
            memory.wholePages = row.integer(2)
            memory.wholeWish = WholeWish(rawValue: row.integer(3)) ?? .asked
            memory.missed = row.integer(4)
            memory.whyMissed = row.textOrNil(5)
            guard row.textOrNil(6) == table.sinceText else { return memory }
            let candidate = row.textOrNil(9)
            memory.marks = SinceMarks(
                mark: row.textOrNil(7),
                candidate: candidate.flatMap { moment in
                    row.bootTime(10).map { SinceMarks.Candidate(moment: moment, since: $0) }
                }, newest: row.textOrNil(8))
            return memory
        } ?? SinceMemory()
    }

    /// Whether the whole list that `wish` has asked for lacks rows about which only the next one decides.
    private func hasOpenAbsence(
        of table: ListTable, after wish: WholeWish
    ) throws(SQLiteError) -> Bool {
        guard let sql = table.since?.hasOpenAbsence else { return false }
        return try connection.count(sql, .integer(wish.leastMisses)) == 1
    }

    /// What the status row of a cycle is to remember of the pull that was taken; nil where none was, or where each pull
    /// asks for the whole list.
    private func movedSince(
        of name: ListName, by pull: PullFacts?, now: BootTime
    ) throws(SQLiteError) -> (memory: SinceMemory, text: String?, isWhole: Bool)? {
        let found = foundSince.removeValue(forKey: name)
        guard let pull, let found else { return nil }
        let table = found.table
        var memory = try sinceMemory(of: table)
        if found.isWhole {
            memory.wholeBegan = pull.began
            memory.wholePages = found.pages ?? memory.wholePages
            let isOpen = try hasOpenAbsence(of: table, after: memory.wholeWish)
            memory.wholeWish = found.isFinished && isOpen ? memory.wholeWish.next : .none
        } else if found.asksForWhole {
            memory.wholeWish = .asked
        }
        if found.isFinished {
            memory.marks =
                table.since?.newest == nil
                ? memory.marks.moved(to: found.token)
                : memory.marks.moved(byPullAt: pull.began, newest: found.newest, now: now)
        }
        if let why = found.whyMissed {
            memory.missed += found.missed.withoutMoment + found.missed.unmoved
            memory.whyMissed = why
        }
        return (memory, table.sinceText, found.isWhole)
    }
}

extension ListTable {
    /// What a mark holds for: another declaration means another thing by it. Nil where only whole lists are read.
    var sinceText: String? {
        declaration.since.map { since in
            let form = since.form.map { " \($0.rawValue)" } ?? ""
            return "\(declaration.id) \(since.moment) \(since.query)\(form)"
        }
    }
}
