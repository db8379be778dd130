package import Text

/// What a list that is read by `POST` is asked with.
public struct ListBody: Sendable, Hashable {
    /// JSON without white space between its parts.
    public let text: String

    /// The body `node`, as a declaration has it.
    init(_ node: JSONNode) { text = node.compact }

    /// As a declaration says it.
    var json: JSONNode? { try? JSONReader.read(Array(text.utf8)) }

    /// What tells the list from others that are asked for at the same path.
    ///
    /// A query in GraphQL is no part of it: a column more changes it. What chooses the rows can stand beside it.
    package var identity: String {
        guard let members = json?.members else { return text }
        let others = members.filter { member in
            guard member.key == "query", case .text(let query) = member.node.value else {
                return true
            }
            return !query.contains("{")
        }
        return JSONNode.object(others.map { ($0.key, $0.node) }).compact
    }

    /// The body with `values` in their places; members that it lacks are added.
    package func bytes(
        setting values: [(path: JSONPath, value: JSONNode)]
    ) -> [UInt8] {
        guard !values.isEmpty, let body = json else { return Array(text.utf8) }
        let filled = values.reduce(body) { body, place in
            body.setting((place.path.names ?? [])[...], to: place.value)
        }
        return Array(filled.compact.utf8)
    }
}
