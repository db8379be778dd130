/// One account of the todos' server, and its token.
public struct TodosSession: Sendable {
    /// The client that the tokens are for.
    public let client: TodosClient
    /// The account, as it was written.
    public let email: String
    private let session: LoginSession

    /// A session of `email`; nothing is read or sent before the first call.
    ///
    /// `password` is asked for at each login, so that it can be read from its file then.
    public init(
        client: TodosClient, email: String,
        password: @escaping @Sendable () async throws(APIError) -> String, tokens: any TokenStore
    ) {
        self.client = client
        self.email = email
        session = LoginSession(of: email, at: client.baseURL, tokens: tokens) {
            () async throws(APIError) in
            try await client.login(email: email, password: try await password())
        }
    }

    /// A session whose password is known.
    public init(client: TodosClient, email: String, password: String, tokens: any TokenStore) {
        self.init(
            client: client, email: email, password: { () async throws(APIError) in password },
            tokens: tokens)
    }

    /// The token to use, as ``LoginSession/token()`` has it.
    public func token() async throws(APIError) -> String { try await session.token() }

    /// A token other than `refused`, as ``LoginSession/renew(refused:)`` has it.
    public func renew(refused: String) async throws(APIError) -> String {
        try await session.renew(refused: refused)
    }

    /// Reads the list; after a 401 once more with a renewed token.
    public func pullTodos(validators: Validators?) async throws(APIError) -> PullAnswer {
        let first = try await token()
        do {
            return try await client.pullTodos(token: first, validators: validators)
        } catch {
            guard case .status(let failure) = error, failure.code == 401 else { throw error }
        }
        let second = try await renew(refused: first)
        return try await client.pullTodos(token: second, validators: validators)
    }

    /// The list of the todos as any other list, with the same header fields.
    public var list: ListClient {
        ListClient(
            baseURL: client.baseURL, credential: .login(session, refusal: 401),
            fields: TodosClient.commonFields, limits: client.limits, userAgent: client.userAgent,
            transport: client.transport, secrets: client.secrets)
    }

    /// How many callers wait for another one's login; a door for tests.
    package var waitingCallers: Int { session.waitingCallers }
}
