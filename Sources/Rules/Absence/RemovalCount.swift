/// Rows of the cache that a pull would take away.
public struct RemovalCount: Sendable, Hashable {
    /// Rows that could be missed: pulled before, without a pending delete.
    public let counted: Int64
    /// Those of them that the pull does not hold.
    public let missing: Int64
    /// The pull holds no row at all.
    public let isListEmpty: Bool

    /// A count of both.
    public init(counted: Int64, missing: Int64, isListEmpty: Bool = false) {
        self.counted = counted
        self.missing = missing
        self.isListEmpty = isListEmpty
    }
}
