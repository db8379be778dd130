package import Host
import Synchronization

/// Two clocks that stand still until a test moves them.
package final class VirtualTime: TimeSource {
    private struct Clocks {
        var wall: Int64
        var boot: Int64
        var boots: Int
    }

    private let clocks: Mutex<Clocks>

    /// Clocks that show the given milliseconds; the first boot is named `boot-1`.
    package init(wall: Int64 = 1_800_000_000_000, boot: Int64 = 3_600_000) {
        clocks = Mutex(Clocks(wall: wall, boot: boot, boots: 1))
    }

    package func wallTime() -> WallTime {
        clocks.withLock { WallTime(milliseconds: $0.wall) }
    }

    package func bootTime() -> BootTime {
        clocks.withLock { BootTime(boot: "boot-\($0.boots)", milliseconds: $0.boot) }
    }

    /// Moves both clocks on.
    package func advance(by duration: Duration) {
        clocks.withLock {
            $0.wall += duration.wholeMilliseconds
            $0.boot += duration.wholeMilliseconds
        }
    }

    /// Moves both clocks on to `moment`; does nothing where it has passed, or is of another boot.
    package func advance(to moment: BootTime) {
        let now = bootTime()
        guard now.boot == moment.boot, moment.milliseconds > now.milliseconds else { return }
        advance(by: .milliseconds(moment.milliseconds - now.milliseconds))
    }

    /// Nobody waits in tests: the clocks move on.
    package func wait(for duration: Duration) async { advance(by: duration) }

    /// Sets the clock on the wall, as an administrator would.
    package func stepWall(by duration: Duration) {
        clocks.withLock { $0.wall += duration.wholeMilliseconds }
    }

    /// Restarts the machine: a new boot, whose clock begins again.
    package func reboot() {
        clocks.withLock {
            $0.boots += 1
            $0.boot = 20_000
            $0.wall += 60_000
        }
    }
}
