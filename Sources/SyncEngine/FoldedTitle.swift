/// A title as servers may alter it on the way: canonically equivalent, with white space trimmed
/// and collapsed, without control characters. Equal folded titles are taken for one title.
///
/// Law: folding is idempotent, and `fold(a) == fold(b)` wherever a server stored `a` for `b` by
/// trimming, collapsing white space, dropping other control characters or normalising (NFC, NFD).
/// A control character that is white space, like a tab, counts as white space.
/// Source: https://unicode.org/reports/tr15/ (canonical equivalence, which `String.==` implements).
package struct FoldedTitle: Sendable, Hashable, CustomStringConvertible {
    /// Compared by canonical equivalence.
    package let description: String

    /// The folded form of `title`.
    package init(_ title: String) {
        var folded = String.UnicodeScalarView()
        var pendingSpace = false
        for scalar in title.unicodeScalars {
            if scalar.properties.isWhitespace {
                pendingSpace = !folded.isEmpty
                continue
            }
            if scalar.properties.generalCategory == .control { continue }
            if pendingSpace { folded.append(" ") }
            pendingSpace = false
            folded.append(scalar)
        }
        description = String(folded)
    }
}
