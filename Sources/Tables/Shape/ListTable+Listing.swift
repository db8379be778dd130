internal import Declarations

extension ListTable {
    /// The rows in the order of the list, or those that the full text finds, the best first: `?1` the
    /// expression of the full text, `?2` the largest number of rows.
    ///
    /// - Parameters:
    ///   - isWhole: With the columns of JSON and the document, which fill a screen.
    ///   - isSearched: Whether there is an expression.
    /// - Returns: A query of one row for each row of the list.
    public func listing(isWhole: Bool, isSearched: Bool) -> String {
        let columns = declaration.columns.filter { column in
            isWhole
                || column.field.map { $0.type != .json }
                    ?? [.id, .state].contains(column.bookkeeping)
        }
        let names = columns.map { "shown.\(SQLName($0.name))" }.joined(separator: ", ")
        let rank = declaration.column(of: .rank).map { "shown.\(SQLName($0.name))" }
        // What no list has shown comes last.
        let order =
            isWritable ? (rank.map { "\($0) IS NULL, \($0), " } ?? "") + "shown.\(id)" : rank ?? ""
        guard isSearched else {
            return "SELECT \(names) FROM \(table) AS shown ORDER BY \(order) LIMIT ?2"
        }
        return """
            SELECT \(names) FROM \(search) JOIN \(table) AS shown ON shown.\(id) = \(search).rowid
            WHERE \(search) MATCH ?1 ORDER BY \(search).rank, \(order) LIMIT ?2
            """
    }
}
