/// A row's id at a server, kept as text whether the server writes a number or a text.
///
/// Decodes from a JSON integer that fits `Int64` or a JSON text of 1 to 200 bytes other than `.`
/// and `..`, which a path would swallow.
public struct ServerID: Sendable, Hashable, CustomStringConvertible, Codable {
    /// As the server wrote it, without quotes.
    public let text: String

    /// An id, or `nil` where the text is empty, over 200 bytes, `.` or `..`.
    public init?(_ text: String) {
        guard (1...200).contains(text.utf8.count), text != ".", text != ".." else { return nil }
        self.text = text
    }

    /// A numeric id.
    public init(_ number: Int64) {
        text = String(number)
    }

    /// The text itself; show it escaped, it is the server's.
    public var description: String { text }

    /// The id as one path segment: everything but letters, digits, `-._~` percent-encoded.
    public var percentEncoded: String { PercentEncoding.encoded(text) }

    /// Reads an integer or a text; anything else is a `DecodingError` at its coding path.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A number is tried first. If it is not a number, it may still be a text.
        if let number = try? container.decode(Int64.self) {
            self.init(number)
            return
        }
        let expected = DecodingError.Context(
            codingPath: container.codingPath,
            debugDescription: "expected an integer or a text of 1 to 200 bytes")
        // Whatever else stands here is named by the context above, not by the decoder's message.
        guard let text = try? container.decode(String.self), let id = ServerID(text) else {
            throw DecodingError.typeMismatch(ServerID.self, expected)
        }
        self = id
    }

    /// Writes an integer where the text is one in its usual spelling, a text elsewhere.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let number = Int64(text), String(number) == text {
            try container.encode(number)
        } else {
            try container.encode(text)
        }
    }
}
