import APIClient
import CLinux
import Glibc
import Synchronization

/// Where tasks leave requests and cancellations for the thread, and how they wake it.
///
/// The thread is started by the first request. All that both sides touch stands in one `Mutex`;
/// the wake-up descriptor is written and closed under it, so that nobody writes to a number that
/// means another file by then.
final class CurlMailbox: Sendable {
    /// What lies in the box between two visits of the thread.
    struct Mail: Sendable {
        var submissions: [CurlSubmission] = []
        var cancelled: [UInt64] = []
        var resumed: [UInt64] = []
        var isClosing = false
    }

    private enum Thread {
        case notStarted
        case running(wake: CInt)
        case ended
    }

    private struct State {
        var thread = Thread.notStarted
        var mail = Mail()
        var lastID: UInt64 = 0
        var awaitingEnd: [CheckedContinuation<Void, Never>] = []
    }

    private let settings: CurlSettings
    private let library: String
    private let state = Mutex(State())

    init(settings: CurlSettings, library: String) {
        self.settings = settings
        self.library = library
    }

    // MARK: The tasks' side

    /// A number for a request that is about to be submitted.
    func nextID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Hands a request over; its continuation is resumed exactly once, whatever happens.
    func submit(_ submission: CurlSubmission) {
        let refusal: TransportError? = state.withLock { state in
            switch state.thread {
            case .ended: return .cancelled(mayHaveArrived: false)
            case .running: break
            case .notStarted:
                guard
                    let wake = CurlThread.start(
                        mailbox: self, settings: settings, library: library)
                else {
                    return .cannotConnect("no thread or descriptor is left for the network")
                }
                state.thread = .running(wake: wake)
            }
            state.mail.submissions.append(submission)
            Self.ring(state.thread)
            return nil
        }
        if let refusal { submission.continuation.resume(returning: .failure(refusal)) }
    }

    /// Asks for the end of a request; one that is over or unknown is ignored.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            guard case .running = state.thread else { return }
            state.mail.cancelled.append(id)
            Self.ring(state.thread)
        }
    }

    /// Lets a request that rests go on; one that is over or unknown is ignored.
    func resume(_ id: UInt64) {
        state.withLock { state in
            guard case .running = state.thread else { return }
            state.mail.resumed.append(id)
            Self.ring(state.thread)
        }
    }

    /// Asks the thread to end; `continuation` is resumed when it has.
    func close(resuming continuation: CheckedContinuation<Void, Never>?) {
        let isOver = state.withLock { state in
            switch state.thread {
            case .ended: return true
            case .notStarted:
                state.thread = .ended
                return true
            case .running:
                state.mail.isClosing = true
                if let continuation { state.awaitingEnd.append(continuation) }
                Self.ring(state.thread)
                return false
            }
        }
        if isOver { continuation?.resume() }
    }

    // MARK: The thread's side

    /// Empties the box and forgets the wake-ups so far.
    func collect() -> Mail {
        state.withLock { state in
            if case .running(let wake) = state.thread {
                var count: UInt64 = 0
                // The descriptor does not block; nothing to read is no error.
                _ = read(wake, &count, MemoryLayout.size(ofValue: count))
            }
            let mail = state.mail
            state.mail.submissions = []
            state.mail.cancelled = []
            state.mail.resumed = []
            return mail
        }
    }

    /// Whether the end of a request is asked for in mail that was not collected yet: the thread
    /// looks while libcurl keeps it busy with that request.
    func isAskedToEnd(_ id: UInt64) -> Bool {
        state.withLock { $0.mail.isClosing || $0.mail.cancelled.contains(id) }
    }

    /// The thread's last word. A request that came too late gets `failure`. After an end that was
    /// not asked for, the next request starts a thread again.
    func threadEnded(failure: TransportError) {
        let (late, awaiting) = state.withLock { state in
            let late = state.mail.submissions
            let awaiting = state.awaitingEnd
            if case .running(let wake) = state.thread { Glibc.close(wake) }
            state.thread = state.mail.isClosing ? .ended : .notStarted
            state.mail = Mail()
            state.awaitingEnd = []
            return (late, awaiting)
        }
        for submission in late { submission.continuation.resume(returning: .failure(failure)) }
        for continuation in awaiting { continuation.resume() }
    }

    private static func ring(_ thread: Thread) {
        guard case .running(let wake) = thread else { return }
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the thread is awake.
        _ = write(wake, &one, MemoryLayout.size(ofValue: one))
    }
}
