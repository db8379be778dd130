/// An account of the todos service.
public struct User: Sendable, Hashable, Codable {
    /// The server's key of the account.
    public var id: ServerID
    /// What the account logs in with.
    public var email: String
    /// What the account is called.
    public var name: String

    /// An account.
    public init(id: ServerID, email: String, name: String) {
        self.id = id
        self.email = email
        self.name = name
    }
}
