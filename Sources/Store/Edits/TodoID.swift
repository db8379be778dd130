/// The local id of a todo: stable for the row's life, never used again.
public struct TodoID: RawRepresentable, Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number in the database.
    public let rawValue: Int64

    /// The id with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Older first.
    public static func < (left: TodoID, right: TodoID) -> Bool { left.rawValue < right.rawValue }

    /// The number.
    public var description: String { String(rawValue) }
}
