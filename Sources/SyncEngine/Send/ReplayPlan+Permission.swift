package import Host
internal import Rules
internal import Store

extension ReplayPlan {
    /// How long a key is trusted to be remembered by the server.
    package static let keyLifetime = Duration.seconds(12 * 3600)

    /// So old the list may be that a delete or an update goes by: after that another client's row can have its id.
    package static let listLifetime = Duration.seconds(5)
}

extension ReplayPlan.Permission {
    /// Whether `operation` may be sent when it is the first of its turn.
    func allows(_ operation: WaitingOperation) -> Bool {
        guard !operation.isHeld, hasWaited(operation) else { return false }
        switch (operation.kind, operation.state) {
        case (.create, .queued): return true
        case (.delete, .queued), (.update, .queued):
            return listedAt != nil && !operation.isUnconfirmed
        // Its answer can name a row that is long gone: this cycle's list shows whose the id is now. What is refused under
        // its key would be refused again: lists decide what came of the earlier attempt.
        case (.create, .inDoubt):
            return listedAt != nil && repeatsUnderKey && isKeyFresh(operation)
                && !DoubtfulRefusal.isOfRequest(status: operation.lastStatus)
        // Decided by a pull only, or under way, or for the person to retry.
        case (.delete, .inDoubt), (.update, .inDoubt), (_, .sending), (_, .acknowledged),
            (_, .rejected):
            return false
        }
    }

    /// Whether nothing but a list is missing.
    func waitsForList(_ operation: WaitingOperation) -> Bool {
        listedAt == nil && operation.kind != .create && operation.state == .queued
            && !operation.isHeld && hasWaited(operation)
    }

    /// Whether the list is young enough at `now` for a delete or an update to go by it.
    package func isListFresh(at now: BootTime) -> Bool {
        listedAt.map { now.elapsed(since: $0) <= ReplayPlan.listLifetime } ?? false
    }

    /// Whether its own moment has come, or a person asks for it before.
    func hasWaited(_ operation: WaitingOperation) -> Bool {
        guard let wait = operation.wait, now.elapsed(since: wait) < .zero else { return true }
        return ignoresBackoff && operation.askedUntil?.isAhead(of: now) != true
    }

    private func isKeyFresh(_ operation: WaitingOperation) -> Bool {
        guard let first = operation.firstSentAt, first.boot == now.boot else { return false }
        return now.elapsed(since: first) < ReplayPlan.keyLifetime
    }
}
