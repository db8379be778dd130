@preconcurrency public import Dispatch
public import Host
internal import Synchronization

/// The ticker of the product: a timer on the boot clock, where time asleep counts.
public final class BootTicker: Ticker {
    private let queue: DispatchQueue
    private let time: any TimeSource
    private let timer = Mutex<BootTimer?>(nil)

    /// A ticker that tells its moments on `queue`.
    public init(on queue: DispatchQueue, time: any TimeSource) {
        self.queue = queue
        self.time = time
    }

    /// Makes the timer, unarmed.
    public func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) {
        let made = try BootTimer(on: queue, time: time) { wake(.moment) }
        timer.withLock { $0 = made }
    }

    /// Sets the moment; before ``begin(_:)`` it is lost.
    public func arm(at moment: BootTime) { timer.withLock { $0 }?.arm(at: moment) }

    /// Forgets the moment.
    public func disarm() { timer.withLock { $0 }?.disarm() }

    /// Ends the timer.
    public func end() { timer.withLock { $0 }?.cancel() }
}
