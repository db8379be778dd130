/// A text of sentences in lines that fit a terminal, broken between words and nowhere else.
///
/// A command between backticks is one word if a line has room for it, and one behind `Run:` is one in any case, so
/// that a person copies it whole. A path or an address that is longer than a line stands alone on one, and the
/// terminal breaks that. The text has to be escaped before. Law: the lines joined by spaces are the text.
public enum Paragraph: Sendable {
    /// The lines of `text`.
    ///
    /// - Parameters:
    ///   - text: Words with one space between two.
    ///   - columns: The room of a line.
    ///   - used: What stands before the text on its first line already.
    /// - Returns: At least one line; each fits, or is one word.
    public static func lines(of text: String, columns: Int, after used: Int = 0) -> [String] {
        var lines: [String] = [""]
        var width = used
        for (index, word) in words(of: text, atMost: columns).enumerated() {
            let wide = DisplayWidth.columns(of: word)
            if index > 0, width + 1 + wide > columns {
                lines.append(word)
                width = wide
            } else {
                lines[lines.count - 1] += index > 0 ? " " + word : word
                width += (index > 0 ? 1 : 0) + wide
            }
        }
        return lines
    }

    /// The same of a value, in lines that all have room: a word that is longer than a line is cut into several.
    static func pieces(of text: String, columns: Int) -> [String] {
        lines(of: text, columns: columns).flatMap { line in
            var pieces: [String] = [""]
            var width = 0
            for character in line {
                let wide = DisplayWidth.columns(of: String(character))
                if width + wide > columns, width > 0 {
                    pieces.append("")
                    width = 0
                }
                pieces[pieces.count - 1].append(character)
                width += wide
            }
            return pieces
        }
    }

    /// What is not broken: words, and commands with their spaces.
    private static func words(of text: String, atMost columns: Int) -> [String] {
        var words: [String] = []
        var command: [String] = []
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if part == "Run:", command.isEmpty {
                return words + [parts[index...].joined(separator: " ")]
            }
            let isQuoting = part.count { $0 == "`" } % 2 == 1
            guard !command.isEmpty || isQuoting else {
                words.append(String(part))
                continue
            }
            command.append(String(part))
            guard command.count > 1, isQuoting else { continue }
            let whole = command.joined(separator: " ")
            words += DisplayWidth.columns(of: whole) <= columns ? [whole] : command
            command = []
        }
        return words + command
    }
}
