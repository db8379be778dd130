/// Everything that the todo service remembers: a value, to be saved, loaded and compared.
public struct ReferenceState: Sendable, Hashable, Codable {
    /// An account. The password is kept as it was sent: this is a server to develop against.
    public struct User: Sendable, Hashable, Codable {
        /// The primary key.
        public var id: ReferenceID
        /// As given at sign-up.
        public var name: String
        /// Unique; compared as it is.
        public var email: String
        /// As given at sign-up.
        public var password: String
    }

    /// A token that was handed out, expired or not.
    public struct Token: Sendable, Hashable, Codable {
        /// What the client sends: base64 of 16 bytes.
        public var string: String
        /// Whose it is.
        public var user: ReferenceID
        /// The second of the login.
        public var issuedAt: Int64
    }

    /// A row of the list of its owner.
    public struct Todo: Sendable, Hashable, Codable {
        /// The primary key, shared by all users' rows.
        public var id: ReferenceID
        /// The id of the user whose list it is in.
        public var owner: ReferenceID
        /// As it is stored, which can be another text than the one sent. An empty one, which no
        /// create leaves, is the lack of a title: lists have `null` in its place.
        public var title: String
    }

    /// The answer that a repeat with the same key gets.
    public struct KeptAnswer: Sendable, Hashable, Codable {
        /// The value of `Idempotency-Key`.
        public var key: String
        /// Whose request it was; keys of two users have nothing to do with each other.
        public var user: ReferenceID
        /// A repeat has to have the same bytes.
        public var requestBody: [UInt8]
        /// What a repeat gets, with status 200.
        public var answerBody: [UInt8]
        /// The second of the first request.
        public var at: Int64

        /// An answer to keep, from its parts.
        package init(
            key: String, user: ReferenceID, requestBody: [UInt8], answerBody: [UInt8], at: Int64
        ) {
            self.key = key
            self.user = user
            self.requestBody = requestBody
            self.answerBody = answerBody
            self.at = at
        }
    }

    /// In the order of sign-up.
    public private(set) var users: [User] = []
    /// In the order of login; each login adds one.
    public private(set) var tokens: [Token] = []
    /// In the order of creation.
    public private(set) var todos: [Todo] = []
    /// By user and key, written as one text.
    public private(set) var keptAnswers: [String: KeptAnswer] = [:]
    /// The rows of lists that take writes, by their names; only of those that are kept.
    public private(set) var lists: [String: WrittenRows] = [:]
    /// The highest integer that a user has had.
    public private(set) var highestUser: Int64 = 0
    /// The highest integer that a todo has had.
    public private(set) var highestTodo: Int64 = 0
    /// How many users, tokens and todos were ever made; survives
    /// ``ReferenceChange/everythingForgotten``, because a token that was once given must never
    /// become valid again.
    public private(set) var rowsMade: UInt64 = 0

    /// A service that nobody uses yet.
    public init() {}

    /// The account of `email`; e-mails are compared as they are.
    public func user(email: String) -> User? {
        users.first { $0.email == email }
    }

    /// The todos of the account of `email`, oldest first; none without such an account.
    public func todos(email: String) -> [Todo] {
        guard let owner = user(email: email) else { return [] }
        return todos.filter { $0.owner == owner.id }
    }

    /// The answer kept for `key` of `user`.
    func keptAnswer(key: String, user: ReferenceID) -> KeptAnswer? {
        keptAnswers[Self.place(key: key, user: user)]
    }

    private static func place(key: String, user: ReferenceID) -> String {
        "\(user) \(key)"
    }

    /// Brings one change in; the same changes in the same order give the same state.
    public mutating func apply(_ change: ReferenceChange) {
        switch change {
        case .userAdded(let user):
            users.append(user)
            highestUser = max(highestUser, user.id.number)
            rowsMade &+= 1
        case .tokenAdded(let token):
            tokens.append(token)
            rowsMade &+= 1
        case .todoAdded(let todo):
            todos.append(todo)
            highestTodo = max(highestTodo, todo.id.number)
            rowsMade &+= 1
        case .todoRemoved(let id):
            todos.removeAll { $0.id == id }
        case .answerKept(let kept):
            keptAnswers[Self.place(key: kept.key, user: kept.user)] = kept
        case .answersDropped(let before):
            keptAnswers = keptAnswers.filter { $0.value.at >= before }
        case .listChanged(let name, .replaced(let rows)):
            lists[name] = WrittenRows(rows: rows)
        case .listChanged(let name, let change):
            lists[name]?.apply(change)
        case .everythingForgotten:
            let (made, kept) = (rowsMade, lists)
            self = ReferenceState()
            (rowsMade, lists) = (made, kept)
        }
    }
}

extension ReferenceState {
    /// Reads also what was written before there were lists.
    public init(from decoder: any Decoder) throws {
        let held = try decoder.container(keyedBy: CodingKeys.self)
        users = try held.decode([User].self, forKey: .users)
        tokens = try held.decode([Token].self, forKey: .tokens)
        todos = try held.decode([Todo].self, forKey: .todos)
        keptAnswers = try held.decode([String: KeptAnswer].self, forKey: .keptAnswers)
        lists = try held.decodeIfPresent([String: WrittenRows].self, forKey: .lists) ?? [:]
        highestUser = try held.decode(Int64.self, forKey: .highestUser)
        highestTodo = try held.decode(Int64.self, forKey: .highestTodo)
        rowsMade = try held.decode(UInt64.self, forKey: .rowsMade)
    }
}
