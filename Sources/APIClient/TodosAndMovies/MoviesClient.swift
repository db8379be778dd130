package import Text

/// The list of upcoming movies of TMDB, or of a server with the same paths.
///
/// Source: docs/server-api.md, "Movies".
public struct MoviesClient: Sendable {
    /// The server; the credential goes to its origin and nowhere else.
    public let baseURL: BaseURL
    let credential: MoviesCredential
    let language: String?
    let region: String?
    /// What a request may take, and how large its answer may be.
    public let limits: RequestLimits
    let userAgent: String
    let transport: any Transport
    /// Masked in every error.
    package let secrets: Secrets

    /// A client of the server at `baseURL`. An empty `userAgent` sends no such header.
    public init(
        baseURL: BaseURL = .tmdb, credential: MoviesCredential, language: String? = nil,
        region: String? = nil, limits: RequestLimits = .standard,
        userAgent: String = "syncd-api-client", transport: any Transport
    ) {
        self.init(
            baseURL: baseURL, credential: credential, language: language, region: region,
            limits: limits, userAgent: userAgent, transport: transport, secrets: Secrets())
    }

    /// The same for a process with more secrets than this client's.
    package init(
        baseURL: BaseURL, credential: MoviesCredential, language: String?, region: String?,
        limits: RequestLimits, userAgent: String, transport: any Transport, secrets: Secrets
    ) {
        self.baseURL = baseURL
        self.credential = credential
        self.language = language
        self.region = region
        self.limits = limits
        self.userAgent = userAgent
        self.transport = transport
        self.secrets = secrets
    }

    /// Reads one page as bytes; ``PullAnswer/notModified(_:)`` only where validators were sent.
    ///
    /// Pages are counted from 1; TMDB has no more than 500.
    public func pullUpcoming(
        page: Int, validators: Validators?
    ) async throws(APIError) -> PullAnswer {
        try await exchange.pull(try upcomingRequest(page: page, validators: validators))
    }

    /// Reads one page; unknown fields are passed over.
    ///
    /// - Throws: ``APIError/malformed(_:)`` where one row is no movie.
    public func upcomingMovies(page: Int) async throws(APIError) -> MoviePage {
        let request = try upcomingRequest(page: page, validators: nil)
        let body = try exchange.data(of: try await exchange.answer(to: request), to: request)
        return try JSONAnswer.decode(MoviePage.self, from: body)
    }

    /// All pages, one request each, in order. The list can change between two pages.
    public var upcomingPages: MoviePages { MoviePages(client: self) }

    /// The request for a page, as it goes to the transport; pure, nothing is sent.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where a header would hold a control character.
    public func upcomingRequest(
        page: Int, validators: Validators?
    ) throws(APIError) -> HTTPRequest {
        var fields: [HTTPField] = []
        var target = target(page: page)
        switch credential {
        case .bearer(let token): fields.append(HTTPField("Authorization", "Bearer \(token)"))
        case .apiKey(let key): target += "&api_key=" + PercentEncoding.encoded(key)
        }
        if !userAgent.isEmpty { fields.append(HTTPField("User-Agent", userAgent)) }
        let request = HTTPRequest(
            method: .get, origin: baseURL.origin, target: target,
            fields: fields + (validators?.fields ?? []), timeout: limits.timeout,
            maxBodyBytes: limits.maxBodyBytes)
        try HeaderRule.check(request)
        return request
    }

    private func target(page: Int) -> String {
        var target = baseURL.path + "/movie/upcoming?page=\(page)"
        if let language { target += "&language=" + PercentEncoding.encoded(language) }
        if let region { target += "&region=" + PercentEncoding.encoded(region) }
        return target
    }

    private var exchange: Exchange {
        secrets.register(credential.secret)
        return Exchange(transport: transport, secrets: secrets)
    }
}
