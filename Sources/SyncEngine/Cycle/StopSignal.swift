internal import Synchronization

/// Asks cycles that are under way to start no further request; what is in flight goes on.
public final class StopSignal: Sendable {
    private let flag = Atomic(false)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// A signal that is not given.
    public init() {}

    /// Gives the signal, for good.
    public func stop() {
        flag.store(true, ordering: .relaxed)
        action.withLock { $0 }?()
    }

    /// Calls `action` when the signal is given, in the place of what was to be called before.
    func whenStopped(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
        if isStopping { action() }
    }

    /// Whether it was given.
    public var isStopping: Bool { flag.load(ordering: .relaxed) }
}
