/// What a read of a list brought.
public enum PullAnswer: Sendable, Hashable {
    /// The server says that nothing changed since the validators that were sent: nothing of the bytes. Its header
    /// counts, such as a next page that there was not before.
    case notModified(ListExtent = .untold)
    /// A whole answer that is not empty and has passed ``BodyCheck``; whether it is JSON of the
    /// right shape is for the reader to check. The validators are empty where none came; the extent
    /// is what the header tells of a longer list.
    case body([UInt8], Validators, ListExtent = .untold)
}
