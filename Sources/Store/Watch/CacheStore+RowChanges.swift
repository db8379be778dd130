internal import Declarations
public import Rules
package import SQLite
public import Tables

/// Other values for a row of a list, from a person or a program.
public struct RowToChange: Sendable, Hashable {
    /// What a refusal names it by, such as `line 3`; nil where nothing else is changed.
    let place: String?
    /// The row's local id.
    let id: Int64
    /// By the place of their column in ``ListTable/changeable``; NULL takes a value away.
    let values: [Int: Value]

    /// A change of the row with this id.
    package init(place: String? = nil, id: Int64, values: [Int: Value]) {
        self.place = place
        self.id = id
        self.values = values
    }
}

extension CacheStore {
    /// Changes rows of a list, as an `UPDATE` by any program would: the edits show at once, and wait to be sent.
    ///
    /// One transaction, which changes all or nothing, and is durable when it returns. Returns the updates that it
    /// has queued: a row whose edits waited already has its update in the queue, and so has a row whose create
    /// waits. An id that is not in the table throws ``StoreError/unknownRow(_:of:)``, and what a trigger refuses
    /// ``StoreError/refused(_:)`` with its sentence, the row's place before it.
    @discardableResult
    public func changeRows(
        _ changes: [RowToChange], of table: ListTable
    ) throws(StoreError) -> [OperationSequence] {
        try write(.full) {
            try changes.compactMap { change in
                guard try connection.count(table.countOfRow, .integer(change.id)) == 1 else {
                    throw StoreError.unknownRow(change.id, of: table.declaration.name)
                }
                let before = try waitingUpdate(of: change.id, in: table)
                try apply(change, to: table)
                let after = try waitingUpdate(of: change.id, in: table)
                return before == nil ? after : nil
            }
        }
    }

    private func apply(_ change: RowToChange, to table: ListTable) throws {
        let places = change.values.keys.sorted()
        let values = places.compactMap { change.values[$0] }
        do throws(SQLiteError) {
            try connection.run(table.change(of: places), [.integer(change.id)] + values)
        } catch {
            let error = StoreError(error, path: path)
            guard case .refused(let sentence) = error, let place = change.place else { throw error }
            throw StoreError.refused("\(place): \(sentence)")
        }
    }

    private func waitingUpdate(
        of row: Int64, in table: ListTable
    ) throws(SQLiteError) -> OperationSequence? {
        try connection.first(table.waitingUpdate, .integer(row)) {
            OperationSequence(rawValue: $0.integer(0))
        }
    }
}
