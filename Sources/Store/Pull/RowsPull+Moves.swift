internal import Rules
internal import SQLite
internal import Tables

/// Rows whose id is made of what programs change.
extension RowsPull {
    /// Finds rows again that the pull shows under another id: those whose update was sent, whose answer was lost, and
    /// that one row alone can be.
    package func followMoves() throws {
        guard let edits = RowEdits(connection: connection, table: table) else { return }
        let lost = try connection.all(sql.lostUpdates) { $0.integer(0) }
        guard !lost.isEmpty else { return }
        let unowned = try connection.all(sql.unownedDocuments) { ($0.text(0), $0.text(1)) }
        for row in lost {
            let found = try unowned.filter { serverID, document in
                try edits.row(row, showing: document)?.hasMoved(to: serverID) == true
            }
            guard found.count == 1, let serverID = found.first?.0 else { continue }
            try ListRows(connection: connection, table: table).move(row, to: serverID)
            try connection.run("DELETE FROM \(sql.absent) WHERE row_id = ?", .integer(row))
        }
    }
}
