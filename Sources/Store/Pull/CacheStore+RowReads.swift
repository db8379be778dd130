internal import Declarations
public import Host
package import Rules
internal import SQLite
public import Tables

/// A row that the server is asked for by itself.
public struct RowToRead: Sendable, Hashable {
    /// Its local id.
    public let row: Int64
    /// Its id at the server.
    public let serverID: String
    /// The values of its fields, each as JSON text.
    public let values: [String: String]
}

/// What the server has of one row.
public struct ReadRow: Sendable, Hashable {
    /// Its local id.
    public let row: Int64
    /// The row, as the answer has it.
    public let document: String
    /// When its own read began, less the age that a cache told of the answer; nil: with all others.
    package var shownAfter: BootTime?
    /// A list shows it, and not a read.
    let isFromList: Bool
    /// It is there, and none of the table: `while` does not hold for it.
    package internal(set) var isOut = false

    /// A row of a list.
    init(listed row: Int64, document: String) {
        self.row = row
        self.document = document
        isFromList = true
    }

    /// A row that was read.
    package init(row: Int64, document: String) {
        self.row = row
        self.document = document
        isFromList = false
    }
}

extension CacheStore {
    /// The rows with an edit or a delete that waits for nothing but to be shown; nil where there are more than
    /// `most`: then a list is as good.
    public func rowsToRead(
        of table: ListTable, now: BootTime, most: Int
    ) throws(StoreError) -> [RowToRead]? {
        let rows = try read {
            try rowsToRead(
                of: table, most: most,
                """
                state = 'queued' AND missed_ms IS NULL AND NOT \(Self.isHeldDelete)
                    AND (wait_ms IS NULL OR wait_boot <> ?2 OR wait_ms <= ?3)
                """, [.text(now.boot), .integer(now.milliseconds)])
        }
        return rows.count > most ? nil : rows
    }

    /// The rows with an edit or a delete that the staged list does not show: at most so many of them, and the
    /// local ids of the others. Of a list that shows changes alone, also the rows of which something is remembered for
    /// long enough: it may show each change once, and too early to decide.
    ///
    /// A delete that was acknowledged less than a minute ago is not among them. Nothing decides about it yet.
    package func unshownRows(
        of table: ListTable, scope: PullScope, now: BootTime, most: Int
    ) throws(StoreError) -> (rows: [RowToRead], others: Set<Int64>) {
        guard let pulled = table.writeReconciliation?.pulled,
            let known = table.writeReconciliation?.known
        else { return ([], []) }
        let leaves = table.condition?.leavesWithChange.map { " AND NOT (\($0))" } ?? ""
        let isUnshown =
            "NOT EXISTS (SELECT 1 FROM \(pulled) AS pulled WHERE pulled.key = server_id\(leaves))"
        let isNew =
            "ifnull(iif(answered_boot = ?2, answered_ms, 0), 0) > ?3"
        let answered = now.milliseconds - Witness.memory.wholeMilliseconds
        let listName = Value.text(table.declaration.name.text)
        return try read {
            let rows = try rowsToRead(
                of: table, most: most,
                "\(isUnshown) AND NOT (kind = 'delete' AND state = 'acknowledged' AND \(isNew))",
                [.text(now.boot), .integer(answered)])
            guard rows.count <= most else {
                let all = try connection.all(
                    """
                    SELECT row_id FROM operation JOIN \(known) AS known ON known.id = row_id
                    WHERE list = ? AND kind <> 'create' AND \(isUnshown)
                    """, listName
                ) { $0.integer(0) }
                let first = rows.prefix(most)
                return (Array(first), Set(all).subtracting(first.map(\.row)))
            }
            guard case .increment = scope, rows.count < most else { return (rows, []) }
            let remembered = try connection.all(
                """
                SELECT row_id, server_id FROM trail CROSS JOIN \(known) AS known ON known.id = row_id
                WHERE list = ?1 AND NOT \(isNew) AND \(isUnshown)
                    AND row_id NOT IN (SELECT row_id FROM operation WHERE list = ?1)
                ORDER BY answered_ms LIMIT \(most - rows.count)
                """, listName, .text(now.boot), .integer(answered)
            ) { RowToRead(row: $0.integer(0), serverID: $0.text(1), values: [:]) }
            return (rows + (try addressed(remembered, of: table)), [])
        }
    }

