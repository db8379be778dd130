public import Declarations

/// A column whose values have another type in each row that has one: the declaration is wrong about it.
public struct ColumnMistake: Sendable, Hashable {
    /// Its name.
    public let column: String
    /// What the declaration says; the raw value of a ``ColumnType``.
    public let type: String
    /// What the rows have: a type of SQLite's JSON, or `number in a text`.
    public let found: String

    /// A mistake.
    public init(column: String, type: ColumnType, found: String) {
        self.column = column
        self.type = type.rawValue
        self.found = found
    }

    /// As a line of ``line``.
    init?(line: Substring) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 3 else { return nil }
        (column, type, found) = (parts[0], parts[1], parts[2])
    }

    /// How the cache keeps it. No name of a column has a tab.
    var line: String { [column, type, found].joined(separator: "\t") }
}
