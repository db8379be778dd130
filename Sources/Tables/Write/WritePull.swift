internal import Declarations

/// The statements of a pull of a list that programs write to, in the order of their use. The rows of the list are
/// staged beside the cache, then compared with `s_NAME`. Only those that differ are looked at further.
public struct WritePull: Sendable, Hashable {
    /// Make the temporary tables, where they are not there.
    public let prepare: [String]
    /// Remove them: they were made for another form of the table.
    public let remove: [String]
    /// Empty them.
    public let clear: [String]
    /// Takes the usable rows of a page: `?1` a list of rows, `?2` how many rows stand before, `?3` the
    /// number of the page. Of two rows with one id the first stays; it is marked where they differ.
    public let stage: String
    /// Takes the rows of a page that has not changed as they are known: `?1` their ids as a JSON list, `?2` the number
    /// of the page.
    public let stageUnchanged: String
    /// How many rows could be taken, and how many have an id and every required field, but not one that can be
    /// taken: `?1` the rows.
    public let countUsable: String
    /// Notes the ids of rows that cannot be taken: `?1` the rows. Nil where a row is told by more than its id: then a
    /// row that lacks some of it is another one.
    public let noteSkipped: String?
    /// The rows of the server that have an edit or a delete, and that the list shows in a form that cannot be taken.
    public let skippedRows: String
    /// Names the rows that cannot be taken: `?1` and `?2` as for ``stage``. Their place, their type, the type of
    /// their id, whether that is usable, the first required column that is missing, and the type of what is there.
    public let nameSkipped: String
    /// The names of the first row's fields: `?1` the rows.
    public let nameFields: String
    /// How many rows no page before had: `?1` the number of the page.
    public let countNew: String
    /// Forgets what was staged of a page: `?1` its number.
    public let forgetPage: String
    /// How many rows are staged.
    public let countPulled: String
    /// The places of rows under whose id another one differs, at most `?1`.
    public let placesOfDiffering: String
    /// The numbers of the pages on which they stand.
    public let pagesOfDiffering: String
    /// Removes those rows.
    public let removeDiffering: String
    /// Note the rows of the list that the table does not have so, after the older ones are forgotten.
    public let compareRows: [String]
    /// How many staged rows are as in the table, and how many rows of the server that has. Where they are as many,
    /// no row is missing.
    public let countEqual: String
    /// See ``countEqual``.
    public let countKnown: String
    /// Notes the rows of the server that the list does not have so.
    public let compareKnown: String
}

extension ListTable {
    /// Nil for a list that programs only read.
    public var writePull: WritePull? {
        isWritable ? madeWritePull { WritableTable(list: self).pull } : nil
    }
}

extension WritableTable {
    /// The rows of a pull.
    var pulled: SQLName { SQLName("pulled_\(list.declaration.name)") }
    /// The rows of a pull that the table does not have, or not so.
    var differing: SQLName { SQLName("differing_\(list.declaration.name)") }
    /// The rows of the server that a pull does not have, or not so.
    var absent: SQLName { SQLName("absent_\(list.declaration.name)") }
    /// The rows of a pull that no row of the table is, each with the local id that it gets.
    var arriving: SQLName { SQLName("arriving_\(list.declaration.name)") }
    /// The ids of the rows of a pull that cannot be taken.
    var skipped: SQLName { SQLName("skipped_\(list.declaration.name)") }

