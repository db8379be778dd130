internal import APIClient
internal import Configuration
internal import CurlHTTP
internal import Declarations
internal import Host
internal import Store
internal import SyncEngine
internal import Tables
internal import Text

extension ServerSettings {
    /// Whose rows its lists have.
    fileprivate var owner: Account {
        let user: String? =
            switch credential {
            case .basic(let user, _): user
            case .login(let login, _): login.renewal == nil ? login.user : nil
            case .none, .bearer, .header, .query: nil
            }
        return Account(baseURL: baseURL.description, email: account ?? user ?? "")
    }
}

extension Composition {
    /// The real network, as the configuration wants it; nothing is opened before the first request.
    func transport(_ settings: Settings) -> any Transport {
        CurlTransport(
            CurlSettings(
                connectTimeout: settings.http.connectTimeout,
                proxy: settings.http.proxy?.description, caFile: settings.http.caFile,
                // How many are under way, the lanes of each server decide.
                maxConnectionsPerHost: 64))
    }

    /// The client of the todos' server.
    func todosClient(_ settings: Settings, over transport: any Transport) -> TodosClient {
        TodosClient(
            baseURL: settings.todos.baseURL, limits: settings.limits, userAgent: Product.userAgent,
            transport: transport, secrets: secrets)
    }

    /// The client of the movies' server, for one request of a person who sets syncd up.
    func moviesClient(
        _ settings: Settings, _ credential: MoviesCredential, over transport: any Transport
    ) -> MoviesClient {
        MoviesClient(
            baseURL: settings.movies.baseURL, credential: credential,
            language: settings.movies.language, region: settings.movies.region,
            limits: settings.limits, userAgent: Product.userAgent, transport: transport,
            secrets: secrets)
    }

    /// Where the token of a server is kept.
    func tokenFile(
        of server: ServerSettings, _ settings: Settings
    ) throws(CommandError) -> TokenFile {
        try CommandError.from(CommandError.file) { () throws(FileError) in
            TokenFile(
                directory: try StateDirectory(
                    preparing: settings.stateDirectory, user: facts.user),
                name: server.tokenFile, secrets: secrets)
        }
    }

