import Foundation

/// A document as rows and words, to be held against the code.
struct Document {
    let text: String

    init(_ name: String) throws {
        text = try String(contentsOf: Self.top().appending(path: name), encoding: .utf8)
    }

    static func top(_ file: String = #filePath) -> URL {
        URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// The rows of the table below the header whose first cell is `name`, without the header.
    func table(_ name: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let header = lines.firstIndex(where: { $0.hasPrefix("| \(name) |") }) else {
            return []
        }
        return lines[(header + 2)...].prefix { $0.hasPrefix("| ") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    /// What stands below a heading, up to the next one.
    func section(_ heading: String) -> String {
        let parts = text.components(separatedBy: "\n## ")
        return parts.first { $0.hasPrefix(heading + "\n") } ?? ""
    }
}
