/// A row of the table `todos`.
public struct TodoRow: Sendable, Hashable {
    /// The local id.
    public let id: TodoID
    /// As the person gave it, or as the server stored it.
    public let title: String
    /// `synced`, or the state of its create, or `rejected` for a refused delete.
    public let state: String
    /// The id at the server; nil before its create is done.
    public let serverID: String?
    /// As the table shows it: `YYYY-MM-DDTHH:MM:SS.sssZ`.
    public let createdAt: String
    /// Why the last attempt failed; nil where none did.
    public let error: String?
}
