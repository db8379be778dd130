/// Combining marks that follow each other, to be put into canonical order (UAX #15).
///
/// Swift does that too wherever it compares or hashes, but by insertion: a title of a megabyte of marks
/// of two classes in turn, which a server may send, would take it a minute.
package struct MarkRun {
    private var marks: [(place: Int, class: UInt8, scalar: Unicode.Scalar)] = []

    /// A run that has not begun.
    package init() {}

    /// Whether `scalar` is a mark, and was taken.
    package mutating func take(_ scalar: Unicode.Scalar) -> Bool {
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
    package mutating func move(to text: inout String.UnicodeScalarView) {
        guard !marks.isEmpty else { return }
        if marks.count > 1 { marks.sort { ($0.class, $0.place) < ($1.class, $1.place) } }
        for mark in marks { text.append(mark.scalar) }
        marks.removeAll(keepingCapacity: true)
    }
}

extension String {
    /// The same text in small letters, its marks in order.
    package var foldedForSearch: String {
        var folded = String.UnicodeScalarView()
        var marks = MarkRun()
        for scalar in lowercased().unicodeScalars where !marks.take(scalar) {
            marks.move(to: &folded)
            folded.append(scalar)
        }
        marks.move(to: &folded)
        return String(folded)
    }

    /// Whether every character is one of ASCII.
    package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
