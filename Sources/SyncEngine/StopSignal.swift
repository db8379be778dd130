internal import Synchronization

/// Asks cycles that are under way to start no further request; what is in flight goes on.
public final class StopSignal: Sendable {
    private let flag = Atomic(false)

    /// A signal that is not given.
    public init() {}

    /// Gives the signal, for good.
    public func stop() { flag.store(true, ordering: .relaxed) }

    /// Whether it was given.
    public var isStopping: Bool { flag.load(ordering: .relaxed) }
}
