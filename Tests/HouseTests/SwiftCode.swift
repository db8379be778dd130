/// The lines of a Swift file as they were written, and again without what the compiler skips.
struct SwiftCode {
    /// As written; line 1 is at index 0.
    let lines: [String]
    /// The same lines with comments and the inside of string literals left out. Code inside an
    /// interpolation stays.
    let code: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var scanner = Scanner(text: Array(text.unicodeScalars))
        code = scanner.scanned().split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Each line of code with its number, counted from 1.
    var numbered: [(line: Int, code: String)] {
        code.enumerated().map { ($0.offset + 1, $0.element) }
    }

    /// Reads the text once, with the stack of what it is inside of.
    private struct Scanner {
        enum Place {
            case code
            /// Inside `\(`, with so many open parentheses.
            case interpolation(Int)
            case string(hashes: Int, isMultiline: Bool)
        }

        let text: [Unicode.Scalar]
        var index = 0
        var places: [Place] = [.code]
        var result = ""

        init(text: [Unicode.Scalar]) { self.text = text }

        mutating func scanned() -> String {
            while index < text.count {
                switch places[places.count - 1] {
                case .code, .interpolation: scanCode()
                case .string(let hashes, let isMultiline):
                    scanString(hashes: hashes, isMultiline: isMultiline)
                }
            }
            return result
        }

        private func follows(_ piece: String) -> Bool {
            text[index...].starts(with: piece.unicodeScalars)
        }

        private mutating func scanCode() {
            if follows("//") {
                while index < text.count, text[index] != "\n" { index += 1 }
            } else if follows("/*") {
                skipBlockComment()
            } else if let opened = openedString() {
                places.append(.string(hashes: opened.hashes, isMultiline: opened.isMultiline))
                index += opened.length
                result += "\""
            } else {
                countParentheses()
                result.unicodeScalars.append(text[index])
                index += 1
            }
        }

        private mutating func skipBlockComment() {
            var depth = 0
            repeat {
                if follows("/*") {
                    depth += 1
                    index += 2
                } else if follows("*/") {
                    depth -= 1
                    index += 2
                } else {
                    if text[index] == "\n" { result += "\n" }
                    index += 1
                }
            } while depth > 0 && index < text.count
        }

        private func openedString() -> (hashes: Int, isMultiline: Bool, length: Int)? {
            let hashes = text[index...].prefix { $0 == "#" }.count
            let quotes = text[(index + hashes)...].prefix(3).prefix { $0 == "\"" }.count
            switch quotes {
            case 0: return nil
            case 3: return (hashes, true, hashes + 3)
            default: return (hashes, false, hashes + 1)
            }
        }

        private mutating func countParentheses() {
            guard case .interpolation(let open) = places[places.count - 1] else { return }
            if text[index] == "(" { places[places.count - 1] = .interpolation(open + 1) }
            if text[index] == ")" {
                places[places.count - 1] = .interpolation(open - 1)
                if open == 1 { places.removeLast() }
            }
        }

        private mutating func scanString(hashes: Int, isMultiline: Bool) {
            let guards = String(repeating: "#", count: hashes)
            let end = (isMultiline ? "\"\"\"" : "\"") + guards
            if follows(end) {
                places.removeLast()
                index += end.unicodeScalars.count
                result += "\""
            } else if follows("\\" + guards + "(") {
                places.append(.interpolation(1))
                index += hashes + 2
                result += "("
            } else if follows("\\" + guards) {
                index = min(index + hashes + 2, text.count)
            } else {
                if text[index] == "\n" { result += "\n" }
                index += 1
            }
        }
    }
}
