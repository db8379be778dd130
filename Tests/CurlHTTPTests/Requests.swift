import APIClient
import CurlHTTP
import HostileHTTP

/// A transport with settings that suit a test.
func makeTransport(
    connectTimeout: Duration = .seconds(10), proxy: String? = nil, caFile: String? = nil,
    connections: Int = 4
) -> CurlTransport {
    CurlTransport(
        CurlSettings(
            connectTimeout: connectTimeout, proxy: proxy, caFile: caFile,
            maxConnectionsPerHost: connections))
}

extension HTTPRequest {
    /// A request to a port of this machine.
    static func to(
        _ port: Int, _ method: HTTPMethod = .get, _ target: String = "/",
        scheme: String = "http", host: String = "127.0.0.1", fields: [HTTPField] = [],
        body: String? = nil, timeout: Duration = .seconds(20), maxBodyBytes: Int = 1_000_000
    ) -> HTTPRequest {
        HTTPRequest(
            method: method, origin: Origin(scheme: scheme, host: host, port: port),
            target: target, fields: fields, body: body.map { Array($0.utf8) }, timeout: timeout,
            maxBodyBytes: maxBodyBytes)
    }
}

extension CurlTransport {
    /// The outcome as a value, so that a test can compare the whole of it.
    func outcome(_ request: HTTPRequest) async -> Result<HTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }

    /// The error, or nil for an answer.
    func failure(_ request: HTTPRequest) async -> TransportError? {
        switch await outcome(request) {
        case .success: nil
        case .failure(let error): error
        }
    }

    /// The error at the deadline of a request that came to `server`. One that a busy machine could
    /// not send in its time is no such request: the next has twice the time.
    func failureOnceSent(
        _ request: HTTPRequest, to server: HostileServer
    ) async -> TransportError? {
        var request = request
        while true {
            let error = await failure(request)
            guard error.kind == "cannotConnect", server.count == 0 else { return error }
            request.timeout = request.timeout * 2
        }
    }
}

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension TransportError? {
    /// The kind of error without its words, to compare where the words are libcurl's.
    var kind: String {
        switch self {
        case nil: "none"
        case .invalidRequest: "invalidRequest"
        case .missingLibrary: "missingLibrary"
        case .cannotConnect: "cannotConnect"
        case .untrusted: "untrusted"
        case .timedOut(let sent): sent ? "timedOut, sent" : "timedOut"
        case .interrupted(_, let sent): sent ? "interrupted, sent" : "interrupted"
        case .notHTTP: "notHTTP"
        case .bodyTooLarge(let limit): "bodyTooLarge \(limit)"
        case .headerTooLarge(let limit): "headerTooLarge \(limit)"
        case .cancelled(let sent): sent ? "cancelled, sent" : "cancelled"
        }
    }
}
