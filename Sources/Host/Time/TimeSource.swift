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
