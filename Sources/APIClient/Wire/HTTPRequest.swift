/// A method that one of the APIs uses, or a call of a declared list.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"

    /// Whether a repeat by a lower layer could change something twice (RFC 9110 §9.2.1, safe
    /// methods). A transport sends a request of such a method at most once.
    public var isWrite: Bool { self != .get }
}

/// One header line, its name compared without case.
public struct HTTPField: Sendable, Hashable {
    /// As it goes on the wire; compared without case.
    public var name: String
    /// Without the white space around it.
    public var value: String

    /// A header line; neither part is checked here, a transport refuses CR, LF and NUL.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field `other`, in capitals or not.
    package func isNamed(_ other: String) -> Bool { Self.isSame(name, other) }

    /// Whether two texts differ in the case of ASCII letters at most. By bytes: folding or comparing what
    /// a server sends takes time that grows with the square of a run of combining marks.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && left.utf8.elementsEqual(right.utf8) { left, right in
                left == right || (left | 0x20 == right | 0x20 && 0x61...0x7A ~= left | 0x20)
            }
    }
}

/// A whole request as a value: what a transport needs to know, and nothing about how it sends.
public struct HTTPRequest: Sendable, Hashable {
    /// Decides whether a lower layer may repeat the request.
    public var method: HTTPMethod
    /// Scheme, host and port. The path is apart, so that no path can change the host.
    public var origin: Origin
    /// Path and query, percent-encoded, starting with `/`.
    public var target: String
    /// In the order they are sent.
    public var fields: [HTTPField]
    /// `nil` sends no body and no length.
    public var body: [UInt8]?
    /// The whole time allowed, from the call to the last byte of the answer.
    public var timeout: Duration
    /// The largest answer body taken, in bytes after decoding.
    public var maxBodyBytes: Int
    /// What a transport takes a large body's bytes from, if it can let a transfer rest.
    public var share: BodyShare?

    /// A request to `origin`; a pure value, nothing is sent.
    public init(
        method: HTTPMethod, origin: Origin, target: String, fields: [HTTPField],
        body: [UInt8]? = nil, timeout: Duration, maxBodyBytes: Int
    ) {
        self.method = method
        self.origin = origin
        self.target = target
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maxBodyBytes = maxBodyBytes
    }

    /// The absolute URL, as a server log would show it.
    public var url: String { origin.description + target }
}

/// An answer with every byte of its body, or as much as came when the connection allowed no check.
public struct HTTPResponse: Sendable, Hashable {
    /// As it came; can be outside 100–599.
    public var status: Int
    /// In the order they came; a name can come more than once. A transport that has decoded the
    /// body takes `Content-Encoding` off: what is left there counts as not decoded.
    public var fields: [HTTPField]
    /// After content decoding.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value under `name`, compared without case.
    public func value(of name: String) -> String? {
        fields.first { $0.isNamed(name) }?.value
    }
}
