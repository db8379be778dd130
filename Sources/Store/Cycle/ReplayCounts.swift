/// What replays did.
public struct ReplayCounts: Sendable, Hashable {
    /// Requests whose intent was committed.
    public var sent = 0
    /// Operations that the server has acknowledged, or that nobody wants any more.
    public var done = 0
    /// Operations that the server refused for good.
    public var rejected = 0
    /// Attempts whose answer was lost.
    public var inDoubt = 0

    /// Nothing.
    public init() {}

    /// The counts of two replays together.
    public mutating func add(_ other: ReplayCounts) {
        sent += other.sent
        done += other.done
        rejected += other.rejected
        inDoubt += other.inDoubt
    }

    /// What was counted since `earlier`.
    public func since(_ earlier: ReplayCounts) -> ReplayCounts {
        var counts = ReplayCounts()
        counts.sent = sent - earlier.sent
        counts.done = done - earlier.done
        counts.rejected = rejected - earlier.rejected
        counts.inDoubt = inDoubt - earlier.inDoubt
        return counts
    }

    /// Whether the queue became shorter.
    public var hasProgress: Bool { done + rejected > 0 }
}
