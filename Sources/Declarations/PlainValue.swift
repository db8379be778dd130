package import Text

/// A value of JSON that is neither a list nor an object, as a declaration compares it.
public enum PlainValue: Sendable, Hashable {
    /// A string.
    case text(String)
    /// A whole number within 64 bits.
    case number(Int64)
    /// `true` or `false`.
    case bool(Bool)
    /// `null`.
    case null

    /// Nil for a list, an object, and a number that is not whole.
    package init?(_ node: JSONNode) {
        switch node.value {
        case .text(let text): self = .text(text)
        case .bool(let value): self = .bool(value)
        case .number(let text):
            guard let number = Int64(text), String(number) == text else { return nil }
            self = .number(number)
        case .null: self = .null
        case .list, .object: return nil
        }
    }

    /// As JSON has it.
    var text: String { json.compact }

    /// As a declaration has it.
    package var json: JSONNode {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): JSONNode(.number("\(number)"))
        case .bool(let value): .bool(value)
        case .null: JSONNode(.null)
        }
    }
}
