import APIClient

/// One request on its way to the thread, with the place where the answer is awaited.
struct CurlSubmission: Sendable {
    typealias Outcome = Result<HTTPResponse, TransportError>

    /// Unique in its transport; a cancellation names it.
    let id: UInt64
    let request: HTTPRequest
    /// Runs from the call of `send`, so the wait for a free connection counts.
    let deadline: Deadline
    let continuation: CheckedContinuation<Outcome, Never>
}
