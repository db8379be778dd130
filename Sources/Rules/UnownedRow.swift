/// A pulled row that no row of the cache is.
public struct UnownedRow: Sendable, Hashable {
    /// The id at the server.
    public let serverID: String
    /// The value of each column that a new row can have, as text, as the server stores it.
    public let values: [String?]

    /// A row as pulled.
    public init(serverID: String, values: [String?]) {
        self.serverID = serverID
        self.values = values
    }
}
