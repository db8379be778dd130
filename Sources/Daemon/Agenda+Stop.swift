internal import Host

extension Agenda {
    /// A first signal asks, a second one does not wait.
    mutating func stop(at now: BootTime) -> [Action] {
        defer { isAskedToStop = true }
        switch phase {
        case .running:
            let cancelAt = now.advanced(by: Self.grace)
            phase = .stopping(cancelAt: cancelAt, endAt: cancelAt.advanced(by: Self.cancelling))
            return [.stopCycles]
        // It may be stopping by itself: then this is the first one.
        case .stopping: return isAskedToStop ? [.endNow(isOverdue: false)] : []
        case .left: return []
        }
    }

    /// The cache is gone: what is under way cannot be written down any more.
    mutating func stopForGood(at now: BootTime) -> [Action] {
        isBroken = true
        let endAt = now.advanced(by: Self.cancelling)
        switch phase {
        case .running:
            phase = .stopping(cancelAt: nil, endAt: endAt)
            return [.stopCycles, .cancelCycles]
        case .stopping(let cancelAt, let latest):
            phase = .stopping(
                cancelAt: nil, endAt: endAt.milliseconds < latest.milliseconds ? endAt : latest)
            return cancelAt == nil ? [] : [.cancelCycles]
        case .left: return []
        }
    }

    /// Lets what is under way end, first by itself, then by force.
    mutating func wind(
        down moments: (cancelAt: BootTime?, endAt: BootTime), at now: BootTime
    ) -> [Action] {
        var actions: [Action] = []
        // Answers that cannot be written now are given by the next daemon.
        if !isBroken, finishing.mayBegin(at: now), let requests = nextAnswered(at: now) {
            actions.append(.finish(requests))
        }
        let isIdle =
            running.isEmpty && !finishing.isUnderWay && !look.errand.isUnderWay && !isReloading
            && !watch.errand.isUnderWay
        if isIdle {
            phase = .left
        } else if moments.endAt.hasCome(by: now) {
            phase = .left
            actions.append(.endNow(isOverdue: true))
        } else if let cancelAt = moments.cancelAt, cancelAt.hasCome(by: now) {
            phase = .stopping(cancelAt: nil, endAt: moments.endAt)
            actions.append(.cancelCycles)
        }
        return actions
    }
}
