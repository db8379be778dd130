package import Text

/// Asks whether an address leads to a server of the right kind, before there is a token or an account.
///
/// Source: docs/server-api.md, "Movies" and "Todos".
package struct ServerProbe: Sendable {
    /// Which list the server must have.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// Upcoming movies.
        case movies
        /// The todos of an account.
        case todos
    }

    let baseURL: BaseURL
    let limits: RequestLimits
    let userAgent: String
    let transport: any Transport
    let secrets: Secrets

    /// A probe of the server at `baseURL`. An empty `userAgent` sends no such header.
    package init(
        baseURL: BaseURL, limits: RequestLimits, userAgent: String, transport: any Transport,
        secrets: Secrets
    ) {
        self.baseURL = baseURL
        self.limits = limits
        self.userAgent = userAgent
        self.transport = transport
        self.secrets = secrets
    }

    /// A server of the right kind refuses a request without credentials with one of these, or answers it.
    private static let refusals = [400, 401, 403, 422]

    /// Reads the list once, without credentials; returns where that is refused, or answered with a list.
    ///
    /// - Throws: ``APIError`` for any other answer, and for none.
    package func ask(for kind: Kind) async throws(APIError) {
        let path = kind == .movies ? "/movie/upcoming?page=1" : "/todos"
        let request = HTTPRequest(
            method: .get, origin: baseURL.origin, target: baseURL.path + path,
            fields: userAgent.isEmpty ? [] : [HTTPField("User-Agent", userAgent)],
            timeout: limits.timeout, maxBodyBytes: limits.maxBodyBytes)
        try HeaderRule.check(request)
        let exchange = Exchange(transport: transport, secrets: secrets)
        let response = try await exchange.answer(to: request)
        guard !Self.refusals.contains(response.status) else { return }
        let body = try exchange.data(of: response, to: request)
        switch kind {
        case .movies: _ = try JSONAnswer.decode(MoviePage.self, from: body)
        case .todos: _ = try JSONAnswer.decode([AnyRow].self, from: body)
        }
    }

    /// A row, whatever it holds: what is wrong with one is for the pull to tell.
    private struct AnyRow: Decodable {
        init(from decoder: any Decoder) {}
    }
}
