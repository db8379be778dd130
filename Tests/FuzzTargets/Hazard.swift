/// What no text of ours may hold: told once more, apart from the code that escapes it.
enum Hazard {
    /// Control characters (ESC, newline, C1), line separators, and what turns the direction.
    static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    static func requireNone(in text: String, _ what: String) throws(BrokenLaw) {
        try require(
            !text.unicodeScalars.contains(where: isHazardous),
            "\(what) is safe to show, not \(Array(text.utf8))")
    }
}
