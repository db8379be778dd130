/// A pulled row that no row of the cache is.
public struct UnownedRow: Sendable, Hashable {
    /// The id at the server.
    public let serverID: String
    /// The value of each column that a new row can have, as text, as the server stores it.
    public let values: [String?]
    /// The number of its page, from 1.
    public let page: Int

    /// A row as pulled.
    public init(serverID: String, values: [String?], page: Int = 1) {
        self.page = page
        self.serverID = serverID
        self.values = values
    }
}
