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

/// What a list tells of itself.
public struct ListFacts: Sendable, Hashable {
    /// All rows of the answer, taken or not.
    public let rows: Int64
    /// Rows that could be any row of the server: without a usable id, or two that differ under one.
    public let unidentified: Int64
    /// Rows that the server has acknowledged, and that no list has shown since, this one neither.
    public let unseen: Int64

    /// What a list tells.
    public init(rows: Int64, unidentified: Int64, unseen: Int64) {
        self.rows = rows
        self.unidentified = unidentified
        self.unseen = unseen
    }
}

/// An operation that a row of a pull, or its absence, decides: in doubt, or a delete whose row the pull
/// does not show or an earlier one has not shown.
public struct OpenOperation: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it is to do at the server.
    public let kind: OperationKind
    /// Where it stands.
    public let state: OperationState
    /// The local id of its row.
    public let row: Int64
    /// The value of each column that a new row can have, as text; nil: none was given.
    public let values: [String?]
    /// When the intent of its last attempt was committed.
    public let sentAt: BootTime?
    /// How long after that it may still take effect; nil where that is not known.
    public let settlingTime: Duration?
    /// When the first of the complete pulls in a row began that have not shown its row or effect.
    public let missedSince: BootTime?
    /// The status of its last answer; nil where there was none.
    public let lastStatus: Int?
    /// How many of its refusals pulls have shown to be true only for the moment.
    public let refuted: Int
    /// Whether the pull shows its row, as the one that it is.
    public let isRowShown: Bool

    /// An operation as a pull finds it.
    public init(
        sequence: OperationSequence, kind: OperationKind, state: OperationState = .inDoubt,
        row: Int64, values: [String?], sentAt: BootTime?, settlingTime: Duration? = nil,
        missedSince: BootTime? = nil, lastStatus: Int? = nil, refuted: Int = 0,
        isRowShown: Bool = false
    ) {
        self.sequence = sequence
        self.kind = kind
        self.state = state
        self.row = row
        self.values = values
        self.sentAt = sentAt
        self.settlingTime = settlingTime
        self.missedSince = missedSince
        self.lastStatus = lastStatus
        self.refuted = refuted
        self.isRowShown = isRowShown
    }
}

/// When a doubt has been open for so long that the person is told.
public enum OpenDoubt: Sendable {
    /// Pulls that were taken and did not decide it.
    public static let pulls = 3
    /// The time since it was sent first.
    public static let age = Duration.seconds(3600)
}

/// A pulled row that no row of the cache is.
public struct UnownedRow: Sendable, Hashable {
    /// The id at the server.
    public let serverID: String
    /// The value of each column that a new row can have, as text, as the server stores it.
    public let values: [String?]

    /// A row as pulled.
    public init(serverID: String, values: [String?]) {
        self.serverID = serverID
        self.values = values
    }
}

/// Rows of the cache that a pull would take away.
public struct RemovalCount: Sendable, Hashable {
    /// Rows that could be missed: pulled before, without a pending delete.
    public let counted: Int64
    /// Those of them that the pull does not hold.
    public let missing: Int64
    /// The pull holds no row at all.
    public let isListEmpty: Bool

    /// A count of both.
    public init(counted: Int64, missing: Int64, isListEmpty: Bool = false) {
        self.counted = counted
        self.missing = missing
        self.isListEmpty = isListEmpty
    }
}
