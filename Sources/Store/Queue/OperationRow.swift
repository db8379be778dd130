public import Rules

/// A row of the view `outbox`.
public struct OperationRow: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// `create` or `delete`.
    public let kind: String
    /// The list that its row is of.
    public let list: String
    /// The local id of its row.
    public let row: Int64
    /// The text that stands for its row.
    public let title: String
    /// `queued`, `sending`, `in doubt` or `rejected`.
    public let state: String
    /// How often it was sent since it was queued.
    public let attempts: Int64
    /// When it may be sent again at the earliest, as the view shows it.
    public let notBefore: String?
    /// The HTTP status of the last answer; nil where there was none.
    public let lastStatus: Int64?
    /// Why the last attempt failed; nil where none did.
    public let lastError: String?
    /// Sent with each attempt of it.
    public let idempotencyKey: String
    /// As the view shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let queuedAt: String
}
