internal import Declarations

/// What an operation waits for that no other operation brings: a row is at the server, and what a call names of it is not
/// known.
extension ReferringTable {
    /// A column of another row, and when an operation waits for it.
    struct Lack {
        /// The column.
        let name: String
        /// The list of that row.
        let list: String
        /// A condition of `operation`.
        let condition: String
    }

    /// Whatever the document names a row by can be missing, and whatever a call names of it.
    var lacks: [Lack] {
        guard let writable else { return [] }
        return columns.flatMap { column, parent in
            keyLacks(column, parent, in: writable)
                + sentLacks(column, parent, in: writable) + knownLacks(column, parent, in: writable)
        }
    }

    private func keyLacks(
        _ column: Column, _ parent: ReferredList, in writable: WritableTable
    ) -> [Lack] {
        let kinds = sending(column, in: writable)
        // Every row at the server has its id.
        guard !parent.field.isEmpty, !kinds.isEmpty else { return [] }
        let own = writable.ownValue(of: column)
        let condition = """
            operation.kind IN (\(kinds.joined(separator: ", "))) AND \(parent.has(row: own))
                AND \(parent.name(ofRow: own)) IS NULL
            """
        return [Lack(name: parent.field, list: parent.name, condition: condition)]
    }

    /// By the row that it is to be below: for a new row, and where that is what an update changes.
    private func sentLacks(
        _ column: Column, _ parent: ReferredList, in writable: WritableTable
    ) -> [Lack] {
        let own = writable.ownValue(of: column)
        let isEdit = writable.isEdit(column, of: "operation.row_id")
        return [WriteCall.Kind.create, .update].flatMap { kind -> [Lack] in
            list.declaration.referredColumns(sentBy: kind).filter { $0.column == column.name }
                .map { name in
                    let isMeant = kind == .update ? " AND \(isEdit)" : ""
                    let condition = """
                        operation.kind = '\(kind.rawValue)'\(isMeant) AND \(parent.has(row: own))
                            AND \(parent.json(name, ofRow: own)) IS NULL
                        """
                    return Lack(name: name.name, list: parent.name, condition: condition)
                }
        }
    }

    /// By the row that it is below at the server, which need not be here.
    private func knownLacks(
        _ column: Column, _ parent: ReferredList, in writable: WritableTable
    ) -> [Lack] {
        let base = writable.baseValue(of: column)
        let isEdit = writable.isEdit(column, of: "operation.row_id")
        return [WriteCall.Kind.update, .delete].flatMap { kind -> [Lack] in
            let inTexts = list.declaration.referredColumns(inTextsOf: kind)
            let inBody = list.declaration.referredColumns(sentBy: kind)
            return list.declaration.knownReferredColumns.compactMap { name in
                guard name.column == column.name, inTexts.contains(name) || inBody.contains(name)
                else { return nil }
                // An update that gives the column anew needs the new one.
                let isMeant = inTexts.contains(name) ? "" : " AND NOT \(isEdit)"
                let condition = """
                    operation.kind = '\(kind.rawValue)'\(isMeant) AND \(base) IS NOT NULL
                        AND \(writable.knownJSON(name)) IS NULL
                    """
                return Lack(name: name.name, list: parent.name, condition: condition)
            }
        }
    }

    /// The operations that send the column.
    func sending(_ column: Column, in writable: WritableTable) -> [String] {
        (writable.creatable.contains(column) ? ["'create'"] : [])
            + (writable.updatable.contains(column) ? ["'update'"] : [])
    }
}
