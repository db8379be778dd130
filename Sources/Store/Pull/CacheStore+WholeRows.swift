internal import Declarations
public import Host
internal import SQLite
public import Tables

/// Rows that are read before they are sent, because an update repeats what nobody has edited.
extension CacheStore {
    /// The next rows to read because an update repeats what nobody has edited: those with an edit or a delete that
    /// could be sent now, at most so many. What waits behind another operation comes last. Nil where no edit is among
    /// them, and this cycle has read no rows: then the list is as good.
    public func wholeRowsToRead(
        of table: ListTable, now: BootTime, most: Int, ignoresBackoff: Bool
    ) throws(StoreError) -> [RowToRead]? {
        let hasRead = readRows[table.declaration.name] != nil
        return try read {
            let isDue = """
                state = 'queued' AND missed_ms IS NULL
                    AND (wait_ms IS NULL OR wait_boot <> ?2 OR wait_ms <= ?3 OR ?4 AND wait_asked = 0)
                    AND NOT EXISTS (SELECT 1 FROM operation AS earlier
                        WHERE earlier.list = operation.list AND earlier.row_id = operation.row_id
                            AND (earlier.kind = 'create' OR earlier.stage = 0))
                """
            let edits = try connection.count(
                """
                SELECT EXISTS (SELECT 1 FROM operation
                    WHERE list = ?1 AND kind = 'update' AND \(isDue))
                """, .text(table.declaration.name.text), .text(now.boot),
                .integer(now.milliseconds), .flag(ignoresBackoff))
            guard hasRead || edits == 1 else { return nil }
            let rows = try rowsToRead(
                of: table, most: most, isDue,
                [.text(now.boot), .integer(now.milliseconds), .flag(ignoresBackoff)],
                order: Self.blockedLast)
            return Array(rows.prefix(most))
        }
    }

    private static let blockedLast =
        "min(EXISTS (SELECT 1 FROM blocked_operation AS blocked WHERE blocked.seq = operation.seq)), "

    /// Lets the edits and deletes of rows that could not be read wait, and says why.
    public func postpone(
        _ rows: [(row: Int64, why: String)], of table: ListTable, until moment: BootTime,
        shown: WallTime
    ) throws(StoreError) {
        guard !rows.isEmpty else { return }
        try write(.normal) {
            let list = ListRows(connection: connection, table: table)
            for (row, why) in rows {
                try connection.run(
                    """
                    UPDATE operation SET wait_boot = ?3, wait_ms = ?4, wait_shown = ?5, last_error = ?6
                    WHERE list = ?1 AND row_id = ?2 AND kind <> 'create' AND state = 'queued'
                    """, .text(table.declaration.name.text), .integer(row), .text(moment.boot),
                    .integer(moment.milliseconds), .integer(shown.milliseconds), .text(why))
                try list.follow(row)
            }
        }
    }
}
