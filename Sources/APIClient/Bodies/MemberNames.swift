internal import Text

/// The names of a body's members, written without needless escapes.
///
/// SQLite compares a name with a path as it is written in the body. So a server that writes `"\u00fc"` would not
/// show the column `$['ü']`. Quotation marks, backslashes and control characters stay as they are written: no
/// path of a declaration has them. So does U+FFFD, which stands where ``BodyCheck`` has mended the name.
///
/// Law: the body has the same meaning afterwards, and a second run changes nothing. One pass, in place: no escape is
/// shorter than its character.
enum MemberNames {
    /// Rewrites the names in `body`, which has passed ``BodyScanner``.
    static func unescape(in body: inout [UInt8]) {
        let count = body.withUnsafeMutableBufferPointer { bytes in
            var writer = NameWriter(bytes)
            return writer.run()
        }
        body.removeLast(body.count - count)
    }
}

/// The state of one run. What was read may be overwritten: `written` is never ahead of `index`.
private struct NameWriter {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var index = 0
    private var written = 0
    private var name: [UInt8] = []

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns how many bytes there are afterwards.
    mutating func run() -> Int {
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\"") else {
                copy(to: index + 1)
                continue
            }
            let (end, hasEscape) = endOfText(from: index + 1)
            if hasEscape, isName(endingAt: end) {
                copy(to: index + 1)
                unescape(to: end)
            }
            copy(to: min(end + 1, bytes.count))
        }
        return written
    }

    /// Where the text that begins at `start` has its closing quote, or the body its end.
    private func endOfText(from start: Int) -> (end: Int, hasEscape: Bool) {
        var place = start
        var hasEscape = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            let isEscape = bytes[place] == UInt8(ascii: "\\")
            hasEscape = hasEscape || isEscape
            place += isEscape ? 2 : 1
        }
        return (min(place, bytes.count), hasEscape)
    }

    private func isName(endingAt end: Int) -> Bool {
        var next = end + 1
        while next < bytes.count, " \t\n\r".utf8.contains(bytes[next]) { next += 1 }
        return next < bytes.count && bytes[next] == UInt8(ascii: ":")
    }

    private mutating func unescape(to end: Int) {
        name.removeAll(keepingCapacity: true)
        let text = UnsafeBufferPointer(rebasing: bytes[..<end])
        while index < end {
            if let escape = JSONEscape(in: text, at: index) {
                if escape.isNeedless, escape.scalar != "\u{FFFD}" {
                    escape.append(to: &name)
                } else {
                    name += text[index..<index + escape.length]
                }
                index += escape.length
            } else {
                name.append(text[index])
                index += 1
            }
        }
        for byte in name {
            bytes[written] = byte
            written += 1
        }
    }

    private mutating func copy(to end: Int) {
        while index < end {
            bytes[written] = bytes[index]
            written += 1
            index += 1
        }
    }
}
