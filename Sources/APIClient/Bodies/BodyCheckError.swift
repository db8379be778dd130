/// Why a body is refused before anybody reads it as JSON. Offsets count bytes from 0.
public enum BodyCheckError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It begins with a byte order mark.
    case byteOrderMark
    /// A byte that no UTF-8 text has in this place.
    case invalidUTF8(offset: Int)
    /// A byte of value 0.
    case rawNUL(offset: Int)
    /// More objects and arrays within each other than `limit`.
    case tooDeep(limit: Int, offset: Int)
    /// A second `id` or `title` in one object: readers differ in which one they take.
    case doubledKey(String, offset: Int)
    /// A key of more than `limit` bytes.
    case longKey(limit: Int, offset: Int)
    /// A comma before a closing bracket: readers differ in whether they take it.
    case trailingComma(offset: Int)

    /// Lists of more than `limit` rows.
    case tooManyRows(limit: Int)
    /// More than 1 MiB or 1024 keys outside the rows of a list.
    case largeEnvelope

    /// The fault, and the byte where it is.
    public var description: String {
        switch self {
        case .byteOrderMark: "the body begins with a byte order mark"
        case .invalidUTF8(let offset): "the body is not UTF-8 at byte \(offset)"
        case .rawNUL(let offset): "the body holds a NUL at byte \(offset)"
        case .tooDeep(let limit, let offset):
            "the body is nested deeper than \(limit) at byte \(offset)"
        case .doubledKey(let name, let offset):
            "an object has a second \"\(name)\" at byte \(offset)"
        case .longKey(let limit, let offset):
            "a key is longer than \(limit) bytes at byte \(offset)"
        case .trailingComma(let offset):
            "a comma stands before the closing bracket at byte \(offset)"
        case .tooManyRows(let limit): "the body has more than \(limit) rows"
        case .largeEnvelope:
            "the body has more than 1 MiB or \(RowBounds.mostKeys) keys outside the rows of a list"
        }
    }

    /// What the person does about it.
    public var hint: String {
        "Check that the base URL leads to the API itself and not to another page or a proxy."
    }
}
