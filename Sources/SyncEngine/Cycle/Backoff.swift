internal import Host

/// How long to wait after so many failures in a row: exponential backoff with full jitter.
///
/// Law: `0 ≤ delay(n) ≤ min(cap, base × 2^(n−1))`, every value as likely as the others, so that
/// clients that failed together do not come back together.
public struct Backoff: Sendable, Hashable {
    /// The ceiling after the first failure.
    public var base: Duration
    /// The ceiling after many.
    public var cap: Duration

    /// Ceilings that double from `base` to `cap`.
    public init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = cap
    }

    /// From 1 s to 15 min.
    public static let standard = Backoff(base: .seconds(1), cap: .seconds(900))

    /// The longest delay after `failures` in a row; zero for none.
    public func ceiling(afterFailures failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        var ceiling = base
        var doublings = failures - 1
        // Stops at the cap, long before it could overflow, however many failures there were.
        while doublings > 0, ceiling > .zero, ceiling < cap {
            ceiling *= 2
            doublings -= 1
        }
        return min(ceiling, cap)
    }

    /// A delay drawn for `failures` in a row, at least what the server asked for.
    public func delay(
        afterFailures failures: Int, serverAsks: Duration?, random: any RandomSource
    ) -> Duration {
        let ceiling = ceiling(afterFailures: failures).wholeMilliseconds
        let drawn = Duration.milliseconds(random.number(upTo: ceiling))
        return max(drawn, serverAsks ?? .zero)
    }
}
