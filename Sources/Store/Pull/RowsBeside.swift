/// Rows that a list does not show, and what reads of them have said.
public struct RowsBeside: Sendable, Hashable {
    /// What the server has of them.
    public var shown: [ReadRow]
    /// The local ids of those that could not be asked for: nobody knows whether they are gone.
    public var unknown: Set<Int64>
    /// The local ids of rows without a change that the server says it has no more.
    public var gone: Set<Int64>
    /// The same of rows with a change. A proxy answers so, too: it decides only where the server has said before that
    /// it deleted the row.
    package var notFound: Set<Int64> = []

    /// Those shown for which a delete was acknowledged, and for which `while` does not hold.
    func withoutDeleted(_ rows: Set<Int64>) -> RowsBeside {
        var beside = self
        let deleted = Set(shown.filter { $0.isOut && rows.contains($0.row) }.map(\.row))
        beside.shown.removeAll { deleted.contains($0.row) }
        beside.notFound.formUnion(deleted)
        return beside
    }

    /// Rows beside a list.
    public init(shown: [ReadRow] = [], unknown: Set<Int64> = [], gone: Set<Int64> = []) {
        self.shown = shown
        self.unknown = unknown
        self.gone = gone
    }

    var isEmpty: Bool { shown.isEmpty && unknown.isEmpty }
}
