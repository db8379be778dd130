/// When the next request to a server may begin.
package protocol RequestTurns {
    /// What the answers take their bytes from.
    var share: BodyShare? { get }
    /// Sends one request when it is its turn.
    func take<Answer>(
        _ request: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer
}

/// At once.
package struct Unhindered: RequestTurns {
    /// None.
    package var share: BodyShare? { nil }

    /// Turns of nobody.
    package init() {}

    /// Sends it.
    package func take<Answer>(
        _ request: () async throws(APIError) -> Answer
    ) async throws(APIError) -> Answer {
        try await request()
    }
}
