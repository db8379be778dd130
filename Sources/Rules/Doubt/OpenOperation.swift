public import Host

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
    /// A read of its row was answered that there is none.
    public let isRowNotFound: Bool
    /// When the server acknowledged it; nil: it did not.
    public let answeredAt: BootTime?
    /// Something older of its server waited when its last answer came.
    public let isBehind: Bool

    /// An operation as a pull finds it.
    public init(
        sequence: OperationSequence, kind: OperationKind, state: OperationState = .inDoubt,
        row: Int64, values: [String?], sentAt: BootTime?, settlingTime: Duration? = nil,
        missedSince: BootTime? = nil, lastStatus: Int? = nil, refuted: Int = 0,
        isRowShown: Bool = false, isRowNotFound: Bool = false, answeredAt: BootTime? = nil,
        isBehind: Bool = false
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
        self.isRowNotFound = isRowNotFound
        self.answeredAt = answeredAt
        self.isBehind = isBehind
    }

    /// The same, as if the column at `place` had not been given.
    func without(_ place: Int) -> OpenOperation {
        var values = values
        values[place] = nil
        return OpenOperation(
            sequence: sequence, kind: kind, state: state, row: row, values: values, sentAt: sentAt,
            settlingTime: settlingTime, missedSince: missedSince, lastStatus: lastStatus,
            refuted: refuted, isRowShown: isRowShown, isRowNotFound: isRowNotFound,
            answeredAt: answeredAt, isBehind: isBehind)
    }
}

extension OpenOperation {
    /// Its last answer was a refusal.
    package var wasRefused: Bool { DoubtfulRefusal.isOne(status: lastStatus) }
}
