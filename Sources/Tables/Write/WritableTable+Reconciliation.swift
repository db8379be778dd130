internal import Declarations

extension WritableTable {
    var reconciliation: WriteReconciliation {
        WriteReconciliation(
            known: "\(known)", pulled: "temp.\(pulled)", counted: counted, notShown: notShown,
            shownOtherwise: shownOtherwise,
            hasOperation: hasOperation,
            missedPulls: """
                ifnull((SELECT pulls FROM missed_row
                    WHERE missed_row.list = \(listName) AND row_id = \(known).id), 0)
                """,
            rememberDeparted: """
                INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
                SELECT \(listName), server_id, \(identity(ofKnown: "\(known)")), id, ?1, ?2 FROM \(known)
                WHERE
                """, forgetDeparted: forgetDeparted, countMisses: countMisses,
            countArriving: "SELECT count(*) FROM \(differingRows) WHERE NOT \(isOwned)",
            noteChanging: noteChanging, change: change, unowned: unowned,
            lostUpdates: lostUpdates, unownedDocuments: unownedDocuments, lastID: lastID,
            nameArriving: nameArriving,
            addKnown: """
                INSERT INTO \(known) (id, server_id, document)
                SELECT row_id, key, document FROM \(arrivingRows) ORDER BY row_id
                """, addShown: addShown, tellAdded: tell("added", "'synced'"),
            updateDocuments: """
                UPDATE \(known) SET document = pulled.document FROM temp.\(pulled) AS pulled
                WHERE \(known).id IN (SELECT row_id FROM temp.\(absent))
                    AND pulled.key = \(known).server_id AND pulled.document IS NOT \(known).document\(andIsUnedited("\(known).id"))
                """, echoes: echoes, newMarks: newMarks, endWitnessed: endWitnessed,
            noteShown: noteShown, newOtherwise: newOtherwise, identify: identify,
            newRows: unshownNewRows, withdraw: withdraw,
            placing: placing, absent: "temp.\(absent)", unconfirmed: unconfirmed,
            shownRows: """
                SELECT known.id FROM temp.\(pulled) AS pulled CROSS JOIN \(known) AS known
                    ON known.server_id = pulled.key
                """, openOperations: openOperations,
            arriving: "temp.\(arriving)", differing: "temp.\(differing)")
    }

    /// An operation waits for the known row, or no list has shown it yet.
    var hasOperation: String {
        """
        (EXISTS (SELECT 1 FROM operation WHERE list = \(listName) AND row_id = \(known).id)
            OR EXISTS (SELECT 1 FROM trail
                WHERE list = \(listName) AND row_id = \(known).id AND is_new = 1))
        """
    }

    /// CROSS keeps the order: SQLite cannot know that few rows differ.
    private var differingRows: String {
        "temp.\(differing) CROSS JOIN temp.\(pulled) AS pulled USING (position)"
    }

    private var arrivingRows: String {
        "temp.\(arriving) AS arriving CROSS JOIN temp.\(pulled) AS pulled USING (position)"
    }

    /// Whether the pulled row and the known one of its id are one.
    func isSame(_ document: String) -> String {
        let projection = Projection(document: document)
        let equal = identifying.map {
            Equality.areSame($0, "pulled.\(part($0))", "(\(projection.value($0)))")
        }
        return equal.isEmpty ? "true" : equal.joined(separator: " AND ")
    }

    private func identity(ofKnown row: String) -> String {
        let projection = Projection(document: "\(row).document")
        return identity(identifying.map { Equality.text($0, "(\(projection.value($0)))") })
    }

    /// As one text, out of the values' own.
    private func identity(_ values: [String]) -> String {
        switch values.count {
        case 0: "''"
        case 1: "ifnull(\(values[0]), '')"
        default: "json_array(\(values.joined(separator: ", ")))"
        }
    }

    private var identityOfPulled: String {
        identity(identifying.map { Equality.text($0, "pulled.\(part($0))") })
    }

