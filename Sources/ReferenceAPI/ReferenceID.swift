/// The id of a user or a todo: an integer, or a text as newer services of the family use.
public enum ReferenceID: Sendable, Hashable {
    case integer(Int64)
    case text(String)

    /// The integer; 0, which no row has, for a text.
    var number: Int64 {
        switch self {
        case .integer(let number): number
        case .text: 0
        }
    }
}

extension ReferenceID: CustomStringConvertible {
    /// The id as it stands in a path.
    public var description: String {
        switch self {
        case .integer(let number): String(number)
        case .text(let text): text
        }
    }
}

extension ReferenceID: Codable {
    /// Reads a JSON integer or a JSON string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // What is no integer may still be a text; a third type is the second line's error.
        if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes a JSON integer or a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        }
    }
}
