/// Which modules a file imports, and whether its room may.
struct ImportRule {
    let table: ImportTable

    /// Every import of `text` that the row of its room does not name.
    func findings(in text: String, at path: String) -> [Finding] {
        let room = Repository.room(of: path)
        guard let row = table.rows.first(where: { $0.room == room }) else {
            return [
                Finding(
                    file: path, line: 1, problem: "the room \(room) has no row in ARCHITECTURE.md",
                    remedy: "Add one between the imports markers")
            ]
        }
        return SwiftCode(text).numbered.compactMap { line, code in
            guard let module = Self.module(importedBy: code),
                !row.rooms.contains(module), !row.toolchain.contains(module)
            else { return nil }
            return Finding(
                file: path, line: line, problem: "\(room) may not import \(module)",
                remedy: "Use what its row in ARCHITECTURE.md names, or change row and design first")
        }
    }

    /// `Dispatch` for `@preconcurrency public import Dispatch`, `Glibc` for
    /// `import func Glibc.write`.
    static func module(importedBy code: String) -> String? {
        // Most lines are none, and a plain search is much faster than the pattern.
        guard code.utf8.contains(0x69), code.contains("import ") else { return nil }
        let pattern =
            /^\s*(?:@\w+\s+|(?:public|package|internal|fileprivate|private)\s+)*import\s+/
        guard let match = code.prefixMatch(of: pattern) else { return nil }
        let kinds: Set<Substring> = [
            "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
        ]
        let words = code[match.range.upperBound...].split { $0 == " " || $0 == ";" }
        let path = words.first { !kinds.contains($0) }
        return path?.split(separator: ".").first.map(String.init)
    }
}
