internal import Declarations
internal import Rendering
internal import Store
internal import SyncEngine
internal import Synchronization

/// How far the cycles of a sync are, together: what they told in, one line out.
struct SyncProgress: Sendable, Hashable {
    private struct Count: Hashable {
        var done: Int
        var total: Int

        var isUnderWay: Bool { done < total }
    }

    private var pages: Count?
    private var operations: Count?
    private var isPullingTodos = false
    /// The list that was begun last.
    private var listPulled: ListName?

    init() {}

    /// Takes what a cycle told.
    mutating func note(_ step: CycleStep) {
        switch step {
        case .pulling(.todos): isPullingTodos = true
        case .pulling(let list):
            pages = nil
            listPulled = list
        case .pulled(let done, let total): pages = Count(done: done, total: total)
        case .stillPulling: break
        case .sent(let done, let total):
            isPullingTodos = false
            operations = Count(done: done, total: total)
        }
    }

    /// What takes longest first: changes that are sent, then pages.
    var line: ProgressLine {
        if let operations, operations.isUnderWay {
            return ProgressLine(
                label: "sending", done: operations.done, total: operations.total, unit: "changes")
        }
        if let pages, pages.isUnderWay {
            return ProgressLine(
                label: "pulling \(listPulled?.text ?? "a list")", done: pages.done,
                total: pages.total, unit: "pages")
        }
        return ProgressLine(label: isPullingTodos ? "pulling todos" : "syncing")
    }
}

/// What can be seen of a sync that the daemon does: the outbox, which is in the cache.
struct DaemonProgress: Sendable, Hashable {
    let pid: Int32
    /// The longest that the outbox was.
    private var longest = 0
    private var left = 0

    init(pid: Int32) { self.pid = pid }

    /// Takes the outbox as it is now.
    mutating func note(_ queue: QueueCounts) {
        left = Int(clamping: queue.queued + queue.sending + queue.inDoubt)
        longest = max(longest, left)
    }

    var line: ProgressLine {
        let label = "waiting for the daemon (process \(pid))"
        guard left > 0 else { return ProgressLine(label: label) }
        return ProgressLine(label: label, done: longest - left, total: longest, unit: "changes")
    }
}

/// Tells the line of a sync's progress each time that one of its cycles tells a step.
final class SyncProgressTeller: Sendable {
    private let progress = Mutex(SyncProgress())
    private let show: @Sendable (ProgressLine) -> Void

    init(_ show: @escaping @Sendable (ProgressLine) -> Void) { self.show = show }

    func note(_ step: CycleStep) {
        let line = progress.withLock { progress in
            progress.note(step)
            return progress.line
        }
        show(line)
    }
}
