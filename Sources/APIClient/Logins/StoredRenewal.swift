/// A token that renews others, as it is kept between runs.
public struct StoredRenewal: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The description of the ``BaseURL`` of the server.
    public var baseURL: String
    /// The token that a person gave, and from which the others come.
    public var origin: String
    /// The newest one.
    public var current: String
    /// The one that it has replaced, until it has renewed a token itself.
    public var previous: String?
    /// Whether the answer to a renewal may be lost, and with it a newer token.
    public var isAnswerLost = false

    /// As a person gave it.
    public init(baseURL: String, origin: String) {
        self.baseURL = baseURL
        self.origin = origin
        current = origin
    }

    /// Where it is for; never a token.
    public var description: String { "a token that renews others at \(baseURL)" }

    /// The tokens that may renew others, the newest first.
    var tokens: [String] { [current] + [previous].compactMap(\.self) }
}
