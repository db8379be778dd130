internal import CommandLine
internal import Glibc
internal import Host

/// Lines of standard input, for operands that are given as `-`.
package enum InputLines {
    /// More than this is a mistake, or belongs in several runs.
    static let limit = 16 << 20

    /// Reads all lines; a carriage return before a newline belongs to the line's end.
    static func read() throws(CommandError) -> [String] {
        try lines(in: try bytes())
    }

    /// The operands behind the first `count`, or the lines of standard input where the only one of them is `-`,
    /// not after `--`. A line is `item`.
    static func orWords(
        _ arguments: Arguments, after count: Int = 0, as item: String = "operand"
    ) throws(CommandError) -> [String] {
        guard arguments.readsInput else { return Array(arguments.operands.dropFirst(count)) }
        let lines = try read()
        guard !lines.isEmpty else {
            throw .data("standard input is empty", hint: "Give one \(item) a line.")
        }
        return lines
    }

    /// The whole of standard input.
    static func bytes() throws(CommandError) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(0, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw .system(SystemError(operation: "read", code: errno))
            }
            guard count > 0 else { return all }
            all += piece[..<count]
            guard all.count <= limit else {
                throw .data(
                    "standard input is longer than \(limit >> 20) MiB", hint: "Give it in parts.")
            }
        }
    }

    /// The lines of `bytes`; a newline at the very end begins no further line.
    package static func lines(in bytes: [UInt8]) throws(CommandError) -> [String] {
        var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if pieces.last?.isEmpty == true { pieces.removeLast() }
        var lines: [String] = []
        for (index, piece) in pieces.enumerated() {
            let line = piece.last == 0x0D ? piece.dropLast() : piece
            guard let text = String(validating: line, as: UTF8.self) else {
                throw .data(
                    "line \(index + 1) of standard input is not valid UTF-8",
                    hint: "Convert it, with iconv for example.")
            }
            lines.append(text)
        }
        return lines
    }
}