    fileprivate var pull: WritePull {
        let temporary =
            [pulled, differing, absent, arriving, skipped]
            + (list.createBuried == nil ? [] : [list.buried])
            + (list.createAside == nil ? [] : [list.aside])
            + (PartedTable(list)?.temporary ?? [])
        return WritePull(
            prepare: [createPulled] + [differing, absent, arriving, skipped].map(createNotes)
                + [list.createBuried, list.createAside].compactMap { $0 }
                + (PartedTable(list)?.prepare ?? []),
            remove: temporary.map { "DROP TABLE IF EXISTS temp.\($0)" },
            clear: temporary.map { "DELETE FROM temp.\($0)" },
            stage: stage, stageUnchanged: stageUnchanged,
            countUsable: countUsable,
            noteSkipped: noteSkipped,
            skippedRows: """
                SELECT DISTINCT known.id FROM operation CROSS JOIN \(known) AS known ON known.id = operation.row_id
                    CROSS JOIN temp.\(skipped) AS skipped ON skipped.key = known.server_id
                WHERE operation.list = \(listName) AND operation.kind <> 'create'
                """,
            nameSkipped: nameSkipped,
            nameFields: """
                SELECT substr(field.key, 1, 500)
                FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
                    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8
                """,
            countNew: "SELECT count(*) FROM temp.\(pulled) WHERE \(list.isOnPage("?1"))",
            forgetPage: "DELETE FROM temp.\(pulled) WHERE \(list.isOnPage("?1"))",
            countPulled: "SELECT count(*) FROM temp.\(pulled)",
            placesOfDiffering: """
                SELECT position % 10000000 FROM temp.\(pulled) WHERE differs > 0 ORDER BY position LIMIT ?1
                """,
            pagesOfDiffering: """
                SELECT position / 10000000 FROM temp.\(pulled) WHERE differs > 0
                UNION SELECT differs FROM temp.\(pulled) WHERE differs > 0
                """,
            removeDiffering: "DELETE FROM temp.\(pulled) WHERE differs > 0",
            compareRows: compareRows,
            countEqual: """
                SELECT (SELECT count(*) FROM temp.\(pulled)) - (SELECT count(*) FROM temp.\(differing))
                """, countKnown: "SELECT count(*) FROM \(known)", compareKnown: compareKnown)
    }

