import APIClient
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// One request on its way through a `URLSession`: whoever comes first, the answer, the deadline
/// or the end of the caller's task, decides the outcome, and the others find it decided.
final class URLSessionExchange: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    private struct State: Sendable {
        var task: URLSessionDataTask?
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Sends `request` and waits for the outcome, at most `timeout`.
    func run(
        _ request: URLRequest, over session: URLSession, timeout: Duration
    ) async -> Outcome {
        await withCheckedContinuation { continuation in
            let limit = limit
            let task = session.dataTask(with: request) { data, response, error in
                self.finish(URLSessionMessage.outcome(data, response, error, limit: limit))
            }
            task.delegate = RefusingRedirects()
            let early = state.withLock { state in
                if state.outcome == nil { (state.task, state.continuation) = (task, continuation) }
                return state.outcome
            }
            if let early { return continuation.resume(returning: early) }
            task.resume()
            let nanoseconds = Int(clamping: Self.nanoseconds(timeout))
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                [weak self] in self?.end(.timedOut(mayHaveArrived: true))
            }
        }
    }

    /// Ends it with `error` unless it is decided.
    func end(_ error: TransportError) { finish(.failure(error))?.cancel() }

    /// Decides, and returns the task where it was undecided and running.
    @discardableResult
    private func finish(_ outcome: Outcome) -> URLSessionDataTask? {
        let decided = state.withLock { state -> State? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            let before = state
            (state.task, state.continuation) = (nil, nil)
            return before
        }
        decided?.continuation?.resume(returning: outcome)
        return decided?.task
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let bounded = min(max(duration, .milliseconds(1)), .seconds(365 * 86_400))
        return bounded.components.seconds * 1_000_000_000
            + bounded.components.attoseconds / 1_000_000_000
    }
}

/// Makes a redirect an answer like any other.
private final class RefusingRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
