import APIClient
import Foundation
import FoundationNetworking

/// The messages of a ``MockNetwork`` between Foundation's types and ours: pure.
enum MockMessage {
    /// What the session asks for, as a transport sees it.
    static func request(_ request: URLRequest) throws(TransportError) -> HTTPRequest {
        guard let url = request.url, let scheme = url.scheme?.lowercased(), let host = url.host,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { throw .invalidRequest("the URL cannot be read") }
        guard let method = HTTPMethod(rawValue: request.httpMethod ?? "GET") else {
            throw .invalidRequest("the method is none of GET, POST, PUT, PATCH and DELETE")
        }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let fields = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        return HTTPRequest(
            method: method,
            origin: Origin(
                scheme: scheme, host: host.contains(":") ? "[\(host)]" : host,
                port: url.port ?? (scheme == "https" ? 443 : 80)),
            target: path + (parts.percentEncodedQuery.map { "?\($0)" } ?? ""),
            fields: fields.map { HTTPField($0.key, $0.value) }, body: body(of: request),
            timeout: .milliseconds(Int64(min(max(request.timeoutInterval, 0), 1e9) * 1000)),
            maxBodyBytes: .max)
    }

    private static func body(of request: URLRequest) -> [UInt8]? {
        if let body = request.httpBody { return Array(body) }
        guard let stream = request.httpBodyStream else { return nil }
        stream.open()
        defer { stream.close() }
        var body: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return body }
            body += buffer[..<count]
        }
    }

    /// The head of an answer; fields of one name are joined, as Foundation keeps one of each.
    static func response(_ response: HTTPResponse, to request: URLRequest) -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        var fields: [String: String] = [:]
        for field in response.fields {
            let name = fields.keys.first { $0.lowercased() == field.name.lowercased() }
            fields[name ?? field.name, default: ""] +=
                (name == nil ? "" : ", ") + field.value
        }
        return HTTPURLResponse(
            url: url, statusCode: response.status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// An answer over another protocol than HTTP.
    static func foreignResponse(to request: URLRequest) -> URLResponse? {
        request.url.map {
            URLResponse(
                url: $0, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
        }
    }

    /// The error that URLSession itself has for such a failure; the words go along.
    static func error(_ error: TransportError) -> URLError {
        let code: URLError.Code =
            switch error {
            case .invalidRequest: .badURL
            case .cannotConnect, .missingLibrary: .cannotConnectToHost
            case .untrusted: .serverCertificateUntrusted
            case .timedOut: .timedOut
            case .interrupted: .networkConnectionLost
            case .notHTTP: .badServerResponse
            case .bodyTooLarge, .headerTooLarge: .dataLengthExceedsMaximum
            case .cancelled: .cancelled
            }
        return URLError(code, userInfo: [NSLocalizedDescriptionKey: error.description])
    }
}
