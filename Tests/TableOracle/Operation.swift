/// An operation of the queue, as model and table both tell of it.
struct Operation: Hashable, Comparable {
    let row: Int64
    let kind: Kind
    /// 0 for an update that was sent, else 1.
    let stage: Int64
    let state: State

    enum Kind: String {
        case create, update, delete
    }

    enum State: String {
        case queued, sending, rejected
        case inDoubt = "in doubt"

        /// The request has not left, or was refused.
        var isUnsent: Bool { self == .queued || self == .rejected }
    }

    /// How the server answers a request.
    enum Answer: String {
        /// Done: with the row as it is now, or without.
        case done
        /// Refused: the same request would be refused again.
        case rejected
        /// The server took no notice of it, and may take it another time.
        case notApplied = "not applied"
        /// No answer came.
        case lost
    }

    static func < (one: Operation, other: Operation) -> Bool {
        (one.row, one.kind.rawValue, one.stage) < (other.row, other.kind.rawValue, other.stage)
    }
}
