/// What an operation does at the server.
public enum OperationKind: String, Sendable, Hashable {
    /// Makes the row there.
    case create
    /// Changes fields of the row there.
    case update
    /// Removes the row there.
    case delete
}
