import Foundation
import Synchronization

/// The moment at which a process dies: what is on the disk then is all that the next one finds.
final class CrashPoint: Sendable {
    private struct Plan {
        var countdown: Int
        let source: String
        let target: String
        var hasHappened = false
    }

    private let plan: Mutex<Plan?> = Mutex(nil)

    /// The process dies at the moment number `countdown` from now; its cache is `source`.
    func arm(after countdown: Int, source: String, target: String) {
        plan.withLock { $0 = Plan(countdown: countdown, source: source, target: target) }
    }

    /// Counts a moment; true when the process dies at this one.
    func pass() -> Bool {
        plan.withLock { plan in
            guard var current = plan, !current.hasHappened else { return false }
            current.countdown -= 1
            current.hasHappened = current.countdown < 0
            plan = current
            guard current.hasHappened else { return false }
            for suffix in ["", "-wal"]
            where FileManager.default.fileExists(
                atPath: current.source + suffix)
            {
                // No transaction is open at such a moment, so the copy is whole.
                try? FileManager.default.copyItem(
                    atPath: current.source + suffix, toPath: current.target + suffix)
            }
            return true
        }
    }

    /// Forgets the plan, and returns the image of the dead process where there is one.
    func takeImage() -> String? {
        plan.withLock { plan in
            defer { plan = nil }
            guard let plan, plan.hasHappened else { return nil }
            return plan.target
        }
    }
}
