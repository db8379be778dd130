internal import Text

/// A moment of the machine's clock on the wall, in milliseconds since 1970-01-01T00:00:00Z.
///
/// For people to read, never for a decision about data: the clock can be set.
public struct WallTime: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970, leap seconds not counted.
    public var milliseconds: Int64

    /// A moment so many milliseconds after 1970.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Earlier first.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension WallTime: CustomStringConvertible {
    /// `YYYY-MM-DDTHH:MM:SS.sssZ`, as in the cache's views; at the ends of the years 0 to 9999 for
    /// moments outside them, so that the text always sorts like the time.
    public var description: String { HumanTime.iso(milliseconds) }
}
