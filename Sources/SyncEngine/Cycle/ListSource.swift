public import APIClient
public import Declarations
internal import Rules
public import Store
public import Tables

/// A list: its table, where it is pulled from, and how operations of it are sent.
public struct ListSource: Sendable {
    /// The list, and the SQL of its table.
    public let table: ListTable
    /// Reads the pages, and sends operations.
    public let client: ListClient
    /// Shared by the lists of its server.
    public let lanes: ServerLanes
    /// Nil for a list that programs only read.
    public let writing: Writing?
    /// The call that says whose the credential is; nil where the server has none.
    public var whoami: WhoAmI?
    /// Whose rows they are, as far as somebody has said so.
    private let account: Account

    /// How operations are sent.
    public struct Writing: Sendable {
        /// Whose rows they are; the table must belong to it.
        public let account: Account
        /// The whole time for one request; twice that, a lost request may still take effect.
        public let timeout: Duration

        /// Operations of `account`.
        public init(account: Account, timeout: Duration) {
            self.account = account
            self.timeout = timeout
        }

        /// How long after its intent a list may still not show what a request did: for as long as it may take effect,
        /// and not shorter than lists may lag.
        var settlingTime: Duration { max(timeout * 2, Witness.memory) }
    }

    /// The list of `table` behind `client`. A list that programs write to needs `writing`.
    public init(table: ListTable, client: ListClient, lanes: ServerLanes, writing: Writing? = nil) {
        self.table = table
        self.client = client
        self.lanes = lanes
        self.writing = table.declaration.isReadOnly ? nil : writing
        account = writing?.account ?? Account(baseURL: client.baseURL.description, email: "")
    }

    /// Its name.
    var name: ListName { table.declaration.name }
    /// What the list is, as the configuration has it now; nil for the lists that ship with syncd: of these, the
    /// account alone counts.
    ///
    /// - Throws: ``APIError/invalidRequest(_:)`` where the secret cannot be read.
    func identity() throws(APIError) -> ListIdentity? {
        guard name != .movies, name != .todos else { return nil }
        let parts = table.declaration.list
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let body = table.declaration.listBody
        return ListIdentity(
            account: account, path: body.map { "POST \(parts[0]) \($0.identity)" } ?? parts[0],
            query: parts.count > 1 ? parts[1] : "",
            headers: client.headerMark,
            credential: try credential(), isOwnerAsked: whoami != nil)
    }

    /// What tells the credential from others, where it counts.
    private func credential() throws(APIError) -> String? {
        if whoami != nil { return try client.mark() }
        return account.email.isEmpty ? try client.namelessMark() : nil
    }

    /// From one scheduled cycle to the next.
    var interval: Duration { table.declaration.interval }
}

extension Declaration {
    /// A create is sent again under its key.
    package var honoursKeys: Bool { if case .header = once { true } else { false } }
}
