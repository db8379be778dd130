/// A JSON value to be written: what a command prints under `--json`.
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Written in the shortest form that reads back as the same number; NaN and the infinities,
    /// which JSON does not know, as `null`.
    case double(Double)
    case string(String)
    case array([JSONValue])
    /// Members in the order they are written; the caller sees to it that no name comes twice.
    case object([Member])
    /// JSON text that is known to be one valid value (it passed the body check or `json_valid`).
    /// White space outside its strings is left out, so that it stays on one line.
    case raw([UInt8])

    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// Any text; escaped when it is written.
        public var name: String
        /// Any value.
        public var value: JSONValue

        /// A member of an object.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The string, or `null` for nil.
    public static func optional(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }

    /// The integer, or `null` for nil.
    public static func optional(_ integer: Int64?) -> JSONValue {
        integer.map(JSONValue.integer) ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral text: String) { self = .string(text) }
    /// An integer.
    public init(integerLiteral integer: Int64) { self = .integer(integer) }
    /// `true` or `false`.
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object; the members keep their order.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}
