import APIClient
import Foundation
import Testing

extension HTTPResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    func object() throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
    }

    /// The body as a JSON array of objects.
    func objects() throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]])
    }
}

/// `object` as JSON.
func json(_ object: [String: String]) throws -> [UInt8] {
    Array(try JSONEncoder().encode(object))
}
