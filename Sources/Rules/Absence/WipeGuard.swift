package import Host

/// Decides whether a pull that takes rows away is believed.
///
/// A server that forgot everything answers with a short list, and the answer is valid. So a pull is
/// held if more than half of at least ten rows are missing, or if it is empty and there were two
/// rows or more. The hold ends when a second pull, one interval later, misses more than half again,
/// or when the person accepts it.
package struct WipeGuard: Sendable, Hashable {
    /// When the pull began.
    package let pullBegan: BootTime
    /// How much later a second pull counts.
    package let interval: Duration
    /// The person has accepted what the pull takes away.
    package let isAccepted: Bool

    /// The guard of one pull.
    package init(pullBegan: BootTime, interval: Duration, isAccepted: Bool) {
        self.pullBegan = pullBegan
        self.interval = interval
        self.isAccepted = isAccepted
    }

    /// Fewer rows than this are not guarded.
    package static let smallestGuarded: Int64 = 10
    /// Fewer rows than this are not guarded against an empty list.
    package static let smallestEmptied: Int64 = 2

    /// What to do with the pull.
    package enum Judgement: Sendable, Hashable {
        /// Take it, and forget a hold.
        case take
        /// Take it, but of the rows that it lacks only those that the held pull lacked, too.
        case agree
        /// Hold it, and remember its rows.
        case hold
        /// Hold it; the first hold goes on, of the rows that it lacks, too.
        case keepHolding
    }

    /// Judges a pull that would take `removals` away.
    ///
    /// `heldBefore` are the rows missing both from the held pull and this one, `isHoldDue` tells
    /// that this pull began one interval or more after the held one; both only matter with a hold.
    package static func judge(
        _ removals: RemovalCount, heldBefore: Int64?, isHoldDue: Bool, isAccepted: Bool
    ) -> Judgement {
        guard isGuarded(removals), !isAccepted else { return .take }
        guard let heldBefore else { return .hold }
        guard isHoldDue else { return .keepHolding }
        // Other rows are missing by now: it is those that a second pull has to miss.
        let missing = removals.isListEmpty ? removals.missing : removals.counted
        return heldBefore * 2 > missing ? .agree : .hold
    }

    /// Whether so much is taken only when it was seen twice: rows, or parts of a list that lose all of theirs.
    package static func isGuarded(_ removals: RemovalCount) -> Bool {
        let missing = removals.missing
        // Rows whose answer is younger than the list are not missing, and say nothing for it either.
        if removals.isListEmpty { return removals.counted >= smallestEmptied && missing > 0 }
        return removals.counted >= smallestGuarded && missing * 2 > removals.counted
    }
}
