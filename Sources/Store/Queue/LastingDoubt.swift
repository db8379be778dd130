public import Rules

/// An operation that has been in doubt for so long that the person is told; see ``OpenDoubt``.
public struct LastingDoubt: Sendable, Hashable {
    /// Why pulls do not decide it.
    public enum Reason: Sendable, Hashable {
        /// The last pull would have removed too much, and was not taken.
        case pullHeld
        /// The last cycle failed, with this sentence.
        case pullFails(String)
        /// The list is not the whole one; the sentence says how that is known.
        case listCut(String)
        /// The list has rows that could be any row.
        case rowsSkipped
        /// The pulls are whole. The sentence says how its last attempt ended.
        case attempt(String)

        /// The cause that keeps pulls from deciding doubt, by the status of their list; nil if
        /// they are whole. `error` is the sentence of the last cycle, `complete` whether its list
        /// was whole.
        package static func ofPulls(
            state: SyncState?, isHeld: Bool, error: String?, complete: Bool?
        ) -> Reason? {
            if isHeld { return .pullHeld }
            guard state == .ok else {
                return .pullFails(error ?? state?.rawValue ?? "in a way not known here")
            }
            if let error { return .listCut(error) }
            return complete == false ? .rowsSkipped : nil
        }
    }

    /// Its place in the queue.
    public let sequence: OperationSequence
    /// What it is to do at the server.
    public let kind: OperationKind
    /// The list that its row is of.
    public let list: String
    /// The local id of its row.
    public let row: Int64
    /// The text that stands for its row.
    public let title: String
    /// Why pulls do not decide it.
    public let reason: Reason

    /// A doubt from its parts, for tests of how it is told.
    package init(
        sequence: OperationSequence, kind: OperationKind, list: String = "todos", row: Int64,
        title: String, reason: Reason
    ) {
        self.sequence = sequence
        self.kind = kind
        self.list = list
        self.row = row
        self.title = title
        self.reason = reason
    }
}
