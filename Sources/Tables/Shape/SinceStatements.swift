internal import Declarations

/// The statements of a list of which only changes are asked for.
public struct SinceStatements: Sendable, Hashable {
    /// The largest moment of `?1` and the staged rows, in the letters in which it was written: `?2` the last moment of
    /// a date that counts, in seconds since 1970. Nil where the server makes its own texts.
    public let newest: String?
    /// The mark `?1` as it is sent.
    public let sent: String
    /// Of the staged rows of a whole list, those that the table does not have so although no increment from `?1` would
    /// have shown them: how many have no moment, and how many one from before. Nil as for ``newest``.
    public let missed: String?
    /// Notes the rows of a page that are marked as gone: `?1` the rows. Nil where none are.
    public let bury: String?
    /// How many they are: `?1` the rows. Nil as for ``bury``.
    public let countBuried: String?
    /// The rows of the table that are noted as gone, that the pull does not show, and that do not leave by that: their
    /// changes wait, or they are other rows.
    public let kept: String?
    /// Note in which rows list and table differ, where the list shows only some.
    public let compare: [String]
    /// Brings the table to the differing rows: `?1` the moment. Those that are new come behind all others. Nil where
    /// programs write to it.
    public let upsert: String?
    /// How many rows the server has, as far as they are known.
    public let countKnown: String
    /// Whether a row was missed by `?1` whole lists in a row or more, and the next one decides about it.
    public let hasOpenAbsence: String
}

extension ListTable {
    /// Nil where each pull asks for the whole list.
    public var since: SinceStatements? {
        declaration.since == nil ? nil : madeSince { sinceStatements }
    }

    /// Rows that are marked as gone, as the pull has them.
    var buried: SQLName { SQLName("buried_\(declaration.name)") }

