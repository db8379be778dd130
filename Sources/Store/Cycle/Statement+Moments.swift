internal import Host
internal import SQLite

extension Statement {
    /// The columns `index` (boot) and `index + 1` (milliseconds); nil where either is NULL.
    func bootTime(_ index: Int) -> BootTime? {
        guard !isNull(index), !isNull(index + 1) else { return nil }
        return BootTime(
            boot: text(index), milliseconds: integer(index + 1).within(0...Self.longest))
    }

    /// The column `index`, milliseconds since 1970; nil where it is NULL.
    func wallTime(_ index: Int) -> WallTime? {
        integerOrNil(index).map {
            WallTime(milliseconds: $0.within(-Self.longest...Self.longest))
        }
    }

    /// More milliseconds than any clock tells. Another program can have written any number, and the
    /// difference of two must not trap.
    private static let longest: Int64 = 1 << 53
}

extension Int64 {
    /// The nearest number of `range`.
    func within(_ range: ClosedRange<Int64>) -> Int64 {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
