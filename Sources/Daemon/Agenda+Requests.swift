internal import Host
internal import Store
internal import SyncEngine

extension Agenda {
    /// At most so many batches wait side by side; further requests join the last one.
    static let maxBatches = 8

    mutating func take(in found: FoundRequests) {
        look.succeed()
        if !look.isOutdated {
            for (list, due) in found.dues where plans[list]?.due == nil {
                plans[list]?.due = due
            }
        }
        for (list, state) in found.states where running[list] == nil {
            plans[list]?.isFailing = state.isFailing
        }
        if let requests = found.requests {
            add(requests)
        } else if look.isAnsweringAsked, batches.isEmpty {
            // The request of whoever sent the signal may have been taken before the signal came.
            for list in order { ask(list, .asked(acceptsRemovals: false)) }
        }
    }

    /// A batch holds what was taken before and is not answered yet, too.
    private mutating func add(_ requests: TakenRequests) {
        let waiting = requests.lists.filter { plans[$0] != nil }
        for list in waiting {
            ask(list, .asked(acceptsRemovals: requests.acceptingRemovals.contains(list)))
        }
        if let last = batches.last, !last.waiting.isEmpty,
            last.begun.isEmpty || batches.count >= Self.maxBatches
        {
            batches.removeLast()
        }
        batches.append(Batch(requests: requests, waiting: waiting))
    }

    /// Whether requests wait only for their answer to be written.
    var hasAnswered: Bool { batches.contains { $0.waiting.isEmpty } }

    /// The requests to answer next, nil when there are none; they are under way from now on.
    mutating func nextAnswered(at now: BootTime) -> TakenRequests? {
        guard let batch = batches.first(where: { $0.waiting.isEmpty }) else { return nil }
        finishing.begin(at: now)
        finishingRequests = batch.requests
        return batch.requests
    }

    mutating func takeFinished() {
        finishing.succeed()
        batches.removeAll { $0.requests == finishingRequests }
        finishingRequests = nil
    }
}

extension CycleReport {
    /// Whether the cycle ended early because something is wrong.
    var isFailing: Bool { state.isFailing || halt?.state.isFailing == true }
}

extension SyncState {
    /// Whether the last cycle brought nothing because something is wrong.
    var isFailing: Bool {
        switch self {
        case .offline, .failing, .needsCredentials, .misconfigured, .untrusted: true
        case .ok, .held, .waiting: false
        }
    }
}
