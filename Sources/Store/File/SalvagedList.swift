internal import Declarations
package import SQLite
internal import Tables

/// A list of a damaged cache, as a salvage takes what programs wrote of it to a new cache.
package struct SalvagedList: Sendable {
    private let table: ListTable

    /// The todos, which every cache has.
    package static let todos = SalvagedList(ListRows.todos)

    /// The lists whose tables a new cache has.
    package static let presets = ListSchema.presets.map(\.declaration.name.text)

    private init(_ table: ListTable) { self.table = table }

    /// Of a list that is no preset, by what the table `declared_list` keeps; nil where that is no declaration.
    package init?(name: String, declaration text: String) {
        guard let name = try? ListName(name),
            let declaration = try? Declaration.stored(text, name: name.text)
        else { return nil }
        table = ListTable(declaration)
    }

    /// Makes the tables of `lists` in a new cache, inside a transaction of the caller.
    package static func make(_ lists: [SalvagedList], in new: Connection) throws {
        let others = lists.map(\.table).filter { !presets.contains($0.declaration.name.text) }
        try ListSchema(connection: new).bring(to: others)
    }

    /// The same with the lists looked up that its rows refer to. What is not among `lists` cannot be referred to.
    package func referring(to lists: [SalvagedList]) -> SalvagedList {
        let known = lists.map(\.table.declaration)
        let found = try? table.declaration.referring(to: known)
        return found.map { SalvagedList(ListTable($0)) } ?? self
    }

    /// Whether a column of it refers to rows of `other`.
    package func refers(to other: SalvagedList) -> Bool {
        table.declaration.references.contains { $0.reference?.list == other.table.declaration.name }
    }

    /// As of each list, of small letters, digits and `_` alone: with a prefix it needs no quotation marks in SQL.
    package var name: String { table.declaration.name.text }
    /// Whether programs write to it: only then is there something that the servers do not bring again.
    package var isWritable: Bool { !table.declaration.isReadOnly }

    /// The table that shows the rows.
    package var shown: String { name }
    /// What the server has of them.
    package var known: String { "s_\(name)" }
    /// Those that a delete hides.
    package var hidden: String { "d_\(name)" }

    /// The columns of ``shown`` without which a row would not be the row: all but those that follow from the
    /// operations.
    package var ownColumns: Set<String> {
        Set(
            table.declaration.columns.filter {
                $0.field != nil || [.id, .serverID].contains($0.bookkeeping)
            }.map(\.name))
    }

    /// Bring the three tables in line, in this order.
    package var mendRows: [String] { table.mendStatements?.rows ?? [] }
    /// Note what its rows refer to, once they are in line.
    package var noteReferences: [String] { table.referenceStatements?.fill ?? [] }
    /// Finds the rows that nobody could send: the id, and the column with the value at fault.
    package var unusableRows: String? { table.mendStatements?.unusable }
    /// Bring the row `?1` to what its operations say.
    package var follow: [String] { table.rowStatements?.followDelete ?? [] }
    /// The largest local id that a row has had, as far as one can tell.
    package var lastID: String? { table.writeReconciliation?.lastID }
}
