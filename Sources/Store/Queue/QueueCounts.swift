/// What waits in the outbox, counted by state.
public struct QueueCounts: Sendable, Hashable {
    /// Waiting to be sent.
    public var queued: Int64 = 0
    /// Sent, and not answered yet.
    public var sending: Int64 = 0
    /// Sent, with the answer lost.
    public var inDoubt: Int64 = 0
    /// The server said yes, and no list has shown yet that it did so; deletes are not counted.
    public var acknowledged: Int64 = 0
    /// Refused by the server for good.
    public var rejected: Int64 = 0

    /// An empty queue.
    public init() {}

    /// All operations that are not decided yet, and those that wait for the person.
    public var total: Int64 { queued + sending + inDoubt + acknowledged + rejected }
}
