internal import Declarations
internal import SQLite
internal import Tables

/// Columns about whose type the declaration is wrong.
extension CacheStore {
    /// Looks at the types of the staged rows, for the status row of this cycle. A list that is as the table was judged
    /// before.
    func judgeTypes(of table: ListTable) throws {
        let name = table.declaration.name
        let isJudged = try connection.count(
            "SELECT EXISTS (SELECT 1 FROM sync_state WHERE list = ? AND mistaken IS NOT NULL)",
            .text(name.text))
        guard try isJudged == 0 || connection.count(table.hasDifferingRows) > 0 else { return }
        mistaken[name] = try connection.mistakes(table.typesOfStaged, of: table)
    }
}

extension Connection {
    /// The mistakes that the rows of the `statement` show, as the cache keeps them.
    func mistakes(_ statement: String, of table: ListTable) throws -> String {
        let columns = table.declaration.columns.filter { $0.field != nil }
        let mistakes = try first(statement) { row in
            columns.enumerated().compactMap { index, column -> ColumnMistake? in
                guard row.integer(index * 3) > 0, row.integer(index * 3 + 1) == 0,
                    let type = column.field?.type
                else { return nil }
                return ColumnMistake(
                    column: column.name, type: type, found: row.text(index * 3 + 2))
            }
        }
        return (mistakes ?? []).map(\.line).joined(separator: "\n")
    }
}
