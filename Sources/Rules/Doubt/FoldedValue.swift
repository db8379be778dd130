internal import Text

/// A title as servers may alter it on the way: canonically equivalent, with white space trimmed
/// and collapsed, without control characters. Equal folded titles are taken for one title.
///
/// Law: folding is idempotent, and `fold(a) == fold(b)` if a server stored `a` for `b` by trimming,
/// collapsing white space, dropping other control characters or normalising (NFC, NFD). A control
/// character that is white space, like a tab, counts as white space. Source:
/// https://unicode.org/reports/tr15/ (canonical equivalence, which `String.==` implements).
package struct FoldedValue: Sendable, Hashable, CustomStringConvertible {
    /// Compared by canonical equivalence.
    package let description: String

    /// The same in small letters: some servers write titles in letters of their own.
    package var inSmallLetters: String { description.lowercased() }

    /// The folded form of `title`.
    package init(_ title: String) {
        var folded = String.UnicodeScalarView()
        var marks = MarkRun()
        var pendingSpace = false
        for scalar in title.unicodeScalars {
            if scalar.properties.isWhitespace {
                marks.move(to: &folded)
                pendingSpace = !folded.isEmpty
                continue
            }
            if scalar.properties.generalCategory == .control { continue }
            if pendingSpace { folded.append(" ") }
            pendingSpace = false
            if marks.take(scalar) { continue }
            marks.move(to: &folded)
            folded.append(scalar)
        }
        marks.move(to: &folded)
        description = String(folded)
    }
}
