internal import SQLite
package import Store
package import Tables
internal import Text

/// Reads changes of a list's rows as a person gives them: as an id and `COLUMN=VALUE`, or as one JSON object a
/// line, which has the id, too.
package struct GivenChanges {
    private let values: GivenValues
    private let id: String

    package init(_ table: ListTable) {
        values = GivenValues(table, for: .change)
        id = table.idName
    }

    /// The change of the row `id` by words such as `title=milk`.
    package func change(of id: Int64, _ words: [String]) throws(CommandError) -> RowToChange {
        RowToChange(place: nil, id: id, values: try values.values(words))
    }

    /// The changes of lines such as `{"_id": 7, "title": "milk"}`.
    package func changes(_ lines: [String]) throws(CommandError) -> [RowToChange] {
        var changes: [RowToChange] = []
        for (index, line) in lines.enumerated() {
            changes.append(try change(line, at: "line \(index + 1)"))
        }
        return changes
    }

    private func change(_ line: String, at place: String) throws(CommandError) -> RowToChange {
        let members = try values.members(of: line, at: place)
        guard let named = members.first(where: { $0.key == id }) else {
            throw .data(
                "\(place): \(id) is missing: it says which row is changed", hint: values.hint)
        }
        guard let number = named.node.wholeNumber, number > 0 else {
            throw .data(
                "\(place): \(id): expected a whole number from 1, found \(named.node.kind)",
                hint: values.hint)
        }
        let given = try values.values(members.filter { $0.key != id }, at: place)
        guard !given.isEmpty else {
            throw .data("\(place): there is no value to change", hint: values.hint)
        }
        return RowToChange(place: place, id: number, values: given)
    }
}
