internal import Rules
internal import Store

extension ReplayPlan {
    /// An operation, as far as its turn depends on it.
    struct Entry {
        let sequence: OperationSequence
        let kind: OperationKind
        /// Operations on rows of one folded value go one after another. The values are kept as hash values, so that a
        /// queue of many thousands stays small; two that share one only wait for each other.
        let turn: Int
        let attempts: Int32
        let maySend: Bool
        let hasServerID: Bool
        let row: Int64
        var waitsForList = false
        var isHeld = false
        /// It waits for a moment of its own, until which nobody asks for it.
        var hasMoment = false
        var needsRow: Bool { kind != .create }
    }

    /// The operations of one turn: rows of the server go beside each other, a new row alone.
    struct Line {
        /// Those that have no turn yet, the next one last.
        var waiting: [Entry] = []
        /// Those that have their turn, and have not ended.
        private var isUnderWay: Set<OperationSequence> = []
        /// One that has its turn is no row of the server yet.
        private var hasNewRow = false
        /// One of a row at the server stays in the queue: a new row of the turn waits for it.
        private var isStuck = false
        /// A new row stays in the queue: all of the turn wait for it.
        private var isClosed = false
        /// The rows of those that have their turn or stay in the queue: their next operations wait.
        private var rows: Set<Int64> = []
        private var stuckRows: Set<Int64> = []

        /// What goes now, and what stays in the queue; a young list would let some of that go.
        struct Release {
            var going: [Entry] = []
            var stopped: [Entry] = []
            var needsList = false
        }

        var isEmpty: Bool { waiting.isEmpty && isUnderWay.isEmpty }

        /// Gives their turn to those that may go; none of the kinds in `closed` is sent.
        mutating func letGo(closed: Set<OperationKind>) -> Release {
            var release = Release()
            while let entry = waiting.last, mayHaveTurn(entry) {
                waiting.removeLast()
                guard entry.maySend, !closed.contains(entry.kind), !stuckRows.contains(entry.row)
                else {
                    isStuck = true
                    stuckRows.insert(entry.row)
                    isClosed = !entry.hasServerID
                    release.needsList = release.needsList || entry.waitsForList
                    release.stopped.append(entry)
                    continue
                }
                isUnderWay.insert(entry.sequence)
                rows.insert(entry.row)
                hasNewRow = !entry.hasServerID
                release.going.append(entry)
            }
            if isClosed || isStuck && isUnderWay.isEmpty {
                release.stopped += waiting.reversed()
                waiting = []
            }
            return release
        }

        private func mayHaveTurn(_ entry: Entry) -> Bool {
            !isClosed && (isUnderWay.isEmpty || entry.hasServerID && !hasNewRow)
                && (entry.hasServerID || !isStuck) && !rows.contains(entry.row)
        }

        /// An operation that had its turn has ended, or stays in the queue.
        mutating func end(_ entry: Entry, isOutOfTheWay: Bool) {
            isUnderWay.remove(entry.sequence)
            rows.remove(entry.row)
            if isUnderWay.isEmpty { hasNewRow = false }
            guard !isOutOfTheWay else { return }
            stuckRows.insert(entry.row)
            isStuck = true
            isClosed = isClosed || !entry.hasServerID
        }
    }
}
