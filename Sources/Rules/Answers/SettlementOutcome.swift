public import Host

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
