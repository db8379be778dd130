/// What one page of a list says of itself.
public struct PageFacts: Sendable, Hashable {
    /// All its rows, taken or not.
    public var rows: Int64
    /// Those of its rows that no page before had.
    public var newRows: Int64
    /// Rows that have no usable id, or lack a required column.
    public var skipped: SkippedRows
    /// Of a list that programs write to: rows that could be taken; of two with one id, both count.
    public var usable: Int64 = 0
    /// Of a list that programs write to: rows that could be any row. The others that were not taken have an id,
    /// but something else where a required field should be: they are another program's, and hinder no decision.
    public var unidentified: Int64 = 0
    /// The address or the cursor of the next page, as the body has it; nil: the body names none.
    public var next: String?
    /// How many pages the list has, as the body says.
    public var totalPages: Int64?
    /// How many rows the list has, as the body says.
    public var totalRows: Int64?
    /// Whether its header or its body tells of a next page, whatever the declaration says of pages.
    public var namesNextPage = false
    /// For how many seconds a cache has kept the answer, as it says.
    public var age: Int64 = 0
    /// Rows that are marked as gone: they count, and are none of the list.
    public var buried: Int64 = 0
    /// A text of the server's own from which the next increment asks, where its declaration looks for one.
    public var token: String?
    /// When the server answered, in seconds since 1970, as it says.
    public var answeredAt: Int64?
    /// A page behind it was asked for, and brought no new row: a row can have moved there and back meanwhile.
    public var isFollowed = false
    /// How much there is of it, in bytes: of its answer, or of the rows that stand for it.
    public var bytes: Int

    /// What a page says, from its parts.
    public init(
        rows: Int64, newRows: Int64, skipped: SkippedRows = .none, next: String? = nil,
        totalPages: Int64? = nil, totalRows: Int64? = nil, bytes: Int = 0
    ) {
        self.rows = rows
        self.newRows = newRows
        self.skipped = skipped
        self.next = next
        self.totalPages = totalPages
        self.totalRows = totalRows
        self.bytes = bytes
    }
}
