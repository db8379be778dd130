/// A call of the server that shows one row: syncd asks it before an edit or a delete, in the place of the list.
public struct ReadCall: Sendable, Hashable {
    /// The path below the base URL, with a query or not.
    public let path: TextTemplate
    /// What a read by `POST` sends; nil: it is a `GET`.
    public let body: BodyTemplate?
    /// Where the row stands in the answer.
    public let row: JSONPath
    /// Where that row has the columns, by their names, if it has another shape than a list's; empty: it has the same.
    public let columns: [String: JSONPath]

    init(
        path: TextTemplate, body: BodyTemplate?, row: JSONPath, columns: [String: JSONPath] = [:]
    ) {
        self.path = path
        self.body = body
        self.row = row
        self.columns = columns
    }
}
