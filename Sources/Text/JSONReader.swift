/// Reads a JSON document strictly (RFC 8259) and keeps the place of every key and value.
///
/// `JSONDecoder` sees no doubled keys and no places, and takes trailing commas and byte order marks.
/// Refused beside what the RFC forbids: a doubled key, half a surrogate pair, deep nesting.
package struct JSONReader {
    private var depthLimit = 16
    private let bytes: [UInt8]
    private var index = 0

    /// The whole of `bytes` as one value, with at most `maxDepth` values within each other.
    package static func read(
        _ bytes: [UInt8], maxDepth: Int = 16
    ) throws(JSONSyntaxError) -> JSONNode {
        var reader = JSONReader(bytes: bytes)
        reader.depthLimit = maxDepth
        guard String(validating: bytes, as: UTF8.self) != nil else {
            // The repaired text is the same up to the first bad byte.
            let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
            reader.index = zip(bytes, repaired).prefix { $0 == $1 }.count
            throw reader.error("this byte is not UTF-8")
        }
        let node = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.error("text after the end") }
        return node
    }

    /// The same for a value that is kept, whatever it is: every number in it is one of JSON.
    package static func readWhole(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        let node = try read(bytes)
        if let offset = node.offsetOfNoNumber {
            throw JSONSyntaxError(
                reason: "this is no number", position: TextPosition(offset: offset, in: bytes))
        }
        return node
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func error(_ reason: String) -> JSONSyntaxError {
        let atEnd = index >= bytes.count
        let isComment =
            !atEnd && (bytes[index] == UInt8(ascii: "/") || bytes[index] == UInt8(ascii: "#"))
        return JSONSyntaxError(
            reason: atEnd
                ? "the text ends too early"
                : isComment ? "JSON has no comments: remove this one" : reason,
            position: TextPosition(offset: index, in: bytes))
    }

    private mutating func skipSpace() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.count, UInt32(bytes[index]) == character.value else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        skipSpace()
        let start = index
        guard index < bytes.count else { throw error("") }
        guard depth < depthLimit else { throw error("nested too deeply") }
        switch bytes[index] {
        case UInt8(ascii: "{"): return JSONNode(value: try object(depth), offset: start)
        case UInt8(ascii: "["): return JSONNode(value: try list(depth), offset: start)
        case UInt8(ascii: "\""): return JSONNode(value: .text(try string()), offset: start)
        default: return JSONNode(value: try word(), offset: start)
        }
    }

    private mutating func object(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Value {
        index += 1
        var members: [JSONNode.Member] = []
        var keys: Set<[UInt8]> = []
        if take("}") { return .object([]) }
        repeat {
            skipSpace()
            let start = index
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
                throw error("a key in double quotes is due here")
            }
            let key = try string()
            guard keys.insert(Array(key.utf8)).inserted else {
                index = start
                throw error("the key \"\(key)\" is doubled")
            }
            guard take(":") else { throw error("a colon is due here") }
            members.append(.init(key: key, offset: start, node: try value(depth: depth + 1)))
        } while take(",")
        guard take("}") else { throw error("a comma or the end of the object is due here") }
        return .object(members)
    }

    private mutating func list(_ depth: Int) throws(JSONSyntaxError) -> JSONNode.Value {
        index += 1
        var nodes: [JSONNode] = []
        if take("]") { return .list([]) }
        repeat { nodes.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw error("a comma or the end of the list is due here") }
        return .list(nodes)
    }

    /// `null`, `true`, `false` or what begins like a number; whether it is one that a key takes is
    /// asked where the key is known, because that gives the better message.
    private mutating func word() throws(JSONSyntaxError) -> JSONNode.Value {
        let ends: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5D, 0x7D]
        let letters = bytes[index...].prefix { !ends.contains($0) }
        let text = String(decoding: letters, as: UTF8.self)
        let value: JSONNode.Value
        switch text {
        case "null": value = .null
        case "true": value = .bool(true)
        case "false": value = .bool(false)
        default:
            guard let first = text.utf8.first, first == 0x2D || (0x30...0x39).contains(first)
            else { throw error("a value is due here") }
            value = .number(text)
        }
        index = letters.endIndex
        return value
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        var result: [UInt8] = []
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: result, as: UTF8.self)
            case UInt8(ascii: "\\"): result += try escape().utf8
            case 0..<0x20: throw error("a control character must be escaped in a string")
            default:
                result.append(bytes[index])
                index += 1
            }
        }
        throw error("")
    }

    private mutating func escape() throws(JSONSyntaxError) -> String {
        let plain: [UInt8: String] = [
            0x22: "\"", 0x5C: "\\", 0x2F: "/", 0x62: "\u{8}", 0x66: "\u{C}", 0x6E: "\n",
            0x72: "\r", 0x74: "\t",
        ]
        guard index + 1 < bytes.count else {
            index = bytes.count
            throw error("")
        }
        if let character = plain[bytes[index + 1]] {
            index += 2
            return character
        }
        var units = [try hexUnit()]
        if UTF16.isLeadSurrogate(units[0]) { units.append(try hexUnit()) }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw error("half a surrogate pair stands before this")
        }
        return text
    }

    private mutating func hexUnit() throws(JSONSyntaxError) -> UInt16 {
        let digits = bytes[index...].prefix(6)
        guard digits.starts(with: "\\u".utf8), digits.count == 6,
            let unit = UInt16(String(decoding: digits.dropFirst(2), as: UTF8.self), radix: 16),
            digits.dropFirst(2).first != UInt8(ascii: "+")
        else { throw error("this escape is not known") }
        index += 6
        return unit
    }
}
