package import Text

/// What a read of a list brought.
public enum PullAnswer: Sendable, Hashable {
    /// The server says that nothing changed since the validators that were sent: nothing of the bytes. Its header
    /// counts, such as a next page that there was not before.
    case notModified(ListExtent = .untold)
    /// A whole answer that is not empty and has passed ``BodyCheck``; whether it is JSON of the
    /// right shape is for the reader to check. The validators are empty where none came; the extent
    /// is what the header tells of a longer list.
    case body([UInt8], Validators, ListExtent = .untold)

    /// Why it has no rows, in the server's words; nil where it does not say.
    package func refusal(without secrets: Secrets) -> String? {
        guard case .body(let body, _, _) = self else { return nil }
        return RefusalInSuccess.read(body, without: secrets)
    }
}
