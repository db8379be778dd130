internal import Declarations

/// What of a list that programs write to has changed since syncd last committed, for its full text and its history.
///
/// No trigger can write to a full text: SQLite refuses it to programs that do not trust the schema. So triggers note
/// the rows in `touched_NAME`, whoever writes them, and each commit of syncd follows.
public struct TouchedStatements: Sendable, Hashable {
    /// Whether a row is noted.
    public let exists: String
    /// Brings the full text to the noted rows; nil where there is none.
    public let words: SearchStatements?
    /// Writes the history of the noted rows: `?1` the moment. Nil where there is none.
    public let remember: String?
    /// Forgets what is noted.
    public let clear: String
}

extension ListTable {
    /// What follows the writes of programs; nil where nothing does.
    public var touchedStatements: TouchedStatements? {
        isWritable && isTouched
            ? TouchedStatements(
                exists: "SELECT EXISTS (SELECT 1 FROM \(touched))", words: fullTextStatements,
                remember: remember, clear: "DELETE FROM \(touched)") : nil
    }

    /// Whether it has something that follows the rows which have changed.
    var isTouched: Bool { !declaration.search.isEmpty || declaration.history != nil }
}

extension WritableTable {
    /// The table of the touched rows, as they were, and the triggers that fill it.
    var touching: [SchemaObject] {
        guard list.isTouched else { return [] }
        let columns = noted.map { ", \(part($0)) ANY" }.joined()
        let table = SchemaObject(
            name: list.touched.name,
            sql: """
                CREATE TABLE \(list.touched) (
                    key INTEGER PRIMARY KEY,
                    -- NULL: the row is new.
                    row_id INTEGER\(columns)
                ) STRICT
                """)
        return [table, touchReplaced, touchNew, touchChanged, touchLeaving]
    }

    /// What the history tells of a row as it was.
    private var noted: [Column] { fields.filter { list.remembered.contains($0.name) } }

    /// Whose change is to be followed.
    private var watched: [Column] {
        let names = list.declaration.search + list.remembered
        return fields.filter { names.contains($0.name) }
    }

    /// `INSERT OR REPLACE` takes a row away, and runs no trigger for it.
    private var touchReplaced: SchemaObject {
        trigger(
            "replacing", "BEFORE INSERT ON \(table)",
            [noting("\(table) AS old", "old", where: "old.\(id) = NEW.\(id)")])
    }

    private var touchNew: SchemaObject {
        trigger(
            "arriving", "AFTER INSERT ON \(table)",
            [
                """
                INSERT INTO \(list.touched) (key)
                SELECT NEW.\(id) WHERE \(isUnknown("NEW.\(id)"));
                """
            ])
    }

    private var touchChanged: SchemaObject {
        let names = watched.map { "\(SQLName($0.name))" }.joined(separator: ", ")
        let differs = watched.map { "\(column($0, of: "NEW")) IS NOT \(column($0, of: "OLD"))" }
        return trigger(
            "changing", "AFTER UPDATE OF \(names) ON \(table)", when: differs.anyHolds,
            [noting(nil, "OLD", where: "true")])
    }

    /// A row that came and went since is nothing.
    private var touchLeaving: SchemaObject {
        trigger(
            "leaving", "AFTER DELETE ON \(table)",
            [
                noting(nil, "OLD", where: "true"),
                "DELETE FROM \(list.touched) WHERE key = OLD.\(id) AND row_id IS NULL;",
            ])
    }

    /// Only what a row was at first counts. No statement here can conflict.
    private func noting(_ rows: String?, _ row: String, where condition: String) -> String {
        let names = noted.map { ", \(part($0))" }.joined()
        let values = noted.map { ", \(column($0, of: row))" }.joined()
        return """
            INSERT INTO \(list.touched) (key, row_id\(names))
            SELECT \(row).\(id), \(row).\(id)\(values)\(rows.map { " FROM \($0)" } ?? "")
            WHERE \(condition) AND \(isUnknown("\(row).\(id)"));
            """
    }

    private func isUnknown(_ row: String) -> String {
        "NOT EXISTS (SELECT 1 FROM \(list.touched) AS noted WHERE noted.key = \(row))"
    }
}
