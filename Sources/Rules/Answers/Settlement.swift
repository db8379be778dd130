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
