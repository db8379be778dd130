internal import Declarations
internal import Host
internal import SQLite
internal import Tables

/// Takes away the rows of a part, in the commit in which the row above them leaves.
struct PartLeaving {
    let connection: Connection
    let table: ListTable

    /// Inside the transaction of the changes, after them.
    func leave() throws {
        guard let sql = table.parts, let lostRows = sql.lostRows else { return }
        let rows = try connection.all(lostRows) { $0.integer(0) }
        if !rows.isEmpty { try remove(rows) }
        if let forget = sql.forgetLeft { try connection.run(forget) }
        guard let lostCreates = sql.lostCreates else { return }
        let creates = try connection.all(lostCreates) { ($0.integer(0), $0.integer(1)) }
        for (operation, row) in creates { try reject(operation, of: row) }
    }

    private func remove(_ rows: [Int64]) throws {
        let log = ChangeLog(connection: connection)
        try log.pause(table.declaration.name, before: Int64(rows.count))
        if table.writeReconciliation == nil {
            try ListPull.remove(rows, from: table, connection)
        } else {
            let edits = RowEdits(connection: connection, table: table)
            let list = ListRows(connection: connection, table: table)
            for row in rows {
                try edits?.recordGone(row)
                // It may have moved to another part, and gets its number again there.
                try list.rememberDeparted(row, at: BootTime(boot: "", milliseconds: 0))
                try list.forget(row)
            }
        }
        try log.resume()
    }

    /// No part is left to look for it in.
    private func reject(_ operation: Int64, of row: Int64) throws {
        let rows = ListRows(connection: connection, table: table)
        // Nobody wants it any more.
        guard try !rows.isLeaving(row) else { return try rows.forget(row) }
        let above = table.declaration.each?.list?.text ?? ""
        try connection.run(
            """
            UPDATE operation SET state = 'rejected', undecided = 0, first_sent_boot = NULL,
                first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL, wait_boot = NULL,
                wait_ms = NULL, wait_shown = NULL, wait_asked = 0, last_status = NULL, last_error = ?2
            WHERE seq = ?1
            """, .integer(operation),
            .text(
                "its row of \(above) is gone, and nobody knows whether it had arrived: give it another one, or"
                    + " drop the change"))
        try rows.follow(row)
    }
}

@available(*, unavailable) extension PartLeaving: Sendable {}
