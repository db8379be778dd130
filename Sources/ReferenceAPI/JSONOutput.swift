/// A JSON value to be written, with its keys in the order they are given.
enum JSONOutput {
    case object([(String, JSONOutput)])
    case array([JSONOutput])
    case string(String)
    case integer(Int64)
    /// A number as it shall stand, `6.72` or `7`.
    case number(String)
    case bool(Bool)
    case null
    /// Bytes that are JSON already.
    case written([UInt8])

    /// The bytes of the value, without white space; with `asciiOnly`, characters outside ASCII are
    /// written as `\u` escapes, as some services do.
    func bytes(asciiOnly: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        write(to: &out, asciiOnly: asciiOnly)
        return out
    }

    private func write(to out: inout [UInt8], asciiOnly: Bool) {
        switch self {
        case .object(let members):
            out.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                Self.write(member.0, to: &out, asciiOnly: asciiOnly)
                out.append(UInt8(ascii: ":"))
                member.1.write(to: &out, asciiOnly: asciiOnly)
            }
            out.append(UInt8(ascii: "}"))
        case .array(let values):
            out.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { out.append(UInt8(ascii: ",")) }
                value.write(to: &out, asciiOnly: asciiOnly)
            }
            out.append(UInt8(ascii: "]"))
        case .string(let text): Self.write(text, to: &out, asciiOnly: asciiOnly)
        case .integer(let number): out.append(contentsOf: String(number).utf8)
        case .number(let text): out.append(contentsOf: text.utf8)
        case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
        case .null: out.append(contentsOf: "null".utf8)
        case .written(let bytes): out.append(contentsOf: bytes)
        }
    }

    private static func write(_ text: String, to out: inout [UInt8], asciiOnly: Bool) {
        out.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out.append(contentsOf: #"\""#.utf8)
            case "\\": out.append(contentsOf: #"\\"#.utf8)
            case "\n": out.append(contentsOf: #"\n"#.utf8)
            case _ where scalar.value < 0x20 || (asciiOnly && !scalar.isASCII):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    out.append(contentsOf: #"\u"#.utf8)
                    out.append(contentsOf: String(repeating: "0", count: 4 - digits.count).utf8)
                    out.append(contentsOf: digits.utf8)
                }
            default: out.append(contentsOf: String(scalar).utf8)
            }
        }
        out.append(UInt8(ascii: "\""))
    }
}
