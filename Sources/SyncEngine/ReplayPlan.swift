package import Host
package import Store

/// Which operation may be sent next.
///
/// Laws: operations on todos of one folded title go one after another in queue order, and a later
/// one waits while an earlier one is queued, sending or in doubt. What waits holds nothing else
/// back: of those that may go, the ones with the fewest attempts go first, then the older ones.
package struct ReplayPlan: Sendable {
    /// What may be sent in this cycle at all.
    package struct Permission: Sendable, Hashable {
        /// When the replay began.
        package var now: BootTime
        /// Whether this cycle's own pull has shown the rows.
        package var deletes: Bool
        /// A person asked: our own backoff is skipped, a wait that the server asked for is not.
        package var ignoresBackoff: Bool
        /// The server honours idempotency keys: creates in doubt are sent again under theirs.
        package var repeatsUnderKey: Bool

        /// What a cycle may send.
        package init(now: BootTime, deletes: Bool, ignoresBackoff: Bool, repeatsUnderKey: Bool) {
            self.now = now
            self.deletes = deletes
            self.ignoresBackoff = ignoresBackoff
            self.repeatsUnderKey = repeatsUnderKey
        }
    }

    /// How long a key is trusted to be remembered by the server.
    package static let keyLifetime = Duration.seconds(12 * 3600)

    private struct Entry {
        let sequence: OperationSequence
        let attempts: Int32
        let maySend: Bool
    }

    private let permission: Permission
    /// The operations of one folded title, the next one last. Titles are kept as hash values, so
    /// that a queue of many thousands stays small; two that share one only wait for each other.
    private var waiting: [Int: [Entry]] = [:]
    private var titleOf: [OperationSequence: Int] = [:]
    /// The first of each title that may be sent, the next one to go last.
    private var ready: [(entry: Entry, title: Int)] = []
    private var isSealed = false
    /// How many of the operations that were added may be sent when it is their turn.
    private(set) var count = 0

    /// An empty plan.
    package init(_ permission: Permission) { self.permission = permission }

    /// Adds an operation; they must come in queue order.
    package mutating func add(_ operation: WaitingOperation) {
        let title = FoldedTitle(operation.title).hashValue
        let entry = Entry(
            sequence: operation.sequence, attempts: Int32(clamping: operation.attempts),
            maySend: permission.allows(operation))
        waiting[title, default: []].append(entry)
        if entry.maySend { count += 1 }
    }

    /// The next operations to send, at most `count`; each is under way until ``finish(_:as:)``.
    package mutating func next(_ count: Int) -> [OperationSequence] {
        seal()
        // An array of its own: a view would share the buffer, and the next line copy all of it.
        let picked = Array(ready.suffix(max(count, 0)).reversed())
        ready.removeLast(picked.count)
        for pick in picked { titleOf[pick.entry.sequence] = pick.title }
        return picked.map(\.entry.sequence)
    }

    /// Notes how an operation ended; the next one of its title may go when it is out of the way.
    package mutating func finish(_ operation: OperationSequence, as settled: Settled) {
        guard let title = titleOf.removeValue(forKey: operation) else { return }
        switch settled {
        case .done, .withdrawn, .rejected: admitNext(of: title)
        case .queued, .inDoubt: waiting[title] = nil
        }
    }

    /// Whether nothing is left that may be sent.
    package var isEmpty: Bool { isSealed && ready.isEmpty }

    private mutating func seal() {
        guard !isSealed else { return }
        isSealed = true
        for (title, entries) in waiting {
            waiting[title] = entries.reversed()
            if let first = entries.first, first.maySend { ready.append((first, title)) }
        }
        for pick in ready { waiting[pick.title]?.removeLast() }
        ready.sort { Self.isLater($0.entry, $1.entry) }
    }

    private mutating func admitNext(of title: Int) {
        guard let entry = waiting[title]?.popLast(), entry.maySend else {
            waiting[title] = nil
            return
        }
        var low = 0
        var high = ready.count
        while low < high {
            let middle = (low + high) / 2
            if Self.isLater(ready[middle].entry, entry) { low = middle + 1 } else { high = middle }
        }
        ready.insert((entry, title), at: low)
    }

    private static func isLater(_ left: Entry, _ right: Entry) -> Bool {
        (left.attempts, left.sequence) > (right.attempts, right.sequence)
    }
}

extension ReplayPlan.Permission {
    /// Whether `operation` may be sent when it is the first of its title.
    func allows(_ operation: WaitingOperation) -> Bool {
        guard hasWaited(operation) else { return false }
        switch (operation.kind, operation.state) {
        case (.create, .queued): return true
        case (.delete, .queued): return deletes
        case (.create, .inDoubt): return repeatsUnderKey && isKeyFresh(operation)
        // Decided by a pull only, or under way, or for the person to retry.
        case (.delete, .inDoubt), (_, .sending), (_, .rejected): return false
        }
    }

    private func hasWaited(_ operation: WaitingOperation) -> Bool {
        guard let wait = operation.wait, now.elapsed(since: wait) < .zero else { return true }
        return ignoresBackoff && operation.askedUntil?.isAhead(of: now) != true
    }

    private func isKeyFresh(_ operation: WaitingOperation) -> Bool {
        guard let first = operation.firstSentAt, first.boot == now.boot else { return false }
        return now.elapsed(since: first) < ReplayPlan.keyLifetime
    }
}
