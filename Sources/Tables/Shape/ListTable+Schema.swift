internal import Declarations

extension ListTable {
    /// Every object of the list in the schema, in the order in which they can be made.
    public var schema: [SchemaObject] {
        if isWritable {
            let writable = WritableTable(list: self)
            return writable.tables + indexes + fullText + writable.triggers + writable.copying
                + writable.laws
                + history + writable.touching + referenceTables
        }
        return [object("", createTable(as: table))] + indexes + fullText + refusals + log + left
            + history + referenceTables
    }

    private func object(_ suffix: String, _ sql: String) -> SchemaObject {
        SchemaObject(name: declaration.name.text + suffix, sql: sql)
    }

    func createTable(as name: SQLName) -> String {
        let columns = declaration.columns.map { column in
            // A trigger refuses a write without it, not before it is known which write it is.
            let isNeeded = column.isRequired && !isWritable
            let column = (name: SQLName(column.name), source: column.source)
            switch column.source {
            case .field(let type, _):
                let mark = WritableTable(list: self).mark(for: column.name)
                return "\(column.name) \(type.sqlType)" + (isNeeded ? " NOT NULL" : "") + mark
            case .bookkeeping(.id):
                let isOurs = declaration.ids == .local
                return "\(column.name) INTEGER PRIMARY KEY" + (isOurs ? " AUTOINCREMENT" : "")
            case .bookkeeping(.serverID):
                return "\(column.name) TEXT" + (isWritable ? "" : " NOT NULL UNIQUE")
            // A row that no list has shown has none.
            case .bookkeeping(.rank):
                return "\(column.name) INTEGER" + (isWritable ? "" : " NOT NULL")
            case .bookkeeping(.fetched), .bookkeeping(.document):
                return "\(column.name) TEXT" + (isWritable ? "" : " NOT NULL")
            // RETURNING shows what a row has by default: triggers run after it.
            case .bookkeeping(.state): return "\(column.name) TEXT DEFAULT 'queued'"
            case .bookkeeping(.added): return "\(column.name) TEXT DEFAULT (\(WritableTable.now))"
            case .bookkeeping(.error): return "\(column.name) TEXT"
            }
        }
        return """
            CREATE TABLE \(name) (
                \(columns.joined(separator: ",\n    "))
            ) STRICT
            """
    }

    private var indexes: [SchemaObject] {
        declaration.columns.filter { $0.isIndexed || $0.reference != nil }.map { column in
            // No list has a space in its name.
            let name = "\(declaration.name) by \(column.name)"
            return SchemaObject(
                name: name,
                sql: "CREATE INDEX \(SQLName(name)) ON \(table) (\(SQLName(column.name)))")
        }
    }

    /// Of a list that programs only read, it holds no copy of the texts. No trigger fills it: under
    /// trusted_schema=OFF a trigger may not write to a virtual table.
    private var fullText: [SchemaObject] {
        guard !declaration.search.isEmpty else { return [] }
        let columns = declaration.search.map { "\(SQLName($0))" }.joined(separator: ", ")
        // Programs write beside it: what it lacks for a moment must not look like damage.
        let source = isWritable ? "" : " content = \(table), content_rowid = \(id),"
        return [
            SchemaObject(
                name: searchName,
                sql: """
                    CREATE VIRTUAL TABLE \(search) USING fts5 (
                        \(columns),\(source)
                        tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')
                    """)
        ]
    }

    /// A program writes to the list, and not syncd. What syncd writes to another list can run a program's trigger
    /// that writes to this one.
    var isProgram: String { "(SELECT applying FROM control) IS NOT \(listName)" }

    /// Every write of a program is refused. `OR IGNORE` does not silence it.
    private var refusals: [SchemaObject] {
        let sentence = SQLText("\(declaration.name) is read only: it shows what the server has")
        return ["INSERT", "UPDATE", "DELETE"].map { verb in
            let suffix = "_\(verb.lowercased())"
            return object(
                suffix,
                """
                CREATE TRIGGER \(SQLName(declaration.name.text + suffix)) BEFORE \(verb) ON \(table)
                WHEN \(isProgram)
                BEGIN
                    SELECT RAISE(ABORT, \(sentence));
                END
                """)
        }
    }

    /// The change log of what a pull writes. Not of a new place in the list alone, which nearly every pull
    /// brings.
    private var log: [SchemaObject] {
        let document = name(of: .document)
        let verbs = [
            ("INSERT", "added", "NEW", ""),
            ("UPDATE", "changed", "NEW", " AND OLD.\(document) IS NOT NEW.\(document)"),
            ("DELETE", "removed", "OLD", ""),
        ]
        return verbs.map { verb, change, row, condition in
            let suffix = "_\(change)"
            return object(
                suffix,
                """
                CREATE TRIGGER \(SQLName(declaration.name.text + suffix)) AFTER \(verb) ON \(table)
                WHEN (SELECT paused FROM control) IS NOT \(listName)\(condition)
                BEGIN
                    INSERT INTO change (list, change, row_id, title)
                    VALUES (\(listName), '\(change)', \(row).\(id), \(title(row)));
                END
                """)
        }
    }

    /// The history as programs read it. The movies' words for it are older than the rule.
    private var history: [SchemaObject] {
        guard let watched = declaration.history else { return [] }
        let change =
            declaration.name == .movies ? "iif(change = 'changed', 'slipped', change)" : "change"
        return [
            SchemaObject(
                name: historyName,
                sql: """
                    CREATE VIEW \(SQLName(historyName)) AS
                    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
                        row_id AS id, title, \(change) AS change,
                        old_value AS \(SQLName("old_" + watched)), new_value AS \(SQLName("new_" + watched)),
                        seq
                    FROM row_change WHERE list = \(listName)
                    """)
        ]
    }
}
