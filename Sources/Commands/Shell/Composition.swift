internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
@preconcurrency internal import Dispatch
internal import Host
internal import Migrations
internal import Recovery
internal import SQLite
internal import Store
internal import Synchronization
internal import Text

/// The composition root: everything a command needs, made here and passed on as values.
struct Composition: Sendable {
    let facts: ProcessFacts
    let console: Console
    let time: any TimeSource
    /// Where the command runs; timers and signals are told on its queue.
    let executor: QueueExecutor
    let secrets: Secrets
    let openCaches = OpenCaches()

    var queue: DispatchQueue { executor.queue }

    /// The configuration that `--config` names, or the usual one.
    func settings(for arguments: Arguments) throws(CommandError) -> Settings {
        try CommandError.from(CommandError.configuration) { () throws(ConfigurationError) in
            try Settings.load(named: arguments.configuration, facts: facts)
        }
    }

    /// The same for commands that go on with the other lists where a file declares none: they say so.
    func usableSettings(for arguments: Arguments) throws(CommandError) -> Settings {
        try CommandError.from(CommandError.configuration) { () throws(ConfigurationError) in
            try Settings.loadUsable(named: arguments.configuration, facts: facts)
        }
    }

    /// The same for commands that also work before there is a configuration: nil where none was
    /// named and none is at the usual places.
    func settingsIfAny(for arguments: Arguments) throws(CommandError) -> Settings? {
        do throws(ConfigurationError) {
            return try Settings.loadUsable(named: arguments.configuration, facts: facts)
        } catch .noFile {
            return nil
        } catch {
            throw .configuration(error)
        }
    }

