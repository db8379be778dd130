import APIClient
import Foundation
import FoundationNetworking

/// The way back: tells a session what became of one of its requests.
///
/// Sendable: nothing of it changes, and Foundation lets the client of a protocol be told from any
/// thread: it goes on to the session's own queue.
struct MockReply: @unchecked Sendable {
    private let loader: URLProtocol

    init(to loader: URLProtocol) { self.loader = loader }

    /// Tells it; once.
    func give(_ outcome: MockOrder.Outcome) {
        switch outcome {
        case .failure(.notHTTP): answer(MockMessage.foreignResponse(to: loader.request), body: [])
        case .failure(let error): fail(error)
        case .success(let response):
            answer(MockMessage.response(response, to: loader.request), body: response.body)
        }
    }

    private func answer(_ response: URLResponse?, body: [UInt8]) {
        guard let response else { return fail(.notHTTP("the URL cannot be answered")) }
        let client = loader.client
        client?.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
        if !body.isEmpty { client?.urlProtocol(loader, didLoad: Data(body)) }
        client?.urlProtocolDidFinishLoading(loader)
    }

    private func fail(_ error: TransportError) {
        loader.client?.urlProtocol(loader, didFailWithError: MockMessage.error(error))
    }
}
