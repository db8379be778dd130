internal import APIClient
public import Host

extension Settings {
    /// The largest configuration file, in bytes.
    public static let fileLimit = 1 << 20

    /// The same as ``loadUsable(named:facts:)``, for who needs the whole: a broken list is an error, too.
    public static func load(
        named: String?, facts: ProcessFacts
    ) throws(ConfigurationError) -> Settings {
        let settings = try loadUsable(named: named, facts: facts)
        if let broken = settings.brokenLists.first { throw broken.error }
        return settings
    }

    /// Finds, reads and checks the configuration. A file that should declare a list and does not stops that list alone:
    /// ``brokenLists`` names it. No secret is read from a file.
    ///
    /// - Parameters:
    ///   - named: What `--config` names, from the working directory; without it the first of
    ///     `$XDG_CONFIG_HOME/syncd/config.json` (`~/.config` where that is not set) and
    ///     `/etc/syncd/config.json` that is there.
    ///   - facts: Environment and working directory.
    /// - Returns: Settings that are right as far as a look at the file tells; ``checkFiles(user:)`` looks
    ///   further.
    /// - Throws: ``ConfigurationError`` for the first thing that is wrong:
    ///   ``ConfigurationError/untrusted(_:)`` if others can change the file, and
    ///   ``ConfigurationError/readableSecret(name:_:)`` if others can read it and a secret stands in it.
    public static func loadUsable(
        named: String?, facts: ProcessFacts
    ) throws(ConfigurationError) -> Settings {
        let path = try find(named, facts: facts)
        let content: (bytes: [UInt8], exposure: FileError?)
        do throws(FileError) {
            content = try SmallFile(path: path, limit: fileLimit).readTrusted(user: facts.user)
        } catch {
            throw .unreadable(error)
        }
        var settings = try Settings(content.bytes, path: path, environment: facts.environment)
        (settings.lists, settings.brokenLists) = try lists(
            in: settings.listDirectory, servers: settings.servers,
            rules: rules(insecure: settings.http.allowInsecure),
            locations: Locations(environment: facts.environment), user: facts.user)
        settings.lookUpReferences()
        if let exposure = content.exposure, let name = settings.inlineSecret {
            throw .readableSecret(name: name, exposure)
        }
        return settings
    }

    /// The key of a secret that stands in the file itself; nil for none.
    private var inlineSecret: String? {
        ([movies.credential?.source, todos.password] + servers.values.map(\.credential.source))
            .compactMap { $0 }.first(where: \.needsPrivateFile)?.name
    }

    /// Where the secrets are, of lists that are left out, too.
    public var secrets: [SecretSource] {
        [movies.credential?.source, todos.password].compactMap { $0 }
            + (Array(servers.values) + lists.map(\.server))
            .flatMap { [$0.credential.source, $0.clientSecret].compactMap(\.self) }
    }

    private static func find(
        _ named: String?, facts: ProcessFacts
    ) throws(ConfigurationError) -> String {
        if let named { return try absolute(named, facts: facts) }
        let usual = try Locations(environment: facts.environment).configurationFiles()
        guard let path = usual.first(where: isThere) else { throw .noFile(searched: usual) }
        return path
    }

    /// Whether there is a configuration at one of the usual places, be it right or wrong.
    public static func hasUsualFile(facts: ProcessFacts) -> Bool {
        // An environment that names no place has none.
        let usual = try? Locations(environment: facts.environment).configurationFiles()
        return usual?.contains(where: isThere) ?? false
    }

    private static func isThere(_ path: String) -> Bool {
        SmallFile(path: path, limit: fileLimit).exists
    }

    private static func absolute(
        _ named: String, facts: ProcessFacts
    ) throws(ConfigurationError) -> String {
        guard !named.isEmpty, !named.hasPrefix("/") else { return named }
        guard let directory = facts.workingDirectory else { throw .file(.relativePath(named)) }
        return directory + "/" + named
    }

    /// Where a new configuration belongs, whether there is one or not.
    ///
    /// - Parameters:
    ///   - named: What `--config` names; without it the first of the usual places.
    ///   - facts: Environment and working directory.
    /// - Returns: An absolute path.
    /// - Throws: ``ConfigurationError`` where the environment or the name leads nowhere.
    public static func place(
        named: String?, facts: ProcessFacts
    ) throws(ConfigurationError) -> String {
        if let named { return try absolute(named, facts: facts) }
        let usual = try Locations(environment: facts.environment).configurationFiles()
        return usual.first ?? "/etc/syncd/config.json"
    }

