internal import Declarations

/// Laws of the list's rows and operations, as views that must be empty.
extension WritableTable {
    var laws: [SchemaObject] {
        [
            law(
                "create", "a row without an id at the server has a create",
                """
                SELECT shown.\(id) FROM \(table) AS shown
                WHERE NOT \(isKnown("shown.\(id)")) AND NOT \(has("shown.\(id)", "kind = 'create'"))
                """),
            law(
                "synced", "a row with an id at the server has no create",
                """
                SELECT row_id FROM operation
                WHERE list = \(listName) AND kind = 'create' AND \(isKnown("row_id"))
                """),
            law(
                "row", "an operation has its row",
                """
                SELECT seq FROM operation
                WHERE list = \(listName) AND NOT \(isHidden("row_id"))
                    AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = row_id)
                """),
            law(
                "kept", "a row of the server is shown, or a delete hides it",
                """
                SELECT known.id FROM \(known) AS known
                WHERE NOT \(isHidden("known.id"))
                    AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = known.id)
                """),
            law(
                "hidden", "a row is hidden as long as its delete waits, and not longer",
                """
                SELECT hidden.id FROM \(hidden) AS hidden
                WHERE NOT \(has("hidden.id", "kind = 'delete' AND state <> 'rejected'"))
                    OR EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = hidden.id)
                UNION ALL
                SELECT row_id FROM operation
                WHERE list = \(listName) AND kind = 'delete' AND state <> 'rejected'
                    AND NOT \(isHidden("row_id"))
                """),
            law(
                "state", "a row shows what its operations say",
                """
                SELECT shown.\(id) FROM \(table) AS shown
                WHERE \(isOtherwise("shown", "shown.\(id)"))
                """),
            law(
                "ids", "a local id is never used again",
                """
                SELECT hidden.id FROM \(hidden) AS hidden WHERE hidden.id > \(list.highestID)
                UNION ALL
                SELECT known.id FROM \(known) AS known WHERE known.id > \(list.highestID)
                    AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = known.id)
                """),
        ]
    }

    private func law(_ suffix: String, _ law: String, _ offenders: String) -> SchemaObject {
        let name = "invariant_\(list.declaration.name)_\(suffix)"
        return SchemaObject(
            name: name,
            sql: """
                CREATE VIEW \(SQLName(name)) (law, offender) AS
                SELECT \(SQLText(law)), * FROM (
                \(offenders.indented))
                """)
    }

    /// Rows that are not what their documents say, as rows of a law. No view can state it, because views with
    /// JSON functions fail under trusted_schema=OFF.
    var documentLaw: String {
        let projection = Projection(document: "known.document")
        let values = fields.map { ($0, projection.shown($0)) }
        let shown = values.map { Equality.differ($0, "shown.\(SQLName($0.name))", "(\($1))") }
        let hidden = values.map { Equality.differ($0, "hidden.\(part($0))", "(\($1))") }
        return """
            SELECT 'a row of \(list.declaration.name) is what its document says', known.id
            FROM \(known) AS known LEFT JOIN \(table) AS shown ON shown.\(id) = known.id
                LEFT JOIN \(self.hidden) AS hidden ON hidden.id = known.id
            WHERE NOT json_valid(known.document)
                OR CAST(known.document ->> \(SQLText(list.declaration.id.sqliteText)) AS TEXT) IS NOT known.server_id
                OR NOT \(has("known.id", "kind = 'update'"))
                    AND NOT \(has("known.id", "kind = 'update'", in: "withdrawn"))
                    AND (shown.\(id) IS NOT NULL AND (\(shown.anyHolds))
                        OR hidden.id IS NOT NULL AND (\(hidden.anyHolds)))
            """
    }
}
