internal import Declarations
internal import Text

/// A field of the rows that names rows of another list.
struct FoundReference: Sendable, Hashable {
    let list: ListName
    /// How many rows have it.
    let count: Int
    /// Whether ids that are numbers stand in texts.
    let isText: Bool

    /// Nil where any value is none of their ids, and where the name of the field says nothing of an id: a small number is
    /// the id of some row nearly everywhere.
    static func find(
        in rows: [JSONNode], _ column: FoundColumns.Column, of neighbours: [NeighbourList]
    ) -> FoundReference? {
        guard column.type == .integer || column.type == .text, let names = column.path.names,
            let last = names.last
        else { return nil }
        let values = rows.compactMap { $0.node(at: names) }.compactMap(FoundID.text)
        guard !values.isEmpty else { return nil }
        let fitting = neighbours.filter { neighbour in
            values.allSatisfy { neighbour.ids.contains($0) }
        }
        let named = ReferenceName(last)
        let list =
            fitting.first { named.isAbout($0.name) }
            ?? (named.isID && fitting.count == 1 ? fitting.first : nil)
        guard let list else { return nil }
        return FoundReference(
            list: list.name, count: values.count,
            isText: column.type == .text && values.contains { Int64($0) != nil })
    }

    /// The column of a declaration.
    func column(at path: JSONPath) -> JSONNode {
        .object([
            ("row", .text("\(path)")), ("of", .text(list.text)),
            ("text", isText ? .bool(true) : nil),
        ])
    }

    func evidence(at path: JSONPath) -> String {
        let values = count == 1 ? "its one value is an id" : "all \(count) values are ids"
        return "a row of \(list), \(path): \(values) of \(list) here"
    }
}
