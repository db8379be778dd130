public import Declarations
public import Host
public import Rules
internal import SQLite
public import Tables

/// What one commit of a replay did.
public struct ReplayCommit: Sendable, Hashable {
    /// In the order of the settlements given.
    public var settled: [Settled]
    /// Operations that may be sent now, in the order asked for; one that is missing cannot be sent
    /// in this cycle (dropped meanwhile, or its row is not confirmed).
    public var outgoing: [OutgoingOperation]
}

extension CacheStore {
    /// Commits the answers of attempts, as `SettlementRules` decide, together with the intents of the next ones, on the
    /// disk before it returns: one sync for both.
    ///
    /// `taking` names queued operations, or creates in doubt that are repeated under their key; what is
    /// sent now may take effect for `settlingTime`.
    /// Committing an intent drops the validators of the list, because an "unchanged" answer would
    /// leave it undecided. Throws ``StoreError/otherAccount(cached:configured:)`` before anything is
    /// sent to an account that the cache does not belong to.
    public func exchange(
        of table: ListTable, settling settlements: [(OperationSequence, Settlement)],
        taking: [OperationSequence], for account: Account, now: BootTime, settlingTime: Duration
    ) throws(StoreError) -> ReplayCommit {
        let list = Value.text(table.declaration.name.text)
        return try write(.full) {
            try claim(table.declaration.name, for: account)
            noteDataWritten()
            try RowEdits(connection: connection, table: table)?.takeBackDropped()
            var exchange = ReplayCommit(settled: [], outgoing: [])
            for (operation, settlement) in settlements {
                let settled = try settle(operation, settlement, of: table)
                exchange.settled.append(settled)
                if settled.isOutOfTheWay {
                    try letGo(behind: operation, isDone: settled.isDone, of: table)
                }
            }
            for operation in taking {
                if let outgoing = try take(
                    operation, of: table, now: now, settlingTime: settlingTime)
                {
                    exchange.outgoing.append(outgoing)
                }
            }
            if !exchange.outgoing.isEmpty {
                try connection.run("DELETE FROM validator WHERE list = ?", list)
            }
            return exchange
        }
    }

    /// The operation with the values of its row.
    func outgoing(
        _ operation: OperationSequence, _ sql: String, of table: ListTable
    ) throws(SQLiteError) -> OutgoingOperation? {
        let names = table.declaration.columns.filter { $0.field != nil }.map(\.name)
        let addressing =
            table.declaration.addressingColumns.map(\.name)
            + table.declaration.knownReferredColumns.map(\.description)
        return try connection.first(sql, .integer(operation.rawValue)) { row in
            func values(_ names: [String], from first: Int) -> [String: String] {
                let values = names.enumerated().compactMap { index, name in
                    row.textOrNil(first + index).map { (name, $0) }
                }
                return Dictionary(values) { first, _ in first }
            }
            var outgoing = OutgoingOperation(
                sequence: operation, kind: OperationKind(rawValue: row.text(0)) ?? .create,
                values: values(names, from: 5), serverID: row.textOrNil(1),
                version: row.textOrNil(4), idempotencyKey: row.text(2),
                attempts: Int(row.integer(3)))
            outgoing.known = values(addressing, from: 5 + names.count)
            return outgoing
        }
    }

