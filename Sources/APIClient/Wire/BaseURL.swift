/// The address of an API: an origin, and the path that stands before the path of every call.
///
/// Canonical: scheme and host in lower case, no trailing slash, so that two spellings of one
/// address are equal and the description can be stored and compared.
/// Source: RFC 3986 §3, §6.2.2.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The only place a secret goes to.
    public let origin: Origin
    /// Empty or like `/3`: percent-encoded, without a trailing slash.
    public let path: String

    init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
    }

    /// Reads an address as a person writes it; trailing slashes are dropped.
    ///
    /// - Throws: ``BaseURLError`` for everything that is no plain http or https address. The error
    ///   never repeats the text, which may hold a password.
    public init(_ text: String) throws(BaseURLError) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            bytes[colon...].starts(with: "://".utf8),
            let scheme = Origin.webScheme(bytes[..<colon])
        else { throw .notHTTP }
        let rest = bytes[(colon + 3)...]
        if rest.contains(UInt8(ascii: "#")) { throw .fragment }
        if rest.contains(UInt8(ascii: "?")) { throw .query }
        let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        origin = try Origin(scheme: scheme, authority: rest[..<slash])
        path = try Self.canonicalPath(rest[slash...])
    }

    /// `https://host/3`: no trailing slash, no userinfo, no query, no fragment.
    public var description: String { origin.description + path }

    /// `http://localhost:8080`, where the todos service runs on a developer's machine.
    public static let localhost = BaseURL(
        origin: Origin(scheme: "http", host: "localhost", port: 8080), path: "")

    /// `https://api.themoviedb.org/3`, the movies of TMDB.
    public static let tmdb = BaseURL(
        origin: Origin(scheme: "https", host: "api.themoviedb.org", port: 443), path: "/3")

    private static func canonicalPath(_ bytes: ArraySlice<UInt8>) throws(BaseURLError) -> String {
        var end = bytes.endIndex
        while end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
        let kept = bytes[..<end]
        guard PercentEncoding.isPath(kept) else { throw .path }
        let segments = kept.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for segment in segments.dropFirst() {
            let plain = PercentEncoding.decoded(segment)
            let dots = plain.allSatisfy { $0 == UInt8(ascii: ".") } && plain.count <= 2
            guard !dots else { throw .path }
        }
        return PercentEncoding.upperHex(kept)
    }
}
