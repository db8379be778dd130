/// Percent-encoding of what we put into a URL, and the check of what others put there.
/// Source: RFC 3986 §2.
package enum PercentEncoding {
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// `text` as one path segment or one query value: all but the unreserved characters encoded.
    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A path with a query in which every byte is escaped that cannot stand there; escapes stay as they are.
    package static func escaped(query text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || "!$&'()*+,;=:@/?%".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether the bytes are a path (or nothing) that can go on the wire as it is: every segment
    /// behind a slash, none empty, every percent sign followed by two hex digits.
    static func isPath(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard bytes.first == UInt8(ascii: "/"), isTarget(bytes, extra: "/") else { return false }
        return !zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "/") && $0 == $1 }
    }

    /// Whether every byte may stand in a path with `extra`, percent signs with two hex digits.
    static func isTarget(_ bytes: ArraySlice<UInt8>, extra: String) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.endIndex, hexValue(bytes[index + 1]) != nil,
                    hexValue(bytes[index + 2]) != nil
                else { return false }
                index += 3
                continue
            }
            let allowed =
                isUnreserved(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
                || extra.utf8.contains(byte)
            guard allowed else { return false }
            index += 1
        }
        return true
    }

    /// The bytes with every valid escape decoded.
    package static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The text of checked bytes, the hex digits of escapes in upper case.
    static func upperHex(_ bytes: ArraySlice<UInt8>) -> String {
        var result = Array(bytes)
        for index in result.indices where result[index] == UInt8(ascii: "%") {
            for place in [index + 1, index + 2] where place < result.count {
                if let value = hexValue(result[place]) { result[place] = hexDigits[Int(value)] }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The value of a hex digit of either case.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// An ASCII letter or digit.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~".utf8.contains(byte)
    }
}
