import Text

/// A value in the one form in which runs compare it.
enum EditValue {
    /// A text that came as the value of a column.
    static func form(_ text: String?) -> String? {
        guard let text, text.hasPrefix("{") || text.hasSuffix(".0"),
            let node = try? JSONReader.read(Array(text.utf8))
        else { return text }
        return json(node)
    }

    /// Members in the order of their names, and whole numbers without a point.
    static func json(_ node: JSONNode) -> String {
        switch node.value {
        case .null: return "null"
        case .bool(let isTrue): return "\(isTrue)"
        case .number(let number):
            return number.hasSuffix(".0") ? String(number.dropLast(2)) : number
        case .text(let text): return "\"\(text)\""
        case .list(let nodes): return "[\(nodes.map(json).joined(separator: ","))]"
        case .object(let members):
            let all = members.sorted { $0.key < $1.key }
            return "{\(all.map { "\"\($0.key)\":\(json($0.node))" }.joined(separator: ","))}"
        }
    }
}
