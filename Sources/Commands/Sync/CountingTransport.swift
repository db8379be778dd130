internal import APIClient
internal import Synchronization

/// The network, and how many requests went there.
final class CountingTransport: Transport {
    /// What has been counted.
    struct Counts: Sendable, Hashable {
        var requests: Int64 = 0
        /// Answers 304: nothing has changed.
        var unchanged: Int64 = 0
        /// The first read that was redirected: what was asked for, and where the server said it is.
        var redirect: Redirect?

        struct Redirect: Sendable, Hashable {
            let target: String
            let location: String
        }
    }

    private let transport: any Transport
    private let counted = Mutex(Counts())

    init(_ transport: any Transport) { self.transport = transport }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        counted.withLock { $0.requests += 1 }
        let response = try await transport.send(request)
        if response.status == 304 { counted.withLock { $0.unchanged += 1 } }
        if (301...308).contains(response.status), response.status != 304, request.method == .get,
            let location = response.value(of: "Location")
        {
            counted.withLock { counts in
                let redirect = Counts.Redirect(target: request.target, location: location)
                counts.redirect = counts.redirect ?? redirect
            }
        }
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
