internal import Declarations
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
                row: row.integer(3), values: (15..<max(row.columnCount, 15)).map(row.textOrNil),
                sentAt: row.bootTime(4),
                settlingTime: row.integerOrNil(6).map { .milliseconds($0) },
                missedSince: row.bootTime(7),
                lastStatus: row.integerOrNil(9).map { Int(clamping: $0) },
                refuted: Int(clamping: row.integer(10)),
                isRowShown: row.integer(14) == 1 || shown.contains(row.integer(3)),
                isRowNotFound: beside.notFound.contains(row.integer(3)),
                answeredAt: row.bootTime(11), isBehind: row.integer(13) == 1)
        }.filter { operation in
            !beside.unknown.contains(operation.row)
                && (operation.answeredAt != nil || !echoes.contains(operation.row))
        }
    }

    /// The length at which the server cut the text by which creates are found; nil where it has not.
    public func titleCut() throws -> Int64? {
        try connection.first("SELECT title_cut FROM sync_state WHERE list = ?", listName) {
            $0.integerOrNil(0)
        } ?? nil
    }

    /// Ends a create in doubt: the row `serverID` of the pull, which began at `began`, is its effect.
    public func adopt(
        _ serverID: String, for operation: OpenOperation, shownAfter began: BootTime
    ) throws {
        let document = try connection.first(
            "SELECT document FROM \(sql.pulled) WHERE key = ?", .text(serverID)
        ) { $0.text(0) }
        guard let document else { return }
        let edits = RowEdits(connection: connection, table: table)
        let answeredAt = operation.answeredAt ?? began
        let wasRepeated =
            try connection.count(
                "SELECT attempts > 1 FROM operation WHERE seq = ?",
                .integer(operation.sequence.rawValue)) == 1
        let outcome = try edits?.row(operation.row, showing: document).map {
            UpdateResolution(table.declaration.conflict).bind(
                $0, at: answeredAt, byList: true,
                mayBeEarlier: operation.wasRefused || wasRepeated)
        }
        for line in outcome?.conflicts ?? [] where line.reason == .notTaken {
            try edits?.record(line, of: operation.row, against: document)
        }
        let base = try outcome.map {
            try edits?.acknowledged($0, of: operation.row, in: document) ?? document
        }
        try ListRows(connection: connection, table: table).adopt(
            operation.row, serverID: serverID, document: base ?? document,
            ending: operation.sequence,
            remembering: RowTrail(
                answeredAt: answeredAt, fields: outcome?.trails ?? [:]))
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
            WHERE list = ? AND row_id = ? AND kind = 'delete'
            """,
            listName, .integer(operation.row))
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
            .flag(operation.lastStatus != nil && !operation.isBehind))
        if state == .queued, operation.wasRefused {
            // The next answer decides, and no list will. Nobody gains by a wait.
            try connection.run(
                """
                UPDATE operation SET wait_boot = NULL, wait_ms = NULL, wait_shown = NULL
                WHERE seq = ? AND wait_asked = 0
                """, .integer(operation.sequence.rawValue))
        }
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

    /// The server acknowledged the operation, and lists show that it did not do it. A create waits for the person; the
    /// row of a delete is back, with the edits that waited beneath, and the person is told.
    public func refute(_ operation: OpenOperation) throws {
        let rows = ListRows(connection: connection, table: table)
        guard operation.kind == .delete else {
            try connection.run(
                "UPDATE operation SET last_error = ? WHERE seq = ?",
                .text("the server said yes, and no list has shown the row since"),
                .integer(operation.sequence.rawValue))
            return try reject(operation)
        }
        try rows.tell(.notTaken, of: operation.row, mine: nil)
        // No trigger of the list takes the row for one that a program writes.
        try connection.beginApplying(to: table)
        defer { _ = try? connection.endApplying() }
        try connection.run(
            "DELETE FROM operation WHERE seq = ?", .integer(operation.sequence.rawValue))
        try rows.follow(operation.row, isDelete: true)
        if let tell = table.rowStatements?.tellAdded {
            try connection.run(tell, .integer(operation.row))
        }
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
                AND list = ? AND open_pulls < \(OpenDoubt.pulls)
            """, listName)
    }
}

/// Which rows had gone.
extension RowsPull {
    /// Forgets which rows had gone: those that are there again, and, of a complete pull that began at
    /// `pullBegan`, those that were missed `confirmation` before.
    public func forgetDeparted(pullBegan: BootTime, confirmation: Duration) throws {
        let (isComplete, boot) = (
            Value.flag(parts?.pull.endsRound ?? isComplete), Value.text(pullBegan.boot)
        )
        let (confirmed, now) = (
            Value.integer(confirmation.wholeMilliseconds), Value.integer(pullBegan.milliseconds)
        )
        try connection.run(sql.forgetDeparted, isComplete, boot, confirmed, now)
        guard try remembers else { return }
        // The number of a row that is out of the list is kept for longer than what was sent of it.
        try connection.run(
            """
            DELETE FROM trail WHERE list = ?1 AND row_id NOT IN (SELECT id FROM \(sql.known))
                AND row_id NOT IN (SELECT row_id FROM departed WHERE list = ?1
                    AND NOT (?2 AND iif(missed_boot = ?3, missed_ms, 0) + ?4 <= ?5))
            """, listName, isComplete, boot, confirmed, now)
    }
}
