extension HTTPRequest {
    /// Refuses anything that would change the meaning of the request on the wire. Every transport
    /// calls it before it opens a connection.
    ///
    /// Refused are: a control character in a field (CR and LF would begin a second field, NUL
    /// would cut it short), a field name that is no token, a field that frames the message and
    /// is the transport's own (`Host`, `Content-Length`, …), a target that does not start with `/`
    /// or holds anything but visible ASCII, and a host or port that could be read as something
    /// else. Values never enter the message, because a token may be among them.
    ///
    /// Source: RFC 9110 §5.1, §5.5 and RFC 9112 §3.2.
    /// - Throws: ``TransportError/invalidRequest(_:)``, and nothing else.
    public func validate() throws(TransportError) {
        try validateOrigin()
        guard target.utf8.first == UInt8(ascii: "/") else {
            throw .invalidRequest("the request target must start with /")
        }
        guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else {
            throw .invalidRequest("the request target must be percent-encoded, without a fragment")
        }
        for field in fields { try field.validate() }
    }

    private func validateOrigin() throws(TransportError) {
        guard origin.scheme == "https" || origin.scheme == "http" else {
            throw .invalidRequest("the scheme must be http or https")
        }
        guard (1...65535).contains(origin.port) else {
            throw .invalidRequest("the port must lie between 1 and 65535")
        }
        let host = origin.host.utf8
        let isLiteral = host.first == UInt8(ascii: "[") && host.last == UInt8(ascii: "]")
        let inner = isLiteral ? host.dropFirst().dropLast() : host[...]
        let punctuation = isLiteral ? ":." : "-._"
        guard !inner.isEmpty,
            inner.allSatisfy({ Self.isLetterOrDigit($0) || punctuation.utf8.contains($0) })
        else { throw .invalidRequest("the host is neither a name nor an address") }
    }

    fileprivate static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension HTTPField {
    /// The fields that say where a message goes and where it ends.
    private static let framing: Set<String> = [
        "connection", "content-length", "expect", "host", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Whether a text may be the value of a field: CR and LF in it would begin another one.
    public static func mayBeSent(_ value: String) -> Bool {
        value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }

    fileprivate func validate() throws(TransportError) {
        let punctuation = "!#$%&'*+-.^_`|~"
        guard !name.isEmpty,
            name.utf8.allSatisfy({
                HTTPRequest.isLetterOrDigit($0) || punctuation.utf8.contains($0)
            })
        else { throw .invalidRequest("the name of a header is not a token") }
        guard !Self.framing.contains(name.lowercased()) else {
            throw .invalidRequest("the transport sets the header \(name) itself")
        }
        guard Self.mayBeSent(value) else {
            throw .invalidRequest("the header \(name) holds a control character")
        }
    }
}
