public import Declarations
public import Host
internal import Rules
internal import SQLite
internal import Tables

/// Operations of rows that refer to others.
///
/// Law: an operation goes when the server has every row that it refers to. It waits for the create of such a row; where
/// that row is gone, it is rejected.
extension CacheStore {
    /// The lists whose rows refer to others. Inside a transaction, which a look of its own would take otherwise.
    func references() throws -> [ReferenceStatements] {
        if let referring { return referring }
        let found = try RowFollowing.lists(connection)
        referring = found
        inParts = found.isEmpty ? [] : try ListSchema(connection: connection).inParts()
        return found
    }

    /// Begins to note which rows come and go that others refer to.
    func watchRows() throws {
        let lists = try references()
        guard !lists.isEmpty, !isWatchingRows else { return }
        try RowFollowing(connection: connection, lists: lists).watch()
        isWatchingRows = true
    }

    /// Before tables are made anew.
    func stopWatchingRows() throws {
        if isWatchingRows { try RowFollowing.stop(connection) }
        (referring, isWatchingRows) = (nil, false)
    }

    /// Brings the rows in line that refer to those.
    func followRows() throws {
        guard isWatchingRows else { return }
        for table in inParts {
            try PartLeaving(connection: connection, table: table).leave()
        }
        try RowFollowing(connection: connection, lists: try references()).follow()
    }

    /// Those of `lists` with an operation that could be sent now; none where no rows refer to rows.
    public func freed(_ lists: [ListName], now: BootTime) throws(StoreError) -> [ListName] {
        try read {
            try references().isEmpty
                ? [] : try lists.filter { try hasSendable(of: $0, now: now) }
        }
    }

    /// The lists that have to stay, because changes wait that need them.
    public func waitingReferences() throws(StoreError) -> [WaitingReference] {
        let waiting = try changesByList()
        guard !waiting.isEmpty else { return [] }
        let changes = Dictionary(waiting.map { ($0.list, $0.count) }) { first, _ in first }
        return WaitingReference.all(of: try tables().map(\.declaration), changes)
    }

    /// Whether an operation waits for a row that it refers to.
    func waitsForRow(
        _ operation: OperationSequence, of table: ListTable
    ) throws -> Bool {
        let list = try references().first { $0.list == table.declaration.name }
        guard let waits = list?.waits else { return false }
        return try connection.count(
            "SELECT EXISTS (SELECT 1 FROM operation WHERE seq = ? AND \(waits))",
            .integer(operation.rawValue)) == 1
    }

    /// A condition of `operation`: it waits for no other row.
    func notBehindRow(of name: ListName) throws -> String {
        let lists = try references()
        guard !lists.isEmpty else { return "" }
        let own = lists.first { $0.list == name }.map { "\n    AND NOT \($0.waits)" } ?? ""
        let isReferredTo = lists.contains { $0.followers.contains { $0.list == name } }
        let deletes = isReferredTo ? try deletesBehind().map { "\($0.operation)" } : []
        return deletes.isEmpty
            ? own : own + "\n    AND operation.seq NOT IN (\(deletes.joined(separator: ", ")))"
    }

    /// What each operation waits for that waits for another row, whichever its list.
    func rowWaits() throws -> [OperationSequence: RowWait] {
        let lists = try references()
        guard !lists.isEmpty else { return [:] }
        var waits: [(operation: OperationSequence, wait: RowWait)] = []
        for sql in lists.flatMap(\.waiting) { waits += try connection.all(sql, row: Self.rowWait) }
        return RowWait.marked(waits + (try deletesBehind()))
    }

    private func deletesBehind() throws -> [(operation: OperationSequence, wait: RowWait)] {
        let lists = try references()
        // Of lists that programs only read, nothing is taken away or moved.
        guard lists.contains(where: { !$0.followers.flatMap(\.seeds).isEmpty }),
            try connection.count(
                "SELECT EXISTS (SELECT 1 FROM operation WHERE kind = 'delete' AND state = 'queued')"
            )
                == 1
        else { return [] }
        return try connection.all(ReferenceStatements.deletesBehind(lists), row: Self.rowWait)
    }

    private static func rowWait(
        _ row: Statement
    ) -> (operation: OperationSequence, wait: RowWait) {
        var wait = RowWait(
            for: OperationSequence(rawValue: row.integer(1)),
            of: ListName(kept: row.text(2)),
            kind: OperationKind(rawValue: row.text(3)) ?? .create,
            state: OperationState(rawValue: row.text(4)) ?? .queued)
        if row.columnCount > 5 { wait.lacks = row.textOrNil(5) }
        return (OperationSequence(rawValue: row.integer(0)), wait)
    }

    /// Rejects an operation whose row refers to one that is gone. What it would have sent is kept, so that another row in
    /// that column queues it again.
    func refuse(
        _ operation: OperationSequence, _ payload: Payload, withoutRowOf column: String,
        of table: ListTable
    ) throws {
        let list = table.declaration.column(column)?.reference?.list.text ?? ""
        try RowEdits(connection: connection, table: table)?.freeze(operation, payload)
        let row = try connection.first(
            """
            UPDATE operation SET state = 'rejected', last_status = NULL, last_error = ?2,
                wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0
            WHERE seq = ?1
            RETURNING row_id
            """, .integer(operation.rawValue),
            .text(
                "\(column) refers to a row of \(list) that is gone: give it another one, or drop the change"
            )
        ) { $0.integer(0) }
        if let row { try ListRows(connection: connection, table: table).follow(row) }
    }
}
