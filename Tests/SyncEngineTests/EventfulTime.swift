import Host
import Synchronization
import TestSupport

/// A clock at one of whose readings something happens. The second one of a cycle comes after its opening,
/// before its replay.
final class EventfulTime: TimeSource {
    private let time: VirtualTime
    private let eventful: Int
    private let count = Mutex(0)
    private let event: @Sendable () -> Void

    init(_ time: VirtualTime, at reading: Int, event: @escaping @Sendable () -> Void) {
        self.time = time
        eventful = reading
        self.event = event
    }

    /// How often somebody has asked how long the machine has been running.
    var readings: Int { count.withLock { $0 } }

    func wallTime() -> WallTime { time.wallTime() }

    func wait(for duration: Duration) async { await time.wait(for: duration) }

    func bootTime() -> BootTime {
        let reading = count.withLock { count in
            count += 1
            return count
        }
        if reading == eventful { event() }
        return time.bootTime()
    }
}
