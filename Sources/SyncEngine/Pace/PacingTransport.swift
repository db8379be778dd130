public import APIClient
public import Host

/// Tells the pace of a server what the header of each answer says of its limit.
public struct PacingTransport: Transport {
    private let transport: any Transport
    private let lanes: ServerLanes
    private let time: any TimeSource

    /// `transport`, as far as it is used for the server of `lanes`.
    public init(_ transport: any Transport, lanes: ServerLanes, time: any TimeSource) {
        (self.transport, self.lanes, self.time) = (transport, lanes, time)
    }

    /// Sends `request`, and tells the pace what the header of the answer says.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let response = try await transport.send(request)
        // A refusal is told by the call.
        if response.status < 400, let limit = RequestQuota(of: response) {
            lanes.learn(limit, at: time.bootTime())
        }
        return response
    }
}
