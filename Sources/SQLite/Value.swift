/// A value of one of SQLite's five storage classes.
///
/// Source: https://www.sqlite.org/datatype3.html
public enum Value: Sendable, Hashable {
    /// NULL.
    case null
    /// A signed number of up to 64 bits.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// UTF-8.
    case text(String)
    /// Bytes as they are; an empty blob is not NULL.
    case blob([UInt8])

    /// A text, or NULL for nil.
    public static func text(_ text: String?) -> Value { text.map(Value.text) ?? .null }

    /// An integer, or NULL for nil.
    public static func integer(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }

    /// An integer of Swift's own width, which fits always.
    public static func integer(_ number: Int) -> Value { .integer(Int64(number)) }

    /// 1 or 0.
    public static func flag(_ flag: Bool) -> Value { .integer(flag ? 1 : 0) }
}
