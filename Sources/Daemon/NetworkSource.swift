@preconcurrency public import Dispatch
public import Host
internal import Synchronization

/// Tells when an address or a route appears on the machine, between ``begin(_:)`` and ``end()``.
///
/// Without it the daemon still works: it tries again when its backoff ends.
public final class NetworkSource: WakeSource {
    private let queue: DispatchQueue
    private let watch = Mutex<NetworkWatch?>(nil)

    /// A source that tells on `queue`.
    public init(on queue: DispatchQueue) {
        self.queue = queue
    }

    /// Listens, also again after ``end()``.
    public func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) {
        let made = try NetworkWatch(on: queue) { wake(.networkUp) }
        watch.withLock { $0 = made }
    }

    /// Closes the socket: no event of the network wakes the process any more.
    public func end() {
        let ended = watch.withLock { watch in
            defer { watch = nil }
            return watch
        }
        ended?.cancel()
    }
}
