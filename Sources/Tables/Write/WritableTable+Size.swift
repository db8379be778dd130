internal import Declarations
internal import Text

/// How large a row is that a program writes: as large as syncd reads one.
extension WritableTable {
    private var texts: [Column] { fields.filter { $0.field?.type.sqlType == "TEXT" } }

    /// What is left for texts, beside the names of the members, numbers, and what a server adds of its own.
    private var room: Int {
        let names = fields.reduce(0) { $0 + ($1.field?.path.description.utf8.count ?? 0) + 32 }
        return RowLimits.bytes - 4096 - names
    }

    /// Of a row that is written as a whole.
    var sizeOfNewRow: [String] {
        sizeCheck(of: { column($0, of: "NEW") }, beside: "0")
    }

    /// Of a row that is changed. What stays is as large as the server has shown it.
    var sizeOfChangedRow: [String] {
        let document = """
            (SELECT length(CAST(known.document AS BLOB)) FROM \(known) AS known WHERE known.id = OLD.\(id))
            """
        let isChanged = { (column: Column) in
            "\(self.column(column, of: "NEW")) IS NOT \(self.column(column, of: "OLD"))"
        }
        let replaced = texts.map {
            "iif(\(isChanged($0)), \(bytes(column($0, of: "OLD"))), 0)"
        }
        let isKnown = isKnown("OLD.\(id)")
        return sizeCheck(
            of: { "iif(\(isChanged($0)) OR NOT \(isKnown), \(self.column($0, of: "NEW")), NULL)" },
            beside: "max(0, ifnull(\(document) - (\(replaced.joined(separator: " + "))), 0))")
    }

    private func bytes(_ value: String) -> String { "ifnull(length(CAST(\(value) AS BLOB)), 0)" }

    /// A row whose texts are small in any spelling is not looked at.
    private func sizeCheck(of value: (Column) -> String, beside rest: String) -> [String] {
        guard !texts.isEmpty else { return [] }
        let all = texts.map { bytes(column($0, of: "NEW")) }.joined(separator: " + ")
        let spelled = [false, true].compactMap { isJSON -> String? in
            let columns = texts.filter { ($0.field?.type == .json) == isJSON }
            guard !columns.isEmpty else { return nil }
            let text = columns.map { "ifnull(\(value($0)), '')" }.joined(separator: " || ")
            return """
                INSERT INTO spelled_text SELECT \(text), \(isJSON)
                WHERE 6 * (\(all)) > \(room / 2);
                """
        }
        return spelled + [
            refuse(
                sentences.size,
                where: """
                    (SELECT spelled_bytes FROM control) > 0
                        AND (SELECT spelled_bytes FROM control) + \(rest) > \(room)
                    """),
            "UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;",
        ]
    }

    /// How many objects and lists may stand within each other in a value of `column`: in a list, and in an answer,
    /// others stand around it.
    func depth(of column: Column) -> Int {
        let declaration = list.declaration
        let answers = (declaration.calls(of: .create) + declaration.updates)
            .map(\.row.steps.count)
        let read = declaration.read?.row.steps.count ?? 0
        let around = max(declaration.rows.steps.count + 1, read, answers.max() ?? 0)
        return RowLimits.depth - around - (column.field?.path.steps.count ?? 0)
    }
}
