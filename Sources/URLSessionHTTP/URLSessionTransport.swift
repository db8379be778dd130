public import APIClient
import Foundation
public import FoundationNetworking

/// A `Transport` over a `URLSession` that the caller hands in: for programs that embed the
/// client, and for tests that stand in for the network with a `URLProtocol`.
///
/// `syncd` itself does not use it. On Linux `URLSession` (measured with 6.3.1)
/// - traps on an answer with valid chunked trailers, on a connection that is closed in mid-header,
///   on a `Content-Length` of 2⁶³−1, and on some cancellations;
/// - has no deadline for the whole exchange, only one between two bytes, so this transport runs
///   its own beside it;
/// - waits for a credential, and for ever, when an answer with 401 holds a Basic challenge: such an
///   answer comes out as `TransportError.timedOut`;
/// - follows redirects with the `Authorization` field unless told not to, which this one does for
///   every task it makes;
/// - sends a DELETE a second time by itself when a kept-alive connection ends under it, and waits for
///   ever where that happens to a POST;
/// - undoes up to five content and transfer codings on top of each other, asked for or not, before
///   anybody can refuse them: a few kilobytes can keep it unpacking for minutes, also after the
///   deadline;
/// - reads proxies from the environment, and with the `.default` configuration stores cookies in
///   the home directory: hand in an `.ephemeral` one with `httpCookieStorage` and `urlCache` nil.
///
/// It takes a body whole before it looks at the limit. Where it matters that a write is sent only
/// once, use `CurlTransport`.
public struct URLSessionTransport: Transport {
    private let session: URLSession

    /// A transport over `session`; its configuration, its `URLProtocol` classes and its end stay
    /// with the caller.
    public init(session: URLSession) {
        self.session = session
    }

    /// Sends `request` and returns the answer, whatever its status; a redirect is an answer.
    ///
    /// Every failure after the connection is made counts as one that may have arrived, because
    /// `URLSession` does not tell.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        try request.validate()
        guard !Task.isCancelled else { throw .cancelled(mayHaveArrived: false) }
        let exchange = URLSessionExchange(limit: request.maxBodyBytes)
        let urlRequest = try URLSessionMessage.urlRequest(request)
        let outcome = await withTaskCancellationHandler {
            await exchange.run(urlRequest, over: session, timeout: request.timeout)
        } onCancel: {
            exchange.end(.cancelled(mayHaveArrived: true))
        }
        return try outcome.get()
    }
}
