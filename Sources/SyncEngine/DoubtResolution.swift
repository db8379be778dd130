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
    /// How long after its intent a request may still take effect: two request timeouts.
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

    /// One pass over the rows, which can be a hundred thousand; the creates in doubt are few.
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
            var free = rows[title] ?? []
            for create in creates {
                guard let index = free.firstIndex(where: { Self.isExact(create.title, $0.title) })
                else { continue }
                adopted[create.sequence] = free.remove(at: index).serverID
            }
            let others = creates.filter { adopted[$0.sequence] == nil }
            for (create, row) in zip(others, free) { adopted[create.sequence] = row.serverID }
        }
        return adopted
    }

    private func isSettled(_ operation: OperationInDoubt) -> Bool {
        guard let sentAt = operation.sentAt else { return true }
        return pullBegan.elapsed(since: sentAt) >= settlingTime
    }

    /// Byte for byte: `==` on strings is canonical equivalence already.
    private static func isExact(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
