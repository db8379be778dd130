internal import Text

/// One pass over the bytes of an answer, before any JSON reader sees them.
///
/// It makes the readers agree: SQLite's JSON takes bytes that are not UTF-8, cuts texts at
/// `\u0000` and stores lone surrogates that other readers choke on; `JSONDecoder` takes a byte
/// order mark and a comma before a closing bracket. Whether the body is JSON at all is checked by
/// the reader, not here: this pass promises nothing about the grammar, and it never traps.
/// Source: RFC 8259 §8, RFC 3629 §4.
public enum BodyCheck: Sendable {
    /// The deepest nesting that syncd takes.
    public static let standardDepth = RowLimits.depth

    /// Checks `body` and mends it in place.
    ///
    /// Inside texts, escapes of lone surrogates and `\u0000` (six bytes each) become `\uFFFd`, a spelling of
    /// U+FFFD by which they are known again. The names of members lose their escapes, but for those that a text of
    /// JSON needs. A row of more than 1 MiB or 65 536 keys becomes `null`, so that a reader skips it at its place. The
    /// row behind 2 000 000 rows ends the check.
    /// After a second run nothing more changes: `run(run(x)) == run(x)`.
    ///
    /// - Parameters:
    ///   - body: the bytes; an empty body passes.
    ///   - maxDepth: how many objects and arrays may stand within each other.
    /// - Throws: ``BodyCheckError`` at the first byte that is refused; `body` may be mended up to
    ///   there.
    public static func run(_ body: inout [UInt8], maxDepth: Int) throws(BodyCheckError) {
        let (oversized, hasEscapedName) = try body.withUnsafeMutableBufferPointer {
            buffer throws(BodyCheckError) in
            var scanner = BodyScanner(buffer, maxDepth: maxDepth)
            try scanner.scan()
            return (scanner.rows.oversized, scanner.hasEscapedName)
        }
        if !oversized.isEmpty { replace(oversized, in: &body) }
        if hasEscapedName { MemberNames.unescape(in: &body) }
    }

    /// Whether a text of JSON, out of a checked body, holds U+FFFD in the place of what the server wrote.
    public static func isMended(_ text: String) -> Bool {
        text.utf8.count >= 6 && text.contains("\\uFFFd")
    }

    /// Puts `null` in the place of each range, in one pass; each is longer than that.
    private static func replace(_ ranges: [Range<Int>], in body: inout [UInt8]) {
        var read = 0
        var written = 0
        func move(_ range: Range<Int>, in body: inout [UInt8]) {
            for place in range {
                body[written] = body[place]
                written += 1
            }
        }
        for range in ranges {
            move(read..<range.lowerBound, in: &body)
            for byte in "null".utf8 {
                body[written] = byte
                written += 1
            }
            read = range.upperBound
        }
        move(read..<body.count, in: &body)
        body.removeLast(body.count - written)
    }
}
