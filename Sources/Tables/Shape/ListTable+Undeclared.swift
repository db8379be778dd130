internal import Declarations

extension ListTable {
    /// Triggers that refuse new writes while nothing declares the list: its changes would wait for ever. What takes a
    /// change back is let through. Empty for a list that programs only read.
    public var undeclaredRefusals: [SchemaObject] {
        guard isWritable else { return [] }
        let list = WritableTable(list: self)
        let (old, new) = ("OLD.\(id)", "NEW.\(id)")
        var refusals = [
            refusal("insert", "INSERT ON \(table)", unless: list.isHidden(new)),
            refusal(
                "delete", "DELETE ON \(table)",
                unless: list.has(old, WritableTable.isUnsentCreate)),
        ]
        let columns = list.updatable.map { "\(SQLName($0.name))" }
        if !columns.isEmpty {
            let same = columns.map { "NEW.\($0) IS OLD.\($0)" }.joined(separator: " AND ")
            refusals.append(
                refusal(
                    "update", "UPDATE OF \(columns.joined(separator: ", ")) ON \(table)",
                    unless: same))
        }
        return refusals
    }

    private func refusal(_ verb: String, _ event: String, unless isFine: String) -> SchemaObject {
        // No list has a space in its name.
        let name = "\(declaration.name) undeclared \(verb)"
        return SchemaObject(
            name: name,
            sql: """
                CREATE TRIGGER \(SQLName(name)) BEFORE \(event)
                WHEN \(isProgram) AND NOT (\(isFine))
                BEGIN
                    SELECT RAISE(ABORT, \(SQLText(sentence)));
                END
                """)
    }

    private var sentence: String {
        let name = declaration.name
        return "\(name) takes no more changes, because nothing declares it: "
            + "put its file \(name).json back, and sync"
    }
}
