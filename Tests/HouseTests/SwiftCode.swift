/// The lines of a Swift file as they were written, and again without what the compiler skips.
struct SwiftCode {
    /// As written; line 1 is at index 0.
    let lines: [String]
    /// The same lines with comments and the inside of string literals left out. Code inside an
    /// interpolation stays.
    let code: [String]

    init(_ text: String) {
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var scanner = Scanner(text: Array(text.utf8))
        code = scanner.scanned().split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
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

        let text: [UInt8]
        var index = 0
        var places: [Place] = [.code]
        var result: [UInt8] = []

        init(text: [UInt8]) { self.text = text }

        mutating func scanned() -> [UInt8] {
            while index < text.count {
                switch places[places.count - 1] {
                case .code, .interpolation: scanCode()
                case .string(let hashes, let isMultiline):
                    scanString(hashes: hashes, isMultiline: isMultiline)
                }
            }
            return result
        }

        private static let newline = UInt8(ascii: "\n")
        private static let quote = UInt8(ascii: "\"")
        private static let hash = UInt8(ascii: "#")
        private static let slash = UInt8(ascii: "/")
        private static let backslash = UInt8(ascii: "\\")

        private func follows(_ piece: String) -> Bool { text[index...].starts(with: piece.utf8) }

        private mutating func scanCode() {
            // Few signs begin something: the others are looked at once.
            switch text[index] {
            case Self.slash where follows("//"):
                while index < text.count, text[index] != Self.newline { index += 1 }
            case Self.slash where follows("/*"): skipBlockComment()
            case Self.quote, Self.hash:
                guard let opened = openedString() else { return take() }
                places.append(.string(hashes: opened.hashes, isMultiline: opened.isMultiline))
                index += opened.length
                result.append(Self.quote)
            default:
                countParentheses()
                take()
            }
        }

        private mutating func take() {
            result.append(text[index])
            index += 1
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
                    if text[index] == Self.newline { result.append(Self.newline) }
                    index += 1
                }
            } while depth > 0 && index < text.count
        }

        private func openedString() -> (hashes: Int, isMultiline: Bool, length: Int)? {
            let hashes = text[index...].prefix { $0 == Self.hash }.count
            let quotes = text[(index + hashes)...].prefix(3).prefix { $0 == Self.quote }.count
            switch quotes {
            case 0: return nil
            case 3: return (hashes, true, hashes + 3)
            default: return (hashes, false, hashes + 1)
            }
        }

        private mutating func countParentheses() {
            guard case .interpolation(let open) = places[places.count - 1] else { return }
            if text[index] == UInt8(ascii: "(") {
                places[places.count - 1] = .interpolation(open + 1)
            }
            if text[index] == UInt8(ascii: ")") {
                places[places.count - 1] = .interpolation(open - 1)
                if open == 1 { places.removeLast() }
            }
        }

        private mutating func scanString(hashes: Int, isMultiline: Bool) {
            guard [Self.quote, Self.backslash].contains(text[index]) else {
                if text[index] == Self.newline { result.append(Self.newline) }
                index += 1
                return
            }
            let guards = String(repeating: "#", count: hashes)
            let end = (isMultiline ? "\"\"\"" : "\"") + guards
            if follows(end) {
                places.removeLast()
                index += end.utf8.count
                result.append(Self.quote)
            } else if follows("\\" + guards + "(") {
                places.append(.interpolation(1))
                index += hashes + 2
                result.append(UInt8(ascii: "("))
            } else if follows("\\" + guards) {
                index = min(index + hashes + 2, text.count)
            } else {
                index += 1
            }
        }
    }
}
