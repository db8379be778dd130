internal import Declarations

extension ListTable {
    /// Whether its rows have places of the last whole list, beside those of the documents.
    public var hasPlaces: Bool { isWritable && declaration.column(of: .rank) != nil }
}

/// What the table shows of the server's rows beside their fields, if the declaration names it: the document, and the
/// place in the list. Both stand in ``known``, and the table has copies.
extension WritableTable {
    /// A column, and the one of ``known`` whose copy it is.
    struct Copy {
        let name: SQLName
        let source: SQLName
    }

    /// The column of the places; nil where none is declared.
    var rank: SQLName? { list.declaration.column(of: .rank).map { SQLName($0.name) } }

    var copies: [Copy] {
        let document = list.declaration.column(of: .document).map { SQLName($0.name) }
        return [(rank, "rank"), (document, "document")].compactMap { name, source in
            name.map { Copy(name: $0, source: SQLName(source)) }
        }
    }

    /// What the copy of `source` of the row `row` is.
    func copy(_ source: SQLName, of row: String) -> String {
        "(SELECT known.\(source) FROM \(known) AS known WHERE known.id = \(row))"
    }

    /// The triggers that bring the copies behind ``known``, whatever writes to it.
    var copying: [SchemaObject] {
        guard !copies.isEmpty else { return [] }
        let changed = copies.map { "\($0.name) = NEW.\($0.source)" }.joined(separator: ", ")
        let shown = copies.map { "\($0.name) = \(copy($0.source, of: "NEW.\(id)"))" }
        let sources = copies.map { "\($0.source)" }.joined(separator: ", ")
        return [
            trigger(
                "copied", "AFTER UPDATE OF \(sources) ON \(known)",
                ["UPDATE \(table) SET \(changed) WHERE \(id) = NEW.id;"]),
            trigger(
                "shown", "AFTER INSERT ON \(table)", when: isKnown("NEW.\(id)"),
                [
                    """
                    UPDATE \(table) SET \(shown.joined(separator: ",\n    "))
                    WHERE \(id) = NEW.\(id);
                    """
                ]),
        ]
    }

    /// How rows get the places of a whole pull.
    var placing: Placing? {
        guard rank != nil else { return nil }
        let listed = """
            (SELECT known.id AS id, row_number() OVER (ORDER BY pulled.position) AS rank
                FROM temp.\(list.staged) AS pulled CROSS JOIN \(known) AS known
                    ON known.server_id = pulled.key) AS listed
            """
        let differs = "listed.id = \(known).id AND listed.rank IS NOT \(known).rank"
        return Placing(
            count: "SELECT count(*) FROM \(known), \(listed) WHERE \(differs)",
            place: "UPDATE \(known) SET rank = listed.rank FROM \(listed) WHERE \(differs)")
    }
}
