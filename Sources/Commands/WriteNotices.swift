@preconcurrency internal import Dispatch
internal import Host
internal import Synchronization

/// Says when to look into the cache for what others have committed.
///
/// A write to the WAL says that a commit is under way, not that it can be seen: its writer has yet
/// to sync it, and may keep its connection open afterwards without a further event. So looks follow
/// at once, after 1, 2, 4 … 1024 ms, and then each second for a minute, all counted from the last
/// write. While nobody writes, nothing runs.
final class WriteNotices: Sendable {
    private struct State {
        var isInterrupted = false
        var isReplaced = false
        /// The next wait of the ladder; nil at its end.
        var rung: Int?
        var onInterrupt: (@Sendable () -> Void)?
    }

    private static let rungs: [Duration] =
        (0...10).map { .milliseconds(1 << $0) } + Array(repeating: .seconds(1), count: 60)

    private let queue: DispatchQueue
    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let timer: any DispatchSourceTimer
    private let signals: Mutex<Signals?> = Mutex(nil)
    private let watch: Mutex<FileWatch?> = Mutex(nil)

    /// Notices on `queue`, where the command runs; SIGINT and SIGTERM are blocked already.
    init(on queue: DispatchQueue) throws(SystemError) {
        self.queue = queue
        (wakes, tell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tell = tell
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: DispatchWorkItem { tell.yield() })
        timer.schedule(deadline: .distantFuture)
        timer.activate()
        let made = try Signals([.terminate, .interrupt], on: queue) { [weak self] _ in
            self?.note { $0.isInterrupted = true }
            self?.state.withLock { $0.onInterrupt }?()
        }
        signals.withLock { $0 = made }
    }

    /// Watches the files of the cache at `path`, in the place of those watched before.
    func watch(_ path: String) throws(SystemError) {
        let name = String(path.split(separator: "/").last ?? "")
        let made = try FileWatch(path + "-wal", names: [name, name + "-wal"], on: queue) {
            [weak self] event in
            self?.note { state in
                if event.isGone || event.isRenamed { state.isReplaced = true }
                state.rung = 0
            }
        }
        let before = watch.withLock { watch in
            defer { watch = made }
            return watch
        }
        before?.cancel()
    }

    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Calls `action` when a signal comes, or now where one has come; nil takes it back.
    func whenInterrupted(_ action: (@Sendable () -> Void)?) {
        let isNow = state.withLock { state in
            state.onInterrupt = action
            return state.isInterrupted
        }
        if isNow { action?() }
    }

    /// Whether the files that are watched have left their place since the last call.
    func takeReplaced() -> Bool {
        state.withLock { state in
            defer { state.isReplaced = false }
            return state.isReplaced
        }
    }

    /// Waits until a look is due, or a signal has come.
    func next() async {
        let wait = state.withLock { state -> Duration? in
            guard let rung = state.rung, rung < Self.rungs.count else {
                state.rung = nil
                return nil
            }
            state.rung = rung + 1
            return Self.rungs[rung]
        }
        if let wait {
            timer.schedule(deadline: .now() + .milliseconds(Int(wait.wholeMilliseconds)))
        } else {
            timer.schedule(deadline: .distantFuture)
        }
        for await _ in wakes { return }
    }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        tell.yield()
    }
}
