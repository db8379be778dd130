/// Why the changes of a list are not sent, though it is read.
public struct ReplayHalt: Sendable, Hashable {
    /// In the terms of reading.
    public var state: SyncState
    /// One sentence; foreign text in it is escaped.
    public var error: String

    /// A replay that ended in `state`, because of `error`.
    public init(state: SyncState, error: String) {
        self.state = state
        self.error = error
    }
}
