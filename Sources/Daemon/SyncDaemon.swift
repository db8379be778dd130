public import Host
internal import Store
public import SyncEngine

/// Decides when to sync: at the due times of the lists, and when something wakes it.
///
/// It is handed everything open and ready: the cache, the synchronizer, the lock on the database.
/// Between due times nothing wakes it. Cycles of two lists may run beside each other, one
/// list's never overlaps itself; what comes during a cycle collapses into one next cycle.
public struct SyncDaemon: Sendable {
    let runner: any CycleRunner
    let store: any DaemonStore
    let stop: StopSignal
    let time: any TimeSource
    let ticker: any Ticker
    let sources: [any WakeSource]
    let network: any WakeSource
    let reload: @Sendable () async throws(ReloadError) -> any CycleRunner
    let notify: NotifySocket
    let log: Log
    let endNow: @Sendable (ImmediateEnd) -> Void

    /// A daemon that has not started.
    ///
    /// - Parameters:
    ///   - runner: Runs the cycles, until a reload brings another one.
    ///   - store: The open cache.
    ///   - stop: The signal that the runner, and each one after it, looks at.
    ///   - time: The clocks that the runner looks at, too.
    ///   - ticker: The one timer.
    ///   - sources: Signals and the writes of others.
    ///   - network: Listened to while a cycle is failing.
    ///   - reload: Reads the configuration again and makes a runner from it. It is not called
    ///     again while it runs.
    ///   - notify: The service manager.
    ///   - log: Where changes are told.
    ///   - endNow: Ends the process without waiting for anything (`_exit`).
    public init(
        runner: any CycleRunner, store: any DaemonStore, stop: StopSignal, time: any TimeSource,
        ticker: any Ticker, sources: [any WakeSource], network: any WakeSource,
        reload: @escaping @Sendable () async throws(ReloadError) -> any CycleRunner,
        notify: NotifySocket, log: Log, endNow: @escaping @Sendable (ImmediateEnd) -> Void
    ) {
        self.runner = runner
        self.store = store
        self.stop = stop
        self.time = time
        self.ticker = ticker
        self.sources = sources
        self.network = network
        self.reload = reload
        self.notify = notify
        self.log = log
        self.endNow = endNow
    }

    /// Syncs until a signal asks to stop, then returns, in under five seconds.
    ///
    /// Run it in a task on the executor whose queue the ticker and the sources use. A task that is
    /// cancelled ends it, too.
    ///
    /// - Throws: ``DaemonError`` when the cache or the kernel fails for good.
    public func run() async throws(DaemonError) {
        let mailbox = Mailbox()
        defer { for source in allSources + [network] { source.end() } }
        for source in allSources {
            do throws(SystemError) {
                try source.begin { mailbox.put(.woken($0)) }
            } catch {
                throw .system(error)
            }
        }
        let (failure, wasAskedToStop) = await withDiscardingTaskGroup { group in
            var loop = DaemonLoop(self, mailbox: mailbox)
            await loop.run(in: &group)
            group.cancelAll()
            return (loop.failure, loop.wasAskedToStop)
        }
        // A signal that is not read yet waits in the kernel for whoever goes on.
        for source in sources { source.end() }
        let isAsked = wasAskedToStop || mailbox.takeAll().contains { $0.asksToStop }
        log(.info, "stopped")
        guard let failure else { return }
        if isAsked, case .store(.replaced(let path)) = failure {
            throw .replacedWhileStopping(path: path)
        }
        throw failure
    }

    private var allSources: [any WakeSource] { [ticker] + sources }
}
