internal import SQLite
package import Store
package import Tables

/// Reads new rows of a list as a person gives them: as `COLUMN=VALUE`, or as one JSON object a line.
///
/// What is wrong is told before anything is written, and with its place. The table's own rules come after
/// that.
package struct GivenRows {
    private let values: GivenValues

    package init(_ table: ListTable) { values = GivenValues(table, for: .newRow) }

    /// The row of words such as `title=milk`.
    package func row(_ words: [String]) throws(CommandError) -> RowToAdd {
        row(try values.values(words), at: nil)
    }

    /// The rows of lines such as `{"title": "milk"}`.
    package func rows(_ lines: [String]) throws(CommandError) -> [RowToAdd] {
        var rows: [RowToAdd] = []
        for (index, line) in lines.enumerated() {
            let name = "line \(index + 1)"
            let members = try values.members(of: line, at: name)
            rows.append(row(try values.values(members, at: name), at: name))
        }
        return rows
    }

    private func row(_ given: [Int: Value], at place: String?) -> RowToAdd {
        RowToAdd(place: place, values: values.columns.indices.map { given[$0] ?? .null })
    }
}
