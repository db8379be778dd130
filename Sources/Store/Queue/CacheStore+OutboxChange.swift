public import Rules
internal import SQLite

/// What a person's change of the outbox came to.
public struct OutboxOutcome: Sendable, Hashable {
    /// Operations that were queued again, or dropped.
    public var changed: Int64 = 0
    /// Creates whose doubt was ended for it.
    public var creates: Int64 = 0
    /// Updates whose doubt was ended for it.
    public var updates: Int64 = 0
    /// Deletes whose doubt was ended for it.
    public var deletes: Int64 = 0
    /// What the outbox holds after it.
    public var left = QueueCounts()

    /// Nothing was changed yet.
    package init() {}
}

/// What a person changes in the outbox: each call is one transaction, and changes all or nothing.
extension CacheStore {
    /// Queues rejected operations again; one that is queued already stays as it is.
    ///
    /// An operation in doubt throws ``StoreError/refused(_:)``, unless `endingDoubt` ends its doubt
    /// first: its request may have taken effect, and is sent again. An operation that is being sent
    /// always throws.
    @discardableResult
    public func retry(
        _ operations: [OperationSequence], endingDoubt: Bool = false
    ) throws(StoreError) -> OutboxOutcome {
        try change(operations, endingDoubt, "UPDATE outbox SET state = 'queued' WHERE seq = ?")
    }

    /// Drops operations: a dropped create removes its todo, a dropped delete brings its todo back.
    ///
    /// One in doubt throws ``StoreError/refused(_:)`` unless `endingDoubt`, which ends its doubt first: what
    /// it asked for may have taken effect. One that is being sent always throws.
    @discardableResult
    public func drop(
        _ operations: [OperationSequence], endingDoubt: Bool = false
    ) throws(StoreError) -> OutboxOutcome {
        try change(operations, endingDoubt, "DELETE FROM outbox WHERE seq = ?")
    }

    /// Queues every rejected operation again, with `endingDoubt` every one in doubt, too.
    public func retryAll(endingDoubt: Bool) throws(StoreError) -> OutboxOutcome {
        try write(.full) {
            var outcome = OutboxOutcome()
            if endingDoubt { try endDoubt("true", [], &outcome) }
            outcome.changed = try countQueue(nil).rejected
            try connection.run("UPDATE outbox SET state = 'queued' WHERE state = 'rejected'")
            outcome.left = try countQueue(nil)
            return outcome
        }
    }

    /// Drops every operation that is queued or rejected, with `endingDoubt` every one in doubt, too.
    public func dropAll(endingDoubt: Bool) throws(StoreError) -> OutboxOutcome {
        try write(.full) {
            var outcome = OutboxOutcome()
            let before = try countQueue(nil).total
            if endingDoubt { try endDoubt("true", [], &outcome) }
            try connection.run("DELETE FROM outbox WHERE state IN ('queued', 'rejected')")
            outcome.left = try countQueue(nil)
            outcome.changed = before - outcome.left.total
            return outcome
        }
    }

    private func change(
        _ operations: [OperationSequence], _ endingDoubt: Bool, _ sql: String
    ) throws(StoreError) -> OutboxOutcome {
        try write(.full) {
            for operation in operations {
                let found = try connection.count(
                    "SELECT count(*) FROM outbox WHERE seq = ?", .integer(operation.rawValue))
                guard found == 1 else {
                    throw StoreError.unknownOperation(operation)
                }
            }
            var outcome = OutboxOutcome()
            for operation in operations {
                let sequence = Value.integer(operation.rawValue)
                if endingDoubt { try endDoubt("seq = ?", [sequence], &outcome) }
                // A create that went with its doubt took the delete behind it along.
                try connection.run(sql, sequence)
            }
            outcome.changed = Int64(operations.count)
            outcome.left = try countQueue(nil)
            return outcome
        }
    }

    /// Ends the doubt of those that the condition picks, and counts them.
    private func endDoubt(
        _ condition: String, _ values: [Value], _ outcome: inout OutboxOutcome
    ) throws(SQLiteError) {
        let inDoubt = "\(condition) AND state = 'in doubt'"
        try connection.each(
            "SELECT kind, count(*) FROM operation WHERE \(inDoubt) GROUP BY kind", values
        ) { row in
            switch OperationKind(rawValue: row.text(0)) {
            case .create: outcome.creates += row.integer(1)
            case .update: outcome.updates += row.integer(1)
            case .delete: outcome.deletes += row.integer(1)
            case nil: break  // The table's CHECK allows no other.
            }
        }
        _ = try connection.run("UPDATE outbox SET state = 'rejected' WHERE \(inDoubt)", values)
    }
}