    private var createPulled: String {
        let columns = fields.compactMap { column in
            "\(part(column)) \(column.servedType),\n    "
        }
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(pulled) (
                -- The number of its page times 10 000 000, and its place on it.
                position INTEGER PRIMARY KEY,
                key TEXT NOT NULL UNIQUE,
                \(columns.joined())document TEXT NOT NULL,
                -- The page of another row of the list that has the same id, and is not equal.
                differs INTEGER NOT NULL DEFAULT 0,
                -- Its page has not changed: the document is what is known, and more than the list may show.
                isUnchanged INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """
    }

    private func createNotes(_ name: SQLName) -> String {
        let columns =
            switch name {
            case arriving: "row_id INTEGER PRIMARY KEY, position INTEGER"
            case absent: "row_id INTEGER PRIMARY KEY"
            case skipped: "key TEXT PRIMARY KEY"
            default: "position INTEGER PRIMARY KEY"
            }
        return "CREATE TEMP TABLE IF NOT EXISTS \(name) (\(columns)) STRICT"
    }

    /// The fields of the row in `value`. A value that is no object has no fields: a path into it would be an error.
    ///
    /// SQLite would write `value`, and read a field of it, anew for each place where it is named, were it not
    /// for each LIMIT, which keeps a query one of its own.
    private func candidates(withTypes: Bool = false) -> String {
        """
        SELECT key, value, type, \(columns(of: "value", withTypes: withTypes).joined(separator: ",\n    "))
        FROM (SELECT key, \(list.placed("value")) AS value, type FROM json_each(?1) WHERE \(list.isLivingRow) LIMIT -1) LIMIT -1
        """
    }

    /// The id of the row in `document`, and its fields.
    private func columns(of document: String, withTypes: Bool) -> [String] {
        let projection = Projection(document: document)
        let place = SQLText(list.declaration.id.sqliteText)
        let id = ["json_type(\(document), \(place)) AS id_type", "\(document) ->> \(place) AS id"]
        return id
            + fields.flatMap { column in
                guard let field = column.field else { return [String]() }
                let value = "\(projection.value(column)) AS \(part(column))"
                guard withTypes, column.isRequired else { return [value] }
                let place = SQLText(field.path.sqliteText)
                return [value, "json_type(\(document), \(place)) AS \(type(of: column))"]
            }
    }

    private func type(of column: Column) -> SQLName { SQLName("type of " + column.name) }

    /// An id that can stand in a path.
    private var isUsableID: String {
        """
        (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
            AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..'))
        """
    }

    private func isUsable(_ column: Column) -> String {
        let value = part(column)
        guard column.field?.type.sqlType == "TEXT" else { return "\(value) IS NOT NULL" }
        return "\(value) IS NOT NULL AND length(CAST(\(value) AS BLOB)) <= \(Limits.textBytes)"
    }

    private var required: [Column] { fields.filter(\.isRequired) }

    /// Every required field has a value.
    private var isWhole: String {
        required.isEmpty
            ? "true" : "(" + required.map(isUsable).joined(separator: " AND ") + ")"
    }

    private var stage: String {
        let columns = fields.map { "\(part($0)), " }.joined()
        return """
            INSERT INTO temp.\(pulled) (position, key, \(columns)document)
            SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), \(columns)value FROM (\(candidates()))
            WHERE \(isUsableID) AND \(isWhole)
            ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT \(Equality.areSame("document", "excluded.document"))
            """
    }

    private var stageUnchanged: String {
        let projection = Projection(document: "known.document")
        let columns = fields.map { (part($0), projection.value($0)) }
        return """
            INSERT INTO temp.\(pulled) (position, key, \(columns.map { "\($0.0), " }.joined())document, isUnchanged)
            SELECT ?2 * 10000000 + listed.key, known.server_id,
                \(columns.map { "\($0.1), " }.joined(separator: "\n    "))known.document, 1
            FROM json_each(?1) AS listed CROSS JOIN \(known) AS known ON known.server_id = listed.value
            WHERE \(PartedTable(list)?.isHere("known", behind: "") ?? "true")
            ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT \(Equality.areSame("document", "excluded.document"))
            """
    }

    /// Rows of other programs have an id, and something else where a required field should be.
    private var countUsable: String {
        let hasAll = required.map { "\(type(of: $0)) IS NOT NULL" }.joined(separator: " AND ")
        return """
            SELECT count(*) FILTER (WHERE \(isUsableID) AND \(isWhole)),
                count(*) FILTER (WHERE \(isUsableID) AND NOT \(isWhole)\(hasAll.isEmpty ? "" : " AND " + hasAll))
            FROM (\(candidates(withTypes: true)))
            """
    }

    private var noteSkipped: String? {
        guard list.declaration.identity == ["id"], !required.isEmpty else { return nil }
        return """
            INSERT OR IGNORE INTO temp.\(skipped) (key)
            SELECT CAST(id AS TEXT) FROM (\(candidates())) WHERE \(isUsableID) AND NOT \(isWhole)
            """
    }

    private var nameSkipped: String {
        let missing = required.map { "WHEN NOT (\(isUsable($0))) THEN \(SQLText($0.name))" }
        let types = required.map { "WHEN NOT (\(isUsable($0))) THEN \(type(of: $0))" }
        func first(_ cases: [String]) -> String {
            cases.isEmpty ? "NULL" : "CASE \(cases.joined(separator: " ")) END"
        }
        return """
            SELECT key + ?2 AS place, type, id_type, coalesce(\(isUsableID), 0), \(first(missing)), \(first(types))
            FROM (\(candidates(withTypes: true)))
            WHERE NOT coalesce(\(isUsableID) AND \(isWhole), 0)
            UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
            ORDER BY place LIMIT 20
            """
    }

    var compareRows: [String] {
        [
            "DELETE FROM temp.\(differing)", "DELETE FROM temp.\(absent)",
            """
            INSERT INTO temp.\(differing) (position)
            SELECT position FROM temp.\(pulled) AS pulled
            WHERE NOT EXISTS (SELECT 1 FROM \(known) AS known
                WHERE known.server_id = pulled.key
                    AND \(Equality.areSame("known.document", "pulled.document")))
            """,
        ]
    }

    private var compareKnown: String {
        """
        INSERT INTO temp.\(absent) (row_id)
        SELECT id FROM \(known) AS known
        WHERE NOT EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled
            WHERE pulled.key = known.server_id
                AND \(Equality.areSame("pulled.document", "known.document")))
        """
    }

    /// The row in the answer to a read, `?1`, where it has another shape: without an id.
    func answeredInAnotherShape(at path: JSONPath) -> String {
        let place = SQLText(path.sqliteText)
        let row = "json(?1 -> \(place))"
        return """
            SELECT NULL, \(PartedTable(list)?.placed(row, in: "?2") ?? row)
            WHERE iif(json_valid(?1), json_type(?1, \(place)), NULL) = 'object'
            """
    }

    /// The row in the answer to a call, `?1`, by the same rules as a pulled one; none if it is no row. Its
    /// document is written as a list's would be, so that the next pull finds it unchanged.
    func answered(at path: JSONPath) -> String {
        let place = SQLText(path.sqliteText)
        let row = "json(?1 -> \(place))"
        // The part is that of the row which the call was about.
        let answer = PartedTable(list)?.placed(row, in: "?2") ?? row
        return """
            SELECT CAST(id AS TEXT), row FROM (
                SELECT row, \(columns(of: "row", withTypes: false).joined(separator: ",\n        "))
                FROM (SELECT \(answer) AS row
                    WHERE iif(json_valid(?1), json_type(?1, \(place)), NULL) = 'object' LIMIT -1) LIMIT -1)
            WHERE \(isUsableID) AND \(isWhole)
            """
    }
}