    /// Runs the cycles of every list that is enabled. The tables of declared lists are brought to their
    /// declarations before; `whileMigrating` is called again and again meanwhile.
    ///
    /// - Throws: ``CommandError/notConfigured(_:hint:)`` where credentials are missing;
    ///   ``CommandError/configuration(_:)`` where the files of secrets cannot be used.
    func synchronizer(
        _ settings: Settings, store: CacheStore, stop: StopSignal,
        whileMigrating: @Sendable () -> Void, tell: @escaping @Sendable (CycleStep) -> Void
    ) async throws(CommandError) -> Synchronizer {
        try CommandError.trying(
            CommandError.configuration, try settings.checkFiles(user: facts.user))
        let transport = transport(settings)
        let lists = try sources(of: settings.keptLists, settings, over: transport)
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.bring(
                to: settings.declarations.map { ListTable($0) }, whileMaking: whileMigrating)
            // A file that is broken is a file: it declares its list again when it is corrected.
            try await store.refuseWrites(
                besides: Set(
                    settings.declarations.map(\.name) + settings.brokenLists.compactMap(\.list))
            )
            try await store.forgetPulls()
        }
        // Signals are told on the queue on which the cache works.
        store.stopPulls { Signals.isPending([.terminate, .interrupt]) }
        return Synchronizer(
            store: store, lists: lists, time: time, random: SystemRandom(),
            backoff: .standard, stop: stop, tell: tell)
    }

    /// One list that is kept, for who pulls it alone.
    func source(
        of name: ListName, _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> ListSource {
        let lists = settings.keptLists.filter { $0.declaration.name == name }
        guard let source = try sources(of: lists, settings, over: transport).first else {
            throw settings.leftOut(name)
        }
        return source
    }

    /// The lists, each with a client of its server.
    private func sources(
        of lists: [ListSettings], _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> [ListSource] {
        var sources: [ListSource] = []
        // One login, and one pace, for all lists of a server.
        var lanes: [String: ServerLanes] = [:]
        var credentials: [String: ListCredential] = [:]
        for list in lists {
            let credential: ListCredential
            if let known = credentials[list.server.name] {
                credential = known
            } else {
                credential = try self.credential(list, settings, over: transport)
            }
            credentials[list.server.name] = credential
            let own = lanes[list.server.name] ?? ServerLanes(most: list.server.concurrency)
            lanes[list.server.name] = own
            let client = client(
                of: list.server, credential, settings.limits,
                over: PacingTransport(transport, lanes: own, time: time))
            var source = ListSource(
                table: ListTable(list.declaration), client: client, lanes: own,
                writing: .init(account: list.server.owner, timeout: settings.http.timeout))
            source.whoami = list.server.whoami
            sources.append(source)
        }
        return sources
    }

    /// The client of one list, for who looks at an answer of at most `mostBytes`.
    func listClient(
        _ list: ListSettings, _ settings: Settings, mostBytes: Int, over transport: any Transport
    ) throws(CommandError) -> ListClient {
        listClient(
            list.server, try credential(list, settings, over: transport), settings,
            mostBytes: mostBytes, over: transport)
    }

    /// The same with a secret that is in no file yet.
    func listClient(
        _ server: ServerSettings, _ credential: ListCredential, _ settings: Settings,
        mostBytes: Int, over transport: any Transport
    ) -> ListClient {
        let limits = RequestLimits(
            timeout: settings.http.timeout,
            maxBodyBytes: min(settings.http.maxBodyBytes, mostBytes))
        return client(of: server, credential, limits, over: transport)
    }

    private func client(
        of server: ServerSettings, _ credential: ListCredential, _ limits: RequestLimits,
        over transport: any Transport
    ) -> ListClient {
        ListClient(
            baseURL: server.baseURL, credential: credential, fields: server.fields,
            limits: limits, userAgent: Product.userAgent, transport: transport,
            secrets: secrets)
    }

    private func credential(
        _ list: ListSettings, _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> ListCredential {
        guard let source = list.server.credential.source else {
            if let error = settings.missingSecret(of: list.declaration.name) { throw error }
            return .none
        }
        if case .login(let login, _) = list.server.credential {
            let session = try session(
                login, password: source, of: list.server, settings, over: transport)
            return .login(session, refusal: login.status, prefix: login.prefix)
        }
        let user = facts.user
        let first = try CommandError.trying(
            CommandError.configuration, try source.read(user: user).revealed)
        secrets.register(first)
        let held = HeldSecret(milliseconds: { [time] in time.bootTime().milliseconds }) {
            () throws(APIError) in
            do throws(ConfigurationError) {
                return try source.read(user: user).revealed
            } catch {
                throw .invalidRequest(error.description)
            }
        }
        return switch list.server.credential {
        case .none, .login: .none
        case .bearer: .bearer(held)
        case .header(let name, let prefix, _): .header(name: name, prefix: prefix, held)
        case .query(let name, _): .query(name: name, held)
        case .basic(let name, _): .basic(user: name, held)
        }
    }

    private func session(
        _ login: LoginDescription, password: SecretSource, of server: ServerSettings,
        _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> LoginSession {
        let tokens = try tokenFile(of: server, settings)
        let call = try loginCall(
            LoginTarget(server: server, login: login, secret: password), keptBeside: tokens,
            settings, over: transport)
        let guarded = GuardedLogin(
            refusals: LoginRefusalFile(
                directory: tokens.directory, name: tokens.name + ".refused")
        ) { [time] in
            let now = time.bootTime()
            return (now.boot, now.milliseconds)
        }
        // Read at each login, so that a changed secret needs no restart.
        let logIn = { @Sendable () async throws(APIError) in
            let secret = try call.secret()
            return try await guarded.token(with: secret) { () async throws(APIError) in
                try await call.token(by: secret)
            }
        }
        if let renewal = call.renewal {
            return LoginSession(
                renewedBy: renewal, at: server.baseURL, tokens: tokens, login: logIn)
        }
        return LoginSession(of: login.user, at: server.baseURL, tokens: tokens, login: logIn)
    }
}

extension Settings {
    /// Why a list that ships with syncd, whose server wants to know who asks, cannot be pulled without a secret.
    fileprivate func missingSecret(of list: ListName) -> CommandError? {
        switch list {
        case .movies:
            .notConfigured(
                "movies are enabled, but there is no token for \(movies.baseURL)",
                hint: "Name a file under movies.tokenFile, or set movies.enabled to false.")
        case .todos:
            .notConfigured(
                "todos are enabled, but there is no password of \(todos.email)",
                hint: "Name a file under todos.passwordFile, or set todos.enabled to false.")
        default: nil
        }
    }

    var limits: RequestLimits {
        RequestLimits(timeout: http.timeout, maxBodyBytes: http.maxBodyBytes)
    }
}
