/// Why a token could not be read or kept.
public enum TokenStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is there cannot be read or must not be trusted.
    case unreadable(String)
    /// Nothing can be written there.
    case unwritable(String)

    /// What went wrong, and where; never the token.
    public var description: String {
        switch self {
        case .unreadable(let what): "cannot read the token: \(what)"
        case .unwritable(let what): "cannot keep the token: \(what)"
        }
    }

    /// What the person does about it.
    public var hint: String {
        switch self {
        case .unreadable: "Check owner and mode of the token file, or delete it to log in anew."
        case .unwritable: "Check the permissions and the free space of the state directory."
        }
    }
}
