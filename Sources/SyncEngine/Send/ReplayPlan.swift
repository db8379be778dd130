package import Host
package import Rules
package import Store

/// Which operation may be sent next.
///
/// Laws: operations of one *turn*, such as todos of one title, go one after another in queue order, and a later
/// one waits while an earlier one is queued, sending or in doubt; two whose rows are both at the server do not. An
/// operation that takes a value goes behind those that free it, if they can go. One that was refused while something
/// older waited goes again when some of that has ended. A waiting operation holds no other turn back. Nothing is sent
/// of a kind that is closed. Deletes and updates go first, because the list that shows their rows grows old. Then come
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
        /// Kinds of operations that are not sent: the server has just refused them, whatever their rows.
        package var closed: Set<OperationKind> = []

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

    private let permission: Permission
    /// The kinds that are not sent any more.
    private var closed: Set<OperationKind>
    private var lines: [Int: Line] = [:]
    private var underWay: [OperationSequence: Entry] = [:]
    /// Those that may be sent, the next one to go last.
    private var ready: [Entry] = []
    /// Those that would take a value that others have yet to free.
    private var parked: [Entry] = []
    private var links = LinkedOperations()
    /// Those that were refused while something older waited, with how many had ended by then.
    private var behind: [(entry: Entry, ended: Int)] = []
    /// Those that are out of the way, in their order.
    private var ended: [OperationSequence] = []
    private var stopped: [OperationSequence] = []
    /// Deletes or updates were left out because there is no list, or none that is young enough.
    package private(set) var needsList = false
    private var isSealed = false
    /// How many of the operations that were added may be sent when it is their turn.
    private(set) var count = 0

    /// An empty plan.
    package init(_ permission: Permission) {
        self.permission = permission
        closed = permission.closed
    }

    /// Queued operations that nothing but another cycle can let go.
    package var blocked: [OperationSequence] {
        let behind = behind.flatMap { lines[$0.entry.turn]?.waiting ?? [] }
        return stopped + (parked + behind).filter { !$0.isHeld }.map(\.sequence)
    }

    /// Adds an operation; they must come in queue order.
    package mutating func add(_ operation: WaitingOperation) {
        // Its turn comes when the other one has gone.
        if operation.behindRow != nil { return }
        let entry = Entry(
            sequence: operation.sequence, kind: operation.kind, turn: operation.folded.hashValue,
            attempts: Int32(clamping: operation.attempts), maySend: permission.allows(operation),
            hasServerID: operation.hasServerID, row: operation.row,
            waitsForList: permission.waitsForList(operation), isHeld: operation.isHeld,
            hasMoment: !permission.hasWaited(operation))
        lines[entry.turn, default: Line()].waiting.append(entry)
        guard entry.maySend else { return }
        links.add(operation.links, of: entry.sequence)
        count += 1
    }

    /// The next operations to send at `now`, at most `count`; each is under way until
    /// ``finish(_:as:)``.
    package mutating func next(_ count: Int, at now: BootTime) -> [OperationSequence] {
        seal()
        leaveOutAged(at: now)
        goOn()
        leaveOutAged(at: now)
        // An array of its own: a view would share the buffer, and the next line copy all of it.
        let picked = Array(ready.suffix(max(count, 0)).reversed())
        ready.removeLast(picked.count)
        for pick in picked { underWay[pick.sequence] = pick }
        return picked.map(\.sequence)
    }

    /// Notes how an operation ended; the next one of its turn may go when it is out of the way.
    package mutating func finish(_ operation: OperationSequence, as settled: Settled) {
        guard let entry = underWay.removeValue(forKey: operation) else { return }
        unlink(operation)
        switch settled {
        case .behind where !closed.contains(entry.kind):
            return behind.append((entry, ended.count))
        case .done, .withdrawn, .rejected:
            ended.append(operation)
            leave(entry, isOutOfTheWay: true)
        case .queued, .behind, .inDoubt, .acknowledged:
            leave(entry, isOutOfTheWay: false)
        }
    }

    /// Puts an operation back that the server would have taken later: it goes again when it is its turn.
    package mutating func putBack(
        _ operation: OperationSequence, kind: OperationKind, attempts: Int
    ) {
        guard let former = underWay.removeValue(forKey: operation) else { return }
        let entry = Entry(
            sequence: operation, kind: kind, turn: former.turn,
            attempts: Int32(clamping: attempts), maySend: true, hasServerID: former.hasServerID,
            row: former.row)
        if closed.contains(kind) { stop(entry) } else { insert(entry) }
    }

    /// Operations of this kind are not sent any more: the server refuses them all.
    package mutating func close(_ kind: OperationKind) {
        seal()
        closed.insert(kind)
        let all = (ready + parked).filter { $0.kind == kind }
        ready.removeAll { $0.kind == kind }
        parked.removeAll { $0.kind == kind }
        for entry in all { stop(entry) }
    }

    /// Whether one of another kind may be sent.
    package mutating func hasOthers(than kind: OperationKind) -> Bool {
        seal()
        return (ready + parked).contains { $0.kind != kind }
    }

    /// Whether nothing is left that may be sent.
    package var isEmpty: Bool {
        mutating get {
            seal()
            goOn()
            return ready.isEmpty
        }
    }

    /// Ends the adding: what may go first is known.
    private mutating func seal() {
        if isSealed { return }
        isSealed = true
        for turn in lines.keys {
            lines[turn]?.waiting.reverse()
            admit(turn, atOnce: false)
        }
        parked += ready.filter { links.isHindered($0.sequence) }
        ready.removeAll { links.isHindered($0.sequence) }
        ready.sort(by: Self.isLater)
    }

    /// What goes by the list stands together, at the end.
    private mutating func leaveOutAged(at now: BootTime) {
        guard !permission.isListFresh(at: now) else { return }
        // What one of them was to free lets others go by the list, too.
        while ready.last?.needsRow == true {
            needsList = true
            let aged = ready.filter(\.needsRow)
            ready.removeAll(where: \.needsRow)
            for entry in aged { unlink(entry.sequence) }
        }
    }

    /// Lets others go when nothing is under way. First come those that wait for each other in a circle, the oldest
    /// before. Then come those that were refused behind older ones, if some of these have ended since. Last come those
    /// that wait for one whose turn is behind them.
    private mutating func goOn() {
        guard ready.isEmpty, underWay.isEmpty else { return }
        let circle = Set(parked.map(\.sequence))
        if takeParked({ $0.isHindered($1, by: circle) }) { return }
        takeBehind()
        if ready.isEmpty { _ = takeParked { _, _ in true } }
    }

    /// Lets the oldest go of those that would take a value; whether there is one.
    private mutating func takeParked(
        _ mayGo: (LinkedOperations, OperationSequence) -> Bool
    ) -> Bool {
        let free = parked.indices.filter { mayGo(links, parked[$0].sequence) }
        guard let index = free.min(by: { parked[$0].sequence < parked[$1].sequence }) else {
            return false
        }
        ready.append(parked.remove(at: index))
        return true
    }

    private mutating func takeBehind() {
        let again = behind.filter { one in ended[one.ended...].contains { $0 < one.entry.sequence }
        }
        let sequences = Set(again.map(\.entry.sequence))
        behind.removeAll { sequences.contains($0.entry.sequence) }
        for one in again { insert(one.entry) }
    }

    /// Lets those go that are the first of their turn.
    private mutating func admit(_ turn: Int, atOnce: Bool = true) {
        guard var line = lines.removeValue(forKey: turn) else { return }
        let release = line.letGo(closed: closed)
        if !line.isEmpty { lines[turn] = line }
        needsList = needsList || release.needsList
        for entry in release.stopped { note(stopped: entry) }
        for entry in release.going { if atOnce { insert(entry) } else { ready.append(entry) } }
    }

    /// An operation that had its turn has ended.
    private mutating func leave(_ entry: Entry, isOutOfTheWay: Bool) {
        guard lines[entry.turn] != nil else { return }
        lines[entry.turn]?.end(entry, isOutOfTheWay: isOutOfTheWay)
        admit(entry.turn)
    }

    /// One that had its turn is not sent.
    private mutating func stop(_ entry: Entry) {
        note(stopped: entry)
        leave(entry, isOutOfTheWay: false)
    }

    private mutating func note(stopped entry: Entry) {
        // A person's acceptance lets a held one go, whatever else has changed. And what waits for a moment can be let go
        // before that in this very replay: it was refused behind something older, which is done.
        if !entry.isHeld, !entry.hasMoment { stopped.append(entry.sequence) }
        unlink(entry.sequence)
    }

    /// What an operation was to free is free, or is not freed now: whoever waited for it goes.
    private mutating func unlink(_ operation: OperationSequence) {
        guard links.remove(operation), isSealed else { return }
        let free = parked.filter { !links.isHindered($0.sequence) }
        parked.removeAll { !links.isHindered($0.sequence) }
        for entry in free { insert(entry) }
    }

    private mutating func insert(_ entry: Entry) {
        guard !links.isHindered(entry.sequence) else { return parked.append(entry) }
        var low = 0
        var high = ready.count
        while low < high {
            let middle = (low + high) / 2
            if Self.isLater(ready[middle], entry) { low = middle + 1 } else { high = middle }
        }
        ready.insert(entry, at: low)
    }

    private static func isLater(_ left: Entry, _ right: Entry) -> Bool {
        guard left.needsRow == right.needsRow else { return right.needsRow }
        return (left.attempts, left.sequence) > (right.attempts, right.sequence)
    }
}
