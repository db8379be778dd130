internal import Declarations
public import Host
internal import Rules
internal import SQLite
public import Tables

/// Rows that are read for columns that no list shows.
extension CacheStore {
    /// The rows whose columns from reads are to be read, at most so many.
    public func unreadRows(of table: ListTable, most: Int) throws(StoreError) -> [RowToRead] {
        guard let sql = table.knownStatements?.unread else { return [] }
        return try read {
            try addressed(
                connection.all(sql, .integer(Int64(most))) {
                    RowToRead(row: $0.integer(0), serverID: $0.text(1), values: [:])
                }, of: table)
        }
    }

    /// Brings rows to what reads for their columns, which began at `began`, have shown of them. Those that were asked for are
    /// read again when a list has changed them.
    public func learnUnread(
        _ rows: [ReadRow], askedFor: [Int64], of table: ListTable,
        readAfter began: BootTime, settlingTime: Duration
    ) throws(StoreError) {
        let rules = UpdateResolution(table.declaration.conflict)
        let listed = listsBegan[table.declaration.name]
        try write(.normal) {
            try ListSchema(connection: connection).requireMade(from: table)
            let edits = RowEdits(connection: connection, table: table)
            try edits?.takeBackDropped()
            _ = try edits?.learn(try laid(rows, of: table)) { row, read in
                rules.decide(
                    row, shownAfter: read.shownAfter ?? began, listed: listed,
                    settlingTime: settlingTime)
            }
            for row in askedFor {
                try connection.run(
                    "DELETE FROM unread_row WHERE list = ? AND row_id = ?",
                    .text(table.declaration.name.text), .integer(row))
            }
            noteDataWritten()
        }
    }

    /// What reads have shown, in the order of the documents that are known, where the list is an excerpt: then the
    /// next list that shows the same is the same.
    func laid(_ rows: [ReadRow], of table: ListTable) throws -> [ReadRow] {
        guard let sql = table.knownStatements?.read, !rows.isEmpty,
            try table.declaration.hasColumnsFromReads || hasExcerpt(table)
        else { return rows }
        return try rows.map { row in
            let document = try connection.first(sql, .integer(row.row), .text(row.document)) {
                $0.text(0)
            }
            var laid = ReadRow(row: row.row, document: document ?? row.document)
            laid.shownAfter = row.shownAfter
            return laid
        }
    }

    private func hasExcerpt(_ table: ListTable) throws -> Bool {
        try connection.count(
            "SELECT EXISTS (SELECT 1 FROM sync_state WHERE list = ? AND excerpt <> '')",
            .text(table.declaration.name.text)) == 1
    }
}
