internal import Declarations
internal import SQLite
internal import Tables

/// What keeps a table in its form.
extension ListSchema {
    /// What a program wrote and the server does not have is written down in the form of the old table. What was
    /// dropped hinders nothing: the documents, of which the table is made anew, know nothing of it.
    func requireNothingWaits(_ list: ListTable, in old: ListTable) throws {
        let waiting = try countWaiting(list)
        guard waiting == 0 else {
            throw StoreError.changesWait(list.declaration.name.text, count: waiting)
        }
        // Their rows are gone at the server, as far as anybody knows.
        for row in try connection.all(
            "SELECT row_id FROM operation WHERE list = ?", .text(list.declaration.name.text),
            row: { $0.integer(0) })
        {
            try ListRows(connection: connection, table: old).forget(row)
        }
        let dropped = try connection.run(
            "DELETE FROM withdrawn WHERE list = ?", .text(list.declaration.name.text))
        if dropped > 0 { try ChangeLog(connection: connection).reset(list.declaration.name) }
    }

    /// A conflict keeps the local numbers of rows. In a column of other rows they would name strangers.
    func requireDecidedReferences(_ list: ListTable, from old: ListTable) throws {
        for column in list.declaration.columns {
            guard let before = old.declaration.column(column.name),
                before.reference?.list != column.reference?.list
            else { continue }
            let name = list.declaration.name.text
            let count = try connection.count(
                "SELECT count(*) FROM conflict WHERE list = ? AND field = ?", .text(name),
                .text(column.name))
            guard count == 0 else {
                throw StoreError.conflictsWait(name, column: column.name, count: count)
            }
        }
    }

    /// How many changes of the list are written down, and not settled.
    func countWaiting(_ list: ListTable) throws(SQLiteError) -> Int64 {
        try connection.count(
            "SELECT count(*) FROM outbox WHERE list = ?", .text(list.declaration.name.text))
    }
}
