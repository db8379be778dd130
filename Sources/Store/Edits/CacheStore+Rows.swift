public import Declarations
public import Rules
package import SQLite
public import Tables

/// A row that a person or a program adds to a list.
public struct RowToAdd: Sendable, Hashable {
    /// What a refusal names it by, such as `line 3`; nil where nothing else is added.
    let place: String?
    /// One for each column of ``ListTable/givable``, in their order; NULL where none is given.
    let values: [Value]

    /// A row with these values.
    package init(place: String? = nil, values: [Value]) {
        self.place = place
        self.values = values
    }
}

/// What programs do with the rows of any list: each call is one transaction, and does all or nothing.
extension CacheStore {
    /// The list as its table was made; the table is made where there is none yet.
    ///
    /// Unlike ``bring(to:whileMaking:)`` it changes no table that is there, so it is for everybody.
    public func table(of list: ListTable) throws(StoreError) -> ListTable {
        func made(_ tables: [ListTable]) -> ListTable? {
            tables.first { $0.declaration.name == list.declaration.name }
        }
        if let table = made(try tables()) { return table }
        return try write(.full) {
            let schema = ListSchema(connection: connection)
            // Another process may have made it since.
            if let table = made(try schema.made()) { return table }
            try stopWatchingRows()
            try schema.bring(to: [list])
            noteDataWritten()
            return list
        }
    }

    /// What the server calls the rows of a list that it has; none for a list that has no table yet.
    public func serverIDs(of list: ListName) throws(StoreError) -> Set<String> {
        guard let table = try tables().first(where: { $0.declaration.name == list }) else {
            return []
        }
        return try read { Set(try connection.all(table.serverIDs) { $0.text(0) }) }
    }

    /// Adds rows to a list, queues one create for each, and returns their local ids in order.
    ///
    /// Durable when it returns. Throws ``StoreError/refused(_:)`` with the sentence of the list's trigger, and
    /// with the row's place before it.
    public func addRows(
        _ rows: [RowToAdd], to table: ListTable
    ) throws(StoreError) -> [Int64] {
        let insertion = table.insertion
        return try write(.full) {
            try rows.map { row in
                do throws(SQLiteError) {
                    var id: Int64 = 0
                    try connection.each(insertion, row.values) { id = $0.integer(0) }
                    return id
                } catch {
                    let error = StoreError(error, path: path)
                    guard case .refused(let sentence) = error, let place = row.place else {
                        throw error
                    }
                    throw StoreError.refused("\(place): \(sentence)")
                }
            }
        }
    }

    /// Deletes rows of a list by their local ids: a create that never arrived goes with its row, for the
    /// others a delete is queued.
    ///
    /// Durable when it returns; returns the deletes, in the order of `ids`. An id that is not in the table
    /// throws ``StoreError/unknownRow(_:of:)``.
    @discardableResult
    public func removeRows(
        _ ids: [Int64], of table: ListTable
    ) throws(StoreError) -> [OperationSequence] {
        try write(.full) {
            try ids.compactMap { id in
                guard try connection.count(table.countOfRow, .integer(id)) == 1 else {
                    throw StoreError.unknownRow(id, of: table.declaration.name)
                }
                try connection.run(table.deletion, .integer(id))
                return try connection.first(table.waitingDelete, .integer(id)) {
                    OperationSequence(rawValue: $0.integer(0))
                }
            }
        }
    }
}
