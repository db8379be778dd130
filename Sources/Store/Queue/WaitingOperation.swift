public import Host
public import Rules

/// An operation as the plan of a replay sees it.
public struct WaitingOperation: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it does at the server.
    public let kind: OperationKind
    /// Where it stands.
    public let state: OperationState
    /// How often it was sent since it was queued.
    public let attempts: Int
    /// The values that tell it from others, ``separator`` between them. Operations of one turn go one after
    /// another.
    public let turn: String
    /// U+001F stands in no value of a turn.
    package static let separator: UInt8 = 0x1F
    /// Not before this moment; nil where there is nothing to wait for.
    public let wait: BootTime?
    /// The part of ``wait`` that the server asked for: no person's wish comes before it.
    public let askedUntil: BootTime?
    /// When the intent of its last attempt was committed.
    public let sentAt: BootTime?
    /// When the intent of its first undecided attempt was committed.
    public let firstSentAt: BootTime?
    /// It is a delete that a person has to accept before it is sent.
    public var isHeld = false
    /// The list of this cycle has not shown its row: neither a delete nor an update of it is sent.
    public var isUnconfirmed = false
    /// Its row, by its local id: the operations of one row go one after another.
    public var row: Int64
    /// The status of its last answer; nil where there was none.
    public var lastStatus: Int?
    /// Its row is at the server.
    public var hasServerID = false
    /// It waits for another row: then it holds no turn.
    public var behindRow: RowWait?
    /// What it frees there, and what it takes.
    package var links = ValueLinks()

    /// An operation of the queue.
    public init(
        sequence: OperationSequence, kind: OperationKind, state: OperationState, attempts: Int,
        turn: String, wait: BootTime?, askedUntil: BootTime?, sentAt: BootTime?,
        firstSentAt: BootTime?
    ) {
        self.sequence = sequence
        row = -sequence.rawValue
        self.kind = kind
        self.state = state
        self.attempts = attempts
        self.turn = turn
        self.wait = wait
        self.askedUntil = askedUntil
        self.sentAt = sentAt
        self.firstSentAt = firstSentAt
    }
}
