internal import Declarations

/// What a pull says of rows that the server has acknowledged, as statements.
extension WritableTable {
    /// Remembered rows are few, and the rows are many: so the order of each join is given. `?1` and `?2` are the boot
    /// and the moment before which an answer is old enough for this pull to decide.
    private static let isOld = "iif(answered_boot = ?1, answered_ms, 0) <= ?2"

    /// Under the id of a row that no list has shown yet, a list can still show the one that had it before.
    var echoes: String {
        """
        SELECT row_id FROM trail CROSS JOIN \(known) AS known ON known.id = trail.row_id
        WHERE list = \(listName) AND NOT \(Self.isOld)
            AND NOT EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled WHERE pulled.key = known.server_id
                AND (is_new = 0 OR \(isSame("known.document"))
                    OR NOT EXISTS (SELECT 1 FROM departed WHERE \(hasDeparted))))
        """
    }

    /// A row that programs have changed since may have another mark.
    var newMarks: String? {
        guard let mark = markColumn else { return nil }
        return """
            SELECT \(ownValue(of: mark)) AS own, pulled.\(part(mark)) FROM trail AS operation
                CROSS JOIN \(known) AS known ON known.id = operation.row_id
                CROSS JOIN temp.\(pulled) AS pulled ON pulled.key = known.server_id
            WHERE operation.list = \(listName) AND operation.is_new = 1 AND own IS NOT NULL
                AND \(isSame("known.document"))
                AND NOT \(has("operation.row_id", Self.isMark))
            """
    }

    /// Rows that the pull shows as they are known.
    var isWitnessed: String {
        """
        row_id IN (SELECT known.id FROM trail AS remembered
            CROSS JOIN \(known) AS known ON known.id = remembered.row_id
            CROSS JOIN temp.\(pulled) AS pulled ON pulled.key = known.server_id
            WHERE remembered.list = \(listName) AND NOT EXISTS (
                SELECT 1 FROM temp.\(differing) AS other WHERE other.position = pulled.position))
        """
    }

    /// What the pull shows as it is known needs no look at its columns, nor does a row of which nothing is remembered but
    /// that the server made it.
    var endWitnessed: String {
        """
        DELETE FROM trail WHERE list = \(listName) AND \(Self.isOld)
            AND (\(isWitnessed) OR fields = '{}' AND row_id IN (\(shownRows)))
            AND NOT \(has("trail.row_id", "true"))
        """
    }

    /// What makes a row that row beside its id.
    var identifying: [Column] {
        fields.filter { list.declaration.identity.contains($0.name) }
    }

    var newOtherwise: String {
        let document = Projection(document: "\(self.known).document")
        let known = creatable.map { Equality.text($0, "(\(document.value($0)))") }
        let shown = creatable.map { Equality.text($0, "pulled.\(part($0))") }
        return """
            SELECT trail.row_id, pulled.document\((known + shown).map { ", \($0)" }.joined())
            FROM trail CROSS JOIN \(self.known) ON \(self.known).id = trail.row_id
                CROSS JOIN temp.\(pulled) AS pulled ON pulled.key = \(self.known).server_id
            WHERE trail.list = \(listName) AND trail.is_new = 1 AND \(shownOtherwise)
                AND (trail.answered_boot <> ?1 OR trail.answered_ms <= ?2)
            """
    }

    var identify: [String] {
        let values = identifying.compactMap { column in
            column.field.map {
                (column, Projection(document: "?2").shown(column), SQLText($0.path.sqliteText))
            }
        }
        guard !values.isEmpty else { return [] }
        let shown = values.map { "\(SQLName($0.0.name)) = \($0.1)" }
        let hidden = values.map { "\(part($0.0)) = \($0.1)" }
        let members = values.map { ", \($0.2), json(?2 -> \($0.2))" }
        return [
            "UPDATE \(table) SET \(shown.joined(separator: ", ")) WHERE \(id) = ?1",
            "UPDATE \(self.hidden) SET \(hidden.joined(separator: ", ")) WHERE id = ?1",
            """
            UPDATE \(known) SET document = json_set(document\(members.joined()))
            WHERE id = ?1 AND ?2 IS NOT NULL
            """,
        ]
    }

    var noteShown: String {
        """
        UPDATE trail SET is_new = 0, missed_boot = NULL, missed_ms = NULL
        WHERE list = \(listName) AND is_new = 1 AND row_id IN (\(shownRows))
        """
    }

    /// The pull shows the row of the trail, in whatever form.
    private var shownRows: String {
        """
        SELECT known.id FROM \(known) AS known CROSS JOIN temp.\(pulled) AS pulled
            ON pulled.key = known.server_id
            WHERE known.id = trail.row_id AND \(isSame("known.document"))
        """
    }

    /// A value, a row that was to be deleted, or a new row.
    var withdraw: [String] {
        let isLine = "list = \(listName) AND why = 'not taken'"
        let values = editable.map { column in
            let value = Projection(document: "known.document").shown(column)
            return """
                DELETE FROM conflict WHERE \(isLine) AND field = \(SQLText(column.name))
                    AND EXISTS (SELECT 1 FROM \(known) AS known WHERE known.id = conflict.row_id
                        AND \(Equality.areSame(column, value, "conflict.mine")))
                """
        }
        return values + [
            """
            DELETE FROM conflict WHERE \(isLine) AND field IS NULL AND iif(mine IS NULL,
                NOT \(isKnown("conflict.row_id")),
                EXISTS (SELECT 1 FROM \(known) AS known WHERE known.server_id
                    = CAST(conflict.mine ->> \(SQLText(list.declaration.id.sqliteText)) AS TEXT)))
            """
        ]
    }

    var unshownNewRows: String {
        """
        SELECT row_id, is_claim, missed_boot, missed_ms, known.server_id
        FROM trail CROSS JOIN \(known) AS known ON known.id = trail.row_id
        WHERE list = \(listName) AND is_new = 1 AND \(Self.isOld)
            AND NOT EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled WHERE pulled.key = known.server_id)
        """
    }
}
