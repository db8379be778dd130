internal import Text

/// What holds for each row of the table: a row that a list shows, and for which it does not hold, is out of the list
/// and alive.
///
/// Many servers keep what a person has deleted, closed or archived, and show it with a mark.
public struct RowCondition: Sendable, Hashable {
    /// One of the values stands at a place. `null` and `false` are alike there, and a row without the place has `null`.
    public struct Part: Sendable, Hashable {
        /// The place in the row.
        public let path: JSONPath
        /// The values that may stand there; never empty.
        public let values: [PlainValue]
    }

    /// All of them hold; never empty.
    public let parts: [Part]

    static let mostParts = 8
    static let mostValues = 16

    /// As a declaration has it.
    var json: JSONNode {
        .object(
            parts.map { part in
                let values = part.values.map(\.json)
                return (
                    part.path.description, values.count == 1 ? values[0] : JSONNode(.list(values))
                )
            })
    }

    /// In the words of a sentence.
    var words: String {
        parts.map { part in
            let values = part.values.map { $0.json.excerpt }
            return "\(part.path) is \(DeclarationReader.choice(values))"
        }.joined(separator: " and ")
    }
}

extension DeclarationReader {
    /// `{"$.deleted": false}`, or `{"$.state": ["open", "waiting"]}`; nil where every row is one of the table.
    mutating func condition(_ place: Place) -> RowCondition? {
        guard let node = place.node else { return nil }
        let allowed =
            "an object of at most \(RowCondition.mostParts) paths, such as {\"$.deleted\": false}"
        guard case .object(let members) = node.value, !members.isEmpty,
            members.count <= RowCondition.mostParts
        else {
            refuse(place, allowed: allowed)
            return nil
        }
        let parts = members.compactMap { member -> RowCondition.Part? in
            let inner = Place(
                name: "\(place.name).\(member.key.start(80))", offset: member.offset,
                node: member.node)
            guard let path = path(member.key, of: inner), let values = plainValues(inner) else {
                return nil
            }
            return .init(path: path, values: values)
        }
        return parts.count == members.count ? RowCondition(parts: parts) : nil
    }

    /// A value, or a list of them; nil where it is neither, which is noted.
    private mutating func plainValues(_ place: Place) -> [PlainValue]? {
        let nodes: [JSONNode]
        switch place.node?.value {
        case .list(let items): nodes = items
        default: nodes = [place.node].compactMap { $0 }
        }
        let values = nodes.compactMap { PlainValue($0) }
        guard !values.isEmpty, values.count == nodes.count,
            values.count <= RowCondition.mostValues
        else {
            refuse(
                place,
                allowed: "a text, a whole number, true, false, null, or a list of at most"
                    + " \(RowCondition.mostValues) of them")
            return nil
        }
        return values
    }
}
