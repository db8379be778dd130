internal import Declarations
internal import Rules
internal import SQLite
internal import Tables

/// A refusal counts only when nothing older of its server waits.
extension CacheStore {
    /// The lists of the server of the list `?2`.
    private static let neighbours = """
        SELECT ?2 UNION SELECT list FROM account
        WHERE base_url = (SELECT base_url FROM account WHERE list = ?2)
        """

    /// What else waited when `settlement` came, if it is a refusal. What waits of the same row goes by other laws.
    ///
    /// Older deletes that were refused, too, leave a delete its refusal: nobody deletes what was in the way of all of
    /// them, and each would wait until those before it are given up. That ends when one of them is done.
    func standing(
        of operation: SettlingOperation, _ settlement: Settlement, of table: ListTable
    ) throws -> RefusalStanding {
        guard settlement.isRefusal else { return .alone }
        let isDelete = operation.facts.kind == .delete
        // One that was older has been done while this one was at the server.
        if isDelete, try hasBeenPassed(operation.sequence) { return .behind }
        // What waits for another row may wait for this very operation. And an edit beneath a delete goes only when that
        // is refused for good.
        let waiting = try rowWaits().keys.map { "\($0)" }.joined(separator: ", ")
        func hasOlder(_ condition: String) throws(SQLiteError) -> Bool {
            try connection.count(
                """
                SELECT EXISTS (SELECT 1 FROM operation AS older
                    WHERE older.seq < ?1 AND older.state <> 'rejected' AND older.state <> 'acknowledged'
                        AND older.list IN (\(Self.neighbours)) AND older.seq NOT IN (\(waiting))
                        AND NOT (older.list = ?2 AND older.row_id = ?3)
                        AND NOT (older.kind = 'update' AND older.stage = 1 AND EXISTS (
                            SELECT 1 FROM operation AS deletion
                            WHERE deletion.list = older.list AND deletion.row_id = older.row_id
                                AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
                        AND \(condition))
                """, .integer(operation.sequence.rawValue), .text(table.declaration.name.text),
                .integer(operation.row)) == 1
        }
        guard isDelete else { return try hasOlder("true") ? .behind : .alone }
        if try hasOlder("(\(Self.isRefusedDelete)) IS NOT TRUE") { return .behind }
        return try hasOlder("true") ? .besideRefusedDeletes : .alone
    }

    private static let isRefusedDelete = """
        older.kind = 'delete' AND older.last_status BETWEEN 400 AND 499 AND older.last_status <> 408
        """

    private func hasBeenPassed(_ operation: OperationSequence) throws(SQLiteError) -> Bool {
        try connection.count(
            "SELECT behind = 1 FROM operation WHERE seq = ?", .integer(operation.rawValue)) == 1
    }

    /// An operation is out of the way: what was refused behind it need not wait any longer. Nil where a list has decided of
    /// some. If it is done, what it did may have been what a delete behind it was refused for.
    func letGo(
        behind operation: OperationSequence?, isDone: Bool, of table: ListTable
    ) throws(SQLiteError) {
        let sequence = Value.integer(operation?.rawValue ?? 0)
        // Most often there is none, and a look costs less than a change of nothing.
        let waiting = try connection.count(
            "SELECT EXISTS (SELECT 1 FROM operation WHERE behind > 0 AND seq > ?)", sequence)
        guard waiting == 1 else { return }
        try connection.run(
            """
            UPDATE operation SET wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0
            WHERE behind = 1 AND seq > ?1 AND state = 'queued' AND list IN (\(Self.neighbours))
            """, sequence, .text(table.declaration.name.text))
        guard isDone else { return }
        try connection.run(
            """
            UPDATE operation SET behind = 1, refuted = 0
            WHERE behind = 2 AND seq > ?1 AND list IN (\(Self.neighbours))
            """, sequence, .text(table.declaration.name.text))
    }
}

/// What else waited at a server when it refused an operation.
enum RefusalStanding: Int64 {
    /// Nothing older: the refusal counts.
    case alone = 0
    /// Something that may be what the operation needs, or what is in its way: the refusal does not count.
    case behind = 1
    /// Older deletes alone, all of them refused: the refusal counts until one of these is done.
    case besideRefusedDeletes = 2
}

extension Settled {
    /// The server has done it.
    var isDone: Bool {
        switch self {
        case .done, .acknowledged: true
        case .withdrawn, .rejected, .queued, .behind, .inDoubt: false
        }
    }

    /// Nothing waits for it any more.
    var isOutOfTheWay: Bool {
        switch self {
        case .done, .acknowledged, .withdrawn, .rejected: true
        case .queued, .behind, .inDoubt: false
        }
    }
}

extension Settlement {
    /// The server refuses the operation, for what it is or for what is there. Of those that leave doubt, 408 is none.
    fileprivate var isRefusal: Bool {
        switch self {
        case .rejected: true
        case .doubtful(let wait, _):
            wait.status.map { (400..<500).contains($0) && $0 != 408 } ?? false
        case .accepted, .refusedInRun, .notApplied, .stale: false
        }
    }
}
