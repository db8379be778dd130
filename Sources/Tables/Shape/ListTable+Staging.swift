internal import Declarations

extension ListTable {
    /// The id of the row in `document` as the table has it; NULL where it cannot be one.
    func usableKey(in document: String) -> String {
        let place = SQLText(declaration.id.sqliteText)
        let kind = "json_type(\(document), \(place))"
        let found = "\(document) ->> \(place)"
        let isInteger = "\(kind) = 'integer' AND typeof(\(found)) = 'integer'"
        return declaration.ids == .server
            ? "iif(\(isInteger), \(found), NULL)"
            : """
            CASE WHEN \(isInteger) THEN CAST(\(found) AS TEXT)
                WHEN \(kind) = 'text' AND length(CAST(\(found) AS BLOB)) BETWEEN 1 AND 200 THEN \(found)
            END
            """
    }

    var envelope: String {
        func ifValid(_ value: String) -> String { "iif(json_valid(?1), \(value), NULL)" }
        func text(_ path: JSONPath?) -> String {
            guard let place = path.map({ SQLText($0.sqliteText) }) else { return "NULL" }
            // A number as it is written: a large one would be rounded.
            return ifValid(
                """
                CASE json_type(?1, \(place)) WHEN 'text' THEN ?1 ->> \(place) WHEN 'integer' THEN ?1 -> \(place) END
                """)
        }
        func number(_ path: JSONPath?) -> String {
            guard let place = path.map({ SQLText($0.sqliteText) }) else { return "NULL" }
            return ifValid(
                """
                iif(json_type(?1, \(place)) = 'integer' AND typeof(?1 ->> \(place)) = 'integer', ?1 ->> \(place), NULL)
                """)
        }
        var next: String {
            switch declaration.paging {
            case .none, .whole, .pages, .offset: return "NULL"
            case .next(let next):
                guard case .path(let path) = next.place else { return "NULL" }
                return text(path)
            case .cursor(let cursor):
                let place = SQLText(cursor.path.sqliteText)
                // In a body it has to be of the kind that it has here.
                let value =
                    cursor.parameter.path == nil
                    ? text(cursor.path)
                    : ifValid(
                        "iif(json_type(?1, \(place)) IN ('text', 'integer'), nullif(?1 -> \(place), '\"\"'), NULL)"
                    )
                guard let more = cursor.more.map({ SQLText($0.sqliteText) }) else { return value }
                return "iif(\(ifValid("json_type(?1, \(more))")) = 'false', NULL, \(value))"
            }
        }
        // In GraphQL, what an answer lacks because of an error is null in its rows.
        let errors =
            declaration.rows.names?.first == "data"
            ? ifValid(
                "iif(json_type(?1, '$.errors') = 'array', json_array_length(?1, '$.errors'), NULL)")
            : "NULL"
        let rows = rowsOfAnswer
        return """
            SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
                \(ifValid(rows.kind)),
                \(ifValid(rows.count)),
                \(next),
                \(number(declaration.paging.pages?.path)),
                \(number(declaration.paging.rows?.path)),
                \(rows.list.map(ifValid) ?? "NULL"),
                \(text(declaration.since?.moment.answerPath)),
                \(errors)
            """
    }

    /// What stands where the rows should, how many they are, and their list where it is not the answer itself.
    ///
    /// Members of an object become a list of documents with their names. Where there is none, some servers write `[]`.
    private var rowsOfAnswer: (kind: String, count: String, list: String?) {
        let place = SQLText(declaration.rows.sqliteText)
        let kind = "json_type(?1, \(place))"
        guard declaration.rowsAreMembers else {
            return (
                kind, "json_array_length(?1, \(place))",
                declaration.hasPlainRows ? nil : "?1 -> \(place)"
            )
        }
        let name = SQLText("$.\"\(Declaration.memberName)\"")
        let row = "iif(type = 'object', json_set(value, \(name), key), json_quote(value))"
        return (
            """
            CASE \(kind) WHEN 'object' THEN 'array'
                WHEN 'array' THEN iif(json_array_length(?1, \(place)) = 0, 'array', 'a list without names')
                ELSE \(kind) END
            """, "(SELECT count(*) FROM json_each(?1, \(place)))",
            "(SELECT json_group_array(json(\(row))) FROM json_each(?1, \(place)))"
        )
    }

