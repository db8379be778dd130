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
