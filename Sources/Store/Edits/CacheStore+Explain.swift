internal import Declarations
internal import Host
internal import Rules
internal import SQLite
public import Tables

extension CacheStore {
    /// Where the values of a row come from, at one moment; a row that a delete hides is there, too.
    ///
    /// Throws ``StoreError/unknownRow(_:of:)`` where the list has no such row.
    public func explain(_ row: Int64, of table: ListTable) throws(StoreError) -> ExplainedRow {
        try read {
            let name = table.declaration.name
            guard let columns = try layers(of: row, in: table) else {
                throw StoreError.unknownRow(row, of: name)
            }
            let pulledAt = try connection.first(
                "SELECT last_success_at FROM sync_state WHERE list = ?", .text(name.text)
            ) { $0.wallTime(0) }
            return ExplainedRow(
                list: name.text, id: row, serverID: columns.serverID, isShown: columns.isShown,
                pulledAt: pulledAt ?? nil, columns: columns.all,
                operations: try operations(of: row, in: table))
        }
    }

    private func layers(
        of row: Int64, in table: ListTable
    ) throws -> (serverID: String?, isShown: Bool, all: [ExplainedRow.Column])? {
        let edited =
            try RowEdits(connection: connection, table: table)?
            .row(row, showing: nil)?.fields ?? []
        return try connection.first(table.explanation, .integer(row)) { values in
            let serverID = values.textOrNil(0)
            let columns = table.explained.enumerated().map { place, column in
                let edit = edited.first { $0.name == column.name }
                return ExplainedRow.Column(
                    name: column.name, value: FieldValue(values.textOrNil(2 * place + 2)),
                    server: serverID == nil ? nil : FieldValue(values.textOrNil(2 * place + 3)),
                    sent: edit?.sent, isEdit: edit?.waiting != nil)
            }
            return (serverID, values.integer(1) == 1, columns)
        }
    }

    private func operations(
        of row: Int64, in table: ListTable
    ) throws -> [ExplainedRow.Operation] {
        let held = try heldSequences(of: table.declaration.name)
        let behind = try rowWaits()
        return try connection.all(
            """
            SELECT seq, kind, state, attempts, queued_at, sent_boot, sent_ms, settling_ms, wait_shown,
                last_status, last_error
            FROM operation WHERE list = ? AND row_id = ?
            ORDER BY CASE kind WHEN 'create' THEN 0 WHEN 'update' THEN 1 ELSE 2 END, stage
            """, .text(table.declaration.name.text), .integer(row)
        ) { row in
            var operation = ExplainedRow.Operation(
                sequence: OperationSequence(rawValue: row.integer(0)),
                // The table's CHECKs allow no others.
                kind: OperationKind(rawValue: row.text(1)) ?? .create,
                state: OperationState(rawValue: row.text(2)) ?? .queued, attempts: row.integer(3),
                queuedAt: row.wallTime(4) ?? WallTime(milliseconds: 0), sentAt: row.bootTime(5),
                settlingTime: row.integerOrNil(7).map { .milliseconds($0) },
                notBefore: row.wallTime(8), lastStatus: row.integerOrNil(9),
                lastError: row.textOrNil(10))
            operation.isHeld = held.contains(operation.sequence)
            operation.behindRow = behind[operation.sequence]
            return operation
        }
    }
}
