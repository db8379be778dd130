import APIClient
import Synchronization

/// One request on its way through a ``MockNetwork``; it can be given up at any moment.
final class MockOrder: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    private enum Phase: Sendable {
        case waiting
        case running(Task<Void, Never>)
        case over
    }

    private let request: HTTPRequest
    private let finish: @Sendable (Outcome) -> Void
    private let phase = Mutex(Phase.waiting)

    /// `finish` is called with the outcome, at most once, and not after ``cancel()``.
    init(_ request: HTTPRequest, finish: @escaping @Sendable (Outcome) -> Void) {
        self.request = request
        self.finish = finish
    }

    /// Asks `transport`, in a task that inherits from the caller's.
    func begin(over transport: any Transport) {
        phase.withLock { phase in
            guard case .waiting = phase else { return }
            phase = .running(Task { await run(over: transport) })
        }
    }

    /// Nobody waits for the outcome any more.
    func cancel() {
        let phase = phase.withLock { phase in
            defer { phase = .over }
            return phase
        }
        if case .running(let task) = phase { task.cancel() }
    }

    private func run(over transport: any Transport) async {
        let outcome: Outcome
        do throws(TransportError) {
            outcome = .success(try await transport.send(request))
        } catch {
            outcome = .failure(error)
        }
        let isWanted = phase.withLock { phase in
            defer { phase = .over }
            if case .over = phase { return false }
            return true
        }
        if isWanted { finish(outcome) }
    }
}
