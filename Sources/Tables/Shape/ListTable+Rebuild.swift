internal import Declarations

extension ListTable {
    /// The table under a name that no list has, until it takes the place of another one.
    private var draft: SQLName { SQLName("\(declaration.name) new") }

    private var kinds: [Bookkeeping] { declaration.columns.compactMap(\.bookkeeping) }

    /// The columns of the table of `old` that ``rebuild(from:)`` reads.
    public func columnsToRebuild(from old: ListTable) -> Set<String> {
        let read = kinds + [.id, .serverID, .document, .fetched, .added]
        return Set(read.compactMap { old.declaration.column(of: $0)?.name })
    }

    /// The tables beside that of `old` that ``rebuild(from:)`` reads.
    public func tablesToRebuild(from old: ListTable) -> [String] {
        old.isWritable ? ["s_\(old.declaration.name)"] : []
    }

    /// Makes the table anew beside the one that was made from `old`, and puts it in its place. The documents
    /// are the truth: every column is read from them again. Ids and places in the list stay.
    ///
    /// Of a list that programs write to, nothing may wait to be sent. If it may be written to from now on, or
    /// no more, then what the server has moves with it.
    ///
    /// Other people's views and foreign keys keep naming the table, if `legacy_alter_table` is on and
    /// `foreign_keys` off. Afterwards the rest of ``schema`` has to be made, as far as it is not there.
    public func rebuild(from old: ListTable) -> [String] {
        let known = WritableTable(list: self).known
        let document = old.isWritable ? "known.document" : "old.\(old.name(of: .document))"
        let rows =
            old.isWritable
            ? "\(known) AS known JOIN \(old.table) AS old ON old.\(old.id) = known.id"
            : "\(old.table) AS old"
        let projection = Projection(document: document)
        let names = kinds.map { "\(name(of: $0))" } + fields.map { "\($0.name)" }
        let values =
            kinds.map { value(of: $0, in: old, document, among: rows) }
            + fields.map { projection.shown($0.column) }
        let required = fields.filter(\.column.isRequired).map {
            " AND (\(projection.value($0.column))) IS NOT NULL"
        }
        let condition = "json_valid(\(document))\(required.joined())"
        return [
            createTable(as: draft),
            """
            INSERT INTO \(draft) (\(names.joined(separator: ", ")))
            SELECT \(values.joined(separator: ",\n    "))
            FROM \(rows) WHERE \(condition)
            """,
        ] + besides(old, rows, document, condition) + countOn(from: old) + [
            "DROP TABLE \(old.table)",
            "ALTER TABLE \(draft) RENAME TO \(table)",
        ]
    }

    /// What the table says of a row in a column that is no field, out of what the table of `old` has.
    private func value(
        of kind: Bookkeeping, in old: ListTable, _ document: String, among rows: String
    ) -> String {
        let serverID = serverID(in: old, document, among: rows)
        switch kind {
        case .id
        where declaration.ids == .server
            && (old.declaration.ids != .server || hasOtherID(than: old)):
            return "CAST(\(serverID) AS INTEGER)"
        case .serverID: return "CAST(\(serverID) AS TEXT)"
        case .document: return document
        case .rank where old.isWritable && isWritable: return "NULL"
        case .state where !old.isWritable: return "'synced'"
        case .error where !old.isWritable: return "NULL"
        case .added where !old.isWritable: return "old.\(old.name(of: .fetched))"
        case .fetched where old.isWritable:
            return "coalesce(old.\(old.name(of: .added)), \(WritableTable.now))"
        // The next list says which place it is.
        case .rank where old.isWritable: return "old.\(old.id)"
        case .id, .rank, .fetched, .state, .error, .added: return "old.\(old.name(of: kind))"
        }
    }

    /// Whether the ids of the rows stand in another place of their documents.
    private func hasOtherID(than old: ListTable) -> Bool { declaration.id != old.declaration.id }

    /// The id of a row at the server. Where its place is another one, the documents tell it: so rows are known again,
    /// and none leaves. A row without one keeps its own. If two rows had one id then, all keep theirs, and the next
    /// list decides.
    private func serverID(in old: ListTable, _ document: String, among rows: String) -> String {
        let known = "old.\(old.key)"
        guard hasOtherID(than: old) else { return known }
        let found = "coalesce(\(usableKey(in: document)), \(known))"
        return """
            iif((SELECT count(*) = count(DISTINCT CAST(\(found) AS TEXT)) FROM \(rows)), \(found), \(known))
            """
    }

    /// The tables beside the list's own follow.
    private func besides(
        _ old: ListTable, _ rows: String, _ document: String, _ condition: String
    ) -> [String] {
        let (known, hidden) = (WritableTable(list: self).known, WritableTable(list: self).hidden)
        switch (old.isWritable, isWritable) {
        case (false, false): return []
        case (true, false): return ["DROP TABLE \(known)", "DROP TABLE IF EXISTS \(hidden)"]
        case (true, true):
            return [
                "DELETE FROM \(known) WHERE id NOT IN (SELECT \(id) FROM \(draft))",
                "DROP TABLE IF EXISTS \(hidden)",
            ] + knownAnew(old) + (hasOtherID(than: old) ? idsOfDraft(known) : [])
        case (false, true):
            return [
                "DROP TABLE IF EXISTS \(known)", WritableTable(list: self).tables[1].sql,
                """
                INSERT INTO \(known) (id, server_id, document)
                SELECT old.\(old.id), CAST(\(serverID(in: old, document, among: rows)) AS TEXT), \(document)
                FROM \(rows) WHERE \(condition)
                """,
            ]
        }
    }

    /// Whether each row's place is kept can have changed.
    private func knownAnew(_ old: ListTable) -> [String] {
        let known = WritableTable(list: self).known
        let other = SQLName("\(known.name) new")
        let table = WritableTable(list: self).createKnown(as: known)
        guard WritableTable(list: old).createKnown(as: known) != table else { return [] }
        return [
            WritableTable(list: self).createKnown(as: other),
            """
            INSERT INTO \(other) (id, server_id, document)
            SELECT id, server_id, document FROM \(known)
            """, "DROP TABLE \(known)", "ALTER TABLE \(other) RENAME TO \(known)",
        ]
    }

    /// The ids of the draft are those of what the server has. No two rows have one id on the way.
    private func idsOfDraft(_ known: SQLName) -> [String] {
        [
            "UPDATE \(known) SET server_id = char(1) || id",
            """
            UPDATE \(known) SET server_id = (SELECT new.\(name(of: .serverID)) FROM \(draft) AS new
                WHERE new.\(id) = \(known).id)
            """,
        ]
    }

    /// No id is used a second time.
    private func countOn(from old: ListTable) -> [String] {
        guard declaration.ids != .server, old.declaration.ids != .server else { return [] }
        let (new, before) = (SQLText("\(declaration.name) new"), SQLText(old.declaration.name.text))
        return [
            "DELETE FROM sqlite_sequence WHERE name = \(new)",
            """
            INSERT INTO sqlite_sequence (name, seq)
            SELECT \(new), seq FROM sqlite_sequence WHERE name = \(before)
            """,
        ]
    }
}
