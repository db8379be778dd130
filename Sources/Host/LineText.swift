/// Text from elsewhere, made safe to show on one line of a terminal or of the journal.
///
/// Control characters (newline and ESC among them), line and paragraph separators and the marks
/// that turn the direction of writing are shown as escapes: `\n`, `\t`, `\r`, `\u{1b}`. All other
/// text, a backslash included, stays as it is: this is for people to read, not to parse.
public struct LineText: Sendable, Hashable, CustomStringConvertible {
    /// The safe text.
    public let description: String

    /// Escapes `text`.
    public init(_ text: String) {
        guard text.unicodeScalars.contains(where: Self.isUnsafe) else {
            description = text
            return
        }
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": line += "\\n"
            case "\r": line += "\\r"
            case "\t": line += "\\t"
            case let scalar where Self.isUnsafe(scalar):
                line += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        description = line
    }

    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0..<0x600: false
        default: scalar.properties.isBidiControl
        }
    }

    /// `text` as one word of a POSIX shell on one line, for a command in a hint.
    public static func shellWord(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "/", ".", "-", "_", "+", ":", "@", ",", "=": true
            default: false
            }
        }
        if plain && !text.isEmpty { return text }
        return LineText("'" + replacing("'", in: text, with: "'\\''") + "'").description
    }

    /// Replaces every `mark`, also one that a combining mark makes a part of a larger character.
    static func replacing(
        _ mark: Unicode.Scalar, in text: String, with replacement: String
    ) -> String {
        text.unicodeScalars.map { $0 == mark ? replacement : String($0) }.joined()
    }
}
