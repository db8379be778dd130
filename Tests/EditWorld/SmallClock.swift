import Host
import SyncEngine

/// The clocks of a run; the machine can begin anew.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class SmallClock: TimeSource, @unchecked Sendable {
    private unowned let run: SmallRun

    init(_ run: SmallRun) { self.run = run }

    func wallTime() -> WallTime { WallTime(milliseconds: 1_800_000_000_000 + run.now) }

    func bootTime() -> BootTime {
        run.look()
        return BootTime(boot: "boot \(run.boots)", milliseconds: run.now - run.bootedAt + 10_000)
    }

    func wait(for duration: Duration) async { run.pass(duration.wholeMilliseconds) }
}
