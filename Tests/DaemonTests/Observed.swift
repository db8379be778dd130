import Synchronization

/// A value that tests wait on instead of on the clock.
final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        let isMet: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(State(value: value)) }

    var value: Value { state.withLock { $0.value } }

    func change(_ body: (inout Value) -> Void) {
        let (value, met) = state.withLock { state in
            body(&state.value)
            let value = state.value
            let met = state.waiters.filter { $0.isMet(value) }
            state.waiters.removeAll { $0.isMet(value) }
            return (value, met)
        }
        for waiter in met { waiter.continuation.resume(returning: value) }
    }

    /// Waits until the value is as wanted; the suite's time limit ends a wait in vain.
    @discardableResult
    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async -> Value {
        await withCheckedContinuation { continuation in
            let now: Value? = state.withLock { state in
                if isMet(state.value) { return state.value }
                state.waiters.append(Waiter(isMet: isMet, continuation: continuation))
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
    }
}
