/// A server's name for one version of a document: `"abc"`, or `W/"abc"` when it is weak.
///
/// Source: RFC 9110 §8.8.3.
public struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// Whether equal tags mean equal meaning only, not equal bytes.
    public let isWeak: Bool
    /// What stands between the quotes; only the server knows what it means.
    public let opaque: String

    /// The longest opaque part kept, in bytes.
    public static let maxBytes = 1024

    /// Reads one tag; `nil` for a list, `*`, an unquoted text, characters outside printable ASCII
    /// and more than 1 KiB. Such a tag, sent back, could say more than "this version".
    public init?(_ text: String) {
        let isWeak = text.utf8.starts(with: "W/".utf8)
        let quoted = Array(text.utf8.dropFirst(isWeak ? 2 : 0))
        guard quoted.count >= 2, quoted.count <= Self.maxBytes + 2,
            quoted.first == UInt8(ascii: "\""), quoted.last == UInt8(ascii: "\"")
        else { return nil }
        let inner = quoted[1..<quoted.count - 1]
        guard inner.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") }) else {
            return nil
        }
        self.isWeak = isWeak
        opaque = String(decoding: inner, as: UTF8.self)
    }

    /// As it stands in a header.
    public var description: String { (isWeak ? "W/" : "") + "\"" + opaque + "\"" }
}
