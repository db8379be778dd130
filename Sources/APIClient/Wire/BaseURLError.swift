/// Why a text is no ``BaseURL``. It never holds the text, which may contain a password.
public enum BaseURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing is written.
    case empty
    /// It does not begin with `http://` or `https://`.
    case notHTTP
    /// A name or password stands before the host.
    case userInfo
    /// A `?` is in it.
    case query
    /// A `#` is in it.
    case fragment
    /// No host, or one that no name or address can be.
    case host
    /// The host has letters outside ASCII.
    case nonASCIIHost
    /// The port is no number from 1 to 65535.
    case port
    /// The path has characters that must be percent-encoded, an empty segment, or dots as one.
    case path

    /// What is wrong with the address.
    public var description: String {
        switch self {
        case .empty: "the base URL is empty"
        case .notHTTP: "the base URL does not begin with http:// or https://"
        case .userInfo: "the base URL holds a user name or password"
        case .query: "the base URL holds a query (?)"
        case .fragment: "the base URL holds a fragment (#)"
        case .host: "the host of the base URL is missing or not valid"
        case .nonASCIIHost: "the host of the base URL is not written in ASCII"
        case .port: "the port of the base URL is not a number from 1 to 65535"
        case .path: "the path of the base URL is not valid"
        }
    }

    /// What the person does about it.
    public var hint: String {
        switch self {
        case .empty, .notHTTP: "Write the address like https://example.com/api."
        case .userInfo: "Remove the name and the password; they have settings of their own."
        case .query, .fragment: "Write only scheme, host, port and path."
        case .host: "Write a host name or an IP address after the scheme."
        case .nonASCIIHost: "Write the host in its punycode form (xn--…)."
        case .port: "Write the port after the host like :8080, or leave it out."
        case .path: "Percent-encode the path, and remove empty segments and dots."
        }
    }
}
