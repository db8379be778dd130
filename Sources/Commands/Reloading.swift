internal import Configuration
internal import Daemon
internal import Host
internal import Store
internal import SyncEngine
internal import Synchronization

/// Reads the configuration again for a running daemon: taken wholly or not at all.
final class Reloading: Sendable {
    private let composition: Composition
    private let arguments: Arguments
    private let store: CacheStore
    private let stop: StopSignal
    private let tell: @Sendable (CycleStep) -> Void
    private let log: Log
    private let settings: Mutex<Settings>

    /// Begins with `settings` in force; the cache and its account stay for the life of the process.
    init(
        _ settings: Settings, for arguments: Arguments, by composition: Composition,
        store: CacheStore, stop: StopSignal, tell: @escaping @Sendable (CycleStep) -> Void, log: Log
    ) {
        self.settings = Mutex(settings)
        self.arguments = arguments
        self.composition = composition
        self.store = store
        self.stop = stop
        self.tell = tell
        self.log = log
    }

    /// What was accepted last.
    var accepted: Settings { settings.withLock { $0 } }

    func runner() async throws(ReloadError) -> any CycleRunner {
        do throws(CommandError) {
            let new = try composition.settings(for: arguments)
            try refuseOtherDatabase(new)
            let synchronizer = try composition.synchronizer(
                new, store: store, stop: stop, tell: tell)
            // Last: it writes down whose the cache is, and that stays.
            try await refuseOtherAccount(new)
            log.configure(
                level: arguments.isQuiet ? .error : new.log.level,
                format: new.log.format(environment: composition.facts.environment, descriptor: 2))
            settings.withLock { $0 = new }
            return synchronizer
        } catch {
            throw ReloadError(description: error.description, hint: error.hint)
        }
    }

    private func refuseOtherDatabase(_ new: Settings) throws(CommandError) {
        let kept = accepted.database
        guard new.database == kept else {
            throw .notConfigured(
                "the database is now \(new.database), but this process keeps \(kept)",
                hint: "Restart syncd to use the other one.")
        }
    }

    private func refuseOtherAccount(_ new: Settings) async throws(CommandError) {
        guard let account = new.account else { return }
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.bind(to: account)
        }
    }
}
