public import Host

/// Where wakes come from: the kernel's events in the product, a script in a test.
///
/// Events of files and of the network are further sources of the same form, handed to
/// ``SyncDaemon`` beside the signals.
public protocol WakeSource: Sendable {
    /// Calls `wake` for each event from now on, on any queue; several events may become one.
    ///
    /// - Throws: ``SystemError`` when the kernel gives no source.
    func begin(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError)

    /// Tells nothing any more, but for a call that may be running.
    func end()
}

/// The daemon's one timer.
public protocol Ticker: WakeSource {
    /// Sets the one moment at which ``Wake/moment`` is told, in the place of an earlier one.
    func arm(at moment: BootTime)

    /// Forgets the moment that was set.
    func disarm()
}
