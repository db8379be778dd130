/// A todo as the server shows it. Fields that are not listed here are passed over.
public struct Todo: Sendable, Hashable, Codable {
    /// `nil` for a todo that no server has seen; what a client call returns always has one.
    public var id: ServerID?
    /// Any text; a server may have altered what was sent.
    public var title: String

    /// A todo; without an id it encodes as `{"title": …}`.
    public init(id: ServerID? = nil, title: String) {
        self.id = id
        self.title = title
    }
}
