/// A token together with the account it is for, as it is kept between runs.
public struct StoredToken: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The description of a ``BaseURL``.
    public var baseURL: String
    /// Compared without case.
    public var email: String
    /// As the server gave it.
    public var token: String

    /// A token of `email` at the server at `baseURL`.
    public init(baseURL: String, email: String, token: String) {
        self.baseURL = baseURL
        self.email = email
        self.token = token
    }

    /// Whose token it is; never the token.
    public var description: String { "a token of \(email) at \(baseURL)" }

    /// Whether the token is for this account.
    public func belongs(to email: String, at baseURL: BaseURL) -> Bool {
        self.baseURL == baseURL.description && self.email.lowercased() == email.lowercased()
    }
}
