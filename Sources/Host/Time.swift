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

/// A moment of the running boot: time since the machine started, time asleep included
/// (`CLOCK_BOOTTIME`), together with the id of that boot.
///
/// Two moments of different boots cannot be compared; ``elapsed(since:)`` says what is known.
public struct BootTime: Sendable, Hashable {
    /// The kernel's random id of the boot.
    public var boot: String
    /// Milliseconds since the boot.
    public var milliseconds: Int64

    /// A moment of the boot named `boot`.
    public init(boot: String, milliseconds: Int64) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    /// How much time passed at least since `earlier`. A moment of another boot lies before this
    /// boot began, so that at least the time since then has passed.
    public func elapsed(since earlier: BootTime) -> Duration {
        boot == earlier.boot
            ? .milliseconds(milliseconds - earlier.milliseconds) : .milliseconds(milliseconds)
    }

    /// Whether the moment has come; one of another boot has.
    package func hasCome(by now: BootTime) -> Bool {
        boot != now.boot || milliseconds <= now.milliseconds
    }

    /// The moment `duration` later, in the same boot; whole milliseconds, rounded up.
    public func advanced(by duration: Duration) -> BootTime {
        BootTime(boot: boot, milliseconds: milliseconds + duration.wholeMilliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, at the ends of the range where it does not fit.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let unit: Int64 = 1_000_000_000_000_000
        let rest = (attoseconds + (attoseconds > 0 ? unit - 1 : 0)) / unit
        let (sum, carried) = product.addingReportingOverflow(rest)
        return carried ? .max : sum
    }
}

/// The two clocks of a machine, read together or apart; passed in by initializer wherever time
/// matters, so that a test decides what time it is.
public protocol TimeSource: Sendable {
    /// What the clock on the wall shows.
    func wallTime() -> WallTime
    /// How long the machine has been running.
    func bootTime() -> BootTime
    /// Returns `duration` later, or sooner where the caller's task is cancelled.
    func wait(for duration: Duration) async
}
