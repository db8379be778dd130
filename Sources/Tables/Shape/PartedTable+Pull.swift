internal import Declarations

/// What a pull of parts finds, and what it takes away.
extension PartedTable {
    /// Changes that were sent and of which only a list tells whether they happened; and those that wait for a list.
    var doubtful: String {
        guard let writable else { return "SELECT NULL WHERE false" }
        let knownPart = """
            (SELECT \(part(of: "known")) FROM \(known.table) AS known WHERE known.\(known.id) = operation.row_id)
            """
        let waits =
            list.declaration.read == nil ? " OR kind <> 'create' AND state = 'queued'" : ""
        return """
            SELECT DISTINCT part FROM (
                SELECT iif(kind = 'create', \(writable.lookedFor(column)), \(knownPart)) AS part
                FROM operation WHERE list = \(list.listName)
                    AND (state IN ('in doubt', 'acknowledged') OR missed_ms IS NOT NULL\(waits))
                UNION ALL
                SELECT \(part(of: "known")) FROM trail CROSS JOIN \(known.table) AS known
                    ON known.\(known.id) = trail.row_id
                WHERE trail.list = \(list.listName))
            WHERE part IS NOT NULL
            """
    }

    /// A row moves when another part shows it and its own does not, or did not when it was read last. Until then it stays
    /// where it is, and both parts are to be read.
    var compare: [String] {
        let moves = """
            FROM temp.\(pulled) AS pulled CROSS JOIN \(known.table) AS known ON known.\(known.key) = pulled.key
            WHERE \(part(of: "known")) IS NOT \(pulledPart("pulled"))
                AND \(part(of: "known")) NOT IN (SELECT part FROM temp.\(taken))
                AND NOT EXISTS (SELECT 1 FROM missed_row
                    WHERE missed_row.list = \(list.listName) AND missed_row.row_id = known.\(known.id))
                AND \(isThere(part(of: "known")))
            """
        var statements =
            leftMeanwhile + [
                "DELETE FROM temp.\(lacking)", "DELETE FROM temp.\(wanted)",
                """
                INSERT OR IGNORE INTO temp.\(wanted) (part)
                SELECT \(part(of: "known")) \(moves)
                UNION SELECT \(pulledPart("pulled")) \(moves)
                """,
                "DELETE FROM temp.\(pulled) WHERE key IN (SELECT pulled.key \(moves))",
            ]
        statements += writable.map { list.compareShown($0) } ?? list.compareSome
        statements += [
            """
            INSERT INTO temp.\(lacking) (row_id, first)
            SELECT known.\(known.id), taken.first FROM \(rowsOfTaken) WHERE NOT \(isShown)
            """,
            """
            INSERT OR IGNORE INTO temp.\(list.missing) (row_id) SELECT row_id FROM temp.\(lacking)
            """,
        ]
        return statements
    }

    /// What was read of parts whose row above has left since then.
    private var leftMeanwhile: [String] {
        guard parent != nil else { return [] }
        let parts = "SELECT key FROM (\(source(naming: [])))"
        return [
            "DELETE FROM temp.\(pulled) AS pulled WHERE \(pulledPart("pulled")) NOT IN (\(parts))",
            "DELETE FROM temp.\(list.staged) WHERE document ->> \(place) NOT IN (\(parts))",
        ]
    }

    var absent: String? {
        writable.map { writable in
            """
            SELECT known.id, known.server_id FROM \(rowsOfTaken)
            WHERE NOT \(isShown) AND NOT EXISTS (SELECT 1 FROM operation
                    WHERE list = \(writable.listName) AND row_id = known.id) LIMIT ?1
            """
        }
    }

    var unknown: String? {
        writable.map { writable in
            """
            SELECT known.id FROM \(known.table) AS known
            WHERE known.id IN (SELECT row_id FROM operation WHERE list = \(writable.listName) AND kind <> 'create'
                    UNION SELECT row_id FROM trail WHERE list = \(writable.listName))
                AND NOT \(isShown) AND ifnull(\(part(of: "known")), '') NOT IN (SELECT part FROM temp.\(taken))
                AND known.id NOT IN (SELECT row_id FROM temp.\(leaving))
            UNION
            SELECT row_id FROM operation WHERE list = \(writable.listName) AND kind = 'create'
                AND ifnull(\(writable.lookedFor(column)), '') NOT IN (SELECT part FROM temp.\(taken))
            """
        }
    }

