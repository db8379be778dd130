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
    /// Answers what the closure makes of the request.
    case computed(@Sendable (HTTPRequest) -> MockAnswer)

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
