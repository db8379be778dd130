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

/// Combining marks that follow each other, to be put into canonical order (UAX #15).
///
/// Swift does that too wherever it compares or hashes, but by insertion: a title of a megabyte of marks
/// of two classes in turn, which a server may send, would take it a minute.
private struct MarkRun {
    private var marks: [(place: Int, class: UInt8, scalar: Unicode.Scalar)] = []

    /// Whether `scalar` is a mark, and was taken.
    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // These have no class of their own, and are two marks that have.
        case 0x0F73: return take("\u{0F71}") && take("\u{0F72}")
        case 0x0F75: return take("\u{0F71}") && take("\u{0F74}")
        case 0x0F81: return take("\u{0F71}") && take("\u{0F80}")
        case ..<0x0300: return false
        default: break
        }
        let order = scalar.properties.canonicalCombiningClass.rawValue
        guard order > 0 else { return false }
        marks.append((marks.count, order, scalar))
        return true
    }

    /// Appends them in order, marks of one class as they came.
    mutating func move(to text: inout String.UnicodeScalarView) {
        guard !marks.isEmpty else { return }
        if marks.count > 1 { marks.sort { ($0.class, $0.place) < ($1.class, $1.place) } }
        for mark in marks { text.append(mark.scalar) }
        marks.removeAll(keepingCapacity: true)
    }
}
