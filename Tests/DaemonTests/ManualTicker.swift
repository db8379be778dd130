import Daemon
import Host
import Synchronization

/// A ticker whose moments come when the test says so.
final class ManualTicker: Ticker {
    let armed = Observed<BootTime?>(nil)
    private let wakes = ManualWakes()

    func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) {
        try wakes.begin(wake)
    }

    func arm(at moment: BootTime) { armed.change { $0 = moment } }

    func disarm() { armed.change { $0 = nil } }

    func end() { wakes.end() }

    func fire() { wakes.send(.moment) }
}

/// A source that tells what the test says.
final class ManualWakes: WakeSource {
    private let wake = Mutex<(@Sendable (Wake) -> Void)?>(nil)
    private let isStopSent = Mutex(false)
    private let failure: SystemError?

    /// A source that begins, or fails to.
    init(failing failure: SystemError? = nil) { self.failure = failure }

    var isListenedTo: Bool { wake.withLock { $0 != nil } }

    func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) {
        if let failure { throw failure }
        self.wake.withLock { $0 = wake }
    }

    func end() { wake.withLock { $0 = nil } }

    /// Whether the daemon was asked to stop.
    var hasSentStop: Bool { isStopSent.withLock { $0 } }

    func send(_ event: Wake) {
        if event == .stop { isStopSent.withLock { $0 = true } }
        wake.withLock { $0 }?(event)
    }
}
