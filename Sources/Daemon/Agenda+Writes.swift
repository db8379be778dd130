internal import Declarations
internal import Host
internal import Store
internal import SyncEngine

extension Agenda {
    /// Serves what others wrote. Whatever else they did is no reason for a cycle.
    mutating func take(_ sign: WriteSign, at now: BootTime) {
        guard let work = watch.take(sign, at: now) else { return }
        if work.hasRequests { look.isWanted = true }
        for list in work.sendable {
            if running[list] == nil {
                ask(list, .localWrite)
            } else {
                // A replay takes the queue as it is at its begin. At the end of this cycle, the queue
                // shows whether the replay began before or after the write.
                writtenMeanwhile.insert(list)
            }
        }
    }
}
