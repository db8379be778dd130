internal import SQLite
internal import Synchronization

/// Says that pulls are given up, from any thread and for good.
final class PullStop: Sendable {
    private let flag = Atomic(false)

    func stop() { flag.store(true, ordering: .relaxed) }

    var isStopped: Bool { flag.load(ordering: .relaxed) }
}

extension CacheStore {
    /// Gives up the pull that is under way, or comes later, where it takes long: the process ends. A
    /// short one is taken, and what was sent is settled, as before.
    public nonisolated func stopPulls() { pullStop.stop() }

    /// Runs a part of a pull, which throws ``StoreError/stopped`` where it takes long and pulls are given
    /// up.
    func pulling<Result>(
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let stop = pullStop
        return try connection.interruptible(when: { stop.isStopped }, during: body)
    }
}
