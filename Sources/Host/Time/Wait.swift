@preconcurrency public import Dispatch
internal import Synchronization

/// Waits for `duration` on a timer of `queue`, or until the task is cancelled, whichever is first.
///
/// For short waits inside a cycle: it counts the time in which the machine is awake
/// (`CLOCK_MONOTONIC`), and starts no thread of the global executor, as `Task.sleep` would. A wait
/// until a due time is a ``BootTimer``.
///
/// - Parameters:
///   - duration: Zero or less does not wait, but gives way to other work once.
///   - queue: Where the timer fires; it must not be blocked.
/// - Throws: `CancellationError`, at once, when the task is cancelled before the time has passed.
public func wait(
    for duration: Duration, on queue: DispatchQueue
) async throws(CancellationError) {
    let wait = Wait()
    await withTaskCancellationHandler {
        await withCheckedContinuation { wait.start($0, for: duration, on: queue) }
    } onCancel: {
        wait.finish()
    }
    guard !Task.isCancelled else { throw CancellationError() }
}

/// One wait: its continuation is resumed once, by the timer or by the cancellation.
private final class Wait: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>, any DispatchSourceTimer)
        case finished
    }

    private let state = Mutex(State.idle)

    func start(
        _ continuation: CheckedContinuation<Void, Never>, for duration: Duration,
        on queue: DispatchQueue
    ) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(clamping: max(0, duration.wholeMilliseconds))
        timer.schedule(deadline: .now() + .milliseconds(milliseconds))
        timer.setEventHandler(handler: DispatchWorkItem { [self] in finish() })
        let isCancelled = state.withLock { state in
            guard case .idle = state else { return true }
            state = .waiting(continuation, timer)
            return false
        }
        // A source that was never activated may not be released.
        timer.activate()
        guard isCancelled else { return }
        timer.cancel()
        continuation.resume()
    }

    func finish() {
        let before = state.withLock { state in
            defer { state = .finished }
            return state
        }
        guard case .waiting(let continuation, let timer) = before else { return }
        timer.cancel()
        continuation.resume()
    }
}