    /// How often a row was missed that this pull lacks; it counts once in a round.
    private var count: String {
        """
        CASE missed.round WHEN ?1 THEN missed.pulls WHEN ?1 - 1 THEN missed.pulls + 1 ELSE lacking.first END
        """
    }

    private var lackingRows: String {
        """
        temp.\(lacking) AS lacking LEFT JOIN missed_row AS missed
            ON missed.list = \(list.listName) AND missed.row_id = lacking.row_id
        WHERE lacking.row_id IN (SELECT row_id FROM temp.\(list.missing))
        """
    }

    var noteLeaving: [String] {
        [
            "DELETE FROM temp.\(leaving)",
            """
            INSERT OR IGNORE INTO temp.\(leaving) (row_id)
            SELECT lacking.row_id FROM \(lackingRows) AND ?2 AND \(count) >= ?3
            """,
            """
            INSERT OR IGNORE INTO temp.\(leaving) (row_id)
            SELECT missed.row_id FROM missed_row AS missed CROSS JOIN \(known.table) AS known
                ON known.\(known.id) = missed.row_id
            WHERE missed.list = \(list.listName) AND ?2 AND missed.round = ?1 AND missed.pulls >= ?3 AND NOT \(isShown)
            """,
        ]
    }

    var forgetMisses: String {
        """
        DELETE FROM missed_row WHERE list = \(list.listName) AND row_id NOT IN (
            SELECT known.\(known.id) FROM \(known.table) AS known WHERE NOT \(isShown))
        """
    }

    var countMisses: String {
        """
        INSERT OR REPLACE INTO missed_row (list, row_id, pulls, round)
        SELECT \(list.listName), lacking.row_id, \(count), ?1
        FROM \(lackingRows)
            AND lacking.row_id IN (SELECT \(known.id) FROM \(known.table))
        """
    }

    /// What is noted of the rows above that came, went or are called otherwise.
    private func referred(_ parent: ReferredList) -> String {
        """
        SELECT key FROM temp.referred WHERE list = \(SQLText(parent.name)) AND field = \(SQLText(parent.field))
        """
    }

    var lostRows: String? {
        parent.map { parent in
            let name = SQLName(column.name)
            let now = parent.row(called: "refers.\(list.part(column.name))")
            var isOther = """
                EXISTS (SELECT 1 FROM \(list.table) AS shown
                    WHERE shown.\(list.id) = refers.row_id AND shown.\(name) <> \(now))
                """
            if let writable {
                isOther += """
                     OR EXISTS (SELECT 1 FROM \(writable.hidden) AS hidden
                        WHERE hidden.id = refers.row_id AND hidden.\(list.part(column.name)) <> \(now))
                    """
            }
            return """
                SELECT refers.row_id FROM \(refers) AS refers
                WHERE refers.\(list.part(column.name)) IN (\(referred(parent))) AND (\(now) IS NULL OR \(isOther))
                """
        }
    }

    /// Forgets the parts that are no more, of those whose rows above have just been noted.
    var forgetLeft: String? {
        parent.map { parent in
            """
            DELETE FROM part WHERE list = \(list.listName) AND part IN (\(referred(parent))) AND NOT \(isThere("part"))
            """
        }
    }

    var lostCreates: String? {
        guard let parent, let writable else { return nil }
        return """
            SELECT seq, row_id FROM operation
            WHERE (state <> 'queued' OR kind <> 'create') AND list = \(list.listName)
                AND kind = 'create' AND state = 'in doubt'
                AND \(writable.lookedFor(column)) IN (\(referred(parent)))
                AND NOT \(parent.has(row: writable.ownValue(of: column)))
            """
    }

    var countEmptied: String {
        """
        SELECT count(*), count(*) FILTER (WHERE stays = 0) FROM (
            SELECT \(part(of: "known")) AS part,
                count(*) FILTER (WHERE known.\(known.id) NOT IN (SELECT row_id FROM temp.\(leaving))) AS stays
            FROM \(known.table) AS known GROUP BY 1)
        """
    }

    var partOfOperation: String? {
        writable.map { writable in
            """
            SELECT iif(kind = 'create', \(writable.lookedFor(column)),
                (SELECT \(part(of: "known")) FROM \(known.table) AS known WHERE known.\(known.id) = operation.row_id))
            FROM operation WHERE seq = ?1
            """
        }
    }
}
