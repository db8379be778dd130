/// The seam between the clients and the network: one request in, one answer out.
///
/// It is not a client: it knows no API, follows no redirect, repeats no write, keeps no cookie and
/// no cache. To stand in for the network, hand a client a value of your own; `APIClientTesting` has
/// a table-driven one.
public protocol Transport: Sendable {
    /// Sends `request` once and returns the answer, whatever its status.
    ///
    /// A task that is cancelled makes it throw ``TransportError/cancelled(mayHaveArrived:)``
    /// promptly.
    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse
}

/// Why there is no answer. Every case tells whether the request may have reached the server: that
/// decides whether a write may be sent again.
public enum TransportError: Error, Sendable, Hashable {
    /// The request cannot be put on the wire (control characters in a header, a bad target).
    case invalidRequest(String)
    /// A library that the transport needs is not on this machine. Nothing was sent.
    case missingLibrary(String)
    /// Name not resolved, connection refused or not made in time. Nothing was sent.
    case cannotConnect(String)
    /// The peer could not be trusted (certificate, host name, TLS version). Nothing was sent.
    case untrusted(String)
    /// The deadline of the request passed.
    case timedOut(mayHaveArrived: Bool)
    /// The connection broke, or the framing of the answer is wrong.
    case interrupted(String, mayHaveArrived: Bool)
    /// What came back is not HTTP, or not HTTP that can be read safely.
    case notHTTP(String)
    /// The answer's body is larger than the request allows.
    case bodyTooLarge(limit: Int)
    /// The answer's header is larger than the transport allows.
    case headerTooLarge(limit: Int)
    /// The caller's task was cancelled.
    case cancelled(mayHaveArrived: Bool)

    /// Whether the server may have acted on the request. `false` only where that is certain.
    public var mayHaveArrived: Bool {
        switch self {
        case .invalidRequest, .missingLibrary, .cannotConnect, .untrusted: false
        case .timedOut(let sent), .interrupted(_, let sent), .cancelled(let sent): sent
        case .notHTTP, .bodyTooLarge, .headerTooLarge: true
        }
    }
}
