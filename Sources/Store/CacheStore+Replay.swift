public import Host
internal import SQLite

/// What one commit of a replay did.
public struct Exchange: Sendable, Hashable {
    /// In the order of the settlements given.
    public var settled: [Settled]
    /// Operations that may be sent now, in the order asked for; one that is missing cannot be sent
    /// in this cycle (dropped meanwhile, or its row is not confirmed).
    public var outgoing: [OutgoingOperation]
}

extension CacheStore {
    /// Calls `body` for every operation that is not rejected, in the order they were queued.
    public func eachWaitingOperation(
        _ body: @Sendable (WaitingOperation) -> Void
    ) throws(StoreError) {
        try read {
            try connection.each(
                """
                SELECT seq, kind, state, attempts, title, wait_boot, wait_ms, wait_asked,
                    sent_boot, sent_ms, first_sent_boot, first_sent_ms
                FROM operation JOIN todo ON todo.id = todo_id
                WHERE state <> 'rejected' ORDER BY seq
                """, []
            ) { row in
                body(
                    WaitingOperation(
                        sequence: OperationSequence(rawValue: row.integer(0)),
                        kind: OperationKind(rawValue: row.text(1)) ?? .create,
                        state: OperationState(rawValue: row.text(2)) ?? .inDoubt,
                        attempts: Int(row.integer(3)), title: row.text(4), wait: row.bootTime(5),
                        isWaitAskedByServer: row.integer(7) == 1, sentAt: row.bootTime(8),
                        firstSentAt: row.bootTime(10)))
            }
        }
    }

    /// Commits the answers of attempts together with the intents of the next ones, on the disk
    /// before it returns: one sync for both.
    ///
    /// `taking` names queued operations, or creates in doubt that are repeated under their key.
    /// Committing an intent drops the validators of the todos, because an "unchanged" answer would
    /// leave it undecided. Throws ``StoreError/otherAccount(cached:configured:)`` before anything is
    /// sent to an account that the cache does not belong to.
    public func exchange(
        settling settlements: [(OperationSequence, Settlement)],
        taking: [OperationSequence], for account: Account, now: BootTime
    ) throws(StoreError) -> Exchange {
        try write(.full) {
            try demand(account)
            noteDataWritten()
            var exchange = Exchange(settled: [], outgoing: [])
            for (operation, settlement) in settlements {
                exchange.settled.append(try settle(operation, settlement))
            }
            for operation in taking {
                if let outgoing = try take(operation, now: now) { exchange.outgoing.append(outgoing) }
            }
            if !exchange.outgoing.isEmpty {
                try connection.run("DELETE FROM validator WHERE resource = 'todos'")
            }
            return exchange
        }
    }

    /// Commits answers, and a pause of the whole replay where there is reason for one.
    public func settle(
        _ settlements: [(OperationSequence, Settlement)], pauseUntil: BootTime?,
        pauseAskedByServer: Bool
    ) throws(StoreError) -> [Settled] {
        try write(.full) {
            noteDataWritten()
            try setPause(pauseUntil, askedByServer: pauseAskedByServer)
            return try settlements.map { try settle($0.0, $0.1) }
        }
    }

    private func take(_ operation: OperationSequence, now: BootTime) throws -> OutgoingOperation? {
        let changed = try connection.run(
            """
            UPDATE operation SET state = 'sending', attempts = attempts + 1,
                sent_boot = ?2, sent_ms = ?3,
                first_sent_boot = coalesce(first_sent_boot, ?2),
                first_sent_ms = coalesce(first_sent_ms, ?3),
                wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0
            WHERE seq = ?1 AND (
                kind = 'create' AND state IN ('queued', 'in doubt')
                    AND NOT EXISTS (SELECT 1 FROM operation AS deletion
                        WHERE deletion.todo_id = operation.todo_id AND deletion.kind = 'delete')
                OR kind = 'delete' AND state = 'queued'
                    AND todo_id NOT IN (SELECT todo_id FROM unconfirmed)
                    AND NOT EXISTS (SELECT 1 FROM operation AS creation
                        WHERE creation.todo_id = operation.todo_id AND creation.kind = 'create'))
            """, .integer(operation.rawValue), .text(now.boot), .integer(now.milliseconds))
        guard changed == 1 else { return nil }
        return try connection.first(
            """
            SELECT seq, kind, title, server_id, idempotency_key, attempts
            FROM operation JOIN todo ON todo.id = todo_id WHERE seq = ?
            """, .integer(operation.rawValue)
        ) { row in
            OutgoingOperation(
                sequence: operation, kind: OperationKind(rawValue: row.text(1)) ?? .create,
                title: row.text(2), serverID: row.textOrNil(3), idempotencyKey: row.text(4),
                attempts: Int(row.integer(5)))
        }
    }
}
