/// The rows of a list that takes writes, and what it remembers of these: what a server that keeps its state writes
/// down.
public struct WrittenRows: Sendable, Hashable, Codable {
    /// One change of the rows.
    public enum Change: Sendable, Hashable, Codable {
        /// The list is these rows from now on.
        case replaced(rows: [String])
        /// A row came behind the last one; `number` is the id that it was given, `key` that of its request.
        case added(row: String, number: Int64?, key: String?)
        /// The row in this place has other values.
        case edited(place: Int, row: String)
        /// The row in this place is gone.
        case removed(place: Int)
    }

    /// As JSON text, in their order.
    public internal(set) var rows: [String]
    /// The id of the next row that comes without one.
    private(set) var nextID: Int64 = 1_000_001
    /// The answers to creates with a key, where the server honours keys.
    private(set) var keptAnswers: [String: String] = [:]

    /// A list of `rows`, to which nobody has written yet.
    init(rows: [String]) { self.rows = rows }

    /// Brings one change in; the same changes in the same order give the same rows.
    mutating func apply(_ change: Change) {
        switch change {
        case .replaced(let rows):
            self = WrittenRows(rows: rows)
        case .added(let row, let number, let key):
            rows.append(row)
            if let number { nextID = number + 1 }
            if let key { keptAnswers[key] = row }
        case .edited(let place, let row):
            if rows.indices.contains(place) { rows[place] = row }
        case .removed(let place):
            if rows.indices.contains(place) { rows.remove(at: place) }
        }
    }
}
