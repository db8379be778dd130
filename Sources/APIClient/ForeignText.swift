/// Text that somebody else wrote, made fit for a terminal, a log line and an error.
public enum ForeignText: Sendable {
    /// `text` with everything made visible that could act on a terminal or forge a line: control
    /// characters, line and paragraph separators, and format characters such as the ones that turn
    /// the direction of writing. They become `\n`, `\t`, `\r` or `\u{1B}`.
    ///
    /// A backslash stays as it is, so that `escaped(escaped(x)) == escaped(x)`. The joiners
    /// U+200C and U+200D stay too: scripts and emoji need them, and they move nothing.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { escape(of: $0) != nil }) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if let escape = escape(of: scalar) {
                result += escape
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// `text` escaped and, where it is longer than `maxBytes`, cut between two characters and
    /// ended by `…`, which counts too. `maxBytes` is at least 3.
    public static func escaped(_ text: String, maxBytes: Int) -> String {
        // One scalar is never escaped to fewer bytes than one, so that this much is enough.
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxBytes + 1)))
        let whole = escaped(start)
        guard whole.utf8.count > maxBytes else { return whole }
        let room = max(0, maxBytes - 3)
        var kept = cut(whole.map { $0.utf8.count }, room, in: whole.utf8)
        if kept.isEmpty {
            kept = cut(whole.unicodeScalars.map { UTF8.width($0) }, room, in: whole.utf8)
        }
        return kept + "…"
    }

    /// The longest start of `bytes` that is made of whole pieces and fits into `room`.
    private static func cut(_ widths: [Int], _ room: Int, in bytes: String.UTF8View) -> String {
        var used = 0
        for width in widths {
            guard used + width <= room else { break }
            used += width
        }
        return String(decoding: bytes.prefix(used), as: UTF8.self)
    }

    private static func escape(of scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x20...0x7E: return nil
        case 0x09: return "\\t"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x200C, 0x200D: return nil
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
            return "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        default:
            return nil
        }
    }
}
