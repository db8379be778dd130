/// Whose todos a cache holds.
public struct Account: Sendable, Hashable, CustomStringConvertible {
    /// The canonical base URL of the server.
    public let baseURL: String
    /// As the person wrote it; compared without case. Empty where a list names nobody.
    public let email: String

    /// An account at a server.
    public init(baseURL: String, email: String) {
        self.baseURL = baseURL
        self.email = email
    }

    /// The same server and the same e-mail without case.
    public static func == (left: Account, right: Account) -> Bool {
        left.baseURL == right.baseURL && left.email.lowercased() == right.email.lowercased()
    }

    /// Equal accounts hash alike.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(baseURL)
        hasher.combine(email.lowercased())
    }

    /// `email at baseURL`; where nobody is named, the server.
    public var description: String { email.isEmpty ? baseURL : "\(email) at \(baseURL)" }
}
