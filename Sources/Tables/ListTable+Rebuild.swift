internal import Declarations

extension ListTable {
    /// The table under a name that no list has, until it takes the place of another one.
    private var draft: SQLName { SQLName("\(declaration.name) new") }

    private func keptKinds(of old: ListTable) -> [Bookkeeping] {
        old.declaration.columns.compactMap(\.bookkeeping)
            .filter { declaration.column(of: $0) != nil }
    }

    /// The columns of the table of `old` that ``rebuild(from:)`` reads.
    public func columnsToRebuild(from old: ListTable) -> Set<String> {
        Set((keptKinds(of: old) + [.document]).compactMap { old.declaration.column(of: $0)?.name })
    }

    /// Makes the table anew beside the one that was made from `old`, and puts it in its place. The documents
    /// are the truth: every column is read from them again. Ids and places in the list stay.
    ///
    /// Other people's views and foreign keys keep naming the table, if `legacy_alter_table` is on and
    /// `foreign_keys` off. Afterwards the rest of ``schema`` has to be made.
    public func rebuild(from old: ListTable) -> [String] {
        let document = "old.\(old.name(of: .document))"
        let projection = Projection(document: document)
        let kept = keptKinds(of: old)
        let names =
            kept.map { "\(name(of: $0))" } + fields.map { "\(SQLName($0.column.name))" }
        let values =
            kept.map { "old.\(old.name(of: $0))" }
            + fields.map { projection.value($0.type, $0.path) }
        let required = fields.filter(\.column.isRequired).map {
            " AND (\(projection.value($0.type, $0.path))) IS NOT NULL"
        }
        return [
            createTable(as: draft),
            """
            INSERT INTO \(draft) (\(names.joined(separator: ", ")))
            SELECT \(values.joined(separator: ",\n    "))
            FROM \(old.table) AS old WHERE json_valid(\(document))\(required.joined())
            """,
            "DROP TABLE \(old.table)",
            "ALTER TABLE \(draft) RENAME TO \(table)",
        ]
    }
}
