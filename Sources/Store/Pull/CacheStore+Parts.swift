internal import Declarations
package import Host
internal import Rules
internal import SQLite
package import Tables
internal import Text

/// Lists that are read in parts.
extension CacheStore {
    /// Every part of the list, the oldest first, and the round that goes on.
    package func parts(
        of table: ListTable, now: BootTime
    ) throws(StoreError) -> PartsPull {
        try read {
            var pull = PartsPull(
                all: try partMemories(of: table, now: now), round: try round(of: table))
            pull.isWhole =
                try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM part WHERE list = ?1)
                        AND NOT EXISTS (SELECT 1 FROM part WHERE list = ?1 AND wanted = 0)
                    """, .text(table.declaration.name.text)) == 1
            return pull
        }
    }

    private func partMemories(of table: ListTable, now: BootTime) throws -> [PartMemory] {
        guard let sql = table.parts else { return [] }
        let doubtful = Set(try connection.all(sql.doubtful) { $0.text(0) })
        // A change waits for a row that may have moved to any of them.
        let isRoundWanted =
            try connection.count(
                """
                SELECT EXISTS (SELECT 1 FROM operation
                    WHERE list = ?1 AND kind <> 'create' AND missed_ms IS NOT NULL AND answered_ms IS NULL)
                    OR EXISTS (SELECT 1 FROM trail WHERE list = ?1 AND missed_ms IS NOT NULL)
                """, .text(table.declaration.name.text)) == 1
        let round = try round(of: table)
        return try connection.all(sql.parts, .text(now.boot)) { row in
            var part = PartMemory(name: row.text(0))
            part.values = Self.texts(in: row.text(1))
            part.watchedNow = row.textOrNil(2)
            part.readAt = row.bootTime(3)
            part.watchedThen = row.textOrNil(5)
            part.round = row.integerOrNil(6)
            part.isWanted =
                row.integer(7) == 1
                || isRoundWanted && part.readAt != nil && part.round ?? 0 < round
            part.hasFailed = row.integer(8) == 1
            part.isDoubtful = doubtful.contains(part.name)
            return part
        }
    }

    /// What stands in a list of texts and numbers; nil for anything else.
    private static func texts(in list: String) -> [String?] {
        guard let node = try? JSONReader.read(Array(list.utf8)), case .list(let items) = node.value
        else { return [] }
        return items.map { item in
            switch item.value {
            case .text(let text), .number(let text): text
            case .null, .bool, .list, .object: nil
            }
        }
    }

    private func round(of table: ListTable) throws(SQLiteError) -> Int64 {
        try connection.first(
            "SELECT round FROM sync_state WHERE list = ?", .text(table.declaration.name.text)
        ) { $0.integer(0) } ?? 1
    }

    /// Whether the list above is held: as long as it is, so are all parts.
    package func isHeldAbove(_ table: ListTable) throws(StoreError) -> Bool {
        guard let above = table.declaration.each?.list else { return false }
        return try read {
            try connection.count(
                "SELECT EXISTS (SELECT 1 FROM hold WHERE list = ?)", .text(above.text)) == 1
        }
    }

    /// What is staged from now on is of `part`.
    package func place(_ part: String, of table: ListTable) throws(StoreError) {
        guard let sql = table.parts else { return }
        do {
            try connection.run(sql.place[0])
            try connection.run(sql.place[1], .text(part))
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Forgets what was staged from the page `first` on: of a part that could not be read to its end.
    package func unstage(from first: Int, of table: ListTable) throws(StoreError) {
        do {
            try connection.run(
                "DELETE FROM temp.\(table.staged) WHERE position >= ? * 10000000",
                .integer(Int64(first)))
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Notes which parts of the pull were read to their end, before it is taken.
    package func note(_ pull: PartsPull, of table: ListTable) throws(StoreError) {
        do {
            let commit = partsCommit(pull.judged(by: table, without: []), of: table)
            try connection.staging { try commit?.noteRead() }
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Notes parts that could not be read in a pull that brought nothing.
    package func note(
        failed parts: [PartsPull.PartFailure], of table: ListTable
    ) throws(StoreError) {
        guard !parts.isEmpty else { return }
        try write(.normal) {
            for part in parts {
                try connection.run(
                    """
                    INSERT INTO part (list, part, error) VALUES (?1, ?2, ?3)
                    ON CONFLICT (list, part) DO UPDATE SET error = ?3 WHERE error IS NOT ?3
                    """, .text(table.declaration.name.text), .text(part.name), .text(part.error))
            }
        }
    }

    /// The next pull reads every part.
    func wantParts(of name: ListName) throws(SQLiteError) {
        try connection.run("UPDATE part SET wanted = 1 WHERE list = ?", .text(name.text))
    }

    /// Whether a part is new, or the row above it has changed, and nothing speaks against reading it now.
    package func hasDuePart(_ table: ListTable) throws(StoreError) -> Bool {
        guard table.declaration.each != nil else { return false }
        return try read { try hasPartToRead(of: table) }
    }

    func hasPartToRead(of table: ListTable) throws -> Bool {
        guard let sql = table.parts, table.declaration.each?.list != nil,
            try connection.count(
                "SELECT EXISTS (SELECT 1 FROM sync_state WHERE list = ? AND pulled_boot IS NOT NULL AND state = 'ok')",
                .text(table.declaration.name.text)) == 1
        else { return false }
        return try connection.count(sql.isDue) == 1
    }

    /// How the list stands as a whole: whether every part was read to its end, and not longer ago than it may be, and how
    /// many were not.
    package func partsStanding(
        of table: ListTable, now: BootTime
    ) throws(StoreError) -> PartsStanding {
        guard let sql = table.parts, let each = table.declaration.each else {
            return PartsStanding(
                parts: 0, unread: 0, failed: [], lacksAbove: false, isComplete: false)
        }
        let longest = each.list == nil ? table.declaration.interval : each.whole
        return try read {
            let name = Value.text(table.declaration.name.text)
            let failed = try connection.all(
                "SELECT part, error FROM part WHERE list = ? AND error IS NOT NULL ORDER BY part",
                name
            ) { PartsPull.PartFailure(name: $0.text(0), error: $0.text(1), isRefusal: false) }
            let count = try connection.count(sql.count)
            // A cycle comes a little later than its interval, and takes its time.
            let limit = longest * 2
            let fresh = try connection.count(
                """
                SELECT count(*) FROM part WHERE list = ?1 AND complete = 1 AND error IS NULL AND read_boot = ?2
                    AND read_ms >= ?3
                """, name, .text(now.boot),
                .integer(now.milliseconds - limit.wholeMilliseconds))
            let read = try connection.count(
                "SELECT count(*) FROM part WHERE list = ? AND read_ms IS NOT NULL", name)
            let isAboveKnown = try each.list.map { list in
                try connection.count(
                    "SELECT EXISTS (SELECT 1 FROM sync_state WHERE list = ? AND pulled_boot IS NOT NULL)",
                    .text(list.text)) == 1
            }
            return PartsStanding(
                parts: count, unread: max(0, count - read), failed: failed,
                lacksAbove: isAboveKnown == false,
                isComplete: fresh >= count && isAboveKnown != false)
        }
    }

    /// How many rows the table has.
    package func rowCount(of table: ListTable) throws(StoreError) -> Int64 {
        try read { try connection.count(table.countRows) }
    }
}

extension CacheStore {
    func partsCommit(_ pull: PartsPull, of table: ListTable) -> PartsCommit? {
        table.parts.map {
            PartsCommit(connection: connection, table: table, sql: $0, pull: pull)
        }
    }
}
