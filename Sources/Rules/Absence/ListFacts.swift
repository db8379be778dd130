/// What a list tells of itself.
public struct ListFacts: Sendable, Hashable {
    /// All rows of the answer, taken or not.
    public let rows: Int64
    /// Rows that could be any row of the server: without a usable id, or two that differ under one.
    public let unidentified: Int64

    /// What a list tells.
    public init(rows: Int64, unidentified: Int64) {
        self.rows = rows
        self.unidentified = unidentified
    }
}
