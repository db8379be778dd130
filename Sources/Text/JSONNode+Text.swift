extension JSONNode {
    /// A node that stands in no text yet.
    package init(_ value: Value) { self.init(value: value, offset: 0) }

    /// A text that stands nowhere yet.
    package static func text(_ text: String) -> JSONNode { JSONNode(.text(text)) }
    /// A whole number.
    package static func number(_ number: Int) -> JSONNode { JSONNode(.number("\(number)")) }
    /// A truth value.
    package static func bool(_ value: Bool) -> JSONNode { JSONNode(.bool(value)) }
    /// Several texts.
    package static func texts(_ texts: [String]) -> JSONNode {
        JSONNode(.list(texts.map { .text($0) }))
    }
    /// An object; members without a node are left out.
    package static func object(_ members: [(key: String, node: JSONNode?)]) -> JSONNode {
        JSONNode(
            .object(
                members.compactMap { member in
                    member.node.map { Member(key: member.key, offset: 0, node: $0) }
                }))
    }

    /// The text of a document for people: two spaces for each level, one key a line, a newline at the end.
    package var lines: [UInt8] {
        var bytes: [UInt8] = []
        append(indent: "", to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// The text of a document for programs: no white space between its parts.
    package var compact: String {
        var bytes: [UInt8] = []
        appendCompact(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func appendCompact(to bytes: inout [UInt8]) {
        switch value {
        case .null, .bool, .number, .text: append(indent: "", to: &bytes)
        case .list(let items):
            bytes += "[".utf8
            for (index, item) in items.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                item.appendCompact(to: &bytes)
            }
            bytes += "]".utf8
        case .object(let members):
            bytes += "{".utf8
            for (index, member) in members.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                JSONText.append(member.key, to: &bytes)
                bytes += ":".utf8
                member.node.appendCompact(to: &bytes)
            }
            bytes += "}".utf8
        }
    }

    private func append(indent: String, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += "\(value)".utf8
        case .number(let text): bytes += text.utf8
        case .text(let text): JSONText.append(text, to: &bytes)
        case .list(let items):
            bytes += "[".utf8
            for (index, item) in items.enumerated() {
                if index > 0 { bytes += ", ".utf8 }
                item.append(indent: indent, to: &bytes)
            }
            bytes += "]".utf8
        case .object(let members) where members.isEmpty: bytes += "{}".utf8
        case .object(let members):
            let inner = indent + "  "
            for (index, member) in members.enumerated() {
                bytes += (index == 0 ? "{\n" : ",\n").utf8
                bytes += inner.utf8
                JSONText.append(member.key, to: &bytes)
                bytes += ": ".utf8
                member.node.append(indent: inner, to: &bytes)
            }
            bytes += "\n\(indent)}".utf8
        }
    }
}
