import Glibc

/// The moment a request must be over, on the clock that also counts time asleep
/// (`CLOCK_BOOTTIME`), so that a write is not sent after a night in suspend.
struct Deadline: Sendable, Hashable, Comparable {
    private let nanoseconds: Int64

    /// `duration` from now; at least a millisecond and at most a year, so that no value overflows.
    init(after duration: Duration) {
        let allowed = min(max(duration, .milliseconds(1)), .seconds(365 * 86_400))
        nanoseconds =
            Self.now() + allowed.components.seconds * 1_000_000_000
            + allowed.components.attoseconds / 1_000_000_000
    }

    /// Whether it has come.
    var isPast: Bool { nanoseconds <= Self.now() }

    /// Milliseconds until then, rounded up, as `poll(2)` takes them.
    var remainingMilliseconds: CInt {
        CInt(clamping: max(0, (nanoseconds - Self.now() + 999_999) / 1_000_000))
    }

    static func < (left: Deadline, right: Deadline) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
