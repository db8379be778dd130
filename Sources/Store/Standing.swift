/// How everything stands: the rows of the view `sync_status` and the queue, of one moment.
public struct Standing: Sendable, Hashable {
    /// In the order of their names; one that is not synced has a row, too.
    public let resources: [StatusRow]
    /// Of both kinds of operations.
    public let queue: QueueCounts

    /// A standing from its parts, for tests of how it is told.
    package init(resources: [StatusRow], queue: QueueCounts) {
        self.resources = resources
        self.queue = queue
    }
}
