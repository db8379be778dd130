import Host

/// The one time of a run, in milliseconds since its start; every machine's clocks go with it.
final class WorldClock {
    private(set) var now: Int64 = 0

    func advance(by milliseconds: Int64) { now += max(0, milliseconds) }

    /// What a server's clock shows, in seconds since 1970.
    var seconds: Int64 { 1_800_000_000 + now / 1000 }
}

@available(*, unavailable) extension WorldClock: Sendable {}

/// The two clocks of one machine.
///
/// `@unchecked Sendable`: a run has one serial executor, and everything of it happens there.
final class DeviceClock: TimeSource, @unchecked Sendable {
    private let world: WorldClock
    private let name: String
    private var boots = 1
    private var bootedAt: Int64
    private var wallOffset: Int64 = 1_800_000_000_000

    init(_ world: WorldClock, name: String) {
        self.world = world
        self.name = name
        bootedAt = world.now - 3_600_000
    }

    func wallTime() -> WallTime { WallTime(milliseconds: world.now + wallOffset) }

    func bootTime() -> BootTime {
        BootTime(boot: "\(name)-\(boots)", milliseconds: world.now - bootedAt)
    }

    func wait(for duration: Duration) async { world.advance(by: duration.wholeMilliseconds) }

    /// An administrator sets the clock on the wall.
    func stepWall(bySeconds seconds: Int64) { wallOffset += seconds * 1000 }

    /// A new boot, 20 s old when syncd starts.
    func reboot() {
        boots += 1
        bootedAt = world.now
        world.advance(by: 20_000)
    }

    /// The time of the run at `moment`, nil where that is of another boot.
    func worldTime(of moment: BootTime) -> Int64? {
        moment.boot == bootTime().boot ? moment.milliseconds + bootedAt : nil
    }
}
