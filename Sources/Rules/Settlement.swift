public import Host

/// What an attempt came to, as far as its answer tells.
public enum Settlement: Sendable, Hashable {
    /// The server said yes.
    case accepted(Acceptance)
    /// The server refuses for good. `otherwise` holds where an earlier attempt is undecided.
    case rejected(Postponement)
    /// The same in a run of equal refusals, so that it may be about all of them.
    case refusedInRun(Postponement)
    /// The server certainly did not act on it.
    case notApplied(Postponement)
    /// The same, because its row is not of this `version` any more: another list has to show it first.
    case stale(Postponement, version: String?)
    /// The server may have acted on it. Where it `isOver`, it answered, and will not act any more.
    case doubtful(Postponement, isOver: Bool)
}

/// A success, as it was answered. It is a claim: a list that begins a minute later decides.
public struct Acceptance: Sendable, Hashable {
    /// 200 to 299.
    public var status: Int
    /// Checked byte for byte; empty where there was none, or no JSON.
    public var body: [UInt8]
    /// The id at the server of a new row, as the header names it; nil: it names none.
    public var named: String?
    /// When it came.
    public var at: BootTime
    /// What holds if the body says in a success that the server refuses; nil: it does not say so.
    public var refusal: Postponement?

    /// A success.
    public init(
        status: Int = 200, body: [UInt8] = [], named: String? = nil, at: BootTime,
        refusal: Postponement? = nil
    ) {
        self.status = status
        self.body = body
        self.named = named
        self.at = at
        self.refusal = refusal
    }

    /// The server answered with what it did: 202 says that it will act later, and 203 is not the server's own word.
    public var mayShowRow: Bool { status == 200 || status == 201 }
    /// The server said that it will act later.
    public var isLater: Bool { status == 202 }
}

/// What the rules of settling look at, beside the settlement.
public struct SettlingFacts: Sendable, Hashable {
    /// What the operation does at the server.
    public var kind: OperationKind
    /// An earlier attempt may have taken effect.
    public var isUndecided: Bool
    /// A delete waits behind the create: it must not be sent again.
    public var isUnwanted: Bool
    /// The server has said before that the row is not of this version, and a list has shown that it is.
    public var isStaleAgain = false
    /// So many refusals of it did not count.
    public var refusals = 0
    /// Something older of its server waits, of this list or another one, and of another row.
    public var isBehind = false
    /// What the answer to a create has shown.
    public var answer: AnsweredRow
    /// The row of a create or an update as the answer shows it; nil where programs can change none of its columns.
    public var edited: EditedRow?
    /// The answer is a row of the list, so that nothing in it is a refusal.
    public var isRow = false

    /// An operation whose attempt has ended.
    public init(
        kind: OperationKind = .create, isUndecided: Bool, isUnwanted: Bool,
        answer: AnsweredRow = .none
    ) {
        self.kind = kind
        self.isUndecided = isUndecided
        self.isUnwanted = isUnwanted
        self.answer = answer
    }
}

/// Whose the id is in the answer to a create.
public enum AnsweredRow: Sendable, Hashable {
    /// There is no row in it, or one that is not what was sent.
    case none
    /// No row of the cache has it.
    case free
    /// The server has answered with a row that the cache had before, and which equals what was sent.
    case merged
    /// A row of the cache has it that is another one by what makes a row that row. If it `isConfirmed`, this cycle's
    /// list has shown it.
    case reused(isConfirmed: Bool)
}

/// What a settlement comes to, by the rules: the store carries it out.
public enum SettlementOutcome: Sendable, Hashable {
    /// The operation took effect, and there is no row of it any more.
    case ended
    /// The create's row is the one of the answer, and this becomes of its columns. A row that had its id is gone.
    case adopted(EditOutcome)
    /// The server has merged the create into a row of the cache: that one stays.
    case merged
    /// Nobody wants the create any more: it goes, with its row and the delete behind it.
    case withdrawn
    /// The server has acknowledged the update, and this becomes of its columns.
    case learned(EditOutcome)
    /// The server has acknowledged the create or the delete at that moment: lists decide.
    case acknowledged(at: BootTime)
    /// It waits, in this state. Where its attempt `isOver`, the next pull may decide it.
    case waits(OperationState, Postponement, isOver: Bool)
    /// It was refused, and waits to be sent again: that the refusal is about it is not known yet.
    case waitsUncounted(Postponement)
    /// It waits for a list that shows another version of its row.
    case waitsForVersion(otherThan: String?, Postponement)
}

/// How an operation stands after its settlement.
public enum Settled: Sendable, Hashable {
    /// The server has acknowledged it, and it is never sent again.
    case done
    /// The same of a create whose row the answer did not name: lists find it.
    case acknowledged
    /// The create, its waiting delete and the row are gone: nobody wants it any more.
    case withdrawn
    /// It waits to be sent again.
    case queued
    /// The same of one that was refused while something older waited: it goes again behind that.
    case behind
    /// A pull decides it.
    case inDoubt
    /// It waits for the person.
    case rejected
}
