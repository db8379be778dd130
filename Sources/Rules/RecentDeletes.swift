public import Host

/// The deletes of one list that may belong together, and how many rows it had before them.
public struct RecentDeletes: Sendable, Hashable {
    /// One delete.
    public struct Delete: Sendable, Hashable {
        /// Its place in the queue.
        public let sequence: OperationSequence
        /// When a program deleted the row, by the wall clock of that moment.
        public let queuedAt: WallTime
        /// Whether it waits to be sent; false for one that was sent.
        public let isWaiting: Bool

        /// A delete.
        public init(sequence: OperationSequence, queuedAt: WallTime, isWaiting: Bool = true) {
            self.sequence = sequence
            self.queuedAt = queuedAt
            self.isWaiting = isWaiting
        }
    }

    /// In queue order: those that are not decided, and those that were sent within the last minute. A delete
    /// that a person has accepted is not among them.
    public let deletes: [Delete]
    /// The rows of the server that the list had before the first of them.
    public let rows: Int64

    /// Deletes of a list that had `rows` rows.
    public init(deletes: [Delete], rows: Int64) {
        self.deletes = deletes
        self.rows = rows
    }
}
