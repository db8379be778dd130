public import Host

/// What is remembered of a row that the server has acknowledged a change of, until lists have decided about it.
public struct RowTrail: Sendable, Hashable {
    /// When the newest of the answers came.
    public var answeredAt: BootTime
    /// Its create was acknowledged, and no list has shown the row since.
    public var isNew: Bool
    /// The answer to its create named the row by its status or its id alone.
    public var isClaim: Bool
    /// The server said that it will act later: the next edit waits for a witness.
    public var holdsEdits: Bool
    /// The fields that were sent, by column.
    public var fields: [String: FieldTrail]

    /// A row.
    public init(
        answeredAt: BootTime, isNew: Bool = false, isClaim: Bool = false,
        holdsEdits: Bool = false, fields: [String: FieldTrail] = [:]
    ) {
        self.answeredAt = answeredAt
        self.isNew = isNew
        self.isClaim = isClaim
        self.holdsEdits = holdsEdits
        self.fields = fields
    }
}
