internal import Declarations
internal import Host
internal import Rules
internal import SQLite
public import Tables

/// The queue as the plan of a replay sees it.
extension CacheStore {
    /// Folds every operation that is not rejected into `initial`, in the order they were queued.
    public func foldWaitingOperations<Result: Sendable>(
        of table: ListTable, into initial: Result,
        _ add: @Sendable (inout Result, WaitingOperation) -> Void
    ) throws(StoreError) -> Result {
        try read { try foldWaiting(of: table, into: initial, add) }
    }

    func foldWaiting<Result>(
        of table: ListTable, into initial: Result,
        _ add: (inout Result, WaitingOperation) -> Void
    ) throws -> Result {
        var result = initial
        guard let sql = table.queueStatements?.waiting else { return result }
        let held = try heldSequences(of: table.declaration.name)
        let unconfirmed = try unconfirmedRows(of: table)
        let name = table.declaration.name
        let shown = readRows[name] == nil ? incrementRows[name] : nil
        let links = try valueLinks(of: table)
        let behind = try rowWaits()
        try connection.each(sql, []) { row in
            var operation = Self.waitingOperation(row)
            operation.isHeld = held.contains(operation.sequence)
            operation.isUnconfirmed =
                unconfirmed.contains(operation.row)
                || shown.map { !$0.contains(operation.row) } ?? false
            if let found = links[operation.sequence] { operation.links = found }
            operation.behindRow = behind[operation.sequence]
            add(&result, operation)
        }
        return result
    }

    /// The rows that the list of this cycle has not shown; a reader has no cycle.
    private func unconfirmedRows(of table: ListTable) throws(SQLiteError) -> Set<Int64> {
        guard !isReadOnly else { return [] }
        return Set(
            try connection.all(
                "SELECT row_id FROM unconfirmed WHERE list = ?",
                .text(table.declaration.name.text)
            ) { $0.integer(0) })
    }

    /// The values that operations free and take. A queue of new rows alone is not looked at: nothing is freed.
    private func valueLinks(
        of table: ListTable
    ) throws(SQLiteError) -> [OperationSequence: ValueLinks] {
        guard let sql = table.queueStatements, let freed = sql.freed else { return [:] }
        var links: [OperationSequence: ValueLinks] = [:]
        try connection.each(freed, []) { row in
            let count = (row.columnCount - 1) / 2
            let found = ValueLinks(
                base: (1..<1 + count).map(row.textOrNil),
                own: (1 + count..<1 + 2 * count).map(row.textOrNil))
            if found != ValueLinks() {
                links[OperationSequence(rawValue: row.integer(0))] = found
            }
        }
        let keys = Set(links.values.lazy.flatMap(\.frees))
        guard !keys.isEmpty else { return [:] }
        if let taken = sql.taken {
            try connection.each(taken, []) { row in
                let own = (1..<row.columnCount).map(row.textOrNil)
                links[OperationSequence(rawValue: row.integer(0))] = ValueLinks(
                    base: own.map { _ in nil }, own: own)
            }
        }
        return links.compactMapValues { found in
            var found = found
            found.takes.removeAll { !keys.contains($0) }
            return found == ValueLinks() ? nil : found
        }
    }

    private static func waitingOperation(_ row: Statement) -> WaitingOperation {
        let wait = row.bootTime(5)
        var operation = WaitingOperation(
            sequence: OperationSequence(rawValue: row.integer(1)),
            kind: OperationKind(rawValue: row.text(2)) ?? .create,
            state: OperationState(rawValue: row.text(3)) ?? .inDoubt,
            attempts: Int(row.integer(4)), turn: row.text(0), wait: wait,
            askedUntil: row.integer(7) == 1 ? Self.asked(row.integerOrNil(12), of: wait) : nil,
            sentAt: row.bootTime(8),
            firstSentAt: row.bootTime(10))
        operation.hasServerID = row.integer(13) == 1
        operation.row = row.integer(14)
        operation.lastStatus = row.integerOrNil(15).map { Int($0) }
        return operation
    }

    /// What was written before the moment was kept counts as asked for to its end.
    private static func asked(_ milliseconds: Int64?, of wait: BootTime?) -> BootTime? {
        guard let wait, let milliseconds else { return wait }
        return BootTime(boot: wait.boot, milliseconds: milliseconds)
    }
}