    /// The rows without a change that the staged list does not show; none where they are more than `most`.
    public func absentRows(of table: ListTable, most: Int) throws(StoreError) -> [RowToRead] {
        guard let sql = table.writeReconciliation else { return [] }
        if let absent = table.parts?.absent {
            return try read {
                try addressed(
                    connection.all(absent, .integer(Int64(most))) {
                        RowToRead(row: $0.integer(0), serverID: $0.text(1), values: [:])
                    }, of: table)
            }
        }
        let rows = try read {
            try connection.all(
                """
                SELECT id, server_id FROM \(sql.known)
                WHERE NOT EXISTS (SELECT 1 FROM \(sql.pulled) AS pulled WHERE pulled.key = server_id)
                    AND NOT \(sql.hasOperation) LIMIT \(most + 1)
                """
            ) { RowToRead(row: $0.integer(0), serverID: $0.text(1), values: [:]) }
        }
        return rows.count > most ? [] : try read { try addressed(rows, of: table) }
    }

    /// The rows with what the path of a read names of them.
    func addressed(_ rows: [RowToRead], of table: ListTable) throws(SQLiteError) -> [RowToRead] {
        let names = table.declaration.readNames
        guard let sql = table.queueStatements?.addressed else { return rows }
        var addressed: [RowToRead] = []
        for row in rows {
            let values = try connection.first(sql, .integer(row.row)) { found in
                names.indices.map { found.textOrNil($0) }
            }
            let known = zip(names, values ?? []).compactMap { name, value in
                value.map { (name, $0) }
            }
            addressed.append(
                RowToRead(
                    row: row.row, serverID: row.serverID,
                    values: row.values.merging(known) { _, known in known }))
        }
        return addressed
    }

    func rowsToRead(
        of table: ListTable, most: Int, _ condition: String, _ values: [Value] = [],
        order: String = ""
    ) throws(SQLiteError) -> [RowToRead] {
        guard let sql = table.queueStatements, let known = table.writeReconciliation?.known else {
            return []
        }
        var operations: [(OperationSequence, Int64)] = []
        try connection.each(
            """
            SELECT min(seq), row_id FROM operation JOIN \(known) AS known ON known.id = row_id
            WHERE list = ?1 AND kind <> 'create' AND \(condition)
            GROUP BY row_id ORDER BY \(order)min(seq) LIMIT \(most + 1)
            """, [.text(table.declaration.name.text)] + values
        ) { operations.append((OperationSequence(rawValue: $0.integer(0)), $0.integer(1))) }
        var rows: [RowToRead] = []
        for (operation, row) in operations {
            guard let found = try outgoing(operation, sql.outgoing, of: table),
                let serverID = found.serverID
            else { continue }
            let values = found.values.merging(found.known) { _, known in known }
            rows.append(RowToRead(row: row, serverID: serverID, values: values))
        }
        return try addressed(rows, of: table)
    }