    private var counted: String {
        """
        \(known).id NOT IN (SELECT row_id FROM operation
            WHERE list = \(listName) AND kind = 'delete' AND state <> 'rejected')
        """
    }

    // Only a row that differs from the list can be absent from it, or be another one there.

    private var notShown: String {
        """
        \(known).id IN (SELECT row_id FROM temp.\(absent))
            AND NOT EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled
                WHERE pulled.key = \(known).server_id AND \(isSame("\(known).document")))
        """
    }

    var shownOtherwise: String {
        guard !identifying.isEmpty else { return "false" }
        return """
            (\(known).id IN (SELECT row_id FROM temp.\(absent))
                AND EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled
                    WHERE pulled.key = \(known).server_id AND NOT (\(isSame("\(known).document")))))
            """
    }

    /// A row of the table has the id of the pulled one. Those with another identity are gone by then.
    private var isOwned: String {
        "EXISTS (SELECT 1 FROM \(known) WHERE \(known).server_id = pulled.key)"
    }

    var hasDeparted: String {
        """
        departed.list = \(listName) AND departed.server_id = pulled.key
            AND departed.identity = \(identityOfPulled)
        """
    }

    /// Not while a new row has its id, and no list has shown that.
    private var forgetDeparted: String {
        """
        DELETE FROM departed
        WHERE list = \(listName)
            AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN \(known) AS known ON known.id = trail.row_id
                WHERE trail.list = \(listName) AND is_new = 1
                    AND known.server_id = departed.server_id)
            AND (EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled WHERE pulled.key = departed.server_id)
                OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4\(andIsNotAside))
        """
    }

    private var countMisses: [String] {
        [
            """
            DELETE FROM missed_row WHERE list = \(listName)
                AND row_id NOT IN (SELECT id FROM \(known) WHERE \(notShown))
            """,
            """
            INSERT INTO missed_row (list, row_id, pulls)
            SELECT \(listName), id, 1 FROM \(known) WHERE \(notShown)
            ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1
            """,
        ]
    }

    private var changeable: [Column] { fields.filter { !identifying.contains($0) } }

    private var noteChanging: String? {
        guard !changeable.isEmpty else { return nil }
        func differs(_ row: String, _ name: (Column) -> SQLName) -> String {
            changeable.map {
                Equality.differ($0, "\(row).\(name($0))", $0.shown("pulled.\(part($0))"))
            }.anyHolds
        }
        return """
            INSERT INTO temp.\(arriving) (row_id, position)
            SELECT known.id, position FROM \(differingRows)
                CROSS JOIN \(known) AS known ON known.server_id = pulled.key
            WHERE (EXISTS (SELECT 1 FROM \(table) AS shown
                    WHERE shown.\(id) = known.id AND (\(differs("shown") { SQLName($0.name) })))
                OR EXISTS (SELECT 1 FROM \(hidden) AS hidden
                    WHERE hidden.id = known.id AND (\(differs("hidden", part)))))\(andIsUnedited("known.id"))
            """
    }

    /// A row with an update or a delete, or one that is remembered, is looked at by itself, column by column.
    private func andIsUnedited(_ row: String) -> String {
        editable.isEmpty
            ? ""
            : "\n    AND NOT \(has(row, "kind <> 'create'")) AND NOT \(has(row, "true", in: "trail"))"
    }

    private var change: [String] {
        guard !changeable.isEmpty else { return [] }
        func values(_ name: (Column) -> SQLName) -> String {
            changeable.map { "\(name($0)) = \($0.shown("pulled.\(part($0))"))" }
                .joined(separator: ",\n    ")
        }
        return [
            """
            UPDATE \(table) SET \(values { SQLName($0.name) })
            FROM \(arrivingRows) WHERE \(table).\(id) = arriving.row_id
            """,
            """
            UPDATE \(hidden) SET \(values(part))
            FROM \(arrivingRows) WHERE \(hidden).id = arriving.row_id
            """,
            """
            INSERT INTO change (list, change, row_id, title, state)
            SELECT \(listName), 'changed', shown.\(id), \(list.title("shown")), shown.\(state)
            FROM temp.\(arriving) AS arriving CROSS JOIN \(table) AS shown ON shown.\(id) = arriving.row_id
            WHERE (SELECT paused FROM control) IS NOT \(listName) ORDER BY arriving.row_id
            """,
        ]
    }

