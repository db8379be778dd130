internal import Rules
internal import SQLite
internal import Tables

/// What a pull says of edits and deletes whose rows it cannot take.
extension RowsPull {
    /// How the sentence begins.
    private static let untaken = "rows of the list cannot be taken, and this can be one of them"

    /// Says at each edit or delete that waits for a list to show its row that this list has rows which cannot be
    /// taken. Takes that back where the row is shown again, or no row is skipped any more.
    public func noteSkipped() throws {
        let waiting = try connection.all(
            """
            SELECT seq, row_id, last_error FROM operation
            WHERE list = ?1 AND kind <> 'create' AND state = 'queued'
                AND (?2 OR last_error GLOB ?3 || '*')
            """, listName, .flag(skipped.count > 0), .text(Self.untaken)
        ) { (sequence: $0.integer(0), row: $0.integer(1), error: $0.textOrNil(2)) }
        guard !waiting.isEmpty else { return }
        let unshown = Set(try connection.all(sql.unconfirmed) { $0.integer(0) })
            .subtracting(beside.shown.map(\.row))
        let rows = ListRows(connection: connection, table: table)
        for operation in waiting {
            let isConcerned =
                skipped.count > 0
                && (listed.unidentified > 0 || beside.unknown.contains(operation.row))
            let error = isConcerned && unshown.contains(operation.row) ? reason : nil
            guard error != nil || operation.error?.hasPrefix(Self.untaken) == true,
                error != operation.error
            else { continue }
            try connection.run(
                "UPDATE operation SET last_error = ?2 WHERE seq = ?1",
                .integer(operation.sequence), .text(error))
            try rows.follow(operation.row)
        }
    }

    private var reason: String {
        let first = skipped.named.first.map { ", the first is \($0)" } ?? ""
        return "\(Self.untaken): \(skipped.count) are skipped\(first)"
    }
}
