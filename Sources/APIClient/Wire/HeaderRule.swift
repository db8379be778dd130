/// What may go into a request's header: nothing that could end a line and begin another one.
///
/// Source: RFC 9110 §5.5. libcurl sends such bytes as they are (measured with 7.88.1).
enum HeaderRule {
    /// Whether `text` can be a header's value, or a part of one.
    static func isClean(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
    }

    /// - Throws: ``APIError/invalidRequest(_:)``, which names the field but not its value.
    static func check(_ request: HTTPRequest) throws(APIError) {
        for field in request.fields {
            let isName = field.name.utf8.allSatisfy {
                PercentEncoding.isAlphanumeric($0) || "-_".utf8.contains($0)
            }
            guard isName, !field.name.isEmpty else {
                throw .invalidRequest("a header's name is not valid")
            }
            guard isClean(field.value) else {
                throw .invalidRequest("the header \(field.name) holds a control character")
            }
        }
        let isTarget = request.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isTarget, request.target.utf8.first == UInt8(ascii: "/") else {
            throw .invalidRequest("the path is not valid")
        }
    }
}
