internal import Rendering
internal import Store

extension ChangeBatch {
    /// A line for each change; first one for the gap, where there is one.
    var lines: [JSONValue] {
        let gap = hasGap ? [Self.gap(at: rows.first.map { $0.revision - 1 } ?? next)] : []
        return gap + rows.map(\.json)
    }

    /// The members of every other line, so that a reader needs no second case.
    private static func gap(at revision: Int64) -> JSONValue {
        [
            "rev": .integer(revision), "at": .null, "list": .null, "change": "gap",
            "id": .null, "title": .null, "state": .null, "op": .null,
        ]
    }
}

extension ChangeRow {
    var json: JSONValue {
        [
            "rev": .integer(revision), "at": .string(at), "list": .string(list),
            "change": .string(change.rawValue), "id": .optional(id), "title": .optional(title),
            "state": .optional(state), "op": .optional(operation),
        ]
    }
}
