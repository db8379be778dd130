package import Declarations
public import Host

/// A row of the table `todos`.
public struct TodoRow: Sendable, Hashable {
    /// The local id.
    public let id: TodoID
    /// As the person gave it, or as the server stored it.
    public let title: String
    /// `synced`, or the state of its create, or `rejected` for a refused delete.
    public let state: String
    /// The id at the server; nil before its create is done.
    public let serverID: String?
    /// As the table shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let createdAt: String
    /// Why the last attempt failed; nil where none did.
    public let error: String?
}

/// A row of the view `outbox`.
public struct OperationRow: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// `create` or `delete`.
    public let kind: String
    /// The list that its row is of.
    public let resource: String
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

/// A row of the table `movies`, without the columns that only scripts use.
public struct MovieRow: Sendable, Hashable {
    /// The server's id.
    public let id: Int64
    /// In the language of the pull.
    public let title: String
    /// In the language of the movie.
    public let originalTitle: String?
    /// `YYYY-MM-DD`; empty or nil where the server knows none.
    public let releaseDate: String?
    /// The server's own measure of interest.
    public let popularity: Double?
    /// From 0 to 10.
    public let voteAverage: Double?
    /// How many votes the average is made of.
    public let voteCount: Int64?
    /// The place in the server's list, from 1.
    public let rank: Int64
    /// The server's JSON object, whole.
    public let document: String
}

/// In which order movies are listed.
public enum MovieOrder: String, Sendable, Hashable, CaseIterable {
    /// The server's.
    case list
    /// The one that is released first, first; those without a date last.
    case date
    /// The best one first; those without votes last.
    case rating
    /// By the alphabet, without regard to case in ASCII.
    case title
}

/// A row of the view `sync_status`.
public struct StatusRow: Sendable, Hashable {
    /// `movies` or `todos`.
    public let resource: String
    /// How the last cycle ended; the raw value of a ``SyncState``.
    public let state: String
    /// When the last cycle began, as the view shows it.
    public let lastAttemptAt: String?
    /// When the last cycle began whose pull was taken, as the view shows it.
    public let lastSuccessAt: String?
    /// For ages: the same moment as ``lastSuccessAt``.
    public let lastSuccess: WallTime?
    /// When the next cycle is due, as the view shows it.
    public let nextDueAt: String?
    /// Cycles in a row that failed.
    public let failures: Int64
    /// What went wrong in the last cycle; after a success what is wrong with the list, nil where
    /// nothing is.
    public let lastError: String?
    /// How many rows the view of the resource shows now.
    public let rows: Int64?
    /// How long the last cycle took.
    public let durationMilliseconds: Int64?
    /// Whether the last pull held every row of the server; nil before the first.
    public let complete: Bool?
    /// Whether the last list lacked rows that the server has acknowledged, and counts as cut for that.
    public let lacksAcknowledged: Bool
    /// What its cycles have replayed since the cache was made.
    public let replayed: ReplayCounts
}

extension StatusRow {
    /// A row with what a line of text shows, for tests of that line.
    package init(
        resource: ResourceName, state: SyncState, rows: Int64?, nextDueAt: String?,
        lastError: String?,
        lacksAcknowledged: Bool = false
    ) {
        self.init(
            resource: resource.text, state: state.rawValue, lastAttemptAt: nil,
            lastSuccessAt: nil, lastSuccess: nil, nextDueAt: nextDueAt, failures: 0,
            lastError: lastError, rows: rows, durationMilliseconds: nil, complete: nil,
            lacksAcknowledged: lacksAcknowledged, replayed: ReplayCounts())
    }
}

/// What waits in the outbox, counted by state.
public struct QueueCounts: Sendable, Hashable {
    /// Waiting to be sent.
    public var queued: Int64 = 0
    /// Sent, and not answered yet.
    public var sending: Int64 = 0
    /// Sent, with the answer lost.
    public var inDoubt: Int64 = 0
    /// Refused by the server for good.
    public var rejected: Int64 = 0

    /// An empty queue.
    public init() {}

    /// All operations that are not decided yet, and those that wait for the person.
    public var total: Int64 { queued + sending + inDoubt + rejected }
}

/// How everything stands: the rows of the view `sync_status` and the queue, of one moment.
public struct Standing: Sendable, Hashable {
    /// In the order of their names; one that is not synced has a row, too.
    public let resources: [StatusRow]
    /// Of both kinds of operations.
    public let queue: QueueCounts

    /// A standing from its parts, for tests of how it is told.
    package init(resources: [StatusRow], queue: QueueCounts) {
        self.resources = resources
        self.queue = queue
    }
}
