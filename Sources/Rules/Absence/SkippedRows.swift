/// Rows that were skipped: all counted, the first few named.
public struct SkippedRows: Sendable, Hashable {
    /// So many are named at most.
    public static let namedAtMost = 20

    /// All of them.
    public var count: Int64
    /// The first ones, in the order of the body, at most ``namedAtMost``.
    public var named: [SkippedRow]

    /// So many skipped rows, the first of them named.
    public init(count: Int64, named: [SkippedRow]) {
        self.count = count
        self.named = named
    }

    /// Both together.
    package func adding(_ others: SkippedRows) -> SkippedRows {
        SkippedRows(
            count: count + others.count,
            named: Array((named + others.named).prefix(Self.namedAtMost)))
    }

    /// None.
    public static let none = SkippedRows(count: 0, named: [])
}
