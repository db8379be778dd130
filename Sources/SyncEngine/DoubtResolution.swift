package import Host
package import Store

/// What a pull says of the operations in doubt.
package struct DoubtResolution: Sendable, Hashable {
    /// What becomes of one operation.
    package enum Decision: Sendable, Hashable {
        /// The pulled row with this id is the effect of the create.
        case adopt(serverID: String)
        /// It did not take effect: queue it again.
        case requeue
        /// Not known yet: the server may still be at work on it, or the pull is not whole.
        case wait
    }

    /// When the pull began, on the machine's boot clock.
    package let pullBegan: BootTime
    /// Whether the pull holds every row of the server.
    package let isComplete: Bool
    /// How long after its intent a request may still take effect: two request timeouts, or longer where it
    /// was sent under another configuration.
    package let settlingTime: Duration

    /// The facts of a pull that decide about doubt.
    package init(pullBegan: BootTime, isComplete: Bool, settlingTime: Duration) {
        self.pullBegan = pullBegan
        self.isComplete = isComplete
        self.settlingTime = settlingTime
    }

    /// Decides every operation, in their order; `unowned` are the pulled rows that no todo owns.
    ///
    /// Creates are matched as a multiset: no row is the effect of two. Exact titles come first,
    /// over all operations, so that a folded match never takes the exact row of a later one.
    package func decide(
        _ operations: [OperationInDoubt], unowned: [UnownedRow]
    ) -> [(OperationInDoubt, Decision)] {
        let adopted = adoptions(of: operations.filter { $0.kind == .create }, from: unowned)
        return operations.map { operation in
            if let serverID = adopted[operation.sequence] {
                return (operation, .adopt(serverID: serverID))
            }
            // The row of a delete that is gone took its operation along: what is here is still
            // there. A pull that is not whole shows neither.
            return (operation, isComplete && isSettled(operation) ? .requeue : .wait)
        }
    }

    /// One pass over the rows, which can be a hundred thousand, and one over the creates, which are few but
    /// after a salvage.
    private func adoptions(
        of creates: [OperationInDoubt], from unowned: [UnownedRow]
    ) -> [OperationSequence: String] {
        guard !creates.isEmpty else { return [:] }
        let groups = Dictionary(grouping: creates) { FoldedTitle($0.title) }
        var rows: [FoldedTitle: [UnownedRow]] = [:]
        for row in unowned {
            let title = FoldedTitle(row.title)
            if groups[title] != nil { rows[title, default: []].append(row) }
        }
        var adopted: [OperationSequence: String] = [:]
        for (title, creates) in groups {
            let rows = rows[title] ?? []
            // By their bytes: `==` on strings is canonical equivalence already. The first place is last.
            var places: [[UInt8]: [Int]] = [:]
            for place in rows.indices.reversed() {
                places[Array(rows[place].title.utf8), default: []].append(place)
            }
            var others: [OperationInDoubt] = []
            var isFree = Array(repeating: true, count: rows.count)
            for create in creates {
                if let place = places[Array(create.title.utf8)]?.popLast() {
                    adopted[create.sequence] = rows[place].serverID
                    isFree[place] = false
                } else {
                    others.append(create)
                }
            }
            let free = rows.indices.lazy.filter { isFree[$0] }
            for (create, place) in zip(others, free) {
                adopted[create.sequence] = rows[place].serverID
            }
        }
        return adopted
    }

    private func isSettled(_ operation: OperationInDoubt) -> Bool {
        guard let sentAt = operation.sentAt else { return true }
        return pullBegan.elapsed(since: sentAt) >= max(settlingTime, operation.settlingTime)
    }
}
