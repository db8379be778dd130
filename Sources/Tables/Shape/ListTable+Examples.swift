internal import Declarations

extension ListTable {
    /// An example of each statement that programs may run.
    public var examples: [String] {
        let shown =
            (label ?? declaration.columns.first { $0.field != nil })
            .map { "\(SQLName($0.name))" } ?? "*"
        var examples = ["SELECT \(id), \(shown) FROM \(table) LIMIT 10"]
        if !declaration.search.isEmpty {
            examples.append(
                """
                SELECT \(shown) FROM \(table) WHERE \(id) IN (SELECT rowid FROM \(search) WHERE \
                \(search) MATCH 'word')
                """)
        }
        if isWritable { examples += WritableTable(list: self).examples }
        if declaration.history != nil {
            examples.append("SELECT * FROM \(SQLName(historyName)) ORDER BY at DESC LIMIT 10")
        }
        return examples
    }

    /// The name of the view of the history. That of the movies is older than the rule.
    public var historyName: String {
        declaration.name == .movies ? "movie_changes" : "\(declaration.name)_changes"
    }
}

extension WritableTable {
    /// An example of each write that the server has a call for.
    fileprivate var examples: [String] {
        let needed = creatable.filter(\.isRequired)
        let given = needed.isEmpty ? Array(creatable.prefix(1)) : needed
        let names = given.map { "\(SQLName($0.name))" }.joined(separator: ", ")
        let values = given.map(value).joined(separator: ", ")
        var examples: [String] = []
        if creates, !given.isEmpty {
            examples.append("INSERT INTO \(table) (\(names)) VALUES (\(values)) RETURNING \(id)")
        }
        if let first = updatable.first {
            examples.append(
                "UPDATE \(table) SET \(SQLName(first.name)) = \(value(first)) WHERE \(id) = 7")
        }
        if deletes { examples.append("DELETE FROM \(table) WHERE \(id) = 7") }
        return examples
    }

    private func value(_ column: Column) -> String {
        switch column.field?.type {
        case .text: "'text'"
        case .integer, .integerText, .boolean, .row, .rowText: "1"
        case .real, .realText: "1.5"
        case .json, nil: "'[]'"
        }
    }
}
