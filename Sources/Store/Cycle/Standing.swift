/// How everything stands: the rows of the view `sync_status` and the queue, of one moment.
public struct Standing: Sendable, Hashable {
    /// In the order of their names; one that is not synced has a row, too.
    public let lists: [StatusRow]
    /// Of both kinds of operations.
    public let queue: QueueCounts

    /// A standing from its parts, for tests of how it is told.
    package init(lists: [StatusRow], queue: QueueCounts) {
        self.lists = lists
        self.queue = queue
    }
}
