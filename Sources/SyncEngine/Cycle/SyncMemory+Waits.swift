package import Host
package import Store

extension SyncMemory {
    /// How long a cycle for `cause` is kept back at `now`; nil where it may begin. A local write does
    /// not break into a backoff, nor a person into a wait that the server asked for.
    package func wait(for cause: CycleCause, at now: BootTime) -> BootTime? {
        guard let due, due.isAhead(of: now) else { return nil }
        switch cause {
        case .scheduled: return nil
        case .localWrite: return failures > 0 ? due : nil
        case .asked: return dueAskedUntil.flatMap { $0.isAhead(of: now) ? $0 : nil }
        }
    }

    /// How long the replay of a cycle for `cause` pauses at `now`; nil where it does not.
    package func pause(for cause: CycleCause, at now: BootTime) -> BootTime? {
        let until = cause.isAsked ? pauseAskedUntil : pause
        return until.flatMap { $0.isAhead(of: now) ? $0 : nil }
    }
}
