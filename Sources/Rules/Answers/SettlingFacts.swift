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
