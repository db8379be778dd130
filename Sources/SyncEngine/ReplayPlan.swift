package import Host
package import Rules
package import Store

/// Which operation may be sent next.
///
/// Laws: operations on rows of one folded turn, as todos of one title, go one after another in queue order, and a later
/// one waits while an earlier one is queued, sending or in doubt. A waiting operation holds no
/// other title back. Deletes and updates go first, because the list that shows their rows grows old. Then come
/// the operations with the fewest attempts, then the older ones. A delete that is held is not sent.
package struct ReplayPlan: Sendable {
    /// What may be sent in this cycle at all.
    package struct Permission: Sendable, Hashable {
        /// When the replay began.
        package var now: BootTime
        /// When this cycle's own list came, which shows the rows to delete or change; nil without such a
        /// list.
        package var listedAt: BootTime?
        /// A person asked: our own backoff is skipped, a wait that the server asked for is not.
        package var ignoresBackoff: Bool
        /// The server honours idempotency keys: creates in doubt are sent again under theirs.
        package var repeatsUnderKey: Bool

        /// What a cycle may send.
        package init(
            now: BootTime, listedAt: BootTime?, ignoresBackoff: Bool, repeatsUnderKey: Bool
        ) {
            self.now = now
            self.listedAt = listedAt
            self.ignoresBackoff = ignoresBackoff
            self.repeatsUnderKey = repeatsUnderKey
        }
    }

    /// How long a key is trusted to be remembered by the server.
    package static let keyLifetime = Duration.seconds(12 * 3600)

    /// So old the list may be that a delete or an update goes by: after that another client's row can have its id.
    package static let listLifetime = Duration.seconds(5)

    private struct Entry {
        let sequence: OperationSequence
        let needsRow: Bool
        let attempts: Int32
        let maySend: Bool
        var waitsForList = false
        var isHeld = false
    }

    private let permission: Permission
    /// The operations of one folded title, the next one last. Titles are kept as hash values, so
    /// that a queue of many thousands stays small; two that share one only wait for each other.
    private var waiting: [Int: [Entry]] = [:]
    private var titleOf: [OperationSequence: Int] = [:]
    /// The first of each title that may be sent, the next one to go last.
    private var ready: [(entry: Entry, title: Int)] = []
    /// Queued operations that nothing but another cycle can let go.
    package private(set) var blocked: [OperationSequence] = []
    /// Deletes or updates were left out because there is no list, or none that is young enough.
    package private(set) var needsList = false
    private var isSealed = false
    /// How many of the operations that were added may be sent when it is their turn.
    private(set) var count = 0

    /// An empty plan.
    package init(_ permission: Permission) { self.permission = permission }

    /// Adds an operation; they must come in queue order.
    package mutating func add(_ operation: WaitingOperation) {
        let title = operation.folded.hashValue
        let entry = Entry(
            sequence: operation.sequence, needsRow: operation.kind != .create,
            attempts: Int32(clamping: operation.attempts), maySend: permission.allows(operation),
            waitsForList: permission.waitsForList(operation), isHeld: operation.isHeld)
        waiting[title, default: []].append(entry)
        if entry.maySend { count += 1 }
    }

    /// The next operations to send at `now`, at most `count`; each is under way until
    /// ``finish(_:as:)``.
    package mutating func next(_ count: Int, at now: BootTime) -> [OperationSequence] {
        seal()
        leaveOutAged(at: now)
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
        case .queued, .inDoubt, .acknowledged: block(title)
        }
    }

    /// Puts an operation back that the server would have taken later: it goes again when it is its turn.
    package mutating func putBack(
        _ operation: OperationSequence, kind: OperationKind, attempts: Int
    ) {
        guard let title = titleOf.removeValue(forKey: operation) else { return }
        let entry = Entry(
            sequence: operation, needsRow: kind != .create, attempts: Int32(clamping: attempts),
            maySend: true)
        insert(entry, of: title)
    }

    /// Whether nothing is left that may be sent.
    package var isEmpty: Bool {
        mutating get {
            seal()
            return ready.isEmpty
        }
    }

    /// Ends the adding: what may go first is known.
    private mutating func seal() {
        guard !isSealed else { return }
        isSealed = true
        for (title, entries) in waiting {
            waiting[title] = entries.reversed()
            if let first = entries.first, first.maySend {
                ready.append((first, title))
                waiting[title]?.removeLast()
            } else {
                needsList = needsList || entries.first?.waitsForList == true
                block(title)
            }
        }
        ready.sort { Self.isLater($0.entry, $1.entry) }
    }

    /// What goes by the list stands together, at the end.
    private mutating func leaveOutAged(at now: BootTime) {
        guard ready.last?.entry.needsRow == true, !permission.isListFresh(at: now) else { return }
        needsList = true
        ready.removeAll { $0.entry.needsRow }
    }

    private mutating func block(_ title: Int) {
        // A person's acceptance lets a held one go, whatever else has changed.
        blocked += (waiting[title] ?? []).filter { !$0.isHeld }.map(\.sequence)
        waiting[title] = nil
    }

    private mutating func admitNext(of title: Int) {
        guard let entry = waiting[title]?.last, entry.maySend else { return block(title) }
        waiting[title]?.removeLast()
        insert(entry, of: title)
    }

    private mutating func insert(_ entry: Entry, of title: Int) {
        var low = 0
        var high = ready.count
        while low < high {
            let middle = (low + high) / 2
            if Self.isLater(ready[middle].entry, entry) { low = middle + 1 } else { high = middle }
        }
        ready.insert((entry, title), at: low)
    }

    private static func isLater(_ left: Entry, _ right: Entry) -> Bool {
        guard left.needsRow == right.needsRow else { return right.needsRow }
        return (left.attempts, left.sequence) > (right.attempts, right.sequence)
    }
}

extension ReplayPlan.Permission {
    /// Whether `operation` may be sent when it is the first of its title.
    func allows(_ operation: WaitingOperation) -> Bool {
        guard !operation.isHeld, hasWaited(operation) else { return false }
        switch (operation.kind, operation.state) {
        case (.create, .queued): return true
        case (.delete, .queued), (.update, .queued): return listedAt != nil
        // Its answer can name a row that is long gone: this cycle's list shows whose the id is now.
        case (.create, .inDoubt):
            return listedAt != nil && repeatsUnderKey && isKeyFresh(operation)
        // Decided by a pull only, or under way, or for the person to retry.
        case (.delete, .inDoubt), (.update, .inDoubt), (_, .sending), (_, .acknowledged),
            (_, .rejected):
            return false
        }
    }

    /// Whether nothing but a list is missing.
    fileprivate func waitsForList(_ operation: WaitingOperation) -> Bool {
        listedAt == nil && operation.kind != .create && operation.state == .queued
            && !operation.isHeld && hasWaited(operation)
    }

    /// Whether the list is young enough at `now` for a delete or an update to go by it.
    package func isListFresh(at now: BootTime) -> Bool {
        listedAt.map { now.elapsed(since: $0) <= ReplayPlan.listLifetime } ?? false
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
