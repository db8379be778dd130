internal import Declarations
internal import SQLite
public import Tables

/// The sweep: it finds what programs wrote while the triggers of a list were not there or did not run, and makes
/// of it what the triggers would have made.
struct Sweep {
    let connection: Connection
    let table: ListTable

    /// Whether the list can be swept: what a row is told by what the server has of it.
    var isPossible: Bool {
        get throws(SQLiteError) {
            guard let sql = table.sweepStatements else { return false }
            return try connection.count(sql.countUnreadable) == 0
        }
    }

    /// What there is to do. Reads every row of the list.
    func find() throws(SQLiteError) -> UnseenWrites? {
        guard try isPossible, let sql = table.sweepStatements else { return nil }
        let found = UnseenWrites(
            lost: try connection.count(sql.countLost), new: try connection.count(sql.countUnknown),
            changed: try connection.count(sql.countChanged),
            orphans: try connection.count(sql.countOrphans),
            rows: try connection.count(sql.countRows))
        return found.isEmpty ? nil : found
    }

    /// Brings the list back to its laws, inside the caller's transaction.
    func run() throws {
        guard let sql = table.sweepStatements else { return }
        try connection.beginApplying(to: table)
        for statement in sql.mend { try connection.run(statement) }
        try connection.endApplying()
        for row in try connection.all(
            sql.unsendable,
            row: { (operation: $0.value(0), column: $0.text(1), id: $0.integer(2)) })
        {
            try connection.run(
                "UPDATE operation SET state = 'rejected', last_error = ? WHERE seq = ?",
                .text("the \(row.column) cannot be sent as it is: drop the row, and add it again"),
                row.operation)
            try ListRows(connection: connection, table: table).follow(row.id)
        }
        // Whoever follows the log reads the list anew.
        try ChangeLog(connection: connection).reset(table.declaration.name)
    }

    /// The triggers and unique indexes of other programs on the table: rows can change beside our triggers, or be
    /// kept from changing.
    func rulesOfOthers(beside schema: [SchemaObject]) throws(SQLiteError) -> [String] {
        let name = table.declaration.name.text
        let found = try connection.all(
            """
            SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1
            UNION ALL SELECT name FROM pragma_index_list(?1) WHERE "unique" AND origin = 'c'
            """, .text(name)
        ) { $0.text(0) }
        let ours = Set(schema.map(\.name))
        return found.filter { !ours.contains($0) }
    }
}

@available(*, unavailable) extension Sweep: Sendable {}

extension CacheStore {
    /// The names of the triggers and unique indexes that other programs have put on the table of a list.
    public func rulesOfOthers(on table: ListTable) throws(StoreError) -> [String] {
        try read {
            try Sweep(connection: connection, table: table)
                .rulesOfOthers(beside: table.schema)
        }
    }

    /// Sweeps `lists`, inside the caller's transaction. Throws ``StoreError/unseenWrites(_:of:)`` where that is too
    /// much, unless it `isAccepted`. Returns what it mended of each.
    func sweep(
        _ lists: [ListTable], isAccepted: Bool
    ) throws -> [(list: ListTable, found: UnseenWrites)] {
        try lists.compactMap { list in
            let sweep = Sweep(connection: connection, table: list)
            let found = try sweep.find()
            if let found, found.isTooMuch, !isAccepted {
                throw StoreError.unseenWrites(found, of: list.declaration.name)
            }
            // What a person accepts has broken a law, if only that of the bookkeeping.
            guard try found != nil || isAccepted && sweep.isPossible else { return nil }
            try sweep.run()
            knownLists[list.declaration.name] = nil
            return found.map { (list, $0) }
        }
    }

    /// Sweeps a list on whose table rules of other programs stand beside those of `schema`, or stood at the last
    /// pull, unless that `isDone`.
    func sweepBesideRules(
        of table: ListTable, as schema: [SchemaObject], isDone: Bool
    ) throws(StoreError) -> UnseenWrites? {
        let name = table.declaration.name
        let sweep = Sweep(connection: connection, table: table)
        let hasRules = try read { try !sweep.rulesOfOthers(beside: schema).isEmpty }
        var found: UnseenWrites?
        if !isDone, hasRules || sweptLists.contains(name), try read({ try sweep.find() }) != nil {
            found = try write(.full) {
                noteDataWritten()
                return try self.sweep([table], isAccepted: false).first?.found
            }
        }
        if hasRules {
            sweptLists.insert(name)
        } else {
            sweptLists.remove(name)
        }
        return found
    }
}
