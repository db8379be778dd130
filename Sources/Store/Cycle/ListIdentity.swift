/// What a list is: the rows in its table are those of this place, and of no other.
public struct ListIdentity: Sendable, Hashable {
    /// The server, and whose rows they are, as far as somebody has said so.
    public let account: Account
    /// The path of the list; of one that is read by `POST` also that, and what it is asked with.
    public let path: String
    /// Its query; empty without one.
    public let query: String
    /// Tells the fixed header fields from others, and is too short to guess them.
    public let headers: String
    /// Tells the credential from others, and is too short to guess it; nil where it does not say whose the rows
    /// are, because something else does.
    public let credential: String?
    /// Whether the server says whose the credential is: then another one can be the same account's.
    public let isOwnerAsked: Bool

    /// A list at `path` with `query`.
    public init(
        account: Account, path: String, query: String, headers: String, credential: String?,
        isOwnerAsked: Bool = false
    ) {
        self.account = account
        self.path = path
        self.query = query
        self.headers = headers
        self.credential = credential
        self.isOwnerAsked = isOwnerAsked
    }

    /// By what two lists differ.
    public enum Difference: Sendable, Hashable {
        /// Another server, or another account of it.
        case account
        /// Another path or query.
        case list
        /// Other header fields.
        case headers
        /// Another credential: whose it is, nobody says.
        case credential
    }

    /// By what this list differs from `other`, the weightiest first; nil where they are one. An account that got a
    /// name is no other one, unless the server has said whose it is.
    public func difference(from other: ListIdentity) -> Difference? {
        let isNamed =
            account.baseURL == other.account.baseURL && other.account.email.isEmpty
            && !isOwnerAsked
        if account != other.account, !isNamed { return .account }
        if path != other.path || query != other.query { return .list }
        if headers != other.headers { return .headers }
        guard !isOwnerAsked, let credential, let before = other.credential else { return nil }
        return credential == before ? nil : .credential
    }

    /// The path with the query.
    public var target: String { query.isEmpty ? path : "\(path)?\(query)" }
}

/// Whose the rows of a list are, by the words of its server.
public struct ListOwner: Sendable, Hashable {
    /// What tells the account from others; nil where the server was never asked.
    public let name: String?
    /// The credential that it was asked with last, by its mark.
    public let askedWith: String?

    /// An owner.
    public init(name: String?, askedWith: String?) {
        self.name = name
        self.askedWith = askedWith
    }
}

/// What the cache makes of a list that is about to be synced.
public enum ListRecognition: Sendable, Hashable {
    /// Its rows are those of this list, or it had none.
    case known
    /// They were those of another list, and are gone: the next pull brings the rows of this one.
    case madeAnew
    /// They are those of `cached`, for which changes wait: nothing was changed.
    case refused(ListIdentity.Difference, cached: ListIdentity, waiting: Int64)
}
