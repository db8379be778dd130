/// A document that a comment of a source cites: `docs/server-api.md, "Movies"`.
struct Citation: Hashable {
    /// From 1.
    var line: Int
    var path: String
    var heading: String?

    /// Those in the comments of a text.
    static func found(in text: String) -> [Citation] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line -> [Citation] in
            // The patterns are slow, and few lines name a document.
            guard line.contains(".md") else { return [] }
            guard let comment = line.firstMatch(of: /(?:\/\/|--|#|^ ?\*) (.*)$/) else { return [] }
            return comment.output.1.matches(of: /([A-Za-z0-9_\-.\/]+\.md)(?:, "([^"]+)")?/).map {
                Citation(
                    line: index + 1, path: String($0.output.1),
                    heading: $0.output.2.map(String.init))
            }
        }
    }

    /// The headings of a document, without their marks.
    static func headings(of text: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" }.dropFirst().description }
    }

    /// What a link to a heading ends with.
    static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap { letter in
                letter == " "
                    ? "-"
                    : letter.isLetter || letter.isNumber || "-_".contains(letter) ? letter : nil
            })
    }
}
