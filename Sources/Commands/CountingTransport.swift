internal import APIClient
internal import Synchronization

/// The network, and how many requests went there.
final class CountingTransport: Transport {
    /// What has been counted.
    struct Counts: Sendable, Hashable {
        var requests: Int64 = 0
        /// Answers 304: nothing has changed.
        var unchanged: Int64 = 0
    }

    private let transport: any Transport
    private let counted = Mutex(Counts())

    init(_ transport: any Transport) { self.transport = transport }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        counted.withLock { $0.requests += 1 }
        let response = try await transport.send(request)
        if response.status == 304 { counted.withLock { $0.unchanged += 1 } }
        return response
    }

    /// The counts since the last call.
    func take() -> Counts {
        counted.withLock { counts in
            defer { counts = Counts() }
            return counts
        }
    }
}
