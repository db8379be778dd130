public import Host
public import Store

/// What a pull says of the operations in doubt.
public struct DoubtResolution: Sendable, Hashable {
    /// What becomes of one operation.
    public enum Decision: Sendable, Hashable {
        /// The pulled row with this id is the effect of the create.
        case adopt(serverID: String)
        /// It did not take effect: queue it again.
        case requeue
        /// Not known yet: the server may still be at work on it, or the pull is not whole.
        case wait
    }

    /// When the pull began, on the machine's boot clock.
    public let pullBegan: BootTime
    /// Whether the pull holds every row of the server.
    public let isComplete: Bool
    /// How long after its intent a request may still take effect: two request timeouts.
    public let settlingTime: Duration

    /// The facts of a pull that decide about doubt.
    public init(pullBegan: BootTime, isComplete: Bool, settlingTime: Duration) {
        self.pullBegan = pullBegan
        self.isComplete = isComplete
        self.settlingTime = settlingTime
    }

    /// Decides every operation, in their order; `unowned` are the pulled rows that no todo owns.
    ///
    /// Creates are matched as a multiset: no row is the effect of two. Exact titles come first,
    /// over all operations, so that a folded match never takes the exact row of a later one.
    public func decide(
        _ operations: [OperationInDoubt], unowned: [UnownedRow]
    ) -> [(OperationInDoubt, Decision)] {
        let creates = operations.filter { $0.kind == .create }
        var free = unowned
        var adopted: [OperationSequence: String] = [:]
        for isMatch in [Self.isExact, Self.isFolded] {
            for create in creates where adopted[create.sequence] == nil {
                guard let index = free.firstIndex(where: { isMatch(create.title, $0.title) }) else {
                    continue
                }
                adopted[create.sequence] = free.remove(at: index).serverID
            }
        }
        return operations.map { operation in
            if let serverID = adopted[operation.sequence] {
                return (operation, .adopt(serverID: serverID))
            }
            // The row of a delete that is gone took its operation along: what is here is still
            // there. A pull that is not whole shows neither.
            return (operation, isComplete && isSettled(operation) ? .requeue : .wait)
        }
    }

    private func isSettled(_ operation: OperationInDoubt) -> Bool {
        guard let sentAt = operation.sentAt else { return true }
        return pullBegan.elapsed(since: sentAt) >= settlingTime
    }

    /// Byte for byte: `==` on strings is canonical equivalence already.
    private static func isExact(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    private static func isFolded(_ left: String, _ right: String) -> Bool {
        FoldedTitle(left) == FoldedTitle(right)
    }
}
