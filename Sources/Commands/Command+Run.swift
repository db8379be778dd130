internal import Configuration
internal import Daemon
internal import Glibc
internal import Host
internal import Store
internal import SyncEngine

extension Command {
    static let run = Command(
        "run", "Runs the daemon in the foreground, until SIGTERM or SIGINT.",
        notes: [
            "SIGHUP reads the configuration again, SIGUSR1 syncs now. The log goes to standard error.",
            "One daemon keeps one cache; a one-shot sync is waited for up to ten seconds.",
        ], statuses: [.tryLater, .configuration, .interrupted],
        examples: ["syncd run --config ~/.config/syncd/config.json"], signals: Signal.allCases
    ) { arguments, composition async throws(CommandError) in
        let settings = try composition.settings(for: arguments)
        let log = Log(
            output: StandardError(descriptor: 2),
            level: arguments.isQuiet ? .error : settings.log.level,
            format: settings.log.format(environment: composition.facts.environment, descriptor: 2),
            time: composition.time, redactor: composition.redactor)
        let file = try composition.prepare(
            CachePlace(path: settings.database, settings: settings))
        let lock = try await CommandError.from(CommandError.lock) {
            () async throws(LockError) in
            try await InstanceLock.acquire(
                file.lockName, in: file.directory, as: .daemon, waitingUpTo: .seconds(10),
                on: composition.queue)
        }
        defer { withExtendedLifetime(lock) {} }
        let store = try await composition.open(file, settings)
        let stop = StopSignal()
        let synchronizer = try composition.synchronizer(settings, store: store, stop: stop)
        let reloading = Reloading(
            composition: composition, arguments: arguments, settings: settings, store: store,
            stop: stop, log: log)
        let daemon = SyncDaemon(
            runner: synchronizer, store: store, stop: stop, time: composition.time,
            ticker: BootTicker(on: composition.queue, time: composition.time),
            sources: [SignalSource(on: composition.queue)],
            reload: { () async throws(ReloadError) in try await reloading.runner() },
            notify: NotifySocket(environment: composition.facts.environment), log: log,
            endNow: Self.endNow)
        do throws(DaemonError) {
            try await daemon.run()
        } catch {
            switch error {
            case .store(let error): throw .store(error)
            case .system(let error): throw .system(error)
            }
        }
        return .ok
    }

    /// Ends the process while work is under way: nothing accepted is lost by it.
    private static func endNow(_ end: ImmediateEnd) {
        switch end {
        case .secondSignal: _exit(ExitCode.interrupted.rawValue)
        case .overdue(nil): _exit(ExitCode.ok.rawValue)
        case .overdue(.some): _exit(ExitCode.disk.rawValue)
        }
    }
}
