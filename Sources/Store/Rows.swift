public import Host

/// A row of the view `todos`.
public struct TodoRow: Sendable, Hashable {
    public let id: TodoID
    public let title: String
    /// `synced`, or the state of its create, or `rejected` for a refused delete.
    public let state: String
    public let serverID: String?
    /// As the view shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let createdAt: String
    public let error: String?
}

/// A row of the view `outbox`.
public struct OperationRow: Sendable, Hashable {
    public let sequence: OperationSequence
    public let kind: String
    public let todo: TodoID
    public let title: String
    public let state: String
    public let attempts: Int64
    public let notBefore: String?
    public let lastStatus: Int64?
    public let lastError: String?
    public let idempotencyKey: String
    public let queuedAt: String
}

/// A row of the view `movies`, without the columns that only scripts use.
public struct MovieRow: Sendable, Hashable {
    public let id: Int64
    public let title: String
    public let originalTitle: String?
    public let releaseDate: String?
    public let popularity: Double?
    public let voteAverage: Double?
    public let voteCount: Int64?
    public let rank: Int64
    /// The server's JSON object, whole.
    public let document: String
}

/// A row of the view `sync_status`.
public struct StatusRow: Sendable, Hashable {
    public let resource: String
    public let state: String
    public let lastAttemptAt: String?
    public let lastSuccessAt: String?
    /// For ages: the same moment as ``lastSuccessAt``.
    public let lastSuccess: WallTime?
    public let nextDueAt: String?
    public let failures: Int64
    public let lastError: String?
    public let rows: Int64?
    public let durationMilliseconds: Int64?
    public let complete: Bool?
}

/// What waits in the outbox, counted by state.
public struct QueueCounts: Sendable, Hashable {
    public var queued: Int64 = 0
    public var sending: Int64 = 0
    public var inDoubt: Int64 = 0
    public var rejected: Int64 = 0

    /// An empty queue.
    public init() {}

    /// All operations that are not decided yet, and those that wait for the person.
    public var total: Int64 { queued + sending + inDoubt + rejected }
}
