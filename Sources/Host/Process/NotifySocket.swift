internal import CLinux
internal import Glibc
internal import Text

/// Tells the service manager how the service is.
///
/// Source: sd_notify(3). Without `$NOTIFY_SOCKET` there is nobody to tell, and every message is
/// dropped. A send waits at most a second for the manager.
public final class NotifySocket: Sendable {
    /// A message to the service manager.
    public enum Message: Sendable, Hashable {
        /// The service is up, or has read its configuration again.
        case ready
        /// What it is doing, in a line for people; foreign text is escaped here.
        case status(String)
        /// It has begun to end.
        case stopping
        /// It has begun to read its configuration again; the time is added here.
        case reloading
        /// The loop is alive.
        case watchdog
        /// Starting, reloading or ending goes on, and may take so long from now.
        case extendTimeout(Duration)

        fileprivate var text: String {
            switch self {
            case .ready: return "READY=1"
            case .status(let line): return "STATUS=\(ForeignText(line))"
            case .stopping: return "STOPPING=1"
            case .watchdog: return "WATCHDOG=1"
            case .extendTimeout(let duration):
                // Whole milliseconds, rounded up: nobody counts more exactly here.
                return "EXTEND_TIMEOUT_USEC=\(max(1, duration.wholeMilliseconds))000"
            case .reloading:
                var now = timespec()
                // This clock always exists: the call cannot fail.
                _ = clock_gettime(CLOCK_MONOTONIC, &now)
                let microseconds = now.tv_sec * 1_000_000 + now.tv_nsec / 1000
                return "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
            }
        }
    }

    /// How often the manager wants to hear ``Message/watchdog``; ping at half of it. `nil` when it
    /// does not watch this process.
    public let watchdogInterval: Duration?
    /// Whether there is a manager to tell.
    public var isHeard: Bool { name != nil }
    private let name: [UInt8]?
    private let socket: Descriptor?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID` of `environment`.
    ///
    /// A socket is a path or, with a leading `@`, an abstract name; another kind is dropped.
    public init(environment: [String: String]) {
        let text = environment["NOTIFY_SOCKET", default: ""]
        if text.hasPrefix("/") || text.hasPrefix("@") {
            name = Array(text.utf8)
            socket = Self.open()
        } else {
            name = nil
            socket = nil
        }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Sends `messages` as one.
    ///
    /// - Parameter messages: In this order.
    /// - Throws: ``SystemError`` when the manager did not take it.
    public func send(_ messages: Message...) throws(SystemError) {
        guard let name else { return }
        guard let number = descriptor else {
            throw SystemError(operation: "socket", code: EMFILE)
        }
        let text = messages.map(\.text).joined(separator: "\n")
        let code = name.withUnsafeBytes { name in
            Array(text.utf8).withUnsafeBytes { bytes in
                syncd_send_datagram(
                    number, name.bindMemory(to: CChar.self).baseAddress, name.count,
                    bytes.baseAddress, bytes.count)
            }
        }
        guard code == 0 else { throw SystemError(operation: "sendto", code: code) }
    }

    private var descriptor: Int32? {
        switch socket {
        case .some(let socket): socket.number
        case .none: nil
        }
    }

    private static func open() -> Descriptor? {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let opened = Glibc.socket(AF_UNIX, kind, 0)
        guard opened >= 0 else { return nil }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        // Where the limit cannot be set, a send waits as long as the manager needs.
        _ = setsockopt(
            opened, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return Descriptor(opened)
    }
}
