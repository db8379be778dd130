public import APIClient
import Synchronization

/// A transport that answers from a table and keeps what it was asked.
///
/// The table's key is method, path and query; the order of the query's items does not matter, the
/// host does not either. Answers under one key are given in turn, the last one for ever. A request
/// without an answer fails with `TransportError.invalidRequest` that names it, and is
/// reported to `onUnexpected`: hand in `{ Issue.record("\($0)") }` to make the test fail.
public final class MockTransport: Transport {
    private struct Key: Hashable {
        let method: HTTPMethod
        let path: String
        let query: [String]

        init(_ method: HTTPMethod, _ target: String) {
            self.method = method
            let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            path = parts.first.map(String.init) ?? ""
            query = parts.dropFirst().first?.split(separator: "&").map(String.init).sorted() ?? []
        }
    }

    /// The answers under one key, and how many of them were given.
    private struct Row {
        var answers: [MockAnswer] = []
        var given = 0

        mutating func add(_ more: [MockAnswer]) {
            given = min(given, answers.count)
            answers += more
        }

        mutating func next() -> MockAnswer? {
            guard let last = answers.last else { return nil }
            defer { given = min(given + 1, answers.count) }
            return given < answers.count ? answers[given] : last
        }
    }

    private struct State {
        var rows: [Key: Row] = [:]
        var requests: [HTTPRequest] = []
        var watchers: [(count: Int, gate: MockGate)] = []
    }

    private let state = Mutex(State())
    private let onUnexpected: @Sendable (String) -> Void

    /// A transport with an empty table.
    public init(onUnexpected: @escaping @Sendable (String) -> Void) {
        self.onUnexpected = onUnexpected
    }

    /// Puts answers behind the ones that the table has for this method, path and query.
    public func on(_ method: HTTPMethod, _ target: String, _ answers: MockAnswer...) {
        state.withLock { $0.rows[Key(method, target), default: Row()].add(answers) }
    }

    /// Replaces the answers that the table has for this method, path and query.
    public func replace(_ method: HTTPMethod, _ target: String, _ answers: MockAnswer...) {
        state.withLock { $0.rows[Key(method, target)] = Row(answers: answers) }
    }

    /// Every request so far, in the order they came, also those without an answer.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// Waits until at least `count` requests have come; returns at once when the caller is
    /// cancelled.
    public func waitForRequests(_ count: Int) async {
        let gate = MockGate()
        state.withLock { state in
            if state.requests.count >= count {
                gate.open()
            } else {
                state.watchers.append((count, gate))
            }
        }
        _ = await gate.pass()
    }

    /// Records the request and gives the table's next answer for it.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let (answer, due) = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count
            let due = state.watchers.filter { $0.count <= count }.map(\.gate)
            state.watchers.removeAll { $0.count <= count }
            return (state.rows[Key(request.method, request.target)]?.next(), due)
        }
        due.forEach { $0.open() }
        guard let answer else {
            let name = "no answer for \(request.method.rawValue) \(request.target)"
            onUnexpected(name)
            throw .invalidRequest(name)
        }
        return try await Self.play(answer, for: request)
    }

    private static func play(
        _ answer: MockAnswer, for request: HTTPRequest
    ) async throws(TransportError) -> HTTPResponse {
        var answer = answer
        var left = request.timeout
        while true {
            switch answer {
            case .response(let response): return response
            case .failure(let error): throw error
            case .delayed(let delay, let next):
                guard delay < left else { throw .timedOut(mayHaveArrived: true) }
                left -= delay
                answer = next
            case .computed(let make): answer = make(request)
            case .held(let gate, let next):
                guard await gate.pass() else { throw .cancelled(mayHaveArrived: true) }
                answer = next
            }
        }
    }
}
