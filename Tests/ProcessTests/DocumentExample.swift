import Foundation
import Testing

/// A block of a document that a test runs as it stands there: what is between the fences below a
/// marker such as `example:sh` or `example:sh prints /^[0-9]+$/`, written as an HTML comment.
struct DocumentExample: Sendable {
    /// Relative to the top of the repository.
    let document: String
    let line: Int
    /// `sh`, `python` or `sql`.
    let language: String
    let text: String
    /// What its output must match somewhere; nil where any output is right.
    let pattern: String?
    /// Where it is put beside the configuration instead of being run, as by `example:file lists/notes.json`.
    var file: String?

    var place: String { "\(document):\(line)" }

    private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The absolute path of a file of the repository.
    static func path(_ name: String) -> String { top.appendingPathComponent(name).path }

    /// What a document holds between its fences.
    struct Blocks: Sendable {
        /// Those to be run, in order.
        var marked: [DocumentExample] = []
        /// The places of those that are neither run nor say why not.
        var unmarked: [String] = []
    }

    /// Languages in which a person runs something; the others of a document are looked at.
    private static let run: Set<Substring> = ["sh", "python", "sql"]
    private static let shown: Set<Substring> = ["text", "json", "swift"]

    static func read(_ document: String) throws -> Blocks {
        read(try String(contentsOfFile: path(document), encoding: .utf8), of: document)
    }

    /// The blocks of a document with this text. One in a language that nobody knows is unmarked, and
    /// so is text with a prompt that has no `not run: REASON` above it.
    static func read(_ text: String, of document: String) -> Blocks {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var blocks = Blocks()
        var begun: (line: Int, language: Substring)?
        for (index, line) in lines.enumerated() {
            let bare = line.drop { $0 == " " || $0 == "\t" || $0 == ">" }
            guard bare.hasPrefix("```") || bare.hasPrefix("~~~") else { continue }
            guard let fence = begun else {
                begun = (index, bare.drop { $0 == "`" || $0 == "~" })
                continue
            }
            begun = nil
            let above = fence.line > 0 ? lines[fence.line - 1] : ""
            let inside = lines[(fence.line + 1)..<index]
            let marker = /<!-- example:(sh|python|sql)(?: prints \/(.*)\/)? -->/
            if let match = above.wholeMatch(of: marker), match.1 == fence.language {
                blocks.marked.append(
                    DocumentExample(
                        document: document, line: fence.line + 1, language: String(match.1),
                        text: inside.joined(separator: "\n"), pattern: match.2.map(String.init)))
            } else if let match = above.wholeMatch(of: /<!-- example:file ([a-z\/]+\.json) -->/) {
                blocks.marked.append(
                    DocumentExample(
                        document: document, line: fence.line + 1, language: String(fence.language),
                        text: inside.joined(separator: "\n"), pattern: nil, file: String(match.1)))
            } else if run.contains(fence.language) || !shown.contains(fence.language)
                || (inside.contains { $0.contains(/^\s*[$#]\s/) }
                    && above.wholeMatch(of: /<!-- not run: .{10,} -->/) == nil)
            {
                blocks.unmarked.append("\(document):\(fence.line + 1)")
            }
        }
        if let begun { blocks.unmarked.append("\(document):\(begun.line + 1)") }
        return blocks
    }
}
