internal import Declarations
internal import Host
internal import Store
internal import SyncEngine

extension Agenda {
    /// Whether a cycle is under way.
    var isCycling: Bool { !running.isEmpty }

    /// Asks for a cycle of `list` as soon as can be.
    mutating func ask(_ list: ListName, _ cause: CycleCause) {
        guard var plan = plans[list] else { return }
        plan.asked = Self.merge(plan.asked, cause)
        // A person's wish ends a wait for the cache; a local write, which may be many, does not.
        if case .asked = cause { plan.retryAt = nil }
        plans[list] = plan
    }

    /// The cause with which a cycle of `list` begins now; nil where none does.
    mutating func begin(_ list: ListName, at now: BootTime) -> CycleCause? {
        guard running[list] == nil, var plan = plans[list],
            let cause = plan.cause(at: now, isLooking: look.errand.isUnderWay)
        else { return nil }
        plan.asked = nil
        plan.retryAt = nil
        plans[list] = plan
        running[list] = cause
        for index in batches.indices where batches[index].waiting.contains(list) {
            batches[index].begun.insert(list)
        }
        return cause
    }

    mutating func take(_ end: CycleEnd, of list: ListName, at now: BootTime) {
        running[list] = nil
        if writtenMeanwhile.remove(list) != nil { watch.askForWork() }
        for index in batches.indices where batches[index].begun.remove(list) != nil {
            batches[index].waiting.remove(list)
        }
        let isOutdated = outdated.remove(list) != nil
        guard var plan = plans[list] else { return }
        plan.isFailing = end.isFailing
        if end.due.hasCome(by: now), !end.hasProgress {
            // Whatever the reason, a cycle that changed nothing is not repeated without a pause.
            plan.stumbles += 1
            plan.due = now.advanced(by: Self.backoff.ceiling(afterFailures: plan.stumbles))
        } else {
            plan.stumbles = 0
            plan.due = end.due
        }
        if isOutdated { plan.due = nil }
        plans[list] = plan
        guard isOutdated else { return }
        look.isWanted = true
        if end.isFailing { ask(list, .asked(acceptsRemovals: false)) }
    }

    /// The cache failed: the same cycle again, after a wait.
    mutating func takeFailure(of list: ListName, at now: BootTime) {
        let cause = running.removeValue(forKey: list)
        outdated.remove(list)
        for index in batches.indices { batches[index].begun.remove(list) }
        guard var plan = plans[list] else { return dropWaiting() }
        plan.asked = cause.map { Self.merge(plan.asked, $0) } ?? plan.asked
        plan.stumbles += 1
        plan.retryAt = now.advanced(by: Self.backoff.ceiling(afterFailures: plan.stumbles))
        plans[list] = plan
    }

    /// Goes on with the lists of a new configuration. Those that failed are due at once: the
    /// person may have mended what was wrong.
    mutating func takeReload(_ lists: [ListName]) {
        isReloading = false
        var renewed: [ListName: Plan] = [:]
        for list in lists {
            renewed[list] = plans[list] ?? Plan()
            renewed[list]?.due = nil
        }
        plans = renewed
        outdated = Set(running.keys)
        look.renew()
        for (list, plan) in plans where plan.isFailing && running[list] == nil {
            ask(list, .asked(acceptsRemovals: false))
        }
        dropWaiting()
    }

    /// A request for a list that is not synced is answered by doing nothing.
    private mutating func dropWaiting() {
        for index in batches.indices {
            batches[index].waiting = batches[index].waiting.filter {
                plans[$0] != nil || batches[index].begun.contains($0)
            }
        }
    }

    /// The stronger of two causes: a person's wish, then what is due, then a local write.
    static func merge(_ old: CycleCause?, _ new: CycleCause) -> CycleCause {
        switch (old, new) {
        case (nil, _): new
        case (.asked(let first), .asked(let second)): .asked(acceptsRemovals: first || second)
        case (.asked(let accepts), _), (_, .asked(let accepts)):
            .asked(acceptsRemovals: accepts)
        case (.scheduled, _), (_, .scheduled): .scheduled
        case (.localWrite, .localWrite): .localWrite
        }
    }
}

extension Agenda.Plan {
    /// Whether its own moment has come.
    func isReady(at now: BootTime) -> Bool { readyAt?.hasCome(by: now) ?? false }

    /// The moment at which a cycle begins without being asked for.
    var readyAt: BootTime? { retryAt ?? due }

    /// Why a cycle would begin now. While a look is under way, a due cycle waits for it, because
    /// the look may find a request.
    func cause(at now: BootTime, isLooking: Bool) -> CycleCause? {
        if let retryAt, !retryAt.hasCome(by: now) { return nil }
        let isDue = !isLooking && (due?.hasCome(by: now) ?? false)
        switch (asked, isDue) {
        case (let cause?, true): return Agenda.merge(cause, .scheduled)
        case (let cause?, false): return cause
        case (nil, true): return .scheduled
        case (nil, false): return retryAt == nil ? nil : .scheduled
        }
    }
}
