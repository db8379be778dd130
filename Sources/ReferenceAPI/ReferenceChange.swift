/// One step from a ``ReferenceState`` to the next: what a server that keeps its state writes down.
public enum ReferenceChange: Sendable, Hashable, Codable {
    case userAdded(ReferenceState.User)
    case tokenAdded(ReferenceState.Token)
    case todoAdded(ReferenceState.Todo)
    case todoRemoved(ReferenceID)
    case answerKept(ReferenceState.KeptAnswer)
    /// Answers kept before this second are kept no longer.
    case answersDropped(before: Int64)
    /// Rows of a list of any rows changed.
    case listChanged(name: String, WrittenRows.Change)
    /// Users, tokens and todos are gone and ids start again: a service that held them in memory.
    case everythingForgotten
}
