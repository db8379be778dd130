public import APIClient

/// What a ``MockTransport`` does with a request.
public indirect enum MockAnswer: Sendable {
    /// Answers.
    case response(HTTPResponse)
    /// Fails.
    case failure(TransportError)
    /// Waits until the test opens the gate, then goes on with the other answer. A caller that is
    /// cancelled meanwhile gets a cancellation, and the request may have arrived.
    case held(MockGate, then: MockAnswer)
    /// An answer that comes later. The delay is compared with the request's timeout, but nobody
    /// waits for it. If all delays of one answer reach the timeout, the request has timed out and
    /// may have arrived. Otherwise the other answer comes at once. To let something else come
    /// first, use ``held(_:then:)``.
    case delayed(Duration, then: MockAnswer)
    /// Answers what the closure makes of the request.
    case computed(@Sendable (HTTPRequest) -> MockAnswer)

    /// The server that never answers: every timeout passes, and none is waited for.
    public static var never: MockAnswer {
        .delayed(.seconds(Int64.max), then: .failure(.timedOut(mayHaveArrived: true)))
    }

    /// An answer with a JSON text as its body.
    public static func json(
        _ text: String, status: Int = 200, fields: [HTTPField] = []
    ) -> MockAnswer {
        let type = HTTPField("Content-Type", "application/json")
        return .response(
            HTTPResponse(status: status, fields: [type] + fields, body: Array(text.utf8)))
    }

    /// An answer without a body.
    public static func status(_ code: Int, fields: [HTTPField] = []) -> MockAnswer {
        .response(HTTPResponse(status: code, fields: fields))
    }
}
