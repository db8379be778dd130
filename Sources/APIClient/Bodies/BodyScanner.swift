internal import Text

/// The state of one ``BodyCheck``. Every read is guarded by `index < count`, so that no input can
/// lead it outside the buffer.
struct BodyScanner {
    private static let longestKey = RowLimits.nameBytes
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let count: Int
    private let maxDepth: Int
    private var index = 0
    /// One entry for each open object or array: the keys by which readers know a row that it has had.
    private var keys: [UInt8] = []
    private(set) var rows = RowBounds()
    /// Whether the name of a member is written with an escape.
    private(set) var hasEscapedName = false

    init(_ bytes: UnsafeMutableBufferPointer<UInt8>, maxDepth: Int) {
        self.bytes = bytes
        self.maxDepth = maxDepth
        count = bytes.count
    }

    /// Walks over structure; texts and multi-byte characters have loops of their own.
    mutating func scan() throws(BodyCheckError) {
        if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw .byteOrderMark
        }
        while index < count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                try text()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard keys.count < maxDepth else {
                    throw .tooDeep(limit: maxDepth, offset: index)
                }
                keys.append(0)
                rows.open(isArray: byte == UInt8(ascii: "["), depth: keys.count, at: index)
                index += 1
            case UInt8(ascii: ","):
                try rows.separate(depth: keys.count, at: index)
                index += 1
            case UInt8(ascii: ":"):
                rows.noteKey()
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                try close()
            case 0:
                throw .rawNUL(offset: index)
            case 0x80...:
                try multiByte()
            default:
                index += 1
            }
        }
        guard rows.end(at: count) else { throw .largeEnvelope }
    }

    /// A closing bracket; one too many is left to the reader to refuse.
    private mutating func close() throws(BodyCheckError) {
        var before = index
        while before > 0 {
            before -= 1
            if isSpace(bytes[before]) { continue }
            if bytes[before] == UInt8(ascii: ",") { throw .trailingComma(offset: index) }
            break
        }
        rows.close(depth: keys.count, at: index)
        _ = keys.popLast()
        index += 1
    }

    /// A text, from its opening quote to behind its closing one, or to the end of the body.
    private mutating func text() throws(BodyCheckError) {
        let start = index + 1
        var hasEscape = false
        index = start
        while index < count {
            skipPlainWords()
            guard index < count else { return }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let end = index
                index += 1
                try noteKey(start..<end)
                if hasEscape, isBeforeColon { hasEscapedName = true }
                return
            case UInt8(ascii: "\\"):
                hasEscape = true
                escape()
            case 0:
                throw .rawNUL(offset: index)
            case 0x80...:
                try multiByte()
            default:
                index += 1
            }
        }
    }

    /// Goes to the next quote, backslash, NUL or byte above 7F, eight bytes at a time; less than eight
    /// before the end it stays where it is.
    @inline(__always)
    private mutating func skipPlainWords() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let raw = UnsafeRawBufferPointer(bytes)
        while count - index >= 8 {
            let word = UInt64(
                littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A byte minus one borrows into its high bit only where it was 0, or had the bit set; what
            // a borrow does to the bytes above, the first hit is one.
            let quotes = (word ^ (ones &* 0x22)) &- ones
            let backslashes = (word ^ (ones &* 0x5C)) &- ones
            let zeros = word &- ones
            let hits = (quotes | backslashes | zeros | word) & highs
            index += hits.trailingZeroBitCount / 8
            if hits != 0 { return }
        }
    }

    /// A backslash in a text and what belongs to it.
    private mutating func escape() {
        guard index + 1 < count else {
            index += 1
            return
        }
        let kind = bytes[index + 1]
        guard kind == UInt8(ascii: "u"), let unit = codeUnit(at: index) else {
            // What follows is skipped with the backslash only where it can hide nothing.
            index += kind > 0 && kind < 0x80 ? 2 : 1
            return
        }
        switch unit {
        case 0xD800...0xDBFF:
            if let low = codeUnit(at: index + 6), (0xDC00...0xDFFF).contains(low) {
                index += 12
            } else {
                replace()
            }
        case 0, 0xDC00...0xDFFF:
            replace()
        default:
            index += 6
        }
    }

    /// Overwrites the six bytes of an escape by one for U+FFFD that nobody else writes so:
    /// ``BodyCheck/isMended(_:)``.
    private mutating func replace() {
        bytes[index + 2] = UInt8(ascii: "F")
        bytes[index + 3] = UInt8(ascii: "F")
        bytes[index + 4] = UInt8(ascii: "F")
        bytes[index + 5] = UInt8(ascii: "d")
        index += 6
    }

    /// The value of a whole `\uXXXX` at `place`, or `nil`.
    private func codeUnit(at place: Int) -> UInt16? {
        guard count - place >= 6, bytes[place] == UInt8(ascii: "\\"),
            bytes[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for offset in 2..<6 {
            guard let digit = PercentEncoding.hexValue(bytes[place + offset]) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// One character of two to four bytes (RFC 3629 §4: no surrogates, nothing overlong).
    private mutating func multiByte() throws(BodyCheckError) {
        let lead = bytes[index]
        let length: Int
        let second: ClosedRange<UInt8>
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw .invalidUTF8(offset: index)
        }
        guard count - index >= length, second.contains(bytes[index + 1]) else {
            throw .invalidUTF8(offset: index)
        }
        for offset in 2..<4 where offset < length {
            guard bytes[index + offset] & 0xC0 == 0x80 else { throw .invalidUTF8(offset: index) }
        }
        index += length
    }

    /// Notes a text that is the key `id` or `title` of the object around it, however it is written.
    /// Refuses a key that no row can have.
    private mutating func noteKey(_ range: Range<Int>) throws(BodyCheckError) {
        // Each letter has one byte or, as an escape, six: most texts go by their length.
        let key: RowKey
        let length = range.count
        if length == 2 || length == 7 || length == 12, spells("id", range) {
            key = .id
        } else if length % 5 == 0, length <= 30, spells("title", range) {
            key = .title
        } else if length > Self.longestKey, isBeforeColon, !isPlain(range) {
            key = .tooLong
        } else {
            return
        }
        guard let top = keys.indices.last, isBeforeColon else { return }
        let offset = range.lowerBound - 1
        guard key != .tooLong || unescapedLength(of: range) <= Self.longestKey else {
            throw .longKey(limit: Self.longestKey, offset: offset)
        }
        guard keys[top] & key.rawValue == 0 else {
            throw .doubledKey(key == .id ? "id" : "title", offset: offset)
        }
        keys[top] |= key.rawValue
    }

    /// How many bytes the text has without its escapes.
    private func unescapedLength(of range: Range<Int>) -> Int {
        let text = UnsafeBufferPointer(rebasing: bytes[range])
        var place = 0
        var length = 0
        while place < text.count {
            let escape = JSONEscape(in: text, at: place)
            length += escape.map { $0.scalar.map { UTF8.width($0) } ?? 3 } ?? 1
            place += escape?.length ?? 1
        }
        return length
    }

    /// Whether a colon comes next, so that the text before is a name.
    private var isBeforeColon: Bool {
        var next = index
        while next < count, isSpace(bytes[next]) { next += 1 }
        return next < count && bytes[next] == UInt8(ascii: ":")
    }

    /// Of ASCII alone, without an escape.
    private func isPlain(_ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        while place < range.upperBound {
            guard bytes[place] < 0x80, bytes[place] != UInt8(ascii: "\\") else { return false }
            place += 1
        }
        return true
    }

    /// White space between tokens (RFC 8259 §2).
    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private func spells(_ name: StaticString, _ range: Range<Int>) -> Bool {
        var place = range.lowerBound
        for offset in 0..<name.utf8CodeUnitCount {
            let letter = name.utf8Start[offset]
            if place < range.upperBound, bytes[place] == letter {
                place += 1
            } else if range.upperBound - place >= 6, codeUnit(at: place) == UInt16(letter) {
                place += 6
            } else {
                return false
            }
        }
        return place == range.upperBound
    }
}

/// Keys of a row that an object may have once, for readers differ in which of two they take; one bit each.
private enum RowKey: UInt8 {
    case id = 1
    case title = 2
    case tooLong = 0
}
