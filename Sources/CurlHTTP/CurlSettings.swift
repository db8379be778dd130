/// What holds for every request of one ``CurlTransport``.
public struct CurlSettings: Sendable, Hashable {
    /// The longest wait for a connection: name, TCP and TLS together.
    public var connectTimeout: Duration
    /// `http://`, `https://` or `socks5h://` URL of a proxy; without one none is used, whatever
    /// the environment says. A loopback origin is always spoken to directly.
    public var proxy: String?
    /// A PEM file of certification authorities to trust instead of the system's, for servers and
    /// for a proxy. It is read again for each connection.
    public var caFile: String?
    /// How many connections to one host may be open at once; further requests wait for one.
    public var maxConnectionsPerHost: Int

    /// Settings; nothing is opened or read before the first request.
    public init(
        connectTimeout: Duration, proxy: String?, caFile: String?, maxConnectionsPerHost: Int
    ) {
        self.connectTimeout = connectTimeout
        self.proxy = proxy
        self.caFile = caFile
        self.maxConnectionsPerHost = maxConnectionsPerHost
    }
}
