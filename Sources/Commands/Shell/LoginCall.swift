internal import APIClient
internal import Configuration
internal import Declarations
internal import Host
internal import Text

/// A server whose requests need a token that a call gives.
struct LoginTarget: Sendable {
    let server: ServerSettings
    let login: LoginDescription
    /// The password, or the token that renews others.
    let secret: SecretSource
}

/// The call that gives the token of a server's requests.
struct LoginCall: Sendable {
    private let target: LoginTarget
    private let call: ServerLogin
    private let user: UInt32
    /// Set where a token renews others.
    let renewal: TokenRenewal?

    fileprivate init(
        _ target: LoginTarget, _ call: ServerLogin, store: RenewalFile, user: UInt32
    ) {
        self.target = target
        self.call = call
        self.user = user
        guard target.login.renewal != nil else {
            renewal = nil
            return
        }
        renewal = TokenRenewal(at: target.server.baseURL, store: store) {
            () throws(APIError) in
            try target.secret.usable(by: user)
        } renew: { (token) async throws(APIError) in
            let client = try target.server.clientSecret?.usable(by: user)
            return try await call.tokens(by: target.login, .init(token, client: client))
        }
    }

    /// The password or the token that renews others, as it is now.
    func secret() throws(APIError) -> String { try target.secret.usable(by: user) }

    /// A new token for requests.
    func token(by secret: String) async throws(APIError) -> String {
        if let renewal { return try await renewal.token(by: secret) }
        return try await call.tokens(by: target.login, .init(secret)).token
    }

    /// Whose token it is.
    func account() throws(APIError) -> String {
        if let renewal { try renewal.account() } else { target.login.user }
    }
}

extension Composition {
    /// The call that gives the token of `target`. What renews others is kept beside `tokens`.
    func loginCall(
        _ target: LoginTarget, keptBeside tokens: TokenFile, _ settings: Settings,
        over transport: any Transport
    ) throws(CommandError) -> LoginCall {
        let (server, login) = (target.server, target.login)
        // A server may quote them, though a stored token is all that is sent. A file that cannot be read now is
        // told of by the login that needs it.
        for source in [target.secret, server.clientSecret].compactMap(\.self) {
            guard let known = try? source.read(user: facts.user).revealed else { continue }
            for text in ServerLogin.secrets(of: login.user, known) { secrets.register(text) }
        }
        let elsewhere = try? BaseURL(login.path)
        let isElsewhere = elsewhere.map { $0.origin != server.baseURL.origin } ?? false
        let call = ServerLogin(
            baseURL: elsewhere ?? server.baseURL, path: elsewhere == nil ? login.path : "",
            // They are for the server, and may hold a key of it.
            fields: isElsewhere ? [] : server.fields, limits: settings.limits,
            userAgent: Product.userAgent, transport: transport, secrets: secrets)
        return LoginCall(
            target, call,
            store: RenewalFile(
                directory: tokens.directory, name: tokens.name + ".renewal", secrets: secrets),
            user: facts.user)
    }
}

extension SecretSource {
    fileprivate func usable(by user: UInt32) throws(APIError) -> String {
        do throws(ConfigurationError) {
            return try read(user: user).revealed
        } catch {
            throw .invalidRequest(error.description)
        }
    }
}

extension ServerLogin {
    fileprivate func tokens(
        by login: LoginDescription, _ secrets: LoginDescription.Secrets
    ) async throws(APIError) -> Tokens {
        let form: Form =
            switch login.body {
            case .none: .basic
            case .json(let node): .json(login.filled(node, with: secrets).lines)
            case .form(let fields):
                .form(fields.map { ($0.name, login.filled($0.value, with: secrets)) })
            }
        return try await tokens(
            user: login.user, password: secrets.main, as: form, at: login.token.description
        ) { body in
            login.tokens(in: body).map { Tokens(token: $0.token, next: $0.next) }
        }
    }
}
