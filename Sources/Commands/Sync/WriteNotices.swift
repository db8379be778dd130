@preconcurrency internal import Dispatch
internal import Host
internal import Store
internal import Synchronization

/// Says when to look into the cache for what others have committed: the kernel tells of touches, a
/// ``WriteLadder`` what follows them. While nobody writes, nothing runs.
final class WriteNotices: Sendable {
    private struct State {
        var isInterrupted = false
        var isReplaced = false
        /// The cache has no write-ahead log yet: a backup that nobody has written to.
        var lacksLog = false
        var ladder = WriteLadder()
        /// The last touch.
        var touchedAt: BootTime?
        var onInterrupt: (@Sendable () -> Void)?
        /// The longest wait.
        var limit: Duration?
    }

    /// So long after the last touch a cache that is not there yet is looked for.
    private static let arrival = Duration.seconds(60)

    private let queue: DispatchQueue
    private let time: any TimeSource
    private let state = Mutex(State())
    private let wakes: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    private let timer: any DispatchSourceTimer
    private let signals: Mutex<Signals?> = Mutex(nil)
    private let watch: Mutex<FileWatch?> = Mutex(nil)
    private let lockWatch: Mutex<FileWatch?> = Mutex(nil)

    /// Notices on `queue`, where the command runs; none come before something is watched.
    init(on queue: DispatchQueue, time: any TimeSource) {
        self.queue = queue
        self.time = time
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
            self?.noteTouch { state in
                if event.isGone || event.isRenamed { state.isReplaced = true }
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
                [weak self] _ in self?.noteTouch()
            })
    }

    /// Watches the lock file beside the cache at `path`, too, whose holder comes and goes.
    func watchLock(of path: String) throws(SystemError) {
        let lock = path + ".lock"
        let made: FileWatch
        do throws(SystemError) {
            made = try FileWatch(closingOf: lock, on: queue) { [weak self] _ in
                self?.noteTouch()
            }
        } catch {
            guard error.isMissing else { throw error }
            made = try FileWatch(arrivalOf: [Self.name(of: lock)], beside: lock, on: queue) {
                [weak self] _ in
                // Once it is there, it stays, and can only fail as it would have done at first.
                try? self?.watchLock(of: path)
                self?.noteTouch()
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

    /// Waits until a look is due, a signal has come or the task is cancelled. Then it looks into
    /// `store` for the writer, if there is a store already. The caller's next read shows everything
    /// that was touched before, or a further look follows.
    func next(of store: CacheStore?) async {
        let now = time.bootTime()
        let wait = state.withLock { state -> Duration? in
            let rung = state.ladder.isWanted ? .zero : state.ladder.next?.elapsed(since: now)
            return [rung, state.limit].compactMap { $0 }.min()
        }
        if let wait {
            timer.schedule(deadline: .now() + .milliseconds(Int(clamping: wait.wholeMilliseconds)))
        } else {
            timer.schedule(deadline: .distantFuture)
        }
        for await _ in wakes { break }
        await look(into: store)
    }

    private func look(into store: CacheStore?) async {
        let now = time.bootTime()
        let question = state.withLock { state in
            state.ladder.isDue(at: now) ? state.ladder.begin(at: now, asksForWork: false) : nil
        }
        guard let question else { return }
        var sign: WriteSign?
        do throws(StoreError) {
            sign = try await store?.look(for: question, now: now)
        } catch {
            // Whoever reads the cache next finds the same, and tells it.
            if case .replaced = error { state.withLock { $0.isReplaced = true } }
        }
        state.withLock { state in
            let isArriving =
                state.touchedAt.map { now.elapsed(since: $0) < Self.arrival } ?? false
            let unknown = WriteSign(
                mark: WriteMark(version: 0, ownCommits: 0), isWriterActive: isArriving, work: nil)
            state.ladder.take(sign ?? unknown, at: time.bootTime())
        }
    }

    private func noteTouch(_ change: (inout State) -> Void = { _ in }) {
        let now = time.bootTime()
        note { state in
            state.ladder.noteTouch(at: now)
            state.touchedAt = now
            change(&state)
        }
    }

    private func note(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        tell.yield()
    }
}
