/// What a comparison of a list with an increment of it has found.
package struct IncrementFindings: Sendable, Hashable {
    /// Rows of the list.
    package let rows: Int64
    /// Rows of the list that the increment shows.
    package let known: Int64
    /// Rows that the increment shows.
    package let shown: Int64
    /// Rows whose moment lies behind the mark, and those of them that the increment lacks.
    package let later: Int64
    package let laterMissing: Int64
    /// The same for those of the mark itself.
    package let same: Int64
    package let sameMissing: Int64
    /// Rows whose moment lies before the mark, and those of them that the increment shows.
    package let earlier: Int64
    package let earlierShown: Int64
    /// Rows that have no moment.
    package let withoutMoment: Int64
}