    private func take(
        _ operation: OperationSequence, of table: ListTable, now: BootTime, settlingTime: Duration
    ) throws -> OutgoingOperation? {
        guard try mayBeTaken(operation, of: table) else { return nil }
        let rows = ListRows(connection: connection, table: table)
        let edits = RowEdits(connection: connection, table: table)
        let payload = try edits?.payload(of: operation)
        if let payload, payload.isNothing {
            let row = try connection.first(
                "DELETE FROM operation WHERE seq = ? RETURNING row_id",
                .integer(operation.rawValue)
            ) { $0.integer(0) }
            if let row { try rows.follow(row) }
            return nil
        }
        guard try !isHeldByTrail(operation, now: now), try !waitsForRow(operation, of: table)
        else { return nil }
        if let payload, let column = payload.homeless {
            try refuse(operation, payload, withoutRowOf: column, of: table)
            return nil
        }
        try connection.run(
            """
            DELETE FROM operation WHERE state = 'acknowledged' AND kind = 'update' AND stage = 0
                AND (list, row_id) IN (
                    SELECT list, row_id FROM operation
                    WHERE seq = ? AND kind <> 'create' AND state = 'queued')
            """, .integer(operation.rawValue))
        let row = try connection.first(
            """
            UPDATE operation SET state = 'sending', attempts = attempts + 1,
                stage = iif(kind = 'update', 0, stage),
                sent_boot = ?2, sent_ms = ?3, settling_ms = ?4,
                missed_boot = NULL, missed_ms = NULL, open_pulls = iif(undecided, open_pulls, 0),
                first_sent_boot = coalesce(first_sent_boot, ?2),
                first_sent_ms = coalesce(first_sent_ms, ?3),
                wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
                behind = iif(behind = 2, 2, 0),
                idempotency_key = iif(kind = 'create' AND sent_hash <> ?5,
                    lower(hex(randomblob(16))), idempotency_key),
                sent_hash = coalesce(?5, sent_hash)
            WHERE seq = ?1 AND (
                kind = 'create' AND state IN ('queued', 'in doubt')
                    AND NOT EXISTS (SELECT 1 FROM operation AS deletion
                        WHERE deletion.list = operation.list
                            AND deletion.row_id = operation.row_id AND deletion.kind = 'delete')
                OR kind <> 'create' AND state = 'queued'
                    AND NOT EXISTS (SELECT 1 FROM unconfirmed
                        WHERE unconfirmed.list = operation.list
                            AND unconfirmed.row_id = operation.row_id)
                    AND NOT EXISTS (SELECT 1 FROM operation AS earlier
                        WHERE earlier.list = operation.list
                            AND earlier.row_id = operation.row_id
                            AND (earlier.kind = 'create' OR earlier.stage = 0
                                OR operation.kind = 'update' AND earlier.kind = 'delete'
                                    AND earlier.state <> 'rejected')))
            RETURNING row_id
            """, .integer(operation.rawValue), .text(now.boot), .integer(now.milliseconds),
            .integer(settlingTime.wholeMilliseconds), .integer(payload?.hash)
        ) { $0.integer(0) }
        guard let row else { return nil }
        try rows.follow(row)
        try noteSentDelete(operation, of: table)
        if let payload { try edits?.freeze(operation, payload) }
        // What is sent changes the list.
        knownLists[table.declaration.name] = nil
        guard let sql = table.queueStatements?.outgoing else { return nil }
        let outgoing = try outgoing(operation, sql, of: table)
        guard let outgoing, let edits else { return outgoing }
        return try edits.asFrozen(outgoing)
    }
}

/// When the queue next needs a cycle.
public struct QueueWaits: Sendable, Hashable {
    /// The earliest moment that an operation waits for; it may have come by now.
    public let next: BootTime?
    /// Whether an operation is queued that waits for no moment, and for no other operation.
    public let hasSendable: Bool
}

extension CacheStore {
    /// Remembers that nothing may be replayed before `until`, and for a person who asks not before
    /// `askedUntil`.
    public func pauseReplay(
        of name: ListName, until: BootTime, askedUntil: BootTime?
    ) throws(StoreError) {
        try write(.normal) {
            try connection.run(
                """
                UPDATE sync_state SET pause_boot = ?, pause_ms = ?, pause_asked = ?,
                    pause_asked_ms = ?
                WHERE list = ?
                """, .text(until.boot), .integer(until.milliseconds),
                .flag(askedUntil != nil), .integer(askedUntil?.milliseconds), .text(name.text))
        }
    }

