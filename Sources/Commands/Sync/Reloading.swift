internal import CommandLine
internal import Configuration
internal import Daemon
internal import Declarations
internal import Host
internal import Store
internal import SyncEngine
internal import Synchronization
internal import Text

/// Reads the configuration again for a running daemon: taken wholly or not at all.
final class Reloading: Sendable {
    private let composition: Composition
    private let arguments: Arguments
    private let store: CacheStore
    private let stop: StopSignal
    private let whileMigrating: @Sendable () -> Void
    private let tell: @Sendable (CycleStep) -> Void
    private let log: Log
    private let settings: Mutex<Settings>

    /// Begins with `settings` in force; the cache and its account stay for the life of the process.
    init(
        _ settings: Settings, for arguments: Arguments, by composition: Composition,
        store: CacheStore, stop: StopSignal, whileMigrating: @escaping @Sendable () -> Void,
        tell: @escaping @Sendable (CycleStep) -> Void, log: Log
    ) {
        self.settings = Mutex(settings)
        self.arguments = arguments
        self.composition = composition
        self.store = store
        self.stop = stop
        self.whileMigrating = whileMigrating
        self.tell = tell
        self.log = log
    }

    /// What was accepted last.
    var accepted: Settings { settings.withLock { $0 } }

    func runner() async throws(ReloadError) -> any CycleRunner {
        do throws(CommandError) {
            let new = try composition.usableSettings(for: arguments)
            try refuseOtherDatabase(new)
            // Before a table takes another form that the configuration in force would not know.
            try await refuseOtherAccount(new)
            try await refuseWithoutReferred(new)
            let synchronizer = try await composition.synchronizer(
                new, store: store, stop: stop, whileMigrating: whileMigrating, tell: tell)
            // Last: it writes down whose the cache is, and that stays.
            try await bind(to: new.account)
            log.configure(
                level: arguments.isQuiet ? .error : new.log.level,
                format: new.log.format(environment: composition.facts.environment, descriptor: 2))
            let (told, known) = (accepted.brokenLists, accepted.plainReferences)
            settings.withLock { $0 = new }
            for broken in new.brokenLists where !told.contains(broken) {
                log(.warning, broken.remark)
            }
            for plain in new.plainReferences where !known.contains(plain) {
                log(.warning, plain.remark)
            }
            for broken in told where !new.brokenLists.contains(where: { $0.name == broken.name }) {
                log(.info, "\(ForeignText(broken.name)): its file is not broken any more")
            }
            for changes in try await UnkeptChanges.all(in: store, new) {
                log(.warning, changes.remark)
            }
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
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            if let refusal = new.refusal(ofCacheOf: try await store.account(of: .todos)) {
                throw refusal
            }
        }
    }

    /// A list that others refer to stays while changes wait that need it.
    private func refuseWithoutReferred(_ new: Settings) async throws(CommandError) {
        let old = accepted
        let waits = try await CommandError.awaiting(
            CommandError.store, try await store.waitingReferences())
        // A broken file is a file: it stops its list alone.
        for wait in waits
        where old.keeps(wait.list.text) && !new.keeps(wait.list.text)
            && !new.brokenLists.contains(where: { $0.name == wait.list.text })
        {
            throw wait.refusal(new)
        }
    }

    private func bind(to account: Account?) async throws(CommandError) {
        guard let account else { return }
        try await CommandError.awaiting(
            CommandError.store, try await store.bind(.todos, to: account))
    }
}
