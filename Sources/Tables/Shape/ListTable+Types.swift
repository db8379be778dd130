internal import Declarations

extension ListTable {
    /// So many rows of a list are looked at: a mistake of the declaration is in each row.
    private static let sample = 1000

    /// For each field, in the order of the columns, three values: how many of the first staged rows have a value, how
    /// many have one that the column can show, and what one that it cannot show is.
    public var typesOfStaged: String {
        types(in: "SELECT document FROM temp.\(staged) ORDER BY position LIMIT \(Self.sample)")
    }

    /// The same of the rows that the cache has.
    public var typesOfKept: String {
        let rows =
            isWritable
            ? "SELECT document FROM \(WritableTable(list: self).known)"
            : "SELECT \(name(of: .document)) AS document FROM \(table)"
        return types(in: rows + " LIMIT \(Self.sample)")
    }

    private func types(in documents: String) -> String {
        let projection = Projection(document: "document")
        let values = fields.enumerated().flatMap { index, field in
            let place = SQLText(field.path.sqliteText)
            return [
                "\(kind(at: place)) AS \(SQLName("kind \(index)"))",
                "\(projection.value(field.column)) AS \(SQLName("value \(index)"))",
            ]
        }
        let counts = fields.indices.flatMap { index in
            let (kind, value) = (SQLName("kind \(index)"), SQLName("value \(index)"))
            return ["count(\(kind))", "count(\(value))", "max(\(kind))"]
        }
        return """
            SELECT \(counts.isEmpty ? "NULL" : counts.joined(separator: ", "))
            FROM (SELECT \(values.isEmpty ? "NULL" : values.joined(separator: ",\n        "))
                FROM (\(documents)))
            """
    }

    /// Whether the staged rows differ from the table.
    public var hasDifferingRows: String {
        isWritable
            ? "SELECT EXISTS (SELECT 1 FROM temp.\(WritableTable(list: self).differing))"
            : countDiffering
    }

    /// The type of JSON at `place`; NULL where there is nothing, or null.
    private func kind(at place: SQLText) -> String {
        let value = "document ->> \(place)"
        return """
            CASE json_type(document, \(place)) WHEN 'null' THEN NULL
                WHEN 'text' THEN iif(iif(json_valid(\(value)), json_type(\(value)), '') IN ('integer', 'real'),
                    'number in a text', 'text')
                ELSE json_type(document, \(place)) END
            """
    }
}
