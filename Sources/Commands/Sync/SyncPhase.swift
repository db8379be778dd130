internal import Synchronization

/// Whether a sync has cycles of its own under way, or still waits for another process.
final class SyncPhase: Sendable {
    private let flag = Atomic(false)

    var isWorking: Bool { flag.load(ordering: .relaxed) }

    /// Says that cycles begin.
    func beginWork() { flag.store(true, ordering: .relaxed) }
}
