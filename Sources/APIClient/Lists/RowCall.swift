/// A call that changes a row, ready to be sent but for the secret. A pure value.
public struct RowCall: Sendable, Hashable {
    /// Decides whether a lower layer may repeat the call.
    public var method: HTTPMethod
    /// Path and query below the base URL; already encoded.
    public var path: String
    /// Header fields of this call, `Content-Type` and a key included.
    public var fields: [HTTPField]
    /// Nil: no body.
    public var body: [UInt8]?

    /// A call; nothing is sent.
    public init(method: HTTPMethod, path: String, fields: [HTTPField], body: [UInt8]?) {
        self.method = method
        self.path = path
        self.fields = fields
        self.body = body
    }
}
