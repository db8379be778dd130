import APIClient
import Foundation
import FoundationNetworking

/// What `URLSession` makes for each request of a ``MockNetwork``: hands the request over, and gives
/// it up when the session does. Each network has a class of its own, named by its number.
final class MockURLProtocol<Network: MockNumeral>: URLProtocol {
    private var order: MockOrder?

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let reply = MockReply(to: self)
        let message: HTTPRequest
        do throws(TransportError) {
            message = try MockMessage.request(request)
        } catch {
            return reply.give(.failure(error))
        }
        let order = MockOrder(message) { reply.give($0) }
        self.order = order
        if !MockNetwork.take(order, for: Network.value) {
            reply.give(.failure(.cannotConnect("the mock network of \(message) has ended")))
        }
    }

    override func stopLoading() {
        order?.cancel()
        order = nil
    }
}
