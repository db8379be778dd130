internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc

/// The signals that a daemon answers to.
public enum Signal: Sendable, Hashable, CaseIterable {
    /// SIGTERM: end in good order.
    case terminate
    /// SIGINT: the same, from a terminal.
    case interrupt
    /// SIGHUP: read the configuration again.
    case hangUp
    /// SIGUSR1: sync now.
    case syncNow

    /// The kernel's number.
    public var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        case .syncNow: SIGUSR1
        }
    }
}

/// Signals as events on a queue instead of interrupts.
///
/// ``block(_:)`` comes first in `main`, before any thread is made: threads inherit the mask, and a
/// signal that comes before the handler stands waits in the kernel. ``parkMainThread()`` comes last.
/// Source: signalfd(2).
public final class Signals: Sendable {
    private let source: DescriptorSource

    /// Blocks `signals` in the calling thread and in all threads made by it from now on.
    public static func block(_ signals: [Signal]) {
        var set = mask(of: signals)
        // It fails only for a way of changing the mask that does not exist.
        _ = pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Puts the main thread to sleep for good. Signals that are blocked now stay blocked. It is the
    /// last line of a daemon's `main`, in the place of `dispatchMain()`.
    ///
    /// On Linux `dispatchMain()` waits with an empty signal mask (`sigsuspend` in libdispatch), so that
    /// a blocked SIGTERM reaches the main thread and ends the process (measured with Swift 6.3.1).
    /// Nothing runs on the main queue and the main actor after this.
    public static func parkMainThread() -> Never {
        var current = sigset_t()
        // It fails only for a way of changing the mask that does not exist.
        _ = pthread_sigmask(SIG_BLOCK, nil, &current)
        while true { sigsuspend(&current) }
    }

    /// Ignores SIGPIPE and SIGXFSZ: a write to a closed pipe or over the limit of file sizes is then
    /// an error of that write and does not end the process.
    public static func ignoreWriteSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Tells `handler` of each of `signals` that comes. Several of one kind that come before the
    /// first is told are told once.
    ///
    /// - Parameters:
    ///   - signals: Blocked before, by ``block(_:)``.
    ///   - queue: Where `handler` runs.
    ///   - handler: Called once for each signal, in the order of their numbers.
    /// - Throws: ``SystemError`` when no descriptor is left.
    public init(
        _ signals: [Signal], on queue: DispatchQueue, handler: @escaping @Sendable (Signal) -> Void
    ) throws(SystemError) {
        var set = Self.mask(of: signals)
        let opened = signalfd(-1, &set, Int32(SFD_NONBLOCK) | Int32(SFD_CLOEXEC))
        guard opened >= 0 else { throw .last("signalfd") }
        source = DescriptorSource(owning: opened, on: queue) {
            for signal in Self.pending(in: opened) { handler(signal) }
        }
    }

    /// Whether one of `signals` has come, which are blocked, and nobody was told of it: the queue on which
    /// that would be done may be at work.
    ///
    /// Source: sigpending(2).
    public static func isPending(_ signals: [Signal]) -> Bool {
        var set = sigset_t()
        guard sigpending(&set) == 0 else { return false }
        return signals.contains { sigismember(&set, $0.number) == 1 }
    }

    /// Ends it; the signals stay blocked.
    public func cancel() { source.cancel() }

    private static func pending(in descriptor: Int32) -> [Signal] {
        let bytes = readAvailable(descriptor)
        let size = MemoryLayout<signalfd_siginfo>.size
        return stride(from: 0, to: bytes.count, by: size).compactMap { offset in
            let number = bytes.withUnsafeBytes {
                // The signal's number is the record's first field.
                $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            }
            return Signal.allCases.first { UInt32($0.number) == number }
        }
    }

    private static func mask(of signals: [Signal]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal.number) }
        return set
    }
}
