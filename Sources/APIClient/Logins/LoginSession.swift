internal import Synchronization

/// One account's token at a server: kept between runs, renewed when it is refused, one login at a time.
///
/// However many callers find a token refused at once, there is one login, and all get its token
/// or its error. It repeats no write: the caller decides about those.
///
/// It is no actor: a request that has its token would wait for its turn twice, behind a commit each time.
public final class LoginSession: Sendable {
    private let owner: Owner
    private let server: BaseURL
    private let login: @Sendable () async throws(APIError) -> String
    private let tokens: any TokenStore
    private let flight = SingleFlight()
    private let state = Mutex(State())

    private enum Owner {
        /// An account, as it was written.
        case account(String)
        /// Whoever the person was that gave the token which renews others.
        case renewal(TokenRenewal)
    }

    private struct State {
        var current: String?
        /// The last tokens that the server refused, so that a stale stored one is not tried again.
        var refusedTokens: [String] = []

        mutating func refuse(_ token: String) {
            refusedTokens.removeAll { $0 == token }
            refusedTokens.append(token)
            if refusedTokens.count > 8 { refusedTokens.removeFirst() }
        }
    }

    /// A session of `account` at `server`; nothing is read or sent before the first call. `login` gets a
    /// new token.
    public convenience init(
        of account: String, at server: BaseURL, tokens: any TokenStore,
        login: @escaping @Sendable () async throws(APIError) -> String
    ) {
        self.init(of: .account(account), at: server, tokens: tokens, login: login)
    }

    /// The same where another token renews those of requests.
    public convenience init(
        renewedBy renewal: TokenRenewal, at server: BaseURL, tokens: any TokenStore,
        login: @escaping @Sendable () async throws(APIError) -> String
    ) {
        self.init(of: .renewal(renewal), at: server, tokens: tokens, login: login)
    }

    private init(
        of owner: Owner, at server: BaseURL, tokens: any TokenStore,
        login: @escaping @Sendable () async throws(APIError) -> String
    ) {
        self.owner = owner
        self.server = server
        self.tokens = tokens
        self.login = login
    }

    /// The account, as it was written; a mark of the person's token where that is all that is known.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the token cannot be read.
    func account() throws(APIError) -> String {
        switch owner {
        case .account(let name): name
        case .renewal(let renewal): try renewal.account()
        }
    }

    /// Whether nothing but its token tells the account.
    var isNameless: Bool { if case .renewal = owner { true } else { false } }

    /// The token to use: this session's, else the stored one for the same base URL and account
    /// (compared without case), else one from a login, which is stored.
    public func token() async throws(APIError) -> String {
        try await token(otherThan: nil)
    }

    /// A token other than `refused`. If this process, or another one that shares the store, has
    /// renewed the token meanwhile, it is that token. Otherwise it comes from a login. A refused
    /// token leads to one login.
    ///
    /// - Throws: ``APIError/status(_:)`` where the server refuses the credentials;
    ///   ``APIError/tokenStore(_:)`` where the store fails. When only saving failed, the new token
    ///   is in use: the next call returns it.
    public func renew(refused: String) async throws(APIError) -> String {
        state.withLock { $0.refuse(refused) }
        return try await token(otherThan: refused)
    }

    /// How many callers wait for another one's login; a door for tests.
    package var waitingCallers: Int { flight.waiting }

    private func token(otherThan refused: String?) async throws(APIError) -> String {
        while true {
            if let token = tokenInUse(otherThan: refused) { return token }
            guard flight.lead() else {
                switch await flight.wait() {
                case .lookAgain: continue
                case .failed(let error): throw error
                case .cancelled: throw .transport(.cancelled(mayHaveArrived: false))
                }
            }
            do {
                // Another one may have led and landed since.
                let token =
                    if let token = tokenInUse(otherThan: refused) { token } else {
                        try await obtain(otherThan: refused)
                    }
                flight.land(.lookAgain)
                return token
            } catch {
                // Our own cancellation says nothing about the others: one of them leads next.
                flight.land(error.isCancellation || Task.isCancelled ? .lookAgain : .failed(error))
                throw error
            }
        }
    }

    private func tokenInUse(otherThan refused: String?) -> String? {
        state.withLock { state in
            state.current.flatMap {
                $0 == refused || state.refusedTokens.contains($0) ? nil : $0
            }
        }
    }

    /// This session's token, else the stored one where it may be used: without a login.
    func tokenAtHand() async throws(APIError) -> String? {
        if let token = tokenInUse(otherThan: nil) { return token }
        guard let stored = try await stored(), isUsable(stored.token) else { return nil }
        // The file is read once.
        use(stored.token)
        return stored.token
    }

    private func stored() async throws(APIError) -> StoredToken? {
        let account = try account()
        return try await load().flatMap { $0.belongs(to: account, at: server) ? $0 : nil }
    }

    /// Called by the leader only: the stored token where it may be used, else a login.
    private func obtain(otherThan refused: String?) async throws(APIError) -> String {
        let stored = try await stored()
        if let stored, stored.token != refused, isUsable(stored.token) {
            use(stored.token)
            return stored.token
        }
        let token: String
        do {
            token = try await newToken()
        } catch {
            if case .status(let failure) = error, failure.refusesCredentials, stored != nil {
                // Refused like the credentials; that it stays when this fails does no harm, the
                // next run finds it refused again.
                try? await tokens.discard()
            }
            throw error
        }
        // In use before it is saved: a full disk must not cost one login for each call.
        use(token)
        let account = try account()
        do {
            try await tokens.save(
                // The login may have found another person's token.
                StoredToken(baseURL: server.description, email: account, token: token))
        } catch {
            throw .tokenStore(error.description)
        }
        return token
    }

    private func load() async throws(APIError) -> StoredToken? {
        do {
            return try await tokens.load()
        } catch {
            throw .tokenStore(error.description)
        }
    }

    private func newToken() async throws(APIError) -> String {
        let token = try await login()
        // A server may give the same token again; then it is not a refused one any more.
        state.withLock { state in state.refusedTokens.removeAll { $0 == token } }
        return token
    }

    private func use(_ token: String) { state.withLock { $0.current = token } }

    /// A text that cannot stand in a header would never be refused by the server, and never renewed.
    private func isUsable(_ token: String) -> Bool {
        !token.isEmpty && HeaderRule.isClean(token)
            && !state.withLock { $0.refusedTokens.contains(token) }
    }
}

extension APIError {
    fileprivate var isCancellation: Bool {
        if case .transport(.cancelled) = self { true } else { false }
    }
}
