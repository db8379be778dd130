import Daemon
import Declarations
@preconcurrency import Dispatch
import Glibc
import Host
import Migrations
import Store
import SyncEngine
import Testing
import Text

/// Shuts the signals out of the main thread of a test process, which lets all of them in: as in a
/// daemon it is parked, by a handler that never returns.
private func parkMainThread() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && dup2(ends[1], 100) == 100)
    signal(SIGUSR2) { _ in
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, nil)
        write(100, "x", 1)
        Signals.parkMainThread()
    }
    kill(getpid(), SIGUSR2)
    var byte: UInt8 = 0
    try #require(read(ends[0], &byte, 1) == 1)
}

/// The sources of the product: a timer and signals of the kernel.
@Suite(.timeLimit(.minutes(3))) struct KernelTests {
    @Test(arguments: [
        (Signal.terminate, Wake.stop), (.interrupt, .stop), (.hangUp, .reload),
        (.syncNow, .syncNow),
    ])
    func `each signal has its meaning`(signal: Signal, wake: Wake) {
        #expect(SignalSource.wake(for: signal) == wake)
    }

    @Test func `the ticker tells its moment, and a later one takes its place`() async throws {
        let time = try SystemTime()
        let told = Observed(0)
        let ticker = BootTicker(on: DispatchQueue(label: "ticker"), time: time)
        ticker.arm(at: time.bootTime())
        try ticker.begin { wake in
            #expect(wake == .moment)
            told.change { $0 += 1 }
        }
        ticker.arm(at: time.bootTime().advanced(by: .seconds(86_400)))
        ticker.disarm()
        ticker.arm(at: time.bootTime())
        await told.wait { $0 == 1 }
        ticker.end()
        ticker.arm(at: time.bootTime())
        #expect(told.value == 1)
    }

    @Test func `on its own executor, signals sync, and then end it`() async {
        await #expect(processExitsWith: .success) {
            try parkMainThread()
            Signals.block(Signal.allCases)
            let executor = QueueExecutor(label: "daemon")
            let time = try SystemTime()
            let store = try CacheStore(
                .memory, migrations: Migration.all, maxBodyBytes: 1 << 20,
                executor: QueueExecutor(label: "store"), patience: .seconds(2),
                now: time.wallTime(),
                whileMigrating: {})
            let runner = ScriptedRunner([.todos]) { call, number throws(StoreError) in
                // Each cycle asks for what comes after it: another cycle, then the end.
                kill(getpid(), number == 1 ? SIGUSR1 : SIGTERM)
                return CycleReport(
                    list: call.list, state: .ok,
                    due: time.bootTime().advanced(by: .seconds(3600)))
            }
            let daemon = SyncDaemon(
                runner: runner, store: store, stop: StopSignal(), time: time,
                ticker: BootTicker(on: executor.queue, time: time),
                sources: [SignalSource(on: executor.queue)],
                network: NetworkSource(on: executor.queue),
                reload: { () async throws(ReloadError) in runner },
                notify: NotifySocket(environment: [:]),
                log: Log(
                    output: StandardError(descriptor: 2), level: .error, format: .text, time: time,
                    secrets: Secrets()), endNow: { _ in _exit(9) })
            try await Task(executorPreference: executor) { try await daemon.run() }.value
            let causes = runner.state.value.ended.map(\.cause)
            #expect(causes == [.scheduled, .asked(acceptsRemovals: false)])
        }
    }
}
