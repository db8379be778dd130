/// What TMDB knows its users by.
public enum MoviesCredential: Sendable, Hashable, CustomStringConvertible {
    /// A v4 read token, sent in a header: it stays out of URLs and logs.
    case bearer(String)
    /// A v3 key, sent in the query.
    case apiKey(String)

    /// Which kind it is; never the secret.
    public var description: String {
        switch self {
        case .bearer: "a read token"
        case .apiKey: "an API key"
        }
    }

    /// The secret, whichever kind it is.
    package var secret: String {
        switch self {
        case .bearer(let secret), .apiKey(let secret): secret
        }
    }
}
