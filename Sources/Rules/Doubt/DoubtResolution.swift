internal import Host

/// What a pull says of the operations that absence or presence of a row decides: those in doubt, and
/// deletes and updates whose row the pull does not show.
package struct DoubtResolution: Sendable, Hashable {
    /// What becomes of one operation.
    package enum Decision: Sendable, Hashable {
        /// The pulled row with this id is the effect of the create.
        case adopt(serverID: String)
        /// It did not take effect: queue it again.
        case requeue
        /// The server refused it, and the pull shows that it did not take effect, for the second time:
        /// the person decides.
        case reject
        /// The row is gone: its delete is done, and so are its edits.
        case gone
        /// The first complete pull that does not show its row or its effect.
        case miss
        /// The row is there: absence counts anew.
        case shown
        /// The server acknowledged it, and did not do it: a delete's row is back, and a create waits for the person.
        case notTaken
        /// Not known yet: the server may still be at work on it, or the pull is not whole.
        case wait
    }

    /// What the pull's silence about a row means.
    package let absence: Absence
    /// How long after its intent a request may still take effect where its operation does not know:
    /// two request timeouts.
    package let settlingTime: Duration
    /// Which pulled rows are the effects of creates.
    package let adoption: Adoption
    /// So many pages had come before a create was sent beside them.
    package let pagesBeforeCreates: Int

    /// The facts of a pull that decide about doubt.
    package init(
        absence: Absence, settlingTime: Duration, adoption: Adoption, pagesBeforeCreates: Int = 0
    ) {
        self.pagesBeforeCreates = pagesBeforeCreates
        self.absence = absence
        self.settlingTime = settlingTime
        self.adoption = adoption
    }

    /// So often a refusal that was not the truth is believed to be none.
    static let refusalsAtMost = 2

    /// Decides every operation, in their order; `unowned` are the pulled rows that no row of the cache is.
    package func decide(
        _ operations: [OpenOperation], unowned: [UnownedRow]
    ) -> [(OpenOperation, Decision)] {
        let creates = operations.filter { $0.kind == .create && $0.state != .rejected }
        // What had come before a create was sent is not its effect.
        let later = creates.filter { $0.sentAt?.hasCome(by: absence.pullBegan) == false }
        let sentLater = Set(later.map(\.sequence))
        var adopted = adoption.matches(
            of: creates.filter { !sentLater.contains($0.sequence) }, in: unowned)
        if !later.isEmpty {
            let taken = Set(adopted.values)
            let rest = unowned.filter {
                $0.page > pagesBeforeCreates && !taken.contains($0.serverID)
            }
            adopted.merge(adoption.matches(of: later, in: rest)) { first, _ in first }
        }
        let taken = Set(adopted.values)
        adopted.merge(
            adoption.formMatches(
                of: creates.filter {
                    adopted[$0.sequence] == nil && !sentLater.contains($0.sequence)
                }, in: unowned.filter { !taken.contains($0.serverID) })
        ) { first, _ in first }
        // One that the server refused in a success, or did not show for a minute, and has all the same.
        let refused = operations.filter { $0.kind == .create && $0.state == .rejected }
        if !refused.isEmpty {
            let taken = Set(adopted.values)
            let rest = unowned.filter { !taken.contains($0.serverID) }
            adopted.merge(adoption.exactMatches(of: refused, in: rest)) { first, _ in first }
        }
        return operations.map { operation in
            if let serverID = adopted[operation.sequence] {
                return (operation, .adopt(serverID: serverID))
            }
            return (operation, operation.isRowShown ? present(operation) : absent(operation))
        }
    }

    /// The row is there. Where it may have been removed since the list was made, that is
    /// not known yet.
    private func present(_ operation: OpenOperation) -> Decision {
        if let answeredAt = operation.answeredAt {
            return operation.kind == .delete && !isEcho(answeredAt) ? .notTaken : .wait
        }
        // What of an update arrived is looked at column by column.
        if operation.kind == .delete, operation.state == .inDoubt, isSettled(operation) {
            return again(operation)
        }
        return operation.missedSince == nil ? .wait : .shown
    }

    private func absent(_ operation: OpenOperation) -> Decision {
        // The server refused it in a success, or did not make it: its row may still come.
        guard operation.state != .rejected || operation.kind != .create else { return .wait }
        if let answeredAt = operation.answeredAt {
            guard !isEcho(answeredAt) else { return .wait }
            if operation.kind == .delete {
                return absence.isComplete || operation.isRowNotFound ? .gone : .wait
            }
        }
        // A create that is not there may come yet.
        guard operation.kind != .create || operation.answeredAt != nil || isSettled(operation)
        else { return .wait }
        switch absence.meaning(missedSince: operation.missedSince) {
        case .nothing: return .wait
        case .firstSight: return .miss
        case .agreed:
            guard operation.kind == .create else { return .gone }
            return operation.answeredAt == nil ? again(operation) : .notTaken
        }
    }

    private func again(_ operation: OpenOperation) -> Decision {
        // What it needs, or what is in its way, may be what waited.
        guard operation.wasRefused, !operation.isBehind else { return .requeue }
        return operation.refuted + 1 >= Self.refusalsAtMost ? .reject : .requeue
    }

    private func isEcho(_ answeredAt: BootTime) -> Bool {
        Witness.isEcho(began: absence.pullBegan, answeredAt: answeredAt)
    }

    private func isSettled(_ operation: OpenOperation) -> Bool {
        guard let sentAt = operation.sentAt else { return true }
        return absence.pullBegan.elapsed(since: sentAt) >= operation.settlingTime ?? settlingTime
    }
}
