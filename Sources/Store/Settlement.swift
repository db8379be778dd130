public import Host

/// When and why an operation is tried again.
public struct Postponement: Sendable, Hashable {
    /// Not before this moment.
    public var until: BootTime
    /// The same moment for people.
    public var shown: WallTime
    /// The server named this moment: no person's wish comes before it.
    public var askedUntil: BootTime?
    /// The HTTP status of the answer; nil where there was none.
    public var status: Int?
    /// One sentence; foreign text in it is escaped already.
    public var error: String

    /// A wait until `until`, because of `error`.
    public init(
        until: BootTime, shown: WallTime, askedUntil: BootTime?, status: Int?, error: String
    ) {
        self.until = until
        self.shown = shown
        self.askedUntil = askedUntil
        self.status = status
        self.error = error
    }
}

/// What an attempt came to, as far as its answer tells.
public enum Settlement: Sendable, Hashable {
    /// A 2xx answer to a create with this body, checked byte for byte. Where it shows no row of ours, the
    /// create is in doubt, with `otherwise`.
    case created(body: [UInt8], otherwise: Postponement)
    /// A 2xx answer to an update with this body, checked byte for byte.
    case updated(body: [UInt8])
    /// The row of a delete is gone.
    case deleted
    /// The server refuses for good. `otherwise` holds where an earlier attempt is undecided.
    case rejected(Postponement)
    /// The server certainly did not act on it.
    case notApplied(Postponement)
    /// The same, because its row is not of this `version` any more: another list has to show it first.
    case stale(Postponement, version: String?)
    /// The server may have acted on it. Where it `isOver`, it answered, and will not act any more.
    case doubtful(Postponement, isOver: Bool)
}

/// What the rules of settling look at, beside the settlement.
public struct SettlingFacts: Sendable, Hashable {
    /// An earlier attempt may have taken effect.
    public var isUndecided: Bool
    /// A delete waits behind the create: it must not be sent again.
    public var isUnwanted: Bool
    /// The server has said before that the row is not of this version, and a list has shown that it is.
    public var isStaleAgain = false
    /// What the answer to a create has shown.
    public var answer: AnsweredRow
    /// The row of an update as the answer shows it; nil where it shows none.
    public var edited: EditedRow?

    /// An operation whose attempt has ended.
    public init(isUndecided: Bool, isUnwanted: Bool, answer: AnsweredRow = .none) {
        self.isUndecided = isUndecided
        self.isUnwanted = isUnwanted
        self.answer = answer
    }
}

/// Whose the id is in the answer to a create.
public enum AnsweredRow: Sendable, Hashable {
    /// There is no row in it.
    case none
    /// No row of the cache has it.
    case free
    /// Another row has it; where it `isSame`, that is the row of the answer by all that makes a row that row.
    case held(isSame: Bool)
}

/// What a settlement comes to, by the rules: the store carries it out.
public enum SettlementOutcome: Sendable, Hashable {
    /// The operation took effect, and there is no row of it any more.
    case ended
    /// The create's row is the one of the answer. A row that had its id is gone.
    case adopted
    /// Nobody wants the create any more: it goes, with its row and the delete behind it.
    case withdrawn
    /// The update took effect, and the answer shows the row: this becomes of it.
    case learned(EditOutcome)
    /// The update took effect: what was sent is what the server has.
    case acknowledged
    /// It waits, in this state. Where its attempt `isOver`, the next pull may decide it.
    case waits(OperationState, Postponement, isOver: Bool)
    /// It waits for a list that shows another version of its row.
    case waitsForVersion(otherThan: String?, Postponement)
}

/// How an operation stands after its settlement.
public enum Settled: Sendable, Hashable {
    /// It took effect and is out of the queue.
    case done
    /// The create, its waiting delete and the row are gone: nobody wants it any more.
    case withdrawn
    /// It waits to be sent again.
    case queued
    /// A pull decides it.
    case inDoubt
    /// It waits for the person.
    case rejected
}

/// An operation that is being sent: its intent is on the disk.
public struct OutgoingOperation: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it does at the server.
    public let kind: OperationKind
    /// The row's fields that have a value, each as JSON text.
    public internal(set) var values: [String: String]
    /// The fields that an update changes, each as JSON text.
    public internal(set) var changed: [String: String] = [:]
    /// The row's document, as this cycle's list has shown it; of an update only.
    public internal(set) var document: String?
    /// The row's id there; nil for a create.
    public let serverID: String?
    /// The row's version, where its call names one.
    public let version: String?
    /// The same for every attempt of one create.
    public let idempotencyKey: String
    /// This one included.
    public let attempts: Int

    /// An operation whose intent is committed.
    public init(
        sequence: OperationSequence, kind: OperationKind, values: [String: String],
        serverID: String?, version: String? = nil, idempotencyKey: String, attempts: Int
    ) {
        self.sequence = sequence
        self.kind = kind
        self.values = values
        self.serverID = serverID
        self.version = version
        self.idempotencyKey = idempotencyKey
        self.attempts = attempts
    }
}

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

    /// An operation of the queue.
    public init(
        sequence: OperationSequence, kind: OperationKind, state: OperationState, attempts: Int,
        turn: String, wait: BootTime?, askedUntil: BootTime?, sentAt: BootTime?,
        firstSentAt: BootTime?
    ) {
        self.sequence = sequence
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
