import APIClient

/// The request on its way in over one connection, of which there is one at a time; only
/// libmicrohttpd's thread touches it.
final class PendingRequest {
    enum Phase {
        case head
        case body
        /// Suspended until its latency is over.
        case delayed
    }

    /// Path and query as they came, not decoded.
    private(set) var target = ""
    var phase = Phase.head
    private var body: [UInt8] = []
    private let bodyLimit: Int

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// The next request of the connection begins.
    func begin(target: String) {
        self.target = target
        phase = .head
        body = []
    }

    /// Adds a piece. Of a body over the limit one byte too much is kept, so that the services see
    /// that it is too large; the rest is read and forgotten.
    func take(_ piece: UnsafeRawBufferPointer) {
        body += piece.prefix(bodyLimit + 1 - body.count)
    }

    /// The whole request, as the services look at it.
    func request(method: HTTPMethod, fields: [HTTPField], origin: Origin) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: origin, target: target, fields: fields,
            body: body.isEmpty ? nil : body, timeout: .zero, maxBodyBytes: 0)
    }
}
