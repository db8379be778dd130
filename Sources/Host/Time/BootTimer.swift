internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc
internal import Synchronization

/// One timer on the boot clock: time asleep counts, and setting the wall clock changes nothing.
///
/// Source: timerfd_create(2) with `CLOCK_BOOTTIME`. Unarmed, it costs no wake-up.
public final class BootTimer: Sendable {
    private let descriptor: Int32
    private let source: DescriptorSource
    private let boot: String
    /// The descriptor's number may belong to somebody else once the timer has ended.
    private let isEnded = Mutex(false)

    /// A timer that is not armed yet.
    ///
    /// - Parameters:
    ///   - queue: Where `handler` runs.
    ///   - time: Tells which boot is running.
    ///   - handler: Called once each time an armed moment comes. A moment that was replaced or
    ///     disarmed just as it came may still be told: look at the clock.
    /// - Throws: ``SystemError`` when no descriptor is left.
    public init(
        on queue: DispatchQueue, time: any TimeSource, handler: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let opened = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
        guard opened >= 0 else { throw .last("timerfd_create") }
        descriptor = opened
        boot = time.bootTime().boot
        source = DescriptorSource(owning: opened, on: queue) {
            if !readAvailable(opened).isEmpty { handler() }
        }
    }

    /// Sets the one moment at which the handler is called, in the place of an earlier one. A moment
    /// that has passed, or of another boot, comes at once.
    public func arm(at moment: BootTime) {
        // Zero would disarm it.
        let milliseconds = moment.boot == boot ? max(1, moment.milliseconds) : 1
        set(milliseconds: milliseconds)
    }

    /// Forgets the moment that was set.
    public func disarm() { set(milliseconds: 0) }

    /// Ends the timer; the handler is not called any more, but for a call that may be running.
    public func cancel() {
        isEnded.withLock { $0 = true }
        source.cancel()
    }

    private func set(milliseconds: Int64) {
        var moment = itimerspec()
        moment.it_value.tv_sec = Int(milliseconds / 1000)
        moment.it_value.tv_nsec = Int(milliseconds % 1000) * 1_000_000
        isEnded.withLock { isEnded in
            guard !isEnded else { return }
            // It fails only for a descriptor that is no timer or a value that is no time.
            _ = timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &moment, nil)
        }
    }
}
