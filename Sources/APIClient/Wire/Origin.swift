/// Scheme, host and port: where a secret may go (RFC 6454 §4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// Lower case; an IPv6 literal keeps its brackets.
    public let host: String
    /// Always set, also when it is the scheme's default.
    public let port: Int

    /// An origin from parts that are canonical already; ``BaseURL`` makes them so.
    public init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    /// `https://host`, with the port only where it is not the scheme's default.
    public var description: String {
        let standard = scheme == "https" ? 443 : 80
        return port == standard ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// Whether the host is this machine by its name or address: `localhost`, 127.0.0.0/8, `[::1]`.
    public var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
