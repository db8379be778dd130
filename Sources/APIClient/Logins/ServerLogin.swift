package import Text

/// The call of a server that gives a token for a name and a password, or for a token that renews others.
///
/// Source: docs/lists.md, "Servers".
public struct ServerLogin: Sendable {
    /// How the secrets are sent.
    public enum Form: Sendable {
        /// In the header, without a body.
        case basic
        /// In a body of JSON.
        case json([UInt8])
        /// In a body as a form in a page of HTML sends it.
        ///
        /// Source: RFC 6749 §4.3.2.
        case form([(name: String, value: String)])
    }

    private let baseURL: BaseURL
    private let path: String
    private let fields: [HTTPField]
    private let limits: RequestLimits
    private let transport: any Transport
    private let secrets: Secrets

    /// What a server gives.
    public struct Tokens: Sendable, Hashable {
        /// For requests.
        public var token: String
        /// For the next renewal; nil where the last one stays.
        public var next: String?

        /// A token for requests, and one for the next renewal.
        public init(token: String, next: String? = nil) {
            self.token = token
            self.next = next
        }
    }

    /// The call of `path` below `baseURL`, with `fields` in its header.
    package init(
        baseURL: BaseURL, path: String, fields: [HTTPField], limits: RequestLimits,
        userAgent: String, transport: any Transport, secrets: Secrets
    ) {
        self.baseURL = baseURL
        self.path = path
        self.fields = (userAgent.isEmpty ? [] : [HTTPField("User-Agent", userAgent)]) + fields
        self.limits = limits
        self.transport = transport
        self.secrets = secrets
    }

    /// Logs in and returns the tokens.
    ///
    /// - Parameters:
    ///   - user: The name.
    ///   - password: Masked from now on in every message, as what the answer gives.
    ///   - form: How both are sent.
    ///   - place: What messages call the token's place in the answer.
    ///   - find: The tokens in the answer; nil where they are not there.
    /// - Returns: The tokens.
    /// - Throws: ``APIError/malformed(_:)`` where the answer has no token that can stand in a header.
    public func tokens(
        user: String, password: String, as form: Form, at place: String,
        find: @Sendable ([UInt8]) -> Tokens?
    ) async throws(APIError) -> Tokens {
        for secret in Self.secrets(of: user, password) { secrets.register(secret) }
        let request = try request(user: user, password: password, as: form)
        let exchange = Exchange(transport: transport, secrets: secrets)
        let body: [UInt8]
        do {
            body = try exchange.data(of: try await exchange.answer(to: request), to: request)
        } catch {
            guard case .status(var failure) = error else { throw error }
            failure.isOfLogin = true
            throw .status(failure)
        }
        guard let found = find(body) else {
            throw .malformed("\(place): expected a text, the token of the login")
        }
        for text in [found.token, found.next].compactMap(\.self) {
            guard (1...8192).contains(text.utf8.count), HeaderRule.isClean(text) else {
                throw .malformed(
                    "\(place): empty, longer than 8192 bytes, or not fit for a header")
            }
            secrets.register(text)
        }
        return found
    }

    /// What must not come back in any text. In base64, the password behind a name looks unlike the password
    /// alone.
    package static func secrets(of user: String, _ password: String) -> [String] {
        [password, "\(user):\(password)"]
    }

    private func request(
        user: String, password: String, as form: Form
    ) throws(APIError) -> HTTPRequest {
        var fields = [HTTPField("Cache-Control", "no-cache")] + fields
        var body: [UInt8]?
        switch form {
        case .basic: fields.append(try .basic(user, password))
        case .json(let bytes):
            fields.append(HTTPField("Content-Type", "application/json"))
            body = bytes
        case .form(let values):
            fields.append(HTTPField("Content-Type", "application/x-www-form-urlencoded"))
            let parts = values.map {
                PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value)
            }
            body = Array(parts.joined(separator: "&").utf8)
        }
        let request = HTTPRequest(
            method: .post, origin: baseURL.origin, target: baseURL.path + path, fields: fields,
            body: body, timeout: limits.timeout,
            maxBodyBytes: min(limits.maxBodyBytes, TodosClient.answerLimit))
        try HeaderRule.check(request)
        return request
    }
}
