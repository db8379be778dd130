public import Host
public import Rules
internal import SQLite
internal import Tables

/// What a pull does with the operations that presence or absence of a row decides.
extension RowsPull {
    /// The operations in doubt, and the deletes and updates whose row the pull does not show or an earlier one has
    /// not shown; in the order they were queued. Not those of a row of which nothing is known.
    public func openOperations() throws -> [OpenOperation] {
        let shown = Set(beside.shown.map(\.row))
        return try connection.all(sql.openOperations) { row in
            OpenOperation(
                sequence: OperationSequence(rawValue: row.integer(0)),
                kind: OperationKind(rawValue: row.text(1)) ?? .create,
                state: OperationState(rawValue: row.text(2)) ?? .inDoubt,
                row: row.integer(3), values: (12..<max(row.columnCount, 12)).map(row.textOrNil),
                sentAt: row.bootTime(4),
                settlingTime: row.integerOrNil(6).map { .milliseconds($0) },
                missedSince: row.bootTime(7),
                lastStatus: row.integerOrNil(9).map { Int(clamping: $0) },
                refuted: Int(clamping: row.integer(10)),
                isRowShown: row.integer(11) == 1 || shown.contains(row.integer(3)))
        }.filter { !beside.unknown.contains($0.row) }
    }

    /// The length at which the server cut the text by which creates are found; nil where it has not.
    public func titleCut() throws -> Int64? {
        try connection.first("SELECT title_cut FROM sync_state WHERE resource = ?", resource) {
            $0.integerOrNil(0)
        } ?? nil
    }

    /// Ends a create in doubt: the row `serverID` of the pull is its effect.
    public func adopt(_ serverID: String, for operation: OpenOperation) throws {
        let document = try connection.first(
            "SELECT document FROM \(sql.pulled) WHERE key = ?", .text(serverID)
        ) { $0.text(0) }
        guard let document else { return }
        try ListRows(connection: connection, table: table).adopt(
            operation.row, serverID: serverID, document: document, ending: operation.sequence)
    }

    /// Decides that an operation in doubt did not take effect: it is queued as if never sent. A
    /// create that a delete waits for is never sent again: both go, and their row.
    public func requeue(_ operation: OpenOperation) throws {
        try putBack(operation, as: .queued)
    }

    /// Decides that an operation in doubt did not take effect, and that the server will not have it: the
    /// person decides. A create that a delete waits for goes, as for ``requeue(_:)``.
    public func reject(_ operation: OpenOperation) throws {
        try putBack(operation, as: .rejected)
    }

    private func putBack(_ operation: OpenOperation, as state: OperationState) throws {
        let waitingDelete = try connection.count(
            """
            SELECT count(*) FROM operation
            WHERE resource = ? AND row_id = ? AND kind = 'delete'
            """,
            resource, .integer(operation.row))
        if operation.kind == .create, waitingDelete > 0 { return try end(operation) }
        let edits =
            operation.kind == .create ? RowEdits(connection: connection, table: table) : nil
        let mark = try edits?.liftMark(of: operation.row)
        try connection.run(
            """
            UPDATE operation SET state = ?2, undecided = 0, first_sent_boot = NULL,
                first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL, refuted = refuted + ?3,
                sent = iif(?2 = 'rejected', sent, NULL)
            WHERE seq = ?1
            """, .integer(operation.sequence.rawValue), .text(state.rawValue),
            .flag(operation.lastStatus != nil))
        if state == .rejected {
            try connection.run(
                """
                UPDATE operation SET wait_boot = NULL, wait_ms = NULL, wait_shown = NULL,
                    wait_asked = 0, last_error = coalesce(last_error, 'the server refuses it')
                WHERE seq = ?
                """, .integer(operation.sequence.rawValue))
        }
        try edits?.join(mark ?? nil, to: .create, of: operation.row)
        try ListRows(connection: connection, table: table)
            .follow(operation.row, isDelete: operation.kind == .delete)
    }

    /// Ends an operation whose row is gone, and its row with it. Its edits are told, unless the row was to go.
    public func end(_ operation: OpenOperation) throws {
        try RowEdits(connection: connection, table: table)?.recordGone(operation.row)
        try ListRows(connection: connection, table: table).forget(operation.row)
    }

    /// Remembers that a complete pull, which began at `moment`, does not show the row of an operation;
    /// nil forgets that one did not.
    public func note(_ operation: OpenOperation, missedSince moment: BootTime?) throws {
        try connection.run(
            "UPDATE operation SET missed_boot = ?2, missed_ms = ?3 WHERE seq = ?1",
            .integer(operation.sequence.rawValue), .text(moment?.boot),
            .integer(moment?.milliseconds))
    }

    /// Counts the pull for every operation that it leaves in doubt.
    public func countOpenPulls() throws {
        try connection.run(
            """
            UPDATE operation SET open_pulls = open_pulls + 1
            WHERE (state <> 'queued' OR kind <> 'create') AND state = 'in doubt'
                AND resource = ? AND open_pulls < \(OpenDoubt.pulls)
            """, resource)
    }
}

/// What a list lacks that the server acknowledged.
extension RowsPull {
    /// How many rows the list had when it first lacked an acknowledged row; nil where the last one lacked
    /// none. 0 says that a list of another length was held: then the list is no page.
    public func cutRows() throws -> Int64? {
        try connection.first("SELECT cut_rows FROM sync_state WHERE resource = ?", resource) {
            $0.integerOrNil(0)
        } ?? nil
    }

    /// Remembers the acknowledged rows that the lists still have to show: the rows that an
    /// incomplete pull lacks. A row that a complete pull lacks is gone. `cutRows` is set if the
    /// list counts as cut.
    public func noteShown(cutRows: Int64?) throws {
        // Without a condition, a DELETE writes even if there is no row.
        try connection.run(
            "DELETE FROM unseen WHERE resource = ?"
                + (isComplete ? "" : " AND row_id NOT IN (\(sql.unseen))"), resource)
        try connection.run(
            "UPDATE sync_state SET cut_rows = ?1 WHERE resource = ?2 AND cut_rows IS NOT ?1",
            .integer(cutRows), resource)
    }

    /// Remembers of a list that is whole and held that it lacks an acknowledged row at another length than
    /// a list before. The next one may have that length again by chance.
    public func noteHeld() throws {
        try connection.run(
            "UPDATE sync_state SET cut_rows = 0 WHERE resource = ? AND cut_rows > 0", resource)
    }

    /// Forgets which rows had gone: those that are there again, and, of a complete pull that began at
    /// `pullBegan`, those that were missed `confirmation` before.
    public func forgetDeparted(pullBegan: BootTime, confirmation: Duration) throws {
        try connection.run(
            sql.forgetDeparted, .flag(isComplete), .text(pullBegan.boot),
            .integer(confirmation.wholeMilliseconds), .integer(pullBegan.milliseconds))
    }
}
