import Synchronization

/// A delay without a clock: what waits at it goes on when the test opens it.
public final class MockGate: Sendable {
    private struct State {
        var isOpen = false
        var nextTicket = 0
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A closed gate.
    public init() {}

    /// Lets everybody through, now and later. Opening it again does nothing.
    public func open() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.isOpen = true
            return state.waiters
        }
        for ticket in waiters.keys.sorted() { waiters[ticket]?.resume(returning: true) }
    }

    /// Waits for the gate to open; `false` where the caller was cancelled first.
    public func pass() async -> Bool {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Under the lock, so that neither an opening nor a cancellation is missed.
                let early: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.isOpen { return true }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: false)
        }
    }
}
