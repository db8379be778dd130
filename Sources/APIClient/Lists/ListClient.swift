package import Text

/// A list of any server that answers in JSON: read page by page as bytes, and written to row by row.
///
/// A write is sent once and never repeated here; what an error means for it is the caller's to decide.
///
/// Source: docs/server-api.md, "A declared list".
public struct ListClient: Sendable {
    /// The server; the credential goes to its origin and nowhere else.
    public let baseURL: BaseURL
    /// What a request may take, and how large its answer may be.
    public let limits: RequestLimits
    let credential: ListCredential
    /// Of every request: that of the program, and those of the server.
    let fields: [HTTPField]
    let transport: any Transport
    /// Masked in every error.
    package let secrets: Secrets

    /// A client of the server at `baseURL`, which sends `fields` with each request.
    package init(
        baseURL: BaseURL, credential: ListCredential, fields: [HTTPField], limits: RequestLimits,
        userAgent: String, transport: any Transport, secrets: Secrets
    ) {
        self.baseURL = baseURL
        self.credential = credential
        self.fields = (userAgent.isEmpty ? [] : [HTTPField("User-Agent", userAgent)]) + fields
        self.limits = limits
        self.transport = transport
        self.secrets = secrets
    }

    /// What the validators of a target are stored under: its address without the credential, and behind `#`
    /// which credential it was read with. To another one the server may show other rows under the same
    /// version.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the secret cannot be read.
    public func page(of target: String) throws(APIError) -> String {
        let address = baseURL.origin.description + target
        guard let mark = try credential.mark() else { return address }
        return "\(address)#\(mark)"
    }

    /// The path of a list as a target: below the base URL, with `parameters` before its own query.
    public func target(of list: String, parameters: [(name: String, value: String)]) -> String {
        let parts = list.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query =
            parameters.map {
                PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value)
            } + parts.dropFirst().map { String($0) }
        let path = baseURL.path + (parts.first ?? "")
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// The target that an address in an answer names, as seen from the page that names it.
    ///
    /// - Throws: ``APIError/redirectRefused(_:)`` where it leads to another server, or is no address.
    public func target(of address: String, from page: String) throws(APIError) -> String {
        try withoutCredential(
            RedirectRule.target(
                of: address, from: request(for: page, validators: nil), without: secrets))
    }

    /// Reads the page at `target`. If the server refuses the credential, and there is another one by then,
    /// it is read once more.
    ///
    /// ``PullAnswer/notModified(_:)`` only where validators were sent. The extent has the numbers in the header
    /// fields `names`.
    public func pull(
        _ target: String, validators: Validators?, naming names: [String] = []
    ) async throws(APIError) -> PullAnswer {
        try await pull(target, validators: validators, naming: names, in: Unhindered())
    }

    /// The same, by `POST` if there is a body, and with a turn for each request, a login included: a server with a
    /// limit may refuse what comes right behind another request.
    package func pull(
        _ target: String, body: [UInt8]? = nil, validators: Validators?, naming names: [String],
        in turns: some RequestTurns
    ) async throws(APIError) -> PullAnswer {
        let request = request(for: target, validators: validators, body: body)
        if let holder = credential.holder, try await !holder.isAtHand() {
            _ = try await turns.take { () async throws(APIError) in try await holder.value() }
        }
        var sent: String?
        do throws(APIError) {
            return try await turns.take { () async throws(APIError) in
                let secret = try await secretToRead(target)
                sent = secret
                return try await pull(request, names, with: secret, turns.share)
            }
        } catch {
            guard let sent, refuses(error),
                let second = try await renewed(otherThan: sent, in: turns)
            else { throw error }
            return try await turns.take { () async throws(APIError) in
                try await pull(request, names, with: second, turns.share)
            }
        }
    }

    private func secretToRead(_ target: String) async throws(APIError) -> String {
        guard let held = try credential.held?.value(for: Self.list(of: target)) else {
            return try await secret()
        }
        return held
    }

    private func pull(
        _ plain: HTTPRequest, _ names: [String], with secret: String, _ share: BodyShare?
    ) async throws(APIError) -> PullAnswer {
        let list = Self.list(of: plain.target)
        do {
            var request = try signed(plain, with: secret)
            request.share = share
            let answer = try await exchange(with: secret).pull(request, naming: names)
            credential.held?.noteRead(list, with: secret)
            return answer
        } catch {
            if case .status(let failure) = error, refuses(error) {
                credential.held?.note(failure, of: secret, for: list)
            }
            throw error
        }
    }

    private static func list(of target: String) -> String { String(target.prefix { $0 != "?" }) }

    /// Whether the server refuses the secret.
    package func refuses(_ error: APIError) -> Bool {
        guard case .status(let failure) = error else { return false }
        return failure.code == refusal && !failure.isNotNow
    }

    /// `request` with the secret in it.
    func signed(_ request: HTTPRequest, with secret: String) throws(APIError) -> HTTPRequest {
        var request = request
        try credential.sign(&request, with: secret)
        try HeaderRule.check(request)
        return request
    }

    /// An exchange whose errors do not tell the secret.
    func exchange(with secret: String) -> Exchange {
        for text in credential.texts(of: secret) { secrets.register(text) }
        var exchange = Exchange(transport: transport, secrets: secrets)
        if let query = credential.inQuery {
            exchange.signsTarget = { query.signed($0, with: secret) }
        }
        return exchange
    }

    func request(
        for target: String, validators: Validators?, body: [UInt8]? = nil
    ) -> HTTPRequest {
        let type = body.map { _ in HTTPField("Content-Type", "application/json") }
        return HTTPRequest(
            method: body == nil ? .get : .post, origin: baseURL.origin, target: target,
            fields: fields + [type].compactMap { $0 } + (validators?.fields ?? []), body: body,
            timeout: limits.timeout, maxBodyBytes: limits.maxBodyBytes)
    }
}
