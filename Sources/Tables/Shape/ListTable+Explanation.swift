public import Declarations

extension ListTable {
    /// Where the values of the row with the local id `?1` come from: its id at the server or NULL, whether it is
    /// shown, and for each of ``explained`` its value and the value of the server, as text. No row where there is
    /// none.
    public var explanation: String {
        isWritable ? WritableTable(list: self).explanation : readOnlyExplanation
    }

    /// The columns that ``explanation`` speaks of.
    public var explained: [Column] { declaration.columns.filter { $0.field != nil } }

    private var readOnlyExplanation: String {
        let values = explained.map { Equality.text($0, "\(SQLName($0.name))") }
            .map { ",\n    \($0), \($0)" }.joined()
        return "SELECT CAST(\(key) AS TEXT), 1\(values)\nFROM \(table) WHERE \(id) = ?1"
    }
}

extension WritableTable {
    fileprivate var explanation: String {
        let values = fields.map { column in
            let own = Equality.text(column, shown(column, of: "?1"))
            return ",\n    \(own), \(Equality.text(column, baseShown(column, of: "?1")))"
        }
        let isShown = "EXISTS (SELECT 1 FROM \(table) WHERE \(id) = ?1)"
        return """
            SELECT \(serverIDOf("?1")), \(isShown)\(values.joined())
            WHERE \(isShown) OR \(isHidden("?1"))
            """
    }
}
