internal import APIClient
internal import Declarations
internal import Text

/// A way to read one row of a list alone, below the path of the list.
package struct RowCandidate: Sendable {
    /// The path of the first row below the base URL.
    package let list: String
    /// The path of a declaration; nil: the one that is meant where none is written.
    private let path: String?
    private let shown: String
    private let id: String
    private let draft: ListDraft

    /// The ways to the first row of a list, the surest first: by its id, or by a number that people see.
    package static func all(_ draft: ListDraft) -> [RowCandidate] {
        guard let row = draft.rows.rows.first, let id = draft.id(of: row) else { return [] }
        let whole = SeenPath(draft.list).path
        let isJSON = whole.hasSuffix(".json")
        let below = isJSON ? String(whole.dropLast(5)) : whole
        let start = below.hasSuffix("/") ? below : below + "/"
        let end = isJSON ? ".json" : below.hasSuffix("/") ? "/" : ""
        guard !start.contains(where: { "{}".contains($0) }) else { return [] }
        let numbers = ["number", "iid"].compactMap { name -> (String, String)? in
            guard draft.hasColumn(name), let number = row.node(at: [name])?.wholeNumber else {
                return nil
            }
            return (name, "\(number)")
        }
        return ([("id", id)] + numbers).map { name, value in
            let path = "\(start){\(name)}\(end)"
            return RowCandidate(
                list: start + PercentEncoding.encoded(value) + end,
                path: name == "id" && end.isEmpty ? nil : path, shown: path, id: id, draft: draft)
        }
    }

    /// What is proposed if the answer is that row, alone or in one member.
    package func judge(_ answer: SeenList) -> FoundRead? {
        let places = [[]] + (answer.body.members ?? []).map { [$0.key] }
        for names in places {
            guard let row = answer.body.node(at: names), row.members != nil,
                draft.id(of: row) == id,
                let place = JSONPath.checked(names.map { .member($0) })
            else { continue }
            let value: JSONNode =
                path == nil && names.isEmpty
                ? .bool(true)
                : .object([
                    ("path", path.map { .text($0) }),
                    ("row", names.isEmpty ? nil : .text(place.description)),
                ])
            return FoundRead(
                value: value, sentence: "\(shown) shows the row with the id \(id) alone")
        }
        return nil
    }
}