    /// The rows of a list of JSON, with their ids and with the first required column that a row lacks.
    ///
    /// SQLite would write `value` anew for each place where it is named, were it not for the LIMIT, which keeps
    /// the inner query one of its own.
    private var candidates: String {
        let required = fields.filter(\.column.isRequired)
        let projection = Projection(document: "value")
        let missing = required.map { field in
            let value = projection.value(field.column)
            let size =
                field.type.sqlType == "TEXT"
                ? " OR length(CAST(\(value) AS BLOB)) > \(Limits.textBytes)" : ""
            return "WHEN (\(value)) IS NULL\(size) THEN \(SQLText(field.column.name))"
        }
        return """
            SELECT key + ?2 AS place, value, type, json_type(value, \(SQLText(declaration.id.sqliteText))) AS id_type,
                \(usableKey(in: "value")) AS id,
                \(missing.isEmpty ? "NULL" : "CASE \(missing.joined(separator: " ")) END") AS missing
            FROM (SELECT key, \(placed("value")) AS value, type FROM json_each(?1) WHERE \(isLivingRow) LIMIT -1)
            """
    }

    var stage: String {
        """
        INSERT INTO temp.\(staged) (position, key, document)
        SELECT ?3 * 10000000 + place, id, value FROM (\(candidates)) WHERE id IS NOT NULL AND missing IS NULL
        """
    }

    var nameSkipped: String {
        """
        SELECT place, type, id_type, id IS NOT NULL, missing FROM (
            \(candidates)
            UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
            FROM json_each(?1) WHERE type <> 'object')
        WHERE id IS NULL OR missing IS NOT NULL
        ORDER BY place LIMIT 20
        """
    }

    var stageUnchanged: String {
        """
        INSERT INTO temp.\(staged) (position, key, document)
        SELECT ?2 * 10000000 + listed.key, shown.\(key), shown.\(name(of: .document))
        FROM json_each(?1) AS listed JOIN \(table) AS shown ON shown.\(key) = listed.value
        \(PartedTable(self)?.isHere("shown", behind: "WHERE ") ?? "")
        """
    }

    var countNew: String {
        """
        SELECT count(*) FROM (SELECT DISTINCT key FROM temp.\(staged) WHERE \(isOnPage("?1"))) AS mine
        WHERE NOT EXISTS (
            SELECT 1 FROM temp.\(staged) AS other
            WHERE other.key = mine.key AND other.position / 10000000 <> ?1)
        """
    }

    /// How many staged rows are not taken, because others have their ids and differ.
    public var countSharedIDs: String {
        "SELECT coalesce(sum(n - 1), 0) FROM (\(sharedIDs("count(*) AS n")))"
    }

    /// Where the rows with such an id stand, at most `?1`.
    public var placesOfSharedIDs: String {
        """
        SELECT position % 10000000 FROM temp.\(staged) WHERE key IN (\(sharedIDs("key")))
        ORDER BY position LIMIT ?1
        """
    }

    /// Ids of rows that differ. Between two pages that are found by their numbers, a row may have changed. Most rows have
    /// an id of their own, and the index tells which: no document is read for them.
    private func sharedIDs(_ columns: String) -> String {
        let group = declaration.paging.canMissRows ? "key, position / 10000000" : "key"
        return """
            SELECT \(columns) FROM temp.\(staged)
            WHERE key IN (SELECT key FROM temp.\(staged) GROUP BY \(group) HAVING count(*) > 1)
            GROUP BY \(group) HAVING count(*) > 1 AND min(document) <> max(document)
            """
    }

    /// The staged rows of a page, as a condition.
    func isOnPage(_ number: String) -> String {
        "position BETWEEN \(number) * 10000000 AND \(number) * 10000000 + 9999999"
    }

    /// How many rows of the table no staged row is.
    package var countMissing: String {
        """
        SELECT count(*) FROM \(table) AS shown
        WHERE NOT EXISTS (SELECT 1 FROM temp.\(staged) AS staged WHERE staged.key = shown.\(key))
        """
    }
}