    /// The row in the answer to a read, if it is still the one that was meant.
    public func readRow(
        _ body: [UInt8], of row: RowToRead, in table: ListTable
    ) throws(StoreError) -> ReadRow? {
        guard let sql = table.queueStatements, let answered = sql.answeredRead else { return nil }
        return try read {
            let json = JSONStaging(connection: connection, body: body)
            let part = try table.parts.map { sql in
                [Value.text(try connection.first(sql.partOfRow, .integer(row.row)) { $0.text(0) })]
            }
            let answers = try json.all(answered, values: part ?? []) {
                (id: $0.textOrNil(0) ?? row.serverID, document: $0.text(1))
            }
            guard var found = answers.first else { return nil }
            found.document = try inTheListsShape(found.document, of: row, in: table)
            guard
                try connection.count(
                    sql.isSameRow, .integer(row.row), .text(found.id), .text(found.document)) == 1
            else { return nil }
            var read = ReadRow(row: row.row, document: found.document)
            if let condition = table.condition {
                read.isOut = try connection.count(condition.isOut, .text(found.document)) == 1
            }
            return read
        }
    }

    /// A document that was read, as a list would show it.
    private func inTheListsShape(
        _ document: String, of row: RowToRead, in table: ListTable
    ) throws -> String {
        let statements = table.knownStatements?.reshaped ?? []
        guard let edits = RowEdits(connection: connection, table: table), !statements.isEmpty,
            let known = try edits.knownDocument(of: row.row)
        else { return document }
        return try statements.reduce(known) { laid, sql in
            try connection.first(sql, .text(laid), .text(document)) { $0.text(0) } ?? laid
        }
    }

    /// Brings rows to what reads that began at `began` have shown of them. What was sent may take effect for
    /// `settlingTime`. In this cycle nothing is sent for any other row that stands at the server. Returns how many
    /// updates were decided.
    public func learn(
        _ rows: [ReadRow], of table: ListTable, readAfter began: BootTime, settlingTime: Duration
    ) throws(StoreError) -> Int {
        let rules = UpdateResolution(table.declaration.conflict)
        let listed = listsBegan[table.declaration.name]
        // A call that turns a value would turn back what the server has already.
        let mayRepeat = !table.declaration.turnsValues
        let decided = try write(.normal) {
            try ListSchema(connection: connection).requireMade(from: table)
            try connection.run(
                "DELETE FROM unconfirmed WHERE list = ?", .text(table.declaration.name.text))
            let before = connection.totalChanges
            let edits = RowEdits(connection: connection, table: table)
            try edits?.takeBackDropped()
            let known = try rows.map { try edits?.knownDocument(of: $0.row) }
            let decided = try edits?.learn(try laid(rows, of: table)) { row, read in
                var row = row
                row.goesByRead = mayRepeat
                return rules.decide(
                    row, shownAfter: read.shownAfter ?? began, listed: listed,
                    settlingTime: settlingTime)
            }
            if try rows.map({ try edits?.knownDocument(of: $0.row) }) != known {
                // A read can lag behind the list: that a list has not changed since says nothing of what it has moved.
                try forgetPages(of: table)
            }
            if connection.totalChanges > before { noteDataWritten() }
            return decided ?? 0
        }
        readRows[table.declaration.name] = Set(rows.map(\.row))
        return decided
    }

    /// The local ids of rows whose delete the server has acknowledged.
    func rowsOfAcknowledgedDeletes(of name: ListName) throws -> Set<Int64> {
        Set(
            try connection.all(
                """
                SELECT row_id FROM operation
                WHERE list = ? AND kind = 'delete' AND answered_ms IS NOT NULL
                """, .text(name.text)
            ) { $0.integer(0) })
    }

    /// In this cycle rows are read one by one, and none was read yet: nothing is sent of a row before it is.
    public func beginReads(of table: ListTable) { readRows[table.declaration.name] = [] }

    /// Whether the row of the operation was shown, where this cycle has read no whole list.
    func mayBeTaken(
        _ operation: OperationSequence, of table: ListTable
    ) throws(SQLiteError) -> Bool {
        let name = table.declaration.name
        guard let shown = readRows[name] ?? incrementRows[name] else { return true }
        let row = try connection.first(
            "SELECT row_id FROM operation WHERE seq = ? AND kind <> 'create'",
            .integer(operation.rawValue)
        ) { $0.integer(0) }
        return row.map(shown.contains) ?? true
    }
}