    /// Where rows marked as gone are noted; nil where none are.
    var createBuried: String? {
        guard declaration.since?.deleted != nil else { return nil }
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(buried) (
                key ANY NOT NULL,
                document TEXT NOT NULL,
                PRIMARY KEY (key, document)
            ) STRICT, WITHOUT ROWID
            """
    }

    /// Whether the row in `value` is marked as gone, as a condition that is never NULL; nil where none is.
    func isBuried(_ value: String) -> String? {
        guard let deleted = declaration.since?.deleted else { return nil }
        guard let mark = deleted.value else {
            return "NOT \(Equality.isPlain(.null, at: deleted.path, of: value))"
        }
        return Equality.isPlain(mark, at: deleted.path, of: value)
    }

    /// Whether the element `value` of a list is a row that is not marked as gone. What is no object has no fields: a
    /// path into it would be an error.
    var isLivingRow: String {
        isBuried("value").map { "iif(type = 'object', NOT \($0), false)" } ?? "type = 'object'"
    }

    private var sinceStatements: SinceStatements {
        let writable = isWritable ? WritableTable(list: self) : nil
        return SinceStatements(
            newest: newest, sent: sent, missed: missed(known: writable?.known), bury: bury,
            countBuried: isBuried("value").map {
                "SELECT count(*) FROM json_each(?1) WHERE iif(type = 'object', \($0), false)"
            },
            kept: isBuried("value") == nil ? nil : kept(writable),
            compare: writable.map { compareShown($0) } ?? compareSome,
            upsert: isWritable ? nil : upsert(isWhole: false),
            countKnown: "SELECT count(*) FROM \(writable?.known ?? table)",
            hasOpenAbsence: """
                SELECT EXISTS (SELECT 1 FROM missed_row CROSS JOIN \(writable?.known ?? table) AS missed
                    ON missed.\(writable == nil ? id : SQLName("id")) = missed_row.row_id
                    WHERE list = \(listName) AND pulls >= ?1 AND pulls < 3)
                """)
    }

    /// The moment of `document` as a text; NULL where it has none.
    func moment(of document: String) -> String? {
        guard let path = declaration.since?.moment.rowPath else { return nil }
        let place = SQLText(path.sqliteText)
        return """
            CASE json_type(\(document), \(place)) WHEN 'text' THEN \(document) ->> \(place)
                WHEN 'integer' THEN \(document) -> \(place) WHEN 'real' THEN \(document) -> \(place) END
            """
    }

    /// The moment of a text as a number, by which it is compared: the days of a date, or the number that it is. NULL
    /// where it is neither.
    func instant(_ text: String) -> String {
        "iif(\(text) GLOB '*[^0-9.]*', julianday(\(text)), CAST(\(text) AS NUMERIC))"
    }

    private var newest: String? {
        moment(of: "document").map { moment in
            """
            SELECT text FROM (
                SELECT text, \(instant("text")) AS instant, text GLOB '*[^0-9.]*' AS is_date FROM (
                    SELECT \(moment) AS text FROM temp.\(staged)
                    UNION ALL SELECT ?1))
            WHERE instant IS NOT NULL AND (NOT is_date OR instant <= ?2 / 86400.0 + 2440587.5)
            ORDER BY instant DESC, text DESC LIMIT 1
            """
        }
    }

    private var sent: String {
        switch declaration.since?.form {
        case nil: "SELECT ?1"
        case .seconds: "SELECT coalesce(strftime('%s', ?1), ?1)"
        // A moment before is as good: more rows come than are needed.
        case .milliseconds: "SELECT coalesce(strftime('%s', ?1) || '000', ?1)"
        }
    }

    private func missed(known: SQLName?) -> String? {
        moment(of: "pulled.document").map { moment in
            let rows =
                known.map { known in
                    """
                    temp.\(differing) CROSS JOIN temp.\(staged) AS pulled USING (position)
                        WHERE NOT EXISTS (SELECT 1 FROM operation CROSS JOIN \(known) AS known
                            ON known.id = operation.row_id
                            WHERE operation.list = \(listName) AND known.server_id = pulled.key)
                    """
                }
                    ?? """
                    temp.\(differing) CROSS JOIN temp.\(projected) AS read USING (rank)
                            CROSS JOIN temp.\(staged) AS pulled USING (position)
                        WHERE NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(key) = read.key
                            AND \(Equality.areSame("shown.\(name(of: .document))", "pulled.document")))
                    """
            return """
                SELECT count(*) FILTER (WHERE instant IS NULL),
                    count(*) FILTER (WHERE instant < \(instant("?1")))
                FROM (SELECT \(instant("text")) AS instant FROM (SELECT \(moment) AS text FROM \(rows)))
                """
        }
    }

    private var bury: String? {
        isBuried("value").map { isBuried in
            let key =
                isWritable
                ? """
                CASE json_type(value, \(SQLText(declaration.id.sqliteText)))
                    WHEN 'integer' THEN CAST(value ->> \(SQLText(declaration.id.sqliteText)) AS TEXT)
                    WHEN 'text' THEN value ->> \(SQLText(declaration.id.sqliteText)) END
                """ : usableKey(in: "value")
            return """
                INSERT OR IGNORE INTO temp.\(buried) (key, document)
                SELECT key, document FROM (
                    SELECT \(key) AS key, value AS document
                    FROM (SELECT value FROM json_each(?1) WHERE type = 'object' LIMIT -1)
                    WHERE \(isBuried))
                WHERE key IS NOT NULL
                """
        }
    }

    /// Whether the row marked as gone is the row in `document`: by what makes a row that row.
    private func agrees(with document: String) -> String {
        let (row, gone) = (Projection(document: document), Projection(document: "buried.document"))
        let equal = declaration.columns.filter { declaration.identity.contains($0.name) }
            .filter { $0.field != nil }
            .map { Equality.areSame($0, "(\(row.value($0)))", "(\(gone.value($0)))") }
        return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
    }

    /// The rows of the list that the table does not have so, and the rows of the table that are marked as gone.
    var compareSome: [String] {
        var statements = ["DELETE FROM temp.\(differing)", "DELETE FROM temp.\(missing)"]
        statements.append(
            """
            INSERT INTO temp.\(differing) (rank)
            SELECT pulled.rank
            FROM temp.\(projected) AS pulled JOIN temp.\(staged) AS staged USING (position)
            WHERE NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(key) = pulled.key
                AND \(Equality.areSame("shown.\(name(of: .document))", "staged.document")))
            """)
        if isBuried("value") != nil {
            statements.append(
                """
                INSERT OR IGNORE INTO temp.\(missing) (row_id)
                SELECT shown.\(id) FROM temp.\(buried) AS buried CROSS JOIN \(table) AS shown
                    ON shown.\(key) = buried.key
                WHERE NOT EXISTS (SELECT 1 FROM temp.\(projected) AS pulled WHERE pulled.key = buried.key)
                    AND \(agrees(with: "shown.\(name(of: .document))"))
                """)
        }
        return statements
    }

    func compareShown(_ writable: WritableTable) -> [String] {
        var statements = writable.compareRows
        statements.append(
            """
            INSERT INTO temp.\(missing) (row_id)
            SELECT known.id FROM temp.\(differing) CROSS JOIN temp.\(staged) AS pulled USING (position)
                CROSS JOIN \(writable.known) AS known ON known.server_id = pulled.key
            """)
        if isBuried("value") != nil {
            statements.append(
                """
                INSERT OR IGNORE INTO temp.\(missing) (row_id)
                SELECT known.id FROM temp.\(buried) AS buried CROSS JOIN \(writable.known) AS known
                    ON known.server_id = buried.key
                WHERE \(agrees(with: "known.document"))
                """)
        }
        return statements
    }

    private func kept(_ writable: WritableTable?) -> String {
        guard let known = writable?.known else {
            return """
                SELECT EXISTS (SELECT 1 FROM temp.\(buried) AS buried CROSS JOIN \(table) AS shown
                    ON shown.\(key) = buried.key
                    WHERE NOT EXISTS (SELECT 1 FROM temp.\(projected) AS pulled WHERE pulled.key = buried.key)
                        AND shown.\(id) NOT IN (SELECT row_id FROM temp.\(missing)))
                """
        }
        return """
            SELECT EXISTS (SELECT 1 FROM temp.\(buried) AS buried CROSS JOIN \(known) AS known
                ON known.server_id = buried.key
                WHERE NOT EXISTS (SELECT 1 FROM temp.\(staged) AS pulled WHERE pulled.key = buried.key)
                    AND (known.id NOT IN (SELECT row_id FROM temp.\(missing))
                        OR EXISTS (SELECT 1 FROM operation
                            WHERE list = \(listName) AND row_id = known.id)))
            """
    }
}
