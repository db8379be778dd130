internal import Declarations

/// The statements that keep the full text in line with the rows in ``ListTable/touched``.
///
/// The full text of a list that programs only read holds no copy of the texts: what is taken out of it has to be said
/// with the words that were put in. That of a list that programs write to holds its own, since the row can be gone
/// before syncd looks.
///
/// Source: https://www.sqlite.org/fts5.html#external_content_tables
public struct SearchStatements: Sendable, Hashable {
    /// Takes out the words of rows that changed or left.
    public let takeOut: String
    /// Puts in the words of rows that changed or came.
    public let putIn: String
    /// Make it anew from the table.
    public let rebuild: [String]
    /// Fails where it does not agree with itself, or with the table whose texts it does not hold.
    public let check: String
    /// The rows with other words in it than in the table, but for those that are noted; nil where ``check`` tells.
    public let unlike: String?
    /// Keeps what a hit in each column counts, for everybody's `ORDER BY rank`.
    public let weigh: String
}

extension ListTable {
    /// How the full text follows; nil where there is none.
    public var fullTextStatements: SearchStatements? {
        let names = declaration.search.map { "\(SQLName($0))" }
        guard !names.isEmpty else { return nil }
        let columns = names.joined(separator: ", ")
        let words = names.map { "shown.\($0)" }.joined(separator: ", ")
        // A hit in the first column counts most.
        let weights = names.indices.map { $0 == 0 ? "10.0" : $0 == 1 ? "5.0" : "1.0" }
        let weigh = """
            INSERT INTO \(search) (\(search), rank)
            VALUES ('rank', 'bm25(\(weights.joined(separator: ", ")))')
            """
        let command = { (word: String) in "INSERT INTO \(search) (\(search)) VALUES ('\(word)')" }
        guard isWritable else {
            let old = declaration.search.map { "old.\(part($0))" }.joined(separator: ", ")
            let differ = declaration.search.map { "shown.\(SQLName($0)) IS NOT old.\(part($0))" }
                .anyHolds
            return SearchStatements(
                takeOut: """
                    INSERT INTO \(search) (\(search), rowid, \(columns))
                    SELECT 'delete', old.row_id, \(old)
                    FROM temp.\(touched) AS old LEFT JOIN \(table) AS shown ON shown.\(key) = old.key
                    WHERE old.row_id IS NOT NULL AND (shown.\(id) IS NULL OR \(differ))
                    """,
                putIn: """
                    INSERT INTO \(search) (rowid, \(columns))
                    SELECT shown.\(id), \(words)
                    FROM temp.\(touched) AS old JOIN \(table) AS shown ON shown.\(key) = old.key
                    WHERE old.row_id IS NULL OR \(differ)
                    """,
                rebuild: [command("rebuild")],
                check: "INSERT INTO \(search) (\(search), rank) VALUES ('integrity-check', 1)",
                unlike: nil, weigh: weigh)
        }
        let differ = names.map { "shown.\($0) IS NOT found.\($0)" }.anyHolds
        let others = """
            SELECT found.rowid AS row_id
            FROM \(search) AS found LEFT JOIN \(table) AS shown ON shown.\(id) = found.rowid
            WHERE (shown.\(id) IS NULL OR \(differ))
            """
        let lacking = """
            FROM \(table) AS shown
            WHERE NOT EXISTS (SELECT 1 FROM \(search) AS found WHERE found.rowid = shown.\(id))
            """
        let put = "INSERT INTO \(search) (rowid, \(columns))\nSELECT shown.\(id), \(words)\n"
        return SearchStatements(
            takeOut: """
                DELETE FROM \(search) WHERE rowid IN (
                    SELECT found.rowid
                    FROM \(touched) AS noted CROSS JOIN \(search) AS found ON found.rowid = noted.key
                        LEFT JOIN \(table) AS shown ON shown.\(id) = noted.key
                    WHERE shown.\(id) IS NULL OR \(differ))
                """,
            putIn: "\(put)\(lacking)\n    AND shown.\(id) IN (SELECT key FROM \(touched))",
            rebuild: [
                command("rebuild"),
                "DELETE FROM \(search) WHERE rowid IN (SELECT row_id FROM (\(others)))",
                put + lacking,
            ],
            check: command("integrity-check"),
            unlike: """
                SELECT row_id FROM (
                    \(others)
                    UNION ALL SELECT shown.\(id) \(lacking))
                WHERE row_id NOT IN (SELECT key FROM \(touched))
                """, weigh: weigh)
    }

    /// Writes how the touched rows differ from those that were there: `?1` the moment. Nil where the list has no
    /// history.
    ///
    /// A value that was unknown and is known now has changed; two ways to be unknown are the same.
    public var remember: String? {
        guard let watched = declaration.history else { return nil }
        let title = label.map {
            "substr(coalesce(shown.\(SQLName($0.name)), old.\(part($0.name))), 1, 500)"
        }
        let (was, isNow) = (
            "nullif(old.\(part(watched)), '')", "nullif(shown.\(SQLName(watched)), '')"
        )
        let (rows, key, place) =
            isWritable
            ? ("\(touched)", id, "old.key")
            : ("temp.\(touched)", self.key, "shown.\(name(of: .rank)), old.row_id")
        return """
            INSERT INTO row_change (at, list, row_id, title, change, old_value, new_value)
            SELECT ?1, \(listName), ifnull(old.row_id, shown.\(id)), \(title ?? "NULL"),
                CASE WHEN old.row_id IS NULL THEN 'appeared' WHEN shown.\(id) IS NULL THEN 'vanished'
                    ELSE 'changed' END,
                \(was), \(isNow)
            FROM \(rows) AS old LEFT JOIN \(table) AS shown ON shown.\(key) = old.key
            WHERE old.row_id IS NULL OR shown.\(id) IS NULL OR \(was) IS NOT \(isNow)
            ORDER BY shown.\(id) IS NULL, \(place)
            """
    }
}
