internal import Host
internal import Synchronization

/// Asks the service manager for more time while a full cache is brought to a new schema, or a long table to
/// another declaration.
///
/// Without it, a start or a reload that takes longer than `TimeoutStartSec=` would be ended in the middle, and
/// the next one, too.
final class LongStart: Sendable {
    /// How much longer each message asks for, and how seldom one is sent.
    private static let extent = Duration.seconds(60)
    private static let pause = Duration.seconds(5)

    private let notify: NotifySocket
    private let time: any TimeSource
    private let log: Log
    private let toldAt = Mutex<BootTime?>(nil)

    init(_ notify: NotifySocket, time: any TimeSource, log: Log) {
        self.notify = notify
        self.time = time
        self.log = log
    }

    /// The work on the schema goes on.
    func goOn() {
        let now = time.bootTime()
        let isFirst = toldAt.withLock { told -> Bool? in
            if let told, now.elapsed(since: told) < Self.pause { return nil }
            defer { told = now }
            return told == nil
        }
        guard let isFirst else { return }
        if isFirst { log(.info, "bringing the cache to this version and its declarations") }
        do throws(SystemError) {
            try notify.send(
                .extendTimeout(Self.extent),
                .status("bringing the cache to this version and its declarations"))
        } catch {
            log(.debug, "the service manager was not told: \(error.description)")
        }
    }
}
