internal import Declarations

extension WritableTable {
    var queueStatements: QueueStatements {
        QueueStatements(
            waiting: waiting, freed: freed, taken: taken, outgoing: outgoing,
            answered: answered(at: list.declaration.calls[.create]?.row ?? .root),
            answeredUpdates: Set(list.declaration.updates.map(\.row))
                .sorted { $0.description < $1.description }.map { answered(at: $0) },
            answeredRead: list.declaration.read.map { read in
                read.columns.isEmpty ? answered(at: read.row) : answeredInAnotherShape(at: read.row)
            }, addressed: addressed, compared: compared, showsMark: showsMark,
            answeredID: answeredID, named: named,
            laidOver: laidOver,
            isSameRow: isSameRow,
            owner: owner, cut: cut)
    }

    /// What the server has in the columns that the path of a read names, as JSON.
    private var addressed: String? {
        let names = list.declaration.readNames
        guard !names.isEmpty else { return nil }
        let projection = Projection(document: "known.document")
        let values = names.map { name -> String in
            if let column = list.declaration.column(name) {
                return json(column, projection.value(column))
            }
            guard let referred = list.declaration.referredColumn(name),
                let column = list.declaration.column(referred.column),
                let parent = ReferredList(column)
            else { return "NULL" }
            return parent.json(referred, ofRow: parent.row(called: projection.value(column)))
        }
        return
            "SELECT \(values.joined(separator: ",\n    ")) FROM \(known) AS known WHERE known.id = ?1"
    }

    private var compared: String? {
        guard !creatable.isEmpty else { return nil }
        let sent = creatable.map { Equality.text($0, lookedFor($0)) }
        let shown = creatable.map {
            Equality.text($0, "(\(Projection(document: "?2").value($0)))")
        }
        return """
            SELECT \(sent.joined(separator: ", ")) FROM operation WHERE seq = ?1
            UNION ALL SELECT \(shown.joined(separator: ", "))
            """
    }

    private var showsMark: String? {
        guard let path = markColumn?.field?.path else { return nil }
        return "SELECT json_type(?1, \(SQLText(path.sqliteText))) IS NOT NULL"
    }

    private var answeredID: String? {
        guard case .member(let path) = list.declaration.calls[.create]?.answerID else { return nil }
        return "SELECT CAST(?1 ->> \(SQLText(path.sqliteText)) AS TEXT) WHERE json_valid(?1)"
    }

    /// Most ids that look like whole numbers are some.
    private var named: String {
        let place = SQLText(list.declaration.id.sqliteText)
        let number = "CAST(CAST(?1 AS INTEGER) AS TEXT) = ?1"
        let document = "json_set('{}', \(place), iif(\(number), CAST(?1 AS INTEGER), ?1))"
        return """
            SELECT ?1, \(PartedTable(list)?.placed(document, in: "?2") ?? document)
            WHERE length(CAST(?1 AS BLOB)) BETWEEN 1 AND 200 AND ?1 NOT IN ('.', '..')
            """
    }

    /// A whole answer is taken as it is written, so that the next list finds it unchanged.
    private var laidOver: String {
        // The value of a JSON column is one value: what is in it is not mixed.
        let laid = fields.filter { $0.field?.type == .json }.reduce("json_patch(?1, ?2)") {
            let place = SQLText($1.field?.path.sqliteText ?? "$")
            return "json_replace(\($0), \(place), json(ifnull(?2 -> \(place), ?1 -> \(place))))"
        }
        return """
            SELECT iif(EXISTS (SELECT 1 FROM json_each(?1) AS had WHERE json_type(?2, had.fullkey) IS NULL),
                \(laid), ?2)
            """
    }

    private var isSameRow: String {
        let equal = equalIdentity("known.document", "?3").map { " AND \($0)" }
        return """
            SELECT EXISTS (SELECT 1 FROM \(known) AS known
                WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL\(equal.joined()))
            """
    }

    /// The columns by which a create in doubt is looked for.
    private var matching: [Column] {
        // Where there is a mark, they are those by which it is looked for if the server does not keep marks.
        fields.filter {
            list.declaration.match.contains($0.name) && $0.name != markColumn?.name
        }
    }

    /// Creates that nothing tells apart wait for nobody but operations of their own row. One that was sent keeps its
    /// turn, whatever its row has become since: it is looked for by what was sent.
    private var turn: String {
        let own = "'row ' || operation.row_id"
        guard !matching.isEmpty else { return own }
        // What separates them has no part in how texts are compared.
        let equal = matching.map {
            "replace(ifnull(\(Equality.text($0, inTurn($0))), ''), char(31), '')"
        }.joined(separator: " || char(31) || ")
        guard markColumn != nil else { return equal }
        // A mark that the server keeps tells a create from all others.
        return """
            iif((SELECT marks FROM sync_state WHERE list = \(listName)) IS 'kept', \(own), \(equal))
            """
    }

    private func inTurn(_ column: Column) -> String {
        let own = column.compared(ownValue(of: column))
        return isFrozen ? "iif(operation.kind = 'create', \(sentOrOwn(column)), \(own))" : own
    }

    private var waiting: String {
        """
        SELECT \(turn), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
            sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
            kind <> 'create' AND \(isKnown("operation.row_id")), row_id, last_status
        FROM operation
        WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = \(listName)\(notBeneathDelete)
        ORDER BY seq
        """
    }

