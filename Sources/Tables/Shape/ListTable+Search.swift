internal import Declarations

/// The statements that bring the full text behind a pull. It holds no copy of the texts: what is taken out
/// of it has to be said with the words that were put in.
///
/// Source: https://www.sqlite.org/fts5.html#external_content_tables
public struct SearchStatements: Sendable, Hashable {
    /// Takes out the words of rows that changed or left.
    public let takeOut: String
    /// Puts in the words of rows that changed or came.
    public let putIn: String
    /// Makes it anew from the table.
    public let rebuild: String
    /// Fails where it does not agree with the table.
    public let check: String
    /// Keeps what a hit in each column counts, for everybody's `ORDER BY rank`.
    public let weigh: String
}

extension ListTable {
    /// How the full text follows a pull; nil where there is none.
    public var fullTextStatements: SearchStatements? {
        let names = declaration.search
        guard !names.isEmpty else { return nil }
        let columns = names.map { "\(SQLName($0))" }.joined(separator: ", ")
        let words = { (row: String) in names.map { "\(row).\(SQLName($0))" }.joined(separator: ", ")
        }
        let old = names.map { "old.\(part($0))" }.joined(separator: ", ")
        let differ = names.map { "shown.\(SQLName($0)) IS NOT old.\(part($0))" }.anyHolds
        // A hit in the first column counts most.
        let weights = names.indices.map { $0 == 0 ? "10.0" : $0 == 1 ? "5.0" : "1.0" }
        return SearchStatements(
            takeOut: """
                INSERT INTO \(search) (\(search), rowid, \(columns))
                SELECT 'delete', old.row_id, \(old)
                FROM temp.\(touched) AS old LEFT JOIN \(table) AS shown ON shown.\(key) = old.key
                WHERE old.row_id IS NOT NULL AND (shown.\(id) IS NULL OR \(differ))
                """,
            putIn: """
                INSERT INTO \(search) (rowid, \(columns))
                SELECT shown.\(id), \(words("shown"))
                FROM temp.\(touched) AS old JOIN \(table) AS shown ON shown.\(key) = old.key
                WHERE old.row_id IS NULL OR \(differ)
                """,
            rebuild: "INSERT INTO \(search) (\(search)) VALUES ('rebuild')",
            check: "INSERT INTO \(search) (\(search), rank) VALUES ('integrity-check', 1)",
            weigh: """
                INSERT INTO \(search) (\(search), rank)
                VALUES ('rank', 'bm25(\(weights.joined(separator: ", ")))')
                """)
    }

    /// Writes how the staged rows differ from those that were there: `?1` the moment. Nil where the list has no
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
        return """
            INSERT INTO row_change (at, list, row_id, title, change, old_value, new_value)
            SELECT ?1, \(listName), ifnull(old.row_id, shown.\(id)), \(title ?? "NULL"),
                CASE WHEN old.row_id IS NULL THEN 'appeared' WHEN shown.\(id) IS NULL THEN 'vanished'
                    ELSE 'changed' END,
                \(was), \(isNow)
            FROM temp.\(touched) AS old LEFT JOIN \(table) AS shown ON shown.\(key) = old.key
            WHERE old.row_id IS NULL OR shown.\(id) IS NULL OR \(was) IS NOT \(isNow)
            ORDER BY shown.\(id) IS NULL, shown.\(name(of: .rank)), old.row_id
            """
    }
}