    /// Checks the text of a configuration file.
    ///
    /// - Parameters:
    ///   - bytes: The file's content.
    ///   - path: The file, for messages.
    ///   - environment: Tells the state directory and the credentials.
    /// - Throws: ``ConfigurationError`` for the first thing that is wrong.
    public init(
        _ bytes: [UInt8], path: String, environment: [String: String]
    ) throws(ConfigurationError) {
        let locations = Locations(environment: environment)
        let file = try SettingsFile(path: path, bytes: bytes, locations: locations)
        let state = try locations.stateDirectory()
        let named = try file.databasePath()
        self.file = path
        stateDirectory = state.path
        database = named ?? state.path + "/cache.sqlite"
        do throws(FileError) {
            try DatabaseFile.requireDatabasePath(database)
        } catch {
            throw .database(error)
        }
        http = try HTTPSettings(file)
        movies = try MoviesSettings(file, locations, insecure: http.allowInsecure)
        todos = try TodosSettings(file, locations, insecure: http.allowInsecure)
        var servers: [String: ServerSettings] = [:]
        for (name, server) in try file.servers(Self.rules(insecure: http.allowInsecure)) {
            let made = try ServerSettings(
                server, name: "servers.\(name)", stem: name, locations: locations)
            // A secret goes to one server only.
            if let shared = made.managedCredential, ["movies", "todos"].contains(name) {
                throw .sharedCredential(shared, of: made.name, and: name)
            }
            servers[name] = made
        }
        self.servers = servers
        listDirectory = ListDirectory(
            named: try file.optionalPath("lists"), configuration: path)
        log = LogSettings(
            level: try file.choice("log.level", of: LogLevel.self),
            format: try file.choice("log.format", of: LogSettings.Format.self))
        effectiveValues = try Self.effective(
            file, database: named == nil ? (database, state.variable) : nil,
            lists: listDirectory, movies: movies.credential, password: todos.password)
    }

    /// Looks at the files that the settings name, as `run` and `check` must: the secrets, read and
    /// forgotten again, and the certificates.
    ///
    /// - Parameter user: The effective user id.
    /// - Throws: ``ConfigurationError`` for the first file that cannot be used.
    public func checkFiles(user: UInt32) throws(ConfigurationError) {
        for source in secrets { _ = try source.read(user: user) }
        guard let path = http.caFile else { return }
        do throws(FileError) {
            _ = try SmallFile(path: path, limit: 16 << 20).readTrusted(user: user)
        } catch {
            throw .unreadable(error)
        }
    }
}

extension ConfigurationError {
    /// Why a file is not taken: who could have changed it is another thing than that it cannot be read.
    static func unreadable(_ error: FileError) -> ConfigurationError {
        switch error {
        case .foreignOwner, .writableByOthers: .untrusted(error)
        case .relativePath, .unusablePath, .missing, .notADirectory, .notARegularFile,
            .symbolicLink, .hardLinked, .readableByOthers, .readableByEverybody, .occupied,
            .tooLarge, .replaced, .system:
            .file(error)
        }
    }
}

extension SettingsFile {
    fileprivate func databasePath() throws(ConfigurationError) -> String? {
        // Debian's SQLite takes `file:` as a URI in a plain open: `?vfs=unix-none` would lock nothing.
        // An absolute path cannot begin so.
        guard let path = try optionalPath("database") else { return nil }
        guard !path.hasSuffix("/") else { throw refusal("database") }
        return path
    }
}

extension Settings.HTTPSettings {
    fileprivate init(_ file: SettingsFile) throws(ConfigurationError) {
        connectTimeout = try file.duration(
            "http.connectTimeout", in: .milliseconds(100) ... .seconds(600))
        timeout = try file.duration("http.timeout", in: .milliseconds(100) ... .seconds(3600))
        maxBodyBytes = try file.integer("http.maxBodyBytes", in: 1024...1_073_741_824)
        caFile = try file.optionalPath("http.caFile")
        if let text = try file.optionalText("http.proxy") {
            let url = try file.baseURL(text, for: "http.proxy")
            guard url.path.isEmpty else { throw file.refusal("http.proxy") }
            proxy = url
        } else {
            proxy = nil
        }
        guard case .list(let texts) = try file.value("http.allowInsecure") else {
            throw file.refusal("http.allowInsecure")
        }
        var allowed: [BaseURL] = []
        for text in texts {
            let url = try file.baseURL(text, for: "http.allowInsecure")
            guard url.origin.scheme == "http" else { throw file.refusal("http.allowInsecure") }
            allowed.append(url)
        }
        allowInsecure = allowed
    }
}
