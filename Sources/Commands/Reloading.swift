internal import Configuration
internal import Daemon
internal import Host
internal import Store
internal import SyncEngine

/// Reads the configuration again for a running daemon: taken wholly or not at all.
struct Reloading: Sendable {
    let composition: Composition
    let arguments: Arguments
    /// What the process was started with; the cache and its account stay for its life.
    let settings: Settings
    let store: CacheStore
    let stop: StopSignal
    let tell: @Sendable (CycleStep) -> Void
    let log: Log

    func runner() async throws(ReloadError) -> any CycleRunner {
        do throws(CommandError) {
            let new = try composition.settings(for: arguments)
            try await refuseOtherCache(new)
            let synchronizer = try composition.synchronizer(
                new, store: store, stop: stop, tell: tell)
            log.configure(
                level: arguments.isQuiet ? .error : new.log.level,
                format: new.log.format(environment: composition.facts.environment, descriptor: 2))
            return synchronizer
        } catch {
            throw ReloadError(description: error.description, hint: error.hint)
        }
    }

    private func refuseOtherCache(_ new: Settings) async throws(CommandError) {
        guard new.database == settings.database else {
            throw .notConfigured(
                "the database is now \(new.database), but this process keeps \(settings.database)",
                hint: "Restart syncd to use the other one.")
        }
        guard let account = new.account else { return }
        // Refused where the cache belongs to another one.
        try await CommandError.from(CommandError.store) { () async throws(StoreError) in
            try await store.bind(to: account)
        }
    }
}