    /// A path from the command line, seen from the working directory.
    func absolute(_ path: String) throws(CommandError) -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = facts.workingDirectory else {
            throw .input("the working directory is gone", hint: "Give an absolute path.")
        }
        return directory == "/" ? "/" + path : directory + "/" + path
    }

    /// What holds where nothing is configured: the usual state directory. Where it `isPlaced`, it has the path
    /// that a configuration would get.
    func defaults(isPlaced: Bool = false) throws(CommandError) -> Settings {
        try CommandError.from(CommandError.configuration) { () throws(ConfigurationError) in
            try Settings(
                ConfigurationText().bytes,
                path: isPlaced ? try Settings.place(named: nil, facts: facts) : "",
                environment: facts.environment)
        }
    }

    /// The path of the cache, and the configuration that names it if there is one.
    func place(for arguments: Arguments) throws(CommandError) -> CachePlace {
        let settings = try settingsIfAny(for: arguments)
        guard let settings else { return CachePlace(path: try defaults().database, settings: nil) }
        return CachePlace(path: settings.database, settings: settings)
    }

    /// Opens the cache of a command that only reads, which makes and changes nothing. It stays open until the
    /// process ends, unless the command `closes` it: SQLite would free its form of the schema piece by piece,
    /// which takes half as long as to read it. Root goes on as the owner of the cache, unless the command
    /// `keepsRights`, because it does more than that.
    func openForReading(
        _ place: CachePlace, closes: Bool = false, keepsRights: Bool = false
    ) throws(CommandError) -> CacheStore {
        let path = try find(place)
        if !keepsRights {
            try CommandError.trying(CommandError.file, try OwnersRights.take(of: path))
        }
        let store = try open(
            .readOnlyFile(path), place.settings, patience: Self.patienceOfPeople,
            whileMigrating: {})
        if !closes { openCaches.keep(store) }
        return store
    }

    /// The canonical path of the cache that must be there.
    func find(_ place: CachePlace) throws(CommandError) -> String {
        let found = try CommandError.trying(
            CommandError.file, try DatabaseFile.find(at: place.path))
        guard let found else {
            throw place.settings == nil
                ? .unconfigured(path: place.path) : .store(.missing(path: place.path))
        }
        return found
    }

    /// So long a person's change waits while another program holds the write lock.
    static let patienceOfPeople = Duration.seconds(10)
    /// And so long a cycle, which comes again.
    static let patienceOfCycles = Duration.seconds(2)

    /// Opens the cache of a command that writes, makes it where it is missing, and binds it to the
    /// account of the configuration.
    func openForWriting(_ place: CachePlace) async throws(CommandError) -> CacheStore {
        try await open(
            try prepare(place), place.settings, patience: Self.patienceOfPeople, whileMigrating: {})
    }

    /// The cache's file, made with the right mode before SQLite sees its path.
    func prepare(_ place: CachePlace) throws(CommandError) -> DatabaseFile {
        let file: DatabaseFile
        do throws(FileError) {
            file = try DatabaseFile(at: place.path, user: facts.user)
        } catch .foreignOwner(let directory, let owner, let expected) {
            if let cache = ForeignCache(at: place.path, owner: owner) {
                throw .input(cache.sentence, hint: cache.hint)
            }
            throw .file(.foreignOwner(directory, owner: owner, expected: expected))
        } catch {
            throw .file(error)
        }
        try CommandError.from(CommandError.file) { () throws(FileError) in _ = try file.prepare() }
        return file
    }

    /// Puts a sound cache in the place of a damaged one, and reports it. Only the holder of the
    /// lock calls this, before it opens the cache: where it was sound, with the returned connection.
    func salvage(
        _ file: DatabaseFile, _ lock: InstanceLock, tell: (SalvageReport) -> Void
    ) throws(CommandError) -> sending Connection? {
        let outcome: Salvage.Outcome
        do throws(StoreError) {
            outcome = try Salvage(
                of: file.path, migrations: Migration.all, wall: time.wallTime(),
                now: time.bootTime()
            ).run(isSuspicious: lock.wasLeftUnclean)
        } catch {
            throw .store(error)
        }
        switch outcome {
        case .missing: return nil
        case .sound(let connection): return connection
        case .replaced(let report):
            tell(report)
            return nil
        }
    }

    /// Opens a prepared cache and binds it to the account of the configuration; `whileMigrating` is
    /// called again and again while that brings it to this version. Whoever has looked at it hands over
    /// the connection, `examined`.
    func open(
        _ file: DatabaseFile, _ settings: Settings?, patience: Duration,
        examined: sending Connection? = nil, whileMigrating: @Sendable () -> Void
    ) async throws(CommandError) -> CacheStore {
        let store = try open(
            .file(file.path), settings, patience: patience, examined: examined,
            whileMigrating: whileMigrating)
        if let account = settings?.account {
            try await CommandError.awaiting(
                CommandError.store, try await store.bind(.todos, to: account))
        }
        return store
    }

    private func open(
        _ place: CacheStore.Place, _ settings: Settings?, patience: Duration,
        examined: sending Connection? = nil, whileMigrating: @Sendable () -> Void
    ) throws(CommandError) -> CacheStore {
        do throws(StoreError) {
            return try CacheStore(
                place, migrations: Migration.all,
                maxBodyBytes: settings?.http.maxBodyBytes ?? RequestLimits.standard.maxBodyBytes,
                executor: QueueExecutor(label: "cache", takingTurnsWith: executor),
                patience: patience,
                longestPull: max(settings?.http.timeout ?? .zero, .seconds(30)),
                now: time.wallTime(), examined: examined,
                whileMigrating: whileMigrating)
        } catch {
            throw .store(error)
        }
    }
}

/// Caches that nobody closes before the process ends.
final class OpenCaches: Sendable {
    private let stores = Mutex<[CacheStore]>([])

    func keep(_ store: CacheStore) { stores.withLock { $0.append(store) } }
}

/// Which cache a command means.
struct CachePlace: Sendable {
    /// Absolute.
    let path: String
    /// Nil where there is no configuration.
    let settings: Settings?
}

extension Settings {
    /// Whose todos the cache holds; nil where todos are left out.
    var account: Account? {
        todos.isEnabled
            ? Account(baseURL: todos.baseURL.description, email: todos.email) : nil
    }

    /// Why a cache that belongs to `cached` is not for this configuration; nil if it is, or if it
    /// belongs to nobody yet.
    func refusal(ofCacheOf cached: Account?) -> StoreError? {
        guard let cached, let account, cached != account else { return nil }
        return .otherAccount(cached: cached, configured: account)
    }
}
