internal import Declarations

extension ListTable {
    var read: String {
        let projection = Projection(document: "document")
        let names = fields.map { "\(part($0.column.name)), " }.joined()
        let values = fields.map { "\(projection.value($0.column)),\n    " }.joined()
        return """
            INSERT INTO temp.\(projected) (\(names)position, key)
            SELECT \(values)position, key
            FROM temp.\(staged) WHERE position > ?1 ORDER BY position LIMIT ?2
            ON CONFLICT (key) DO NOTHING
            """
    }

    var lastRead: String {
        """
        SELECT max(position)
        FROM (SELECT position FROM temp.\(staged) WHERE position > ?1 ORDER BY position LIMIT ?2)
        """
    }

    var compare: [String] {
        [
            "DELETE FROM temp.\(differing)",
            "DELETE FROM temp.\(missing)",
            """
            INSERT INTO temp.\(differing) (rank)
            SELECT pulled.rank
            FROM temp.\(projected) AS pulled JOIN temp.\(staged) AS staged USING (position)
            WHERE NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(key) = pulled.key
                AND shown.\(name(of: .rank)) = pulled.rank
                AND \(Equality.areSame("shown.\(name(of: .document))", "staged.document")))
            """,
            """
            INSERT INTO temp.\(missing) (row_id)
            SELECT \(id) FROM \(table) AS shown
            WHERE NOT EXISTS (SELECT 1 FROM temp.\(projected) AS pulled WHERE pulled.key = shown.\(key))
            """,
        ]
    }

    var noteNew: String {
        """
        INSERT INTO temp.\(touched) (key)
        SELECT pulled.key
        FROM \(differingKeys)
        WHERE NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(key) = pulled.key)
        """
    }

    /// CROSS keeps the order: SQLite cannot know that few rows differ.
    private var differingKeys: String {
        "temp.\(differing) CROSS JOIN temp.\(projected) AS pulled USING (rank)"
    }

    private var differingRows: String {
        "\(differingKeys)\n    CROSS JOIN temp.\(staged) AS staged USING (position)"
    }

    var noteChanged: String {
        """
        INSERT INTO temp.\(touched)
        SELECT \(asItWas("shown"))
        FROM \(differingRows)
            CROSS JOIN \(table) AS shown ON shown.\(key) = pulled.key
        WHERE NOT \(Equality.areSame("staged.document", "shown.\(name(of: .document))"))
        """
    }

    /// A value that is only spelt in another way stays: triggers and the history compare texts. A list that does not
    /// show every row says nothing of the ranks of those that are there.
    func upsert(isWhole: Bool) -> String {
        let names = fields.map { SQLName($0.column.name) }
        let document = name(of: .document)
        let (rank, fetched) = (name(of: .rank), name(of: .fetched))
        let moment = "strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch')"
        let isSame = Equality.areSame("\(document)", "excluded.\(document)")
        let values = fields.map { field in
            let name = SQLName(field.column.name)
            guard field.type == .json else { return "\(name) = excluded.\(name)" }
            let isSame = Equality.areSame(field.column, "\(name)", "excluded.\(name)")
            return "\(name) = iif(\(isSame), \(name), excluded.\(name))"
        }
        let shown = fields.map { "\($0.column.shown("pulled.\(part($0.column.name))")), " }
        return """
            INSERT INTO \(table) (\(([key] + names + [rank, fetched, document]).joined(", ")))
            SELECT pulled.key, \(shown.joined())\(isWhole ? "" : "(SELECT ifnull(max(\(rank)), 0) FROM \(table)) + ")pulled.rank,
                \(moment), staged.document
            FROM \(differingRows)
            WHERE true
            ON CONFLICT (\(key)) DO UPDATE SET
                \((values + (isWhole ? ["\(rank) = excluded.\(rank)"] : [])).joined(separator: ", ")),
                \(document) = iif(\(isSame), \(document), excluded.\(document)),
                \(fetched) = iif(\(isSame), \(fetched), excluded.\(fetched))
            """
    }
}

extension [SQLName] {
    fileprivate func joined(_ separator: String) -> String {
        map(\.description).joined(separator: separator)
    }
}
