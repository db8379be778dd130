/// The place of an operation in the outbox; grows with each one queued.
public struct OperationSequence: RawRepresentable, Sendable, Hashable, Comparable,
    CustomStringConvertible
{
    /// The number in the database.
    public let rawValue: Int64

    /// The place with the number `rawValue`.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Queued earlier first.
    public static func < (left: OperationSequence, right: OperationSequence) -> Bool {
        left.rawValue < right.rawValue
    }

    /// The number.
    public var description: String { String(rawValue) }
}
