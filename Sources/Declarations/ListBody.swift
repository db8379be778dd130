package import Text

/// What a list that is read by `POST` is asked with.
public struct ListBody: Sendable, Hashable {
    /// JSON without white space between its parts.
    public let text: String

    /// The body `node`, as a declaration has it.
    init(_ node: JSONNode) { text = node.compact }

    /// As a declaration says it.
    var json: JSONNode? { try? JSONReader.read(Array(text.utf8)) }

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
