/// A secret in memory. Whatever prints it shows a mask; only ``revealed`` tells it.
public struct Secret: Sendable, Hashable {
    /// The secret itself, for the one place that sends it.
    public let revealed: String

    /// Wraps a secret.
    public init(_ revealed: String) { self.revealed = revealed }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What is shown in a secret's place, of one length for all.
    public static let mask = "********"

    /// The mask.
    public var description: String { Self.mask }
    /// The mask.
    public var debugDescription: String { Self.mask }
    /// Nothing, so that `dump` finds nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
