/// The changes of a list that wait to be sent or decided, at one moment.
public struct WaitingChanges: Sendable, Hashable {
    /// How many wait.
    public var waiting: Int64
    /// How many of them were tried three times, or have waited for an hour.
    public var stuck: Int64
    /// The newest reason of those, in the server's words; foreign text in it is escaped. Nil where there is none.
    public var error: String?

    /// None, unless something else is said.
    public init(waiting: Int64 = 0, stuck: Int64 = 0, error: String? = nil) {
        self.waiting = waiting
        self.stuck = stuck
        self.error = error
    }
}
