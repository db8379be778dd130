internal import APIClient
internal import Configuration
internal import CurlHTTP
internal import Host
internal import Store
internal import SyncEngine
internal import Text

extension Composition {
    /// The real network, as the configuration wants it; nothing is opened before the first request.
    func transport(_ settings: Settings) -> any Transport {
        CurlTransport(
            CurlSettings(
                connectTimeout: settings.http.connectTimeout,
                proxy: settings.http.proxy?.description, caFile: settings.http.caFile,
                maxConnectionsPerHost: settings.todos.concurrency))
    }

    /// The client of the todos' server.
    func todosClient(_ settings: Settings, over transport: any Transport) -> TodosClient {
        TodosClient(
            baseURL: settings.todos.baseURL, limits: settings.limits, userAgent: Product.userAgent,
            transport: transport, secrets: secrets)
    }

    /// The client of the movies' server.
    func moviesClient(
        _ settings: Settings, _ credential: MoviesCredential, over transport: any Transport
    ) -> MoviesClient {
        MoviesClient(
            baseURL: settings.movies.baseURL, credential: credential,
            language: settings.movies.language, region: settings.movies.region,
            limits: settings.limits, userAgent: Product.userAgent, transport: transport,
            secrets: secrets)
    }

    /// Where the token is kept.
    func tokenFile(_ settings: Settings) throws(CommandError) -> TokenFile {
        try CommandError.from(CommandError.file) { () throws(FileError) in
            TokenFile(
                directory: try StateDirectory(
                    preparing: settings.stateDirectory, user: facts.user),
                secrets: secrets)
        }
    }

    /// Runs the cycles of every resource that is enabled.
    ///
    /// - Throws: ``CommandError/notConfigured(_:hint:)`` where credentials are missing;
    ///   ``CommandError/configuration(_:)`` where the files of secrets cannot be used.
    func synchronizer(
        _ settings: Settings, store: CacheStore, stop: StopSignal,
        tell: @escaping @Sendable (CycleStep) -> Void
    ) throws(CommandError) -> Synchronizer {
        try CommandError.from(CommandError.configuration) { () throws(ConfigurationError) in
            try settings.checkFiles(user: facts.user)
        }
        let transport = transport(settings)
        // Signals are told on the queue on which the cache works.
        store.stopPulls { Signals.isPending([.terminate, .interrupt]) }
        return Synchronizer(
            store: store, todos: try todosSource(settings, over: transport),
            movies: try moviesSource(settings, over: transport), time: time, random: SystemRandom(),
            backoff: .standard, stop: stop, tell: tell)
    }

    private func todosSource(
        _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> TodosSource? {
        guard let account = settings.account else { return nil }
        guard let password = settings.todos.password else {
            throw .notConfigured(
                "todos are enabled, but there is no password of \(settings.todos.email)",
                hint: "Name a file under todos.passwordFile, or set todos.enabled to false.")
        }
        let user = facts.user
        // A server may quote it, though a stored token is all that is sent. A file that cannot be read now
        // is told of by the login that needs it.
        if let known = try? password.read(user: user) {
            let login = TodosCall.login(email: settings.todos.email, password: known.revealed)
            for secret in login.secrets { secrets.register(secret) }
        }
        let session = TodosSession(
            client: todosClient(settings, over: transport), email: settings.todos.email,
            password: { () async throws(APIError) in
                // Read at each login, so that a changed password needs no restart.
                do throws(ConfigurationError) {
                    return try password.read(user: user).revealed
                } catch {
                    throw .invalidRequest(error.description)
                }
            }, tokens: try tokenFile(settings))
        return TodosSource(
            session: session, account: account, interval: settings.todos.interval,
            concurrency: settings.todos.concurrency,
            honoursIdempotencyKeys: settings.todos.idempotency == .key,
            timeout: settings.http.timeout)
    }

    private func moviesSource(
        _ settings: Settings, over transport: any Transport
    ) throws(CommandError) -> MoviesSource? {
        guard settings.movies.isEnabled else { return nil }
        guard let credential = settings.movies.credential else {
            throw .notConfigured(
                "movies are enabled, but there is no token for \(settings.movies.baseURL)",
                hint: "Name a file under movies.tokenFile, or set movies.enabled to false.")
        }
        let read = try CommandError.from(CommandError.configuration) {
            () throws(ConfigurationError) in
            switch credential {
            case .bearer(let source):
                MoviesCredential.bearer(try source.read(user: facts.user).revealed)
            case .apiKey(let source):
                MoviesCredential.apiKey(try source.read(user: facts.user).revealed)
            }
        }
        secrets.register(read.secret)
        return MoviesSource(
            client: moviesClient(settings, read, over: transport),
            interval: settings.movies.interval)
    }
}

extension Settings {
    var limits: RequestLimits {
        RequestLimits(timeout: http.timeout, maxBodyBytes: http.maxBodyBytes)
    }
}
