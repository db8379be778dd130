internal import Declarations
internal import SQLite
internal import Synchronization

/// Says that pulls are given up, from any thread and for good; and, a while later, everything else.
final class PullStop: Sendable {
    /// So long what was sent may still be settled. Triggers of other programs can work without end.
    private static let grace = Duration.seconds(2)
    private let flag = Atomic(false)
    private let sign = Mutex<@Sendable () -> Bool>({ false })
    /// When it was first found stopped.
    private let noticed = Mutex<ContinuousClock.Instant?>(nil)

    func stop() { flag.store(true, ordering: .relaxed) }

    func stop(when isOver: @escaping @Sendable () -> Bool) { sign.withLock { $0 = isOver } }

    var isStopped: Bool { flag.load(ordering: .relaxed) || sign.withLock { $0 }() }

    /// Whether nothing may go on any longer. It is asked while a statement works.
    var isOverdue: Bool {
        guard isStopped else { return false }
        return noticed.withLock { noticed in
            let first = noticed ?? ContinuousClock.now
            noticed = first
            return ContinuousClock.now - first > Self.grace
        }
    }
}

extension CacheStore {
    /// Gives up the pull that is under way, or comes later, where it takes long: the process ends. A
    /// short one is taken, and what was sent is settled, as before.
    public nonisolated func stopPulls() { pullStop.stop() }

    /// The same once `isOver` says so. It is asked in the middle of the work: what calls ``stopPulls()`` may
    /// wait for the thread that works.
    public nonisolated func stopPulls(when isOver: @escaping @Sendable () -> Bool) {
        pullStop.stop(when: isOver)
    }

    /// Runs a part of the pull of a list. Where it takes long and pulls are given up, it throws ``StoreError/stopped``.
    ///
    /// An answer must not keep the other lists waiting for ever. So where all parts since ``beginPull(of:)`` together take
    /// longer than any list may, it throws ``StoreError/longWork(of:after:)``.
    func pulling<Result>(
        _ name: ListName, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let stop = pullStop
        let began = ContinuousClock.now
        let before = pullWork[name] ?? .zero
        let left = longestPull - before
        defer { pullWork[name] = before + (ContinuousClock.now - began) }
        do throws(StoreError) {
            return try connection.interruptible(
                when: { stop.isStopped || ContinuousClock.now - began > left }, during: body)
        } catch {
            guard error == .stopped, !stop.isStopped else { throw error }
            throw .longWork(of: name, after: longestPull)
        }
    }
}
