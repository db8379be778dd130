/// How many columns of a terminal a text takes.
///
/// Scalars are added up one by one, as the terminals of Debian do (`wcwidth`): 2 for the wide
/// ones, 0 for marks and joiners, 1 for all others. A terminal that draws a joined emoji in two
/// columns then shows a gap, but no line is ever longer than counted here. The text has to be
/// escaped before (``ForeignText``): a control character has no width.
public enum DisplayWidth: Sendable {
    /// The columns of the whole text.
    public static func columns(of text: some StringProtocol) -> Int {
        text.unicodeScalars.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text itself if it fits, else as many of its first characters as leave room for `…`.
    ///
    /// The result never takes more than `columns`; with none it is empty. No character is cut in
    /// two, so that the result can be a column short. `betweenWords` cuts no word in two but the first.
    public static func fitted(
        _ text: String, to columns: Int, betweenWords: Bool = false
    ) -> String {
        // A byte takes one column at most but for the marks, so that most short texts end here.
        if text.utf8.count <= columns || self.columns(of: text) <= columns { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let width = character.unicodeScalars.reduce(0) { $0 + self.columns(of: $1) }
            guard used + width <= columns - 1 else { break }
            kept.append(character)
            used += width
        }
        if betweenWords, !text.dropFirst(kept.count).hasPrefix(" "),
            let space = kept.lastIndex(of: " "), space > kept.startIndex
        {
            kept = String(kept[..<space])
        }
        return kept + "…"
    }

    /// 0, 1 or 2.
    static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        // It stays in an escaped text, behind an emoji alone (``EscapeTable``). An emoji selector widens the sign before it where the terminal knows it.
        if value == 0xFE0F { return 1 }
        if isRegionalIndicator(value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        // The joiners; no other format character is left in a text that was escaped.
        case .format where 0x200C...0x200D ~= value: return 0
        default: break
        }
        // The second and third parts of a Hangul syllable join the first.
        if 0x1160...0x11FF ~= value || 0xD7B0...0xD7FF ~= value { return 0 }
        return isWide(value) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    private static func isRegionalIndicator(_ value: UInt32) -> Bool {
        0x1F1E6...0x1F1FF ~= value
    }

    private static func isWide(_ value: UInt32) -> Bool {
        // The ranges are in order: the first that does not end before it, by halves.
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].lowerBound <= value
    }

    /// Wide and full-width scalars without the emoji, which the standard library knows. Gaps of
    /// unassigned scalars inside a range are counted with it.
    ///
    /// Source: EastAsianWidth.txt of Unicode 14, classes W and F.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265,
        0x20000...0x3FFFD,
    ]
}
