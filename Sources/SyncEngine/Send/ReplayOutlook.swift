package import Rules
package import Store

/// What a replay would do with an operation if the server took everything: for a person who asks
/// before anything is sent.
package enum ReplayOutlook: Sendable, Hashable {
    /// It would be sent: its place in the order, from 1, and the operation of its title that goes
    /// before it, if there is one.
    case turn(Int, after: OperationSequence?)
    /// It would stay in the queue.
    case waits(Obstacle)

    /// What keeps an operation in the queue.
    package enum Obstacle: Sendable, Hashable {
        /// An earlier operation of its title that stays in the queue.
        case operation(OperationSequence)
        /// The moment of its next attempt, which the server asked for or our own backoff sets.
        case time(isAsked: Bool)
        /// The lists that show whether it took effect, or which row it deletes.
        case pulls
        /// The answer to its request.
        case answer
        /// A person, because it is one of many deletes at once.
        case acceptance
        /// The delete of its row, with which an edit ends.
        case delete
        /// An operation of another row, to which its own refers, or which refers to it.
        case row(RowWait)
    }

    /// The outlook of `operations`, which come in queue order and hold all that are not rejected.
    ///
    /// The order is the one that ``ReplayPlan`` gives to one request at a time.
    package static func all(
        of operations: [WaitingOperation], under permission: ReplayPlan.Permission
    ) -> [OperationSequence: ReplayOutlook] {
        var plan = ReplayPlan(permission)
        for operation in operations { plan.add(operation) }
        var turns: [OperationSequence: Int] = [:]
        while let next = plan.next(1, at: permission.now).first {
            turns[next] = turns.count + 1
            plan.finish(next, as: .done)
        }
        var latest: [[FoldedValue]: WaitingOperation] = [:]
        var outlooks: [OperationSequence: ReplayOutlook] = [:]
        for operation in operations {
            if let wait = operation.behindRow {
                outlooks[operation.sequence] = .waits(.row(wait))
                continue
            }
            let before = latest.updateValue(operation, forKey: operation.folded)
            let isBeside = operation.hasServerID && before?.hasServerID == true
            let earlier = isBeside ? nil : before?.sequence
            outlooks[operation.sequence] =
                turns[operation.sequence].map { .turn($0, after: earlier) }
                ?? .waits(obstacle(of: operation, behind: earlier, permission))
        }
        return outlooks
    }

    private static func obstacle(
        of operation: WaitingOperation, behind earlier: OperationSequence?,
        _ permission: ReplayPlan.Permission
    ) -> Obstacle {
        switch operation.state {
        case .sending: return .answer
        case .inDoubt, .acknowledged: return .pulls
        case .queued, .rejected: break
        }
        if operation.isHeld { return .acceptance }
        if let wait = operation.wait, wait.isAhead(of: permission.now) {
            let isAsked = operation.askedUntil?.isAhead(of: permission.now) == true
            if isAsked || !permission.ignoresBackoff { return .time(isAsked: isAsked) }
        }
        return earlier.map { .operation($0) } ?? .pulls
    }
}
