/// Where a request says which page it wants.
public enum PageParameter: Sendable, Hashable, CustomStringConvertible {
    /// In this parameter of the query.
    case query(String)
    /// In this member of the body, which a list that is read by `POST` has.
    case body(JSONPath)

    /// As a declaration says it.
    public var description: String {
        switch self {
        case .query(let name): name
        case .body(let path): "body \(path)"
        }
    }

    /// Its place in the body.
    public var path: JSONPath? { if case .body(let path) = self { path } else { nil } }
}
