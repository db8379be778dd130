internal import Declarations

/// The texts of rows that a server may keep for one row alone.
extension WritableTable {
    /// A longer text is no name that a server keeps for one row.
    private static let longestName = 200

    private var names: [Column] {
        fields.filter { column in
            guard column.writing != .none else { return false }
            return column.field?.type == .text || list.declaration.match.contains(column.name)
        }
    }

    private func name(_ column: Column, _ value: String) -> String {
        let text = Equality.text(column, value)
        return "iif(length(\(text)) BETWEEN 1 AND \(Self.longestName), \(text), NULL)"
    }

    private var own: [String] { names.map { name($0, "(\($0.compared(ownValue(of: $0))))") } }

    var freed: String? {
        guard updates || deletes, !names.isEmpty else { return nil }
        let base = names.map { name($0, "(\(baseValue(of: $0)))") }
        let left = own.map { "iif(operation.kind = 'delete', NULL, \($0))" }
        return """
            SELECT operation.seq, \((base + left).joined(separator: ",\n    "))
            FROM operation
            WHERE (state <> 'queued' OR kind <> 'create') AND kind <> 'create' AND state = 'queued'
                AND list = \(listName)\(notBeneathDelete)
            """
    }

    var taken: String? {
        guard creates, !names.isEmpty else { return nil }
        return """
            SELECT operation.seq, \(own.joined(separator: ",\n    "))
            FROM operation WHERE kind = 'create' AND state = 'queued' AND list = \(listName)
            """
    }
}
