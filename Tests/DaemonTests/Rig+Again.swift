import Daemon
import Host
import SyncEngine
import Text

extension Rig {
    /// A second daemon on the cache and the clocks of a first one.
    struct Again: Sendable {
        let ticker = ManualTicker()
        private let wakes = ManualWakes()
        private let rig: Rig

        init(_ rig: Rig) throws { self.rig = rig }

        func run(_ runner: any CycleRunner, _ body: () async throws -> Void) async throws {
            let daemon = SyncDaemon(
                runner: runner, store: rig.store, stop: StopSignal(), time: rig.time,
                ticker: ticker, sources: [wakes], network: ManualWakes(),
                reload: { () async throws(ReloadError) in runner },
                notify: NotifySocket(environment: [:]),
                log: Log(
                    output: StandardError(descriptor: rig.pipe.writer), level: .info,
                    format: .journal, time: rig.time, secrets: Secrets()),
                endNow: { _ in })
            async let outcome = Rig.outcome(of: daemon)
            try await body()
            wakes.send(.stop)
            try await outcome.get()
        }
    }
}
