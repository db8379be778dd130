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
        /// The cache has no write-ahead log yet: a backup that nobody has written to.
        var lacksLog = false
        /// The next wait of the ladder; nil at its end.
        var rung: Int?
        var onInterrupt: (@Sendable () -> Void)?
        /// The longest wait.
        var limit: Duration?
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
    private let lockWatch: Mutex<FileWatch?> = Mutex(nil)

    /// Notices on `queue`, where the command runs; none come before something is watched.
    init(on queue: DispatchQueue) {
        self.queue = queue
        (wakes, tell) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tell = tell
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler(handler: DispatchWorkItem { tell.yield() })
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    /// Takes SIGINT and SIGTERM, which are blocked already.
    func listenForSignals() throws(SystemError) {
        let made = try Signals([.terminate, .interrupt], on: queue) { [weak self] _ in
            self?.note { $0.isInterrupted = true }
            self?.state.withLock { $0.onInterrupt }?()
        }
        signals.withLock { $0 = made }
    }

    /// Watches the files of the cache at `path`, in the place of what was watched before.
    func watch(_ path: String) throws(SystemError) {
        let made: FileWatch
        var lacksLog = false
        do throws(SystemError) {
            made = try watch(path, writesTo: path + "-wal")
        } catch {
            guard error.isMissing else { throw error }
            // Its first writer writes to the file itself, to turn the log on.
            made = try watch(path, writesTo: path)
            lacksLog = true
        }
        state.withLock { $0.lacksLog = lacksLog }
        replace(watch, by: made)
    }

    private func watch(_ path: String, writesTo file: String) throws(SystemError) -> FileWatch {
        let name = Self.name(of: path)
        return try FileWatch(file, names: [name, name + "-wal"], on: queue) { [weak self] event in
            self?.note { state in
                if event.isGone || event.isRenamed { state.isReplaced = true }
                state.rung = 0
            }
        }
    }

    /// Watches for files of the cache at `path` that are made or moved there, in the place of what
    /// was watched before.
    func watchArrival(at path: String) throws(SystemError) {
        let name = Self.name(of: path)
        replace(
            watch,
            by: try FileWatch(arrivalOf: [name, name + "-wal"], beside: path, on: queue) {
                [weak self] _ in self?.note { $0.rung = 0 }
            })
    }

    /// Watches the lock file beside the cache at `path`, too, whose holder comes and goes.
    func watchLock(of path: String) throws(SystemError) {
        let lock = path + ".lock"
        let made: FileWatch
        do throws(SystemError) {
            made = try FileWatch(closingOf: lock, on: queue) { [weak self] _ in
                self?.note { $0.rung = 0 }
            }
        } catch {
            guard error.isMissing else { throw error }
            made = try FileWatch(arrivalOf: [Self.name(of: lock)], beside: lock, on: queue) {
                [weak self] _ in
                // Once it is there, it stays, and can only fail as it would have done at first.
                try? self?.watchLock(of: path)
                self?.note { $0.rung = 0 }
            }
        }
        replace(lockWatch, by: made)
    }

    private func replace(_ place: borrowing Mutex<FileWatch?>, by made: FileWatch) {
        let before = place.withLock { watch in
            defer { watch = made }
            return watch
        }
        before?.cancel()
    }

    private static func name(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
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

    /// Whether the files that are watched may have left their place since the last call.
    func takeReplaced() -> Bool {
        state.withLock { state in
            defer { state.isReplaced = false }
            return state.isReplaced || state.lacksLog
        }
    }

    /// Has a look follow each `interval` from now on; whether that is new.
    func look(each interval: Duration) -> Bool {
        state.withLock { state in
            defer { state.limit = interval }
            return state.limit == nil
        }
    }

    /// Waits until a look is due, a signal has come or the task is cancelled.
    func next() async {
        let wait = state.withLock { state -> Duration? in
            guard let rung = state.rung, rung < Self.rungs.count else {
                state.rung = nil
                return state.limit
            }
            state.rung = rung + 1
            return min(Self.rungs[rung], state.limit ?? Self.rungs[rung])
        }
        if let wait {
            timer.schedule(deadline: .now() + .milliseconds(Int(clamping: wait.wholeMilliseconds)))
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
