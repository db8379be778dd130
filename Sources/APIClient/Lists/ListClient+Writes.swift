extension ListClient {
    /// The secret to send with; empty where nobody is asked for one.
    package func secret() async throws(APIError) -> String {
        guard let holder = credential.holder else { return "" }
        return try await holder.value()
    }

    /// Another secret than the refused one; nil where there is none.
    package func renewed(
        otherThan refused: String, in turns: some RequestTurns = Unhindered()
    ) async throws(APIError) -> String? {
        guard let holder = credential.holder else { return nil }
        return try await turns.take { () async throws(APIError) in
            try await holder.renewed(otherThan: refused)
        }
    }

    /// The status by which this server refuses a secret.
    package var refusal: Int { credential.refusal }

    /// Sends a write once. Any success is one, whatever it says; but a page of HTML is a captive portal's, and
    /// ``APIError/malformed(_:)``.
    ///
    /// That the row is gone (404, 410) is an ``APIError/status(_:)`` here.
    package func send(
        _ call: RowCall, secret: String, timeout: Duration
    ) async throws(APIError) -> WriteAnswer {
        let request = try request(for: call, secret: secret, timeout: timeout)
        return try await exchange(with: secret).write(request)
    }

    /// The request of a call. What the call says of itself stands in the place of what is said of every
    /// request to the server.
    private func request(
        for call: RowCall, secret: String, timeout: Duration
    ) throws(APIError) -> HTTPRequest {
        let common = fields.filter { field in !call.fields.contains { $0.isNamed(field.name) } }
        return try signed(
            HTTPRequest(
                method: call.method, origin: baseURL.origin, target: baseURL.path + call.path,
                fields: common + call.fields, body: call.body, timeout: timeout,
                maxBodyBytes: min(limits.maxBodyBytes, TodosClient.answerLimit)),
            with: secret)
    }
}