    /// A delete keeps the edits of its row beneath it: they wait for its end, and it does not wait for them.
    var notBeneathDelete: String {
        guard updates else { return "" }
        let beneath = """
            NOT (\(Self.isMark) AND EXISTS (SELECT 1 FROM operation AS deletion
                WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
                    AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
            """
        return "\n    AND \(beneath)"
    }

    private var outgoing: String {
        let names = fields.indices.map { SQLName("value \($0)") }
        let values = zip(fields, names).map { ",\n        \(ownValue(of: $0)) AS \($1)" }
        let addressing = list.declaration.addressingColumns
        let places = addressing.indices.map { SQLName("known \($0)") }
        let bases = zip(addressing, places).map { ",\n        \(baseValue(of: $0)) AS \($1)" }
        let referred = list.declaration.knownReferredColumns
        let rows = referred.map { ",\n        \(knownJSON($0)) AS \(SQLName("of \($0)"))" }
        let written =
            zip(fields, names).map { ",\n    \(servedJSON($0, "\($1)"))" }
            + zip(addressing, places).map { ",\n    \(json($0, "\($1)"))" }
            + referred.map { ",\n    \(SQLName("of \($0)"))" }
        return """
            SELECT kind, server_id, idempotency_key, attempts, version\(written.joined())
            FROM (SELECT kind, idempotency_key, attempts,
                    (SELECT known.server_id FROM \(known) AS known
                        WHERE known.id = operation.row_id) AS server_id,
                    \(version) AS version\(values.joined())\(bases.joined())\(rows.joined())
                FROM operation WHERE seq = ?1 LIMIT 1)
            """
    }

    /// What the server has in a column of the operation's row; NULL for a create.
    func baseValue(of column: Column) -> String {
        let base = Projection(document: "known.document").value(column)
        return """
            (SELECT \(base) FROM \(known) AS known
                WHERE known.id = operation.row_id AND operation.kind <> 'create')
            """
    }

    /// What the server has in a column of the row that the operation's row refers to there, as JSON; NULL where that row
    /// is not here.
    func knownJSON(_ name: ReferredColumn) -> String {
        guard let column = list.declaration.column(name.column), let parent = ReferredList(column)
        else { return "NULL" }
        return parent.json(name, ofRow: parent.row(called: baseValue(of: column)))
    }

    /// A row has no update and delete under way at once, so one version is enough.
    private var version: String {
        let places = [WriteCall.Kind.update, .delete].compactMap { kind in
            list.declaration.calls(of: kind).lazy.compactMap(\.version).first.map {
                (kind, SQLText($0.sqliteText))
            }
        }
        guard !places.isEmpty else { return "NULL" }
        let cases = places.map { kind, place in
            """
            WHEN '\(kind.rawValue)' THEN (SELECT \(spelling(at: place)) FROM \(known) AS known
                WHERE known.id = operation.row_id)
            """
        }
        return "CASE operation.kind \(cases.joined(separator: " ")) END"
    }

    /// What stands there, as a text. A number is written as the server wrote it: SQLite would round it.
    private func spelling(at place: SQLText) -> String {
        let document = "known.document"
        return """
            CASE WHEN json_type(\(document), \(place)) IN ('integer', 'real')
                    THEN \(document) -> \(place) ELSE \(document) ->> \(place) END
            """
    }

    /// The value as JSON text; NULL where there is none.
    func json(_ column: Column, _ value: String) -> String {
        switch column.field?.type.plain {
        case .boolean: "CASE \(value) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END"
        case .json: value
        case .real: Equality.text(column, value)
        case .text, .integer, .integerText, .realText, .row, .rowText, nil:
            "CASE WHEN \(value) IS NOT NULL THEN json_quote(\(value)) END"
        }
    }

    /// The value that the table shows, as JSON text of what the server has for it.
    func servedJSON(_ column: Column, _ value: String) -> String {
        guard let list = ReferredList(column) else { return json(column, value) }
        return list.json(ofRow: value)
    }

    private var owner: String {
        """
        SELECT id, ?3 IS NOT NULL AND \(isSameRow("document", "?3")),
            id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = \(listName))
        FROM \(known) WHERE server_id = ?1 AND id <> ?2
        """
    }

    /// Two documents of one id are of one row.
    private func isSameRow(_ one: String, _ other: String) -> String {
        let equal = equalIdentity(one, other)
        return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
    }

    /// What makes a row that row beside its id is the same in both documents, column by column.
    private func equalIdentity(_ one: String, _ other: String) -> [String] {
        let (first, second) = (Projection(document: one), Projection(document: other))
        return identifying.map {
            Equality.areSame($0, "(\(first.value($0)))", "(\(second.value($0)))")
        }
    }

    private var cut: String? {
        let texts = matching.compactMap { column -> String? in
            guard column.field?.type == .text else { return nil }
            let answered = Projection(document: "?2").value(column)
            return """
                SELECT \(ownValue(of: column)) AS given, \(answered) AS answered
                        FROM (SELECT ?1 AS row_id) AS operation
                """
        }
        guard !texts.isEmpty else { return nil }
        return """
            SELECT length(answered) FROM (
                \(texts.joined(separator: "\n    UNION ALL ")))
            WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered
            """
    }
}
