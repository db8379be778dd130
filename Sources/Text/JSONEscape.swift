/// An escape of a JSON text: its bytes, and the character that they stand for.
///
/// Source: RFC 8259 §7.
package struct JSONEscape: Sendable, Hashable {
    /// How many bytes it has: two, six, or twelve of a surrogate pair.
    package let length: Int
    /// The character; nil for half a surrogate pair, which is none.
    package let scalar: Unicode.Scalar?
    /// The 16 bits that a `\u` names.
    private let unit: UInt16

    /// The escape whose backslash stands at `place`; nil where none does.
    package init?(in text: UnsafeBufferPointer<UInt8>, at place: Int) {
        guard place + 1 < text.count, text[place] == UInt8(ascii: "\\") else { return nil }
        guard text[place + 1] == UInt8(ascii: "u") else {
            guard let scalar = Self.short(text[place + 1]) else { return nil }
            (length, unit, self.scalar) = (2, 0, scalar)
            return
        }
        guard let unit = Self.unit(in: text, at: place) else { return nil }
        self.unit = unit
        if UTF16.isLeadSurrogate(unit), let low = Self.unit(in: text, at: place + 6),
            UTF16.isTrailSurrogate(low)
        {
            let offset = (UInt32(unit) - 0xD800) << 10 | (UInt32(low) - 0xDC00)
            (length, scalar) = (12, Unicode.Scalar(0x1_0000 + offset))
        } else {
            (length, scalar) = (6, Unicode.Scalar(UInt32(unit)))
        }
    }

    /// Whether the character can stand in a text as it is.
    package var isNeedless: Bool {
        scalar.map { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 } ?? false
    }

    /// Adds the character as it is, and where it cannot be, the one way to escape it.
    package func append(to bytes: inout [UInt8]) {
        guard let scalar else { return append(unit, to: &bytes) }
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
        case "\u{0}"..<" ": append(UInt16(scalar.value), to: &bytes)
        default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    private func append(_ unit: UInt16, to bytes: inout [UInt8]) {
        let digits = String(unit, radix: 16)
        bytes += #"\u"#.utf8
        bytes += repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        bytes += digits.utf8
    }

    private static func short(_ byte: UInt8) -> Unicode.Scalar? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(byte)
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: nil
        }
    }

    /// The value of a whole `\uXXXX` at `place`.
    private static func unit(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt16? {
        guard text.count - place >= 6, text[place] == UInt8(ascii: "\\"),
            text[place + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt16 = 0
        for offset in 2..<6 {
            guard let digit = Character(Unicode.Scalar(text[place + offset])).hexDigitValue else {
                return nil
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
