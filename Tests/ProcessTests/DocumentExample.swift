import Foundation
import Testing

/// A block of a document that a test runs as it stands there: what is between the fences below a
/// marker such as `example:sh` or `example:sh prints /^[0-9]+$/`, written as an HTML comment.
struct DocumentExample: Sendable {
    /// Relative to the top of the repository.
    let document: String
    let line: Int
    /// `sh` or `python`.
    let language: String
    let text: String
    /// What its output must match somewhere; nil where any output is right.
    let pattern: String?

    var place: String { "\(document):\(line)" }

    private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The absolute path of a file of the repository.
    static func path(_ name: String) -> String { top.appendingPathComponent(name).path }

    /// Every block of shell or Python in `document`, those without a marker under `unmarked`.
    static func read(
        _ document: String
    ) throws -> (marked: [DocumentExample], unmarked: [String]) {
        let text = try String(contentsOfFile: path(document), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var marked: [DocumentExample] = []
        var unmarked: [String] = []
        var fence: (line: Int, language: String)?
        for (index, line) in lines.enumerated() where line.hasPrefix("```") {
            guard let begun = fence else {
                fence = (index, String(line.dropFirst(3)))
                continue
            }
            fence = nil
            guard ["sh", "bash", "python"].contains(begun.language) else { continue }
            let above = begun.line > 0 ? lines[begun.line - 1] : ""
            let marker = /<!-- example:(sh|python)(?: prints \/(.*)\/)? -->/
            guard let match = above.wholeMatch(of: marker), match.1 == begun.language else {
                unmarked.append("\(document):\(begun.line + 1)")
                continue
            }
            marked.append(
                DocumentExample(
                    document: document, line: begun.line + 1, language: begun.language,
                    text: lines[(begun.line + 1)..<index].joined(separator: "\n"),
                    pattern: match.2.map(String.init)))
        }
        return (marked, unmarked)
    }
}
