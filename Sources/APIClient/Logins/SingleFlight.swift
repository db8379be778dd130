import Synchronization

/// Lets one caller do what several want done, while the others wait for its outcome.
///
/// The leader works in its own task, so that nothing runs that nobody waits for. Waiters are
/// resumed with the outcome; where the leader was cancelled they are told to try again, and the
/// first of them leads. A waiter that is cancelled leaves at once.
package final class SingleFlight: Sendable {
    /// What a caller finds out.
    package enum Outcome: Sendable {
        /// Somebody led and succeeded; or nobody leads any more: look again.
        case lookAgain
        /// Somebody led and failed.
        case failed(APIError)
        /// The caller's own task was cancelled.
        case cancelled
    }

    private struct State {
        var isLed = false
        var nextTicket = 0
        var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private let state = Mutex(State())

    /// A flight that nobody leads.
    package init() {}

    /// How many callers wait.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Makes the caller the leader, unless there is one. A leader must call ``land(_:)``.
    package func lead() -> Bool {
        state.withLock { state in
            defer { state.isLed = true }
            return !state.isLed
        }
    }

    /// Ends the caller's lead and tells all who wait.
    package func land(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.isLed = false
            return state.waiters
        }
        for ticket in waiters.keys.sorted() { waiters[ticket]?.resume(returning: outcome) }
    }

    /// Waits for the leader to land; returns at once without a leader.
    package func wait() async -> Outcome {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Looked at under the lock: a cancellation after this finds the waiter in the
                // table, one before it is seen here.
                let early: Outcome? = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    guard state.isLed else { return .lookAgain }
                    state.waiters[ticket] = continuation
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: ticket) }?
                .resume(returning: .cancelled)
        }
    }
}
