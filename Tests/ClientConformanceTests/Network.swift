/// The four ways a client reaches its server, real or not.
enum Network: String, Sendable, CaseIterable, CustomStringConvertible {
    case mock = "mock"
    case urlProtocol = "URLSession over a URLProtocol"
    case urlSession = "URLSession over a socket"
    case curl = "libcurl over a socket"

    /// Whether there are sockets.
    var isReal: Bool { self == .urlSession || self == .curl }

    var description: String { rawValue }
}
