/// What no text of ours may hold: told once more, apart from the code that escapes it.
enum Hazard {
    /// Control characters (ESC, newline, C1), line separators, what turns the direction, the soft hyphen
    /// and tags.
    static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        case 0xE0000...0xE007F: true
        default: false
        }
    }

    static func requireNone(in text: String, _ what: String) throws(BrokenLaw) {
        try require(
            !text.unicodeScalars.contains(where: isHazardous),
            "\(what) is safe to show, not \(Array(text.utf8))")
    }
}
