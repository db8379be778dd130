public import Host

/// A row of a pulled body that cannot be taken, named by its place.
public struct SkippedRow: Sendable, Hashable, CustomStringConvertible {
    /// `[3].id` or `results[3].title`.
    public let place: String
    /// What was expected there and what was found.
    public let problem: String

    /// A row at `place` with its problem.
    public init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    /// `results[3].id: expected an integer, found null`.
    public var description: String { "\(place): \(problem)" }
}

/// Rows that were skipped: all counted, the first few named.
public struct SkippedRows: Sendable, Hashable {
    /// So many are named at most.
    public static let namedAtMost = 20

    /// All of them.
    public var count: Int64
    /// The first ones, in the order of the body, at most ``namedAtMost``.
    public var named: [SkippedRow]

    /// So many skipped rows, the first of them named.
    public init(count: Int64, named: [SkippedRow]) {
        self.count = count
        self.named = named
    }

    /// None.
    public static let none = SkippedRows(count: 0, named: [])
}

/// A create or delete whose answer is unknown.
public struct OperationInDoubt: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it was to do at the server.
    public let kind: OperationKind
    /// The local id of its todo.
    public let todo: TodoID
    /// The title that was sent, or of the row to delete.
    public let title: String
    /// When the intent of its last attempt was committed.
    public let sentAt: BootTime?
    /// How long after that it may still take effect, by the configuration it was sent under.
    public let settlingTime: Duration

    /// An operation whose answer is unknown.
    public init(
        sequence: OperationSequence, kind: OperationKind, todo: TodoID, title: String,
        sentAt: BootTime?, settlingTime: Duration = .zero
    ) {
        self.sequence = sequence
        self.kind = kind
        self.todo = todo
        self.title = title
        self.sentAt = sentAt
        self.settlingTime = settlingTime
    }
}

/// A pulled row that no todo of the cache owns.
public struct UnownedRow: Sendable, Hashable {
    /// The id at the server.
    public let serverID: String
    /// As the server stores it.
    public let title: String

    /// A row as pulled.
    public init(serverID: String, title: String) {
        self.serverID = serverID
        self.title = title
    }
}

/// Rows of the cache that a pull would take away.
public struct RemovalCount: Sendable, Hashable {
    /// Rows that could be missed: pulled before, without a pending delete.
    public let counted: Int64
    /// Those of them that the pull does not hold.
    public let missing: Int64

    /// A count of both.
    public init(counted: Int64, missing: Int64) {
        self.counted = counted
        self.missing = missing
    }
}
