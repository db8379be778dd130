internal import Host
internal import Rules

/// An operation as its settlement finds it.
struct SettlingOperation {
    let sequence: OperationSequence
    let row: Int64
    var facts: SettlingFacts
    /// The row in an answer.
    var answered: (id: String, document: String)?
    /// The answer named the row by its id alone.
    var isClaim = false
    /// The id that the server has the row under since the update; nil: the one that it had.
    var movedTo: String?
    /// The row that has its id.
    var holder: Int64?
    /// When the answer came.
    var answeredAt = BootTime(boot: "", milliseconds: 0)

    var kind: OperationKind { facts.kind }
}
