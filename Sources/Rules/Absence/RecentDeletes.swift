public import Host

/// The deletes of one list that may belong together, and how many rows it has.
public struct RecentDeletes: Sendable, Hashable {
    /// Where a delete stands.
    public enum Progress: Sendable, Hashable {
        /// It waits to be sent.
        case waiting
        /// It was sent, and is not decided: the row is still counted.
        case underWay
        /// It is done. The list had so many rows when it was sent.
        case done(rowsBefore: Int64)
    }

    /// One delete.
    public struct Delete: Sendable, Hashable {
        /// Its place in the queue.
        public let sequence: OperationSequence
        /// When a program deleted the row, by the wall clock of that moment.
        public let queuedAt: WallTime
        /// Where it stands.
        public let progress: Progress

        /// A delete.
        public init(sequence: OperationSequence, queuedAt: WallTime, progress: Progress) {
            self.sequence = sequence
            self.queuedAt = queuedAt
            self.progress = progress
        }
    }

    /// In queue order: those that are not decided, and those of the last minute that are done. A delete that a
    /// person has accepted is not among them.
    public let deletes: [Delete]
    /// The rows of the server that the list has now, with those whose delete is not decided.
    public let rows: Int64

    /// Deletes of a list that has `rows` rows.
    public init(deletes: [Delete], rows: Int64) {
        self.deletes = deletes
        self.rows = rows
    }
}

/// A delete to hold.
public struct DeleteToHold: Sendable, Hashable {
    /// Its place in the queue.
    public let sequence: OperationSequence
    /// How many rows the list had before it and those beside it.
    public let rows: Int64

    /// One of the deletes that would empty a list of `rows` rows, or halve it.
    public init(sequence: OperationSequence, rows: Int64) {
        self.sequence = sequence
        self.rows = rows
    }
}
