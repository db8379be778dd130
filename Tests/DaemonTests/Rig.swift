import Daemon
import Declarations
import Host
import Migrations
import Store
import SyncEngine
import TestSupport
import Testing
import Text

/// A daemon whose time, wakes and surroundings are in the test's hands.
final class Rig: Sendable {
    let time = VirtualTime()
    let ticker = ManualTicker()
    let wakes = ManualWakes()
    let network = ManualWakes()
    let stop = StopSignal()
    let store: ScriptedStore
    let pipe: LogPipe
    let manager: ServiceManager
    /// What ended the process at once.
    let ends = Observed<[ImmediateEnd]>([])
    /// How often the configuration was read again.
    let reloads = Observed(0)

    init(
        _ place: CacheStore.Place = .memory, executor: QueueExecutor = QueueExecutor(label: "store")
    ) throws {
        pipe = try LogPipe()
        manager = try ServiceManager()
        store = ScriptedStore(
            try CacheStore(
                place, migrations: Migration.all, maxBodyBytes: 1 << 20, executor: executor,
                patience: .seconds(2), now: time.wallTime(), whileMigrating: {}))
    }

    typealias Reload = @Sendable (Int) async throws(ReloadError) -> any CycleRunner

    /// `reload` gets its number, from 1.
    func daemon(
        _ runner: any CycleRunner, sources: [any WakeSource]? = nil,
        environment: [String: String] = [:], reload: Reload? = nil
    ) -> SyncDaemon {
        SyncDaemon(
            runner: runner, store: store, stop: stop, time: time, ticker: ticker,
            sources: sources ?? [wakes], network: network,
            reload: { [reloads] () async throws(ReloadError) in
                reloads.change { $0 += 1 }
                guard let reload else {
                    throw ReloadError(description: "no reload in this test", hint: "Mend it.")
                }
                return try await reload(reloads.value)
            },
            notify: NotifySocket(
                environment: environment.merging(["NOTIFY_SOCKET": manager.name]) { own, _ in own }),
            log: Log(
                output: StandardError(descriptor: pipe.writer), level: .info, format: .journal,
                time: time, secrets: Secrets()),
            endNow: { [ends] end in ends.change { $0.append(end) } })
    }

    /// Runs `daemon` beside `body`, asks it to stop where that did not, and returns what it came to.
    func run(
        _ daemon: SyncDaemon, _ body: () async throws -> Void
    ) async throws -> Result<Void, DaemonError> {
        async let outcome = Self.outcome(of: daemon)
        let failure: (any Error)?
        do {
            try await body()
            failure = nil
        } catch {
            failure = error
        }
        // A second one would end the process at once.
        if !wakes.hasSentStop { wakes.send(.stop) }
        let ended = await outcome
        if let failure { throw failure }
        return ended
    }

    static func outcome(of daemon: SyncDaemon) async -> Result<Void, DaemonError> {
        do throws(DaemonError) {
            try await daemon.run()
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// A report of a cycle that went well and is due `seconds` later.
    func fine(_ list: ListName, dueIn seconds: Int = 60) -> CycleReport {
        CycleReport(
            list: list, state: .ok, due: time.bootTime().advanced(by: .seconds(seconds)))
    }

    /// A report of a cycle without an answer.
    func offline(_ list: ListName, dueIn seconds: Int = 60) -> CycleReport {
        var report = fine(list, dueIn: seconds)
        report.state = .offline
        report.error = "connection refused"
        report.hint = "Check the network."
        return report
    }

    /// Writes the status row of a cycle that ended as ``offline(_:dueIn:)`` says.
    func recordOffline(_ list: ListName) async throws(StoreError) {
        let due = offline(list).due
        try await store.cache.record(
            CycleRecord(
                list: list, state: .offline, attemptedAt: time.wallTime(), pull: nil,
                failures: 1, error: "connection refused", due: due,
                dueShown: WallTime(milliseconds: 60_000), dueAskedUntil: nil,
                durationMilliseconds: 1))
    }

    /// Waits until the ticker is armed so many seconds from now.
    func armed(in seconds: Int) async {
        let moment = time.bootTime().advanced(by: .seconds(seconds))
        await ticker.armed.wait { $0 == moment }
    }

    /// Lets the time come that the ticker is armed for.
    func tick() throws {
        time.advance(to: try #require(ticker.armed.value))
        ticker.fire()
    }

    /// Waits until what is armed lies many seconds away, and lets nearer moments come: the looks that
    /// follow a touch of the cache are milliseconds apart.
    func armedFarAway() async throws {
        while true {
            let now = time.bootTime()
            let armed = await ticker.armed.wait { moment in
                moment.map { $0.elapsed(since: now) > .zero } ?? false
            }
            guard let armed, armed.elapsed(since: now) <= .seconds(2) else { return }
            try tick()
        }
    }
}
