import APIClient
import Foundation
import FoundationNetworking

/// The two messages between our types and Foundation's: pure.
enum URLSessionMessage {
    /// The request for `URLSession`.
    static func urlRequest(_ request: HTTPRequest) throws(TransportError) -> URLRequest {
        guard let url = URL(string: request.url) else {
            throw .invalidRequest("the URL cannot be read")
        }
        // URLSession's timeout is one between two bytes, and below a second it becomes a
        // millisecond; the whole deadline is kept by the exchange.
        let seconds = Double(max(1, min(request.timeout.components.seconds, 86_400)) + 1)
        var urlRequest = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: seconds)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpShouldHandleCookies = false
        urlRequest.httpBody = request.body.map { Data($0) }
        for field in request.fields {
            urlRequest.addValue(field.value, forHTTPHeaderField: field.name)
        }
        // It would ask for every encoding that its libcurl was built with.
        urlRequest.setValue("gzip", forHTTPHeaderField: "Accept-Encoding")
        return urlRequest
    }

    /// The answer as ours. Foundation keeps fields in a dictionary, so they are put into the order
    /// of their names, and `Content-Encoding: gzip`, which it has undone, is taken off.
    static func outcome(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, limit: Int
    ) -> Result<HTTPResponse, TransportError> {
        if let error { return .failure(failure(error)) }
        guard let response = response as? HTTPURLResponse else {
            return .failure(.notHTTP("the answer is not HTTP"))
        }
        let body = data ?? Data()
        guard body.count <= limit else { return .failure(.bodyTooLarge(limit: limit)) }
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).map { HTTPField($0, "\(value)") }
        }.sorted { $0.name < $1.name }
        let encodings = ["gzip", "x-gzip"]
        let isUnpacked = fields.contains { field in
            field.isNamed("content-encoding")
                && encodings.contains { HTTPField.isSame($0, field.value) }
        }
        let unpacked = fields.filter {
            !$0.isNamed("content-encoding") && !$0.isNamed("content-length")
        }
        return .success(
            HTTPResponse(
                status: response.statusCode, fields: isUnpacked ? unpacked : fields,
                body: Array(body)))
    }

    /// The one place where Foundation's errors are judged.
    ///
    /// On Linux `badServerResponse` is a connection that ended without an answer, and
    /// `unsupportedURL`, since our URLs are http or https, an answer that is not HTTP.
    static func failure(_ error: any Error) -> TransportError {
        guard let error = error as? URLError else {
            return .interrupted("the exchange failed", mayHaveArrived: true)
        }
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: return .cannotConnect("the name was not found")
        case .cannotConnectToHost, .notConnectedToInternet:
            return .cannotConnect("no connection was made")
        case .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            return .untrusted("the TLS handshake was refused")
        case .badURL: return .invalidRequest("the URL cannot be read")
        case .badServerResponse:
            return .interrupted("the connection ended without an answer", mayHaveArrived: true)
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData,
            .cannotDecodeContentData:
            return .notHTTP("the answer cannot be read")
        case .timedOut: return .timedOut(mayHaveArrived: true)
        case .cancelled: return .cancelled(mayHaveArrived: true)
        default: return .interrupted("the connection broke", mayHaveArrived: true)
        }
    }
}
