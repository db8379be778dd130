/// Deletes of one list that are held: nothing of them is sent before a person decides.
public struct HeldDeletes: Sendable, Hashable {
    /// The list; the raw text of its name.
    public let list: String
    /// How many there are.
    public let count: Int64
    /// How many rows the list had before them.
    public let rows: Int64

    /// `count` of `rows` rows.
    public init(list: String, count: Int64, rows: Int64) {
        self.list = list
        self.count = count
        self.rows = rows
    }
}
