internal import Declarations

extension ListTable {
    /// Rows that are not what their documents say, as rows of a law. No view can state it, because views with
    /// JSON functions fail under trusted_schema=OFF.
    public var documentLaw: String {
        shownLaw + (referenceStatements.map { "\nUNION ALL \($0.law)" } ?? "")
    }

    /// What the server calls the rows that it has, as texts.
    public var serverIDs: String {
        let column = name(of: declaration.ids == .server ? .id : .serverID)
        return "SELECT CAST(\(column) AS TEXT) FROM \(table) WHERE \(column) IS NOT NULL"
    }

    private var shownLaw: String {
        if isWritable { return WritableTable(list: self).documentLaw }
        let projection = Projection(document: "shown.\(name(of: .document))")
        let wrong = fields.map { field in
            Equality.differ(
                field.column, "shown.\(SQLName(field.column.name))",
                "(\(projection.shown(field.column)))")
        }
        return """
            SELECT 'a row of \(declaration.name) is what its document says', shown.\(id)
            FROM \(table) AS shown
            WHERE NOT json_valid(shown.\(name(of: .document))) OR \(wrong.anyHolds)
                OR shown.\(name(of: .rank)) < 1
            """
    }
}
