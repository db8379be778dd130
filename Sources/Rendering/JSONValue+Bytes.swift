import Text

extension JSONValue {
    /// The value as JSON text on one line, without a newline at its end.
    ///
    /// Its strings are safe to show on a terminal (``JSONText``), and a parser reads what they were.
    ///
    /// Source: RFC 8259 §6 (numbers).
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null:
            bytes.append(contentsOf: "null".utf8)
        case .bool(let bool):
            bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer(let integer):
            bytes.append(contentsOf: String(integer).utf8)
        case .double(let double):
            bytes.append(contentsOf: (double.isFinite ? String(double) : "null").utf8)
        case .string(let text):
            JSONText.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .raw(let text):
            JSONText.append(raw: text, to: &bytes)
        }
    }
}
