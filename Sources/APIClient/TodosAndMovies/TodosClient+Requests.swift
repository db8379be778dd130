extension TodosClient {
    /// The request of a call, as it goes to the transport; pure, nothing is sent.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where a header would hold a control character or
    ///   the e-mail a colon, ``APIError/bodyNotEncodable(_:)``.
    public func request(for call: TodosCall) throws(APIError) -> HTTPRequest {
        let request =
            switch call {
            case .list(let token, let validators):
                build(.get, "/todos", bearer(token) + agent + (validators?.fields ?? []))
            case .create(let title, let key, let token, let timeout):
                build(
                    .post, "/todos",
                    bearer(token) + agent + (key.map { [HTTPField("Idempotency-Key", $0)] } ?? []),
                    body: try JSONAnswer.encode(Todo(title: title)), timeout: timeout)
            case .delete(let id, let token, let timeout):
                build(
                    .delete, "/todos/\(id.percentEncoded)", bearer(token) + agent, timeout: timeout)
            case .login(let email, let password):
                build(.post, "/login", [try .basic(email, password, called: "an e-mail")] + agent)
            case .signUp(let name, let email, let password):
                build(
                    .post, "/users", agent,
                    body: try JSONAnswer.encode(
                        SignUp(
                            name: name, email: email, password: password,
                            verifyPassword: password)))
            }
        try HeaderRule.check(request)
        return request
    }

    private struct SignUp: Encodable {
        let name: String
        let email: String
        let password: String
        let verifyPassword: String
    }

    /// Header fields of each request.
    package static let commonFields = [
        HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-cache"),
    ]

    private func build(
        _ method: HTTPMethod, _ path: String, _ fields: [HTTPField], body: [UInt8]? = nil,
        timeout: Duration? = nil
    ) -> HTTPRequest {
        return HTTPRequest(
            method: method, origin: baseURL.origin, target: baseURL.path + path,
            fields: Self.commonFields + fields, body: body, timeout: timeout ?? limits.timeout,
            maxBodyBytes: method == .get
                ? limits.maxBodyBytes : min(limits.maxBodyBytes, Self.answerLimit))
    }

    /// The largest answer to anything but a read, which is one object: a title of 1 MiB with each of its
    /// bytes escaped, and room beside it.
    static let answerLimit = 8 << 20

    private var agent: [HTTPField] {
        userAgent.isEmpty ? [] : [HTTPField("User-Agent", userAgent)]
    }

    private func bearer(_ token: String) -> [HTTPField] {
        [HTTPField("Authorization", "Bearer \(token)")]
    }
}
