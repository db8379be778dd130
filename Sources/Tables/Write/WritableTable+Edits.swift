internal import Declarations

/// Edits: what a program wrote over what the server has, or over what is on its way there.
///
/// A field is an edit where the mark of its row names it and what is shown is not what lies beneath. That is what
/// was sent while an operation is undecided, else what the document says.
extension WritableTable {
    /// Nil where no row can be changed.
    var editStatements: EditStatements? {
        guard !editable.isEmpty else { return nil }
        return EditStatements(
            fields: editable.map(statements), laterFields: Int64(bitPattern: laterFields),
            takeOthers: takeOthers, layers: layers,
            payload: values(updatable) { "\(isEdit($0, of: "?1"))" },
            creation: values(creatable) { "\(shown($0, of: "?1")) IS NOT NULL" },
            references: select(
                fields.filter { $0.reference != nil }.map { column in
                    let own = shown(column, of: "?1")
                    return "\(own), \(column.served(own)) IS NOT NULL"
                }),
            creationNames: names(sentBy: .create), updateNames: names(sentBy: .update),
            freeze: freeze, leave: leave,
            empty: empty,
            refused: """
                SELECT seq, kind, row_id, sent FROM operation
                WHERE state = 'rejected' AND list = \(listName) AND kind <> 'delete'
                    AND NOT \(QueueStatements.wasAcknowledged)
                """,
            isHidden: "SELECT \(isHidden("?1"))",
            document: "SELECT document FROM \(known) WHERE id = ?1",
            setDocument: "UPDATE \(known) SET document = ?2 WHERE id = ?1 AND document IS NOT ?2",
            pulledRows: pulledRows,
            dropped: """
                SELECT row_id, fields FROM withdrawn
                WHERE list = \(listName) AND kind = 'update'
                """)
    }

    /// The columns that programs can write; those that make a row that row are never another's change.
    var editable: [Column] {
        fields.filter { column in
            updatable.contains(column)
                || creatable.contains(column) && !list.declaration.identity.contains(column.name)
        }
    }

    private func statements(_ column: Column) -> EditStatements.Field {
        let path = SQLText(column.field?.path.sqliteText ?? "$")
        return EditStatements.Field(
            name: column.name, bit: Int64(bitPattern: bit(column)),
            take: show([(column, column.shown(value(column, in: "?2")))]),
            giveBack: show([(column, beneathDropped(column, of: "?1"))]),
            keep: patched(from: "?2", at: "\(path)", to: "\(path)"),
            patch: patched(from: "?2", at: sentPlace(column), to: "\(path)"),
            record: record(column),
            isShown: "json_type(?1, \(path)) IS NOT NULL", isFromReads: column.isFromReads,
            empty: empty(of: column))
    }

    /// What a server has in a column that was given and that it did not take, beside null.
    private func empty(of column: Column) -> [String] {
        switch column.field?.type {
        case .boolean, .integer, .integerText: ["0"]
        case .real, .realText: ["0.0", "0"]
        case .text: [""]
        case .json: ["[]", "{}"]
        case .row, .rowText, nil: []
        }
    }

    /// Where the row stands, shown or hidden.
    private func show(_ values: [(column: Column, value: String)]) -> [String] {
        guard !values.isEmpty else { return [] }
        let shown = values.map { "\(SQLName($0.column.name)) = \($0.value)" }
        let hidden = values.map { "\(part($0.column)) = \($0.value)" }
        return [
            "UPDATE \(table) SET \(shown.joined(separator: ",\n    ")) WHERE \(id) = ?1",
            "UPDATE \(self.hidden) SET \(hidden.joined(separator: ",\n    ")) WHERE id = ?1",
        ]
    }

    private var takeOthers: [String] {
        show(
            fields.filter { !editable.contains($0) }.map { ($0, $0.shown(value($0, in: "?2"))) })
    }

    /// In SQL, so that the rest of the document stays as it is written.
    private func patched(from other: String, at source: String, to path: String) -> String {
        """
        SELECT iif(json_type(\(other), \(source)) IS NULL, json_remove(?1, \(path)),
            json_set(?1, \(path), json(\(other) -> \(source))))
        """
    }

    private func record(_ column: Column) -> String {
        """
        INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
        VALUES (\(Self.nowMilliseconds), \(listName), ?1, \(SQLText(column.name)), ?3,
            CASE ?4 WHEN 1 THEN \(sentShown(column, of: "?1")) WHEN 0 THEN \(shown(column, of: "?1"))
                WHEN 2 THEN \(column.shown("CAST(?5 AS \(column.servedType))")) END,
            iif(?2 IS NULL, NULL, \(column.shown(value(column, in: "coalesce(?2, '{}')")))))
        """
    }

    private func values(_ columns: [Column], where isMeant: (Column) -> String) -> String {
        let values = columns.map { column in
            "iif(\(isMeant(column)), \(frozen(column, shown(column, of: "?1"))), NULL)"
        }
        return select(values)
    }

    private func names(sentBy kind: WriteCall.Kind) -> String {
        select(
            list.declaration.referredColumns(sentBy: kind).map { name in
                list.declaration.column(name.column).flatMap { column in
                    ReferredList(column)?.json(name, ofRow: shown(column, of: "?1"))
                } ?? "NULL"
            })
    }

    func select(_ values: [String]) -> String {
        "SELECT \(values.isEmpty ? "NULL" : values.joined(separator: ",\n    "))"
    }

    /// A text that is no JSON is kept as a text: its request is refused, and says so.
    private func frozen(_ column: Column, _ value: String) -> String {
        let json = servedJSON(column, value)
        return column.field?.type == .json
            ? "coalesce(iif(json_valid(\(value)), \(json), json_quote(\(value))), 'null')"
            : "coalesce(\(json), 'null')"
    }

    private var freeze: String {
        """
        UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1
        """
    }

    private var leave: String {
        """
        INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
        SELECT list, 'update', row_id, ?2, \(Self.newKey), queued_at FROM operation WHERE seq = ?1
        """
    }

    /// A mark of a row whose create waits says nothing either, but of what the create cannot give: the create takes
    /// the rest along.
    private var empty: String {
        let edits = updatable.map { isEdit($0, of: "mark.row_id") }.anyHolds
        let later = givenLater.map { isEdit($0, of: "mark.row_id") }.anyHolds
        let isTaken = has("mark.row_id", Self.isUnsentCreate)
        let isEmpty = laterFields == 0 ? isTaken : "\(isTaken) AND NOT (\(later))"
        return """
            SELECT mark.seq, mark.row_id FROM operation AS mark
            WHERE mark.list = \(listName) AND mark.kind = 'update' AND mark.stage = 1
                AND (?1 IS NULL OR mark.row_id = ?1)
                AND (\(isEmpty) OR NOT (\(edits)))
            """
    }

    /// What was acknowledged and is shown so is ended without a look at its columns.
    private var pulledRows: String {
        """
        SELECT known.id,
            iif(\(Equality.areSame("known.document", "pulled.document")), known.document, pulled.document)
        FROM (SELECT row_id FROM operation WHERE list = \(listName) AND kind <> 'create'
            UNION SELECT row_id FROM trail WHERE list = \(listName) AND NOT \(isWitnessed)) AS changed
            CROSS JOIN \(known) AS known ON known.id = changed.row_id
            CROSS JOIN temp.\(pulled) AS pulled ON pulled.key = known.server_id
        WHERE \(isSame("known.document"))
        ORDER BY known.id
        """
    }
}
