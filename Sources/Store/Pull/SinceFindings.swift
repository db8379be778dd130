internal import Tables

/// What a pull has found out for the next increments of its list.
struct SinceFindings {
    let table: ListTable
    /// It asked for every row.
    var isWhole = true
    /// It was read to its end.
    var isFinished = true
    /// How many pages it had; nil: the list is as it was.
    var pages: Int64?
    /// The largest moment that it or an earlier pull has shown.
    var newest: String?
    /// The text of the server's own in its first answer that had one.
    var token: String?
    /// Changes that a whole list has found, and that increments should have shown: of rows without a moment, and of rows
    /// whose moment did not move.
    var missed: (withoutMoment: Int64, unmoved: Int64) = (0, 0)
    /// A row is marked as gone, and does not leave by that.
    var asksForWhole = false

    /// The changes that were missed, in words; nil where there are none.
    var whyMissed: String? {
        var words: [String] = []
        if missed.withoutMoment > 0 {
            words.append("\(missed.withoutMoment) of rows without a moment")
        }
        if missed.unmoved > 0 {
            words.append("\(missed.unmoved) of rows whose moment is older than the mark")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}
