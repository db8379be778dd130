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
