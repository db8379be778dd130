@preconcurrency public import Dispatch
public import Host
internal import Synchronization

/// The signals of a daemon as wakes. They were blocked before, first thing in `main`.
public final class SignalSource: WakeSource {
    private let queue: DispatchQueue
    private let signals = Mutex<Signals?>(nil)

    /// A source that tells signals on `queue`.
    public init(on queue: DispatchQueue) {
        self.queue = queue
    }

    /// Listens to SIGTERM, SIGINT, SIGHUP and SIGUSR1; one that came before is told at once.
    public func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) {
        let made = try Signals(Signal.allCases, on: queue) { wake(Self.wake(for: $0)) }
        signals.withLock { $0 = made }
    }

    /// Ends it; the signals stay blocked.
    public func end() { signals.withLock { $0 }?.cancel() }

    /// What `signal` asks for.
    package static func wake(for signal: Signal) -> Wake {
        switch signal {
        case .terminate, .interrupt: .stop
        case .hangUp: .reload
        case .syncNow: .syncNow
        }
    }
}
