/// What one request may take at most.
public struct RequestLimits: Sendable, Hashable {
    /// From the call to the last byte of the answer; a redirect that is followed has it anew.
    public var timeout: Duration
    /// Of the answer's body, after decoding.
    public var maxBodyBytes: Int
    /// Of the bodies of all pages of a list together.
    public var maxListBytes: Int {
        let (product, isOver) = maxBodyBytes.multipliedReportingOverflow(by: 16)
        return isOver ? .max : product
    }

    /// Limits of a request.
    public init(timeout: Duration, maxBodyBytes: Int) {
        self.timeout = timeout
        self.maxBodyBytes = maxBodyBytes
    }

    /// 10 seconds and 64 MiB.
    public static let standard = RequestLimits(timeout: .seconds(10), maxBodyBytes: 64 << 20)
}
