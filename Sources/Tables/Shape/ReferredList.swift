internal import Declarations

/// The list that a column of rows refers to, as SQL: from what the server calls a row to its local number, and back.
struct ReferredList {
    private let reference: RowReference
    private let target: RowReference.Target

    /// Nil for any other column, and where the list that it refers to is not known.
    init?(_ column: Column) {
        guard let reference = column.reference, let target = reference.target else { return nil }
        (self.reference, self.target) = (reference, target)
    }

    var name: String { reference.list.text }
    /// As programs see it.
    var table: SQLName { SQLName(name) }
    var id: SQLName { SQLName(target.id) }
    /// What the server has of its rows: a table, its local number, and the document.
    private var known: (table: SQLName, id: SQLName, document: SQLName) {
        target.isReadOnly
            ? (table, id, SQLName(target.document))
            : (SQLName("s_\(name)"), SQLName("id"), SQLName("document"))
    }

    /// The column of the list that documents name its rows by, shown or hidden.
    private var named: (shown: SQLName, hidden: SQLName?)? {
        reference.column.map { (SQLName($0), target.isReadOnly ? nil : SQLName("c_" + $0)) }
    }

    private var hidden: SQLName { SQLName("d_\(name)") }
    private var serverID: SQLName { SQLName(target.isReadOnly ? target.serverID : "server_id") }

    /// The column that documents name its rows by, as it is noted; none for their ids.
    var field: String { reference.column ?? "" }

    /// Temporary triggers that note what its rows are called, whenever one comes, goes or is called otherwise.
    var watch: [String] {
        let own = named.map { [(table: table, key: $0.shown)] } ?? [(known.table, serverID)]
        let kept = named?.hidden.map { [(table: hidden, key: $0)] } ?? []
        return (own + kept).flatMap { table, key in
            ["INSERT", "DELETE", "UPDATE OF \(key)"].map { event in
                let notes = [event == "INSERT" ? "" : "OLD", event == "DELETE" ? "" : "NEW"]
                    .filter { !$0.isEmpty }.map { row in
                        """
                        INSERT OR IGNORE INTO referred (list, field, key)
                        SELECT \(SQLText(name)), \(SQLText(field)), CAST(\(row).\(key) AS TEXT)
                        WHERE \(row).\(key) IS NOT NULL;
                        """
                    }
                let verb = event.prefix { $0 != " " }.lowercased()
                return """
                    CREATE TEMP TRIGGER IF NOT EXISTS \(SQLName("referred \(table.name) \(field) \(verb)"))
                    AFTER \(event) ON main.\(table)
                    BEGIN
                    \(notes.joined(separator: "\n").indented)
                    END
                    """
            }
        }
    }

    /// The local number of the row that the server calls `value`, a text; NULL where no such row is here.
    func row(called value: String) -> String {
        guard let named else {
            return
                "(SELECT parent.\(known.id) FROM \(known.table) AS parent WHERE parent.\(serverID) = \(value))"
        }
        let shown =
            "SELECT parent.\(id) AS id FROM \(table) AS parent WHERE parent.\(named.shown) = \(value)"
        let kept = named.hidden.map {
            "\n    UNION ALL SELECT parent.id FROM \(hidden) AS parent WHERE parent.\($0) = \(value)"
        }
        return "(SELECT min(id) FROM (\(shown)\(kept ?? "")))"
    }

    /// Its rows that the server has: what it calls each, what it has in the columns of `names`, and in those of `changed`,
    /// each as a JSON list.
    func parts(naming names: [String], watching changed: [String]) -> String {
        func list(_ columns: [String]) -> String {
            let values = columns.compactMap { target.fields[$0] }.map { field in
                let value = Projection(document: "parent.\(known.document)").value(
                    field.type, field.path)
                return field.type == .json ? "json(\(value))" : value
            }
            return "json_array(\(values.joined(separator: ", ")))"
        }
        return """
            SELECT CAST(parent.\(serverID) AS TEXT) AS key, \(list(names)) AS names, \(list(changed)) AS changed
            FROM \(known.table) AS parent
            """
    }

    /// What the server calls the row with the local number `row`, as text; NULL where it has no such row yet.
    func name(ofRow row: String) -> String { at(row) { "CAST(\($0) AS TEXT)" } }

    /// The same as the server writes it, as JSON.
    func json(ofRow row: String) -> String { at(row) { "json_quote(\($0))" } }

    /// What the server has in another column of that row, as JSON; NULL where it has nothing there, or no such row.
    func json(_ name: ReferredColumn, ofRow row: String) -> String {
        guard let field = target.fields[name.name] else { return "NULL" }
        let document = "parent.\(known.document)"
        let value = Projection(document: document).value(field.type, field.path)
        // As the server has it: a number in a text stays one.
        let json =
            field.type == .integerText
            ? "\(document) -> \(SQLText(field.path.sqliteText))" : "json_quote(\(value))"
        return """
            (SELECT CASE WHEN (\(value)) IS NOT NULL THEN \(json) END
                FROM \(known.table) AS parent WHERE parent.\(known.id) = \(row))
            """
    }

    /// Whether the server has that row, whatever it has in its columns.
    func has(row: String) -> String {
        "EXISTS (SELECT 1 FROM \(known.table) AS parent WHERE parent.\(known.id) = \(row))"
    }

    private func at(_ row: String, _ form: (String) -> String) -> String {
        let value = "parent.\(known.document) ->> \(SQLText(target.path.sqliteText))"
        return
            "(SELECT \(form(value)) FROM \(known.table) AS parent WHERE parent.\(known.id) = \(row))"
    }
}

extension Column {
    /// `value`, which the table shows of the column, as the server has it; NULL where the server has no name for it
    /// yet.
    func served(_ value: String) -> String {
        guard reference != nil else { return value }
        return ReferredList(self)?.name(ofRow: value) ?? "NULL"
    }

    /// The same to be told from all others, where the server has no name for it yet.
    func compared(_ value: String) -> String {
        guard reference != nil else { return value }
        return "coalesce(\(served(value)), 'row ' || \(value))"
    }

    /// `value`, which the server has in the column, as the table shows it.
    func shown(_ value: String) -> String {
        guard reference != nil else { return value }
        return ReferredList(self)?.row(called: value) ?? "NULL"
    }

    /// The type of what the server has in the column, where that is kept in a table.
    var servedType: String { reference == nil ? field?.type.sqlType ?? "TEXT" : "TEXT" }
}