    /// When the queue next needs a cycle: the earliest of three moments.
    /// - An operation's wait ends.
    /// - Doubt is old enough to be decided: `settlingTime` after its intent, or its own time.
    /// - A second pull can confirm that a row is missing: `confirmation` after the first.
    ///
    /// A moment counts only if the cycle before came too early for it. For a wait, that is a moment
    /// after its replay began. For a decision, it is one after its pull began.
    public func queueWaits(
        of name: ListName, pullBegan: BootTime, replayBegan: BootTime, now: BootTime,
        settlingTime: Duration,
        confirmation: Duration
    ) throws(StoreError) -> QueueWaits {
        try read {
            let next = try connection.first(
                """
                SELECT ?1, min(moment) FROM (
                    SELECT wait_ms AS moment FROM operation
                    WHERE list = ?6 AND state IN ('queued', 'in doubt')
                        AND wait_boot = ?1 AND wait_ms > ?2
                    UNION ALL
                    SELECT iif(sent_boot = ?1, sent_ms, 0) + ifnull(settling_ms, ?3) AS moment
                    FROM operation WHERE list = ?6 AND state = 'in doubt' AND moment > ?4
                    UNION ALL
                    SELECT iif(answered_boot = ?1, answered_ms, 0) + ?7 AS moment FROM trail
                    WHERE list = ?6 AND holds_edits = 1 AND moment > ?2 AND EXISTS (
                        SELECT 1 FROM operation AS held WHERE held.list = ?6
                            AND held.row_id = trail.row_id AND held.state = 'queued')
                    UNION ALL
                    SELECT iif(missed_boot = ?1, missed_ms, 0) + ?5 AS moment FROM operation
                    WHERE (state <> 'queued' OR kind <> 'create') AND missed_ms IS NOT NULL
                        AND list = ?6 AND moment > ?4)
                """, .text(now.boot), .integer(replayBegan.milliseconds),
                .integer(settlingTime.wholeMilliseconds), .integer(pullBegan.milliseconds),
                .integer(confirmation.wholeMilliseconds), .text(name.text),
                .integer(Witness.memory.wholeMilliseconds)
            ) { $0.bootTime(0) }
            return QueueWaits(next: next ?? nil, hasSendable: try hasSendable(of: name, now: now))
        }
    }

    /// Whether an operation could be sent at `now` that the last replay did not know of.
    public func hasSendable(
        of name: ListName, at now: BootTime, besides kinds: Set<OperationKind> = []
    ) throws(StoreError) -> Bool {
        try read { try hasSendable(of: name, now: now, besides: kinds) }
    }

    /// Remembers what the last replay could not send, though it waits for no moment: it waits behind
    /// another operation of its title, or for a list.
    public func noteBlocked(
        _ operations: [OperationSequence], of name: ListName
    ) throws(StoreError) {
        do {
            try connection.run(
                "DELETE FROM blocked_operation WHERE list = ?", .text(name.text))
            for operation in operations {
                try connection.run(
                    """
                    INSERT OR IGNORE INTO blocked_operation (seq, list, doubts)
                    SELECT ?1, ?2, \(Self.countDoubts("?2"))
                    """, .integer(operation.rawValue), .text(name.text))
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether an operation could be sent now: it waits for no moment, for no second list, and for no
    /// other operation. What was blocked is free where the number of doubts is another by now.
    func hasSendable(
        of name: ListName, now: BootTime, besides kinds: Set<OperationKind> = []
    ) throws -> Bool {
        let closed = kinds.map { "AND kind <> '\($0.rawValue)'" }.sorted().joined(separator: " ")
        return try connection.count(
            """
            SELECT EXISTS (SELECT 1 FROM operation WHERE list = ?3 AND state = 'queued' \(closed)
                AND (wait_ms IS NULL OR wait_boot <> ?1 OR wait_ms <= ?2) AND missed_ms IS NULL
                AND NOT \(Self.isHeldDelete)\(notBehindRow(of: name))
                AND NOT EXISTS (SELECT 1 FROM blocked_operation AS blocked
                    WHERE blocked.seq = operation.seq AND blocked.doubts = \(Self.countDoubts("?3"))))
            """, .text(now.boot), .integer(now.milliseconds), .text(name.text)) == 1
    }

    private static func countDoubts(_ list: String) -> String {
        """
        (SELECT count(*) FROM operation AS doubtful
         WHERE (doubtful.state <> 'queued' OR doubtful.kind <> 'create')
            AND (doubtful.state = 'in doubt' OR doubtful.state = 'acknowledged') AND doubtful.list = \(list))
        """
    }
}
