import Foundation
import FoundationNetworking

/// The network of these tests: a `URLProtocol` that answers by path, as users of the client
/// library write one.
final class AnsweringProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func stopLoading() {}

    override func startLoading() {
        guard let url = request.url else { return }
        switch url.path {
        case "/down": client?.urlProtocol(self, didFailWithError: URLError(.cannotConnectToHost))
        case "/broken":
            client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
        case "/not-http":
            let answer = URLResponse(
                url: url, mimeType: nil, expectedContentLength: 2, textEncodingName: nil)
            client?.urlProtocol(self, didReceive: answer, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("[]".utf8))
            client?.urlProtocolDidFinishLoading(self)
        default: answer(url)
        }
    }

    /// Answers with the status that the path names, and the request as the body.
    private func answer(_ url: URL) {
        guard
            let answer = HTTPURLResponse(
                url: url, statusCode: Int(url.lastPathComponent) ?? 200, httpVersion: "HTTP/1.1",
                headerFields: ["ETag": "\"a\""])
        else { return }
        client?.urlProtocol(self, didReceive: answer, cacheStoragePolicy: .notAllowed)
        let fields = request.allHTTPHeaderFields ?? [:]
        let text = "\(request.httpMethod ?? "") \(url.query ?? "") \(fields["X-One"] ?? "")"
        client?.urlProtocol(self, didLoad: Data(text.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
}
