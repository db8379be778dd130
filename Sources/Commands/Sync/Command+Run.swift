internal import CommandLine
internal import Configuration
internal import Daemon
internal import Declarations
internal import Glibc
internal import Host
internal import Recovery
internal import Store
internal import SyncEngine
internal import Text

extension Command {
    static let run = Command(
        "run", "Runs the daemon in the foreground, until SIGTERM or SIGINT.",
        notes: [
            "SIGHUP reads the configuration again, SIGUSR1 syncs now. The log goes to standard",
            "error. One daemon keeps one cache. If a one-shot sync is under way, the daemon waits",
            "for it, for up to ten seconds. A broken file of a list stops that list alone.",
        ], statuses: [.tryLater, .configuration, .interrupted],
        examples: ["syncd run --config ~/.config/syncd/config.json"], signals: Signal.allCases
    ) { arguments, composition async throws(CommandError) in
        var settings = try composition.usableSettings(for: arguments)
        let log = Log(
            output: StandardError(descriptor: 2),
            level: arguments.isQuiet ? .error : settings.log.level,
            format: settings.log.format(environment: composition.facts.environment, descriptor: 2),
            time: composition.time, secrets: composition.secrets)
        for broken in settings.brokenLists { log(.warning, broken.remark) }
        for plain in settings.plainReferences { log(.warning, plain.remark) }
        var hasty = 0
        while true {
            let began = composition.time.bootTime()
            guard
                let path = try await keep(&settings, for: arguments, by: composition, log: log)
            else { return .ok }
            let lasted = composition.time.bootTime().elapsed(since: began)
            // Where every file is found replaced at once, going on would come to nothing.
            hasty = lasted > .seconds(1) ? 0 : hasty + 1
            guard hasty < 3, try await isBack(path, by: composition) else {
                throw .store(.replaced(path: path))
            }
            let reason = StoreError.replaced(path: path).description
            log(.warning, "\(reason); going on with the new files")
        }
    }

    /// Keeps the cache until a signal ends it, or its files are replaced: then everything is closed,
    /// to be opened again with the configuration that was accepted last, and their path is returned.
    private static func keep(
        _ settings: inout Settings, for arguments: Arguments, by composition: Composition, log: Log
    ) async throws(CommandError) -> String? {
        let file = try composition.prepare(
            CachePlace(path: settings.database, settings: settings))
        guard let lock = try await lock(file, by: composition, log) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let examined = try composition.salvage(file, lock) { report in
            log(report.losses.isEmpty ? .warning : .error, "\(report) \(report.hint)")
        }
        let notify = NotifySocket(environment: composition.facts.environment)
        let start = LongStart(notify, time: composition.time, log: log)
        let store = try await composition.open(
            file, settings, patience: Composition.patienceOfCycles, examined: examined,
            whileMigrating: start.goOn)
        if !store.hasWAL {
            log(
                .warning,
                "\(file.path): the file system has no shared memory, so readers wait for writers. "
                    + "Keep the cache on a local disk: `database` in the configuration.")
        }
        if !settings.listNames.contains(where: { settings.keeps($0.text) }) {
            let error = settings.keepsNothing
            log(.warning, Sentence.joined(error.description, error.hint))
        }
        let stop = StopSignal()
        let watch = CacheWatch(database: file.path, on: composition.queue, log: log)
        let tell = { @Sendable (step: CycleStep) in
            watch.retry()
            if case .stillPulling(let name, let progress) = step {
                log(.info, "\(name.text): \(progress)", .init("list", name.text))
            }
        }
        let synchronizer = try await composition.synchronizer(
            settings, store: store, stop: stop, whileMigrating: start.goOn, tell: tell)
        for changes in try await UnkeptChanges.all(in: store, settings) {
            log(.warning, changes.remark)
        }
        let reloading = Reloading(
            settings, for: arguments, by: composition, store: store, stop: stop,
            whileMigrating: start.goOn, tell: tell, log: log)
        let daemon = SyncDaemon(
            runner: synchronizer, store: store, stop: stop, time: composition.time,
            ticker: BootTicker(on: composition.queue, time: composition.time),
            sources: [
                SignalSource(on: composition.queue),
                watch,
            ],
            network: NetworkSource(on: composition.queue),
            reload: { () async throws(ReloadError) in try await reloading.runner() },
            notify: notify, log: log,
            endNow: Self.endNow)
        defer { settings = reloading.accepted }
        do throws(DaemonError) {
            try await daemon.run()
            lock.endCleanly()
            return nil
        } catch {
            switch error {
            case .store(.replaced(let path)): return path
            // The next start looks closely at what is there now.
            case .replacedWhileStopping: return nil
            case .store(let error): throw .store(error)
            case .system(let error): throw .system(error)
            }
        }
    }

    /// The right to keep the cache; nil when a signal ended the wait for it.
    private static func lock(
        _ file: DatabaseFile, by composition: Composition, _ log: Log
    ) async throws(CommandError) -> InstanceLock? {
        let stop = StopSignal()
        do throws(CommandError) {
            let lock = try await Interruptible(
                queue: composition.queue, limit: nil, stop: stop, grace: { .zero }
            ).run { () async throws(CommandError) in
                try await CommandError.from(CommandError.lock) { () async throws(LockError) in
                    try await composition.lock(
                        file, as: .daemon, waitingUpTo: .seconds(10)
                    ) { log(.info, $0) }
                }
            }
            // The signal was taken, and nobody else will hear of it.
            return stop.isStopping ? nil : lock
        } catch .interrupted {
            return nil
        } catch {
            throw error
        }
    }

    /// Whether there is a file at `path` again. One that is missing is not made anew unasked.
    private static func isBack(
        _ path: String, by composition: Composition
    ) async throws(CommandError) -> Bool {
        // Whoever replaces a file moves the old one away first.
        try await CommandError.from({ _ in .interrupted }) { () async throws(CancellationError) in
            try await wait(for: .seconds(1), on: composition.queue)
        }
        return try CommandError.trying(
            CommandError.file, try DatabaseFile.find(at: path) != nil)
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