    private var unowned: String {
        let values = creatable.map { ", \(Equality.text($0, "pulled.\(part($0))"))" }.joined()
        return """
            SELECT pulled.key, position / 10000000\(values) FROM \(differingRows)
            WHERE NOT \(isOwned) AND NOT EXISTS (SELECT 1 FROM departed WHERE \(hasDeparted))
            ORDER BY position
            """
    }

    private var lostUpdates: String {
        """
        SELECT row_id FROM operation
        WHERE list = \(listName) AND kind = 'update' AND state = 'in doubt'
            AND row_id IN (\(unconfirmed))
        """
    }

    private var unownedDocuments: String {
        "SELECT pulled.key, pulled.document FROM \(differingRows) WHERE NOT \(isOwned) ORDER BY position"
    }

    private var lastID: String {
        """
        SELECT max(\(list.counted), \(list.highestID),
            coalesce((SELECT max(id) FROM \(known)), 0), coalesce((SELECT max(\(id)) FROM \(table)), 0),
            coalesce((SELECT max(id) FROM \(hidden)), 0))
        """
    }

    private var nameArriving: String {
        """
        INSERT INTO temp.\(arriving) (row_id, position)
        SELECT (SELECT departed.row_id FROM departed WHERE \(hasDeparted)), position
        FROM \(differingRows)
        WHERE NOT \(isOwned)
        ORDER BY position
        ON CONFLICT (row_id) DO UPDATE SET position = excluded.position
        """
    }

    private var addShown: String {
        let names = fields.map { "\(SQLName($0.name)), " }.joined()
        let values = fields.map { "\($0.shown("pulled.\(part($0))")), " }.joined()
        return """
            INSERT INTO \(table) (\(id), \(names)\(state), \(serverID), \(added))
            SELECT row_id, \(values)'synced', key, ?3
            FROM \(arrivingRows)
            WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id
            """
    }

    /// No trigger tells of rows that a pull adds: it would run for each row of a first pull.
    private func tell(_ change: String, _ state: String) -> String {
        let label =
            list.label.map { "substr(pulled.\(part($0)), 1, 500)" } ?? "CAST(row_id AS TEXT)"
        return """
            INSERT INTO change (list, change, row_id, title, state)
            SELECT \(listName), '\(change)', row_id, \(label), \(state)
            FROM \(arrivingRows)
            WHERE (SELECT paused FROM control) IS NOT \(listName) ORDER BY row_id
            """
    }

    private var unconfirmed: String {
        """
        SELECT id FROM \(known) AS known
        WHERE id IN (SELECT row_id FROM temp.\(absent))
            AND NOT EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled WHERE pulled.key = known.server_id)
        """
    }

    private var openOperations: String {
        let values = creatable.map {
            ",\n    \(Equality.text($0, lookedFor($0)))"
        }
        .joined()
        return """
            SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
                last_status, refuted, answered_boot, answered_ms, behind,
                EXISTS (SELECT 1 FROM \(known) AS known CROSS JOIN temp.\(pulled) AS pulled
                    ON pulled.key = known.server_id
                    WHERE known.id = row_id AND \(isSame("known.document"))) AS is_shown\(values)
            FROM operation
            WHERE (state <> 'queued' OR kind <> 'create') AND list = \(listName)
                AND (kind = 'create' OR answered_ms IS NOT NULL
                    OR NOT \(has("operation.row_id", "is_new = 1", in: "trail")))
                AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
                    AND EXISTS (SELECT 1 FROM \(known) AS known WHERE known.id = row_id)
                    AND (is_shown = 0 OR missed_ms IS NOT NULL))
            ORDER BY seq
            """
    }
}
