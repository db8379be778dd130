internal import Declarations

/// What an `INSERT` does: it adds a row, writes over one (`OR REPLACE`), or takes a delete back.
///
/// Every refusal stands in AFTER INSERT: a BEFORE trigger also runs for rows that `OR IGNORE` or an UPSERT does
/// not insert.
extension WritableTable {
    private static let row = "NEW"
    private var newID: String { "NEW.\(id)" }

    var inserted: SchemaObject {
        trigger(
            "insert", "AFTER INSERT ON \(table)", when: list.isProgram,
            [noteRewriting] + refusals + checks + sizeOfNewRow + (updates ? [refuseDropping] : [])
                + [tellNew]
                + takingBack + queueing + showing)
    }

    /// A row that the server has, or will have, or would have had, is written over. Whether a delete hid it is not
    /// to be seen any more at the end.
    private var noteRewriting: String {
        """
        UPDATE control SET rewriting = \(newID),
            returning_row = \(isHidden(newID)) OR \(has(newID, "kind = 'create'", in: "withdrawn"))
        WHERE \(isKnown(newID)) OR \(has(newID, "kind = 'create'"))
            OR \(has(newID, "kind = 'create'", in: "withdrawn"));
        """
    }

    private var isRewritten: String { "(SELECT rewriting FROM control) IS \(newID)" }
    private var isNewRow: String { "(SELECT rewriting FROM control) IS NOT \(newID)" }

    // MARK: Refusals

    private var refusals: [String] {
        let isLeaving =
            "\(isRewritten) AND "
            + has(
                newID,
                "kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')"
            )
        return [refuse(sentences.leaving, where: isLeaving)]
            + (creates
                ? [refuseUsed, refuseFixed] + refuseUnmarked
                : [refuse(sentences.noInsert, where: "\(isNewRow)")])
            + refuseGivenOnce
    }

    /// An id that may have stood for another row. `sqlite_sequence` is not written before the statement's end.
    private var refuseUsed: String {
        let wrong = [
            "\(newID) <= \(list.counted)", "\(newID) <= \(list.highestID)",
            "\(newID) < (SELECT max(\(id)) FROM \(table))",
        ].anyHolds
        return refuse(
            sentences.used,
            where: """
                    (\(newID) < 1 OR \(newID) > \(Self.largestID)
                        OR \(wrong))
                    AND \(isNewRow)
                """)
    }

    private var refuseFixed: String {
        let given =
            [
                ("NEW.\(serverID) IS NOT NULL", list.name(of: .serverID).name),
                ("NEW.\(error) IS NOT NULL", list.name(of: .error).name),
                ("NEW.\(state) <> 'queued'", list.name(of: .state).name),
                ("NEW.\(added) <> \(Self.now)", list.name(of: .added).name),
            ] + copies.map { ("NEW.\($0.name) IS NOT NULL", $0.name.name) }
            + readOnly.map { ("\(column($0, of: Self.row)) IS NOT NULL", $0.name) }
        return refuse(
            firstOf: given.map { ($0, sentences.fixed($1)) },
            where: "(\(given.map(\.0).anyHolds))\n    AND \(isNewRow)")
    }

    /// A mark is made where the column is left out, not for NULL.
    private var refuseUnmarked: [String] {
        guard let mark = markColumn else { return [] }
        let wrong = "\(column(mark, of: Self.row)) IS NULL AND \(isNewRow)"
        return [refuse(sentences.unmarked(mark), where: wrong)]
    }

    /// Whether a shown row had the same values nobody can tell any more: it is gone. A hidden one is there.
    private var refuseGivenOnce: [String] {
        guard !givenOnce.isEmpty else { return [] }
        let equal = givenOnce.map { "hidden.\(part($0)) IS \(column($0, of: Self.row))" }
        return [
            refuse(
                sentences.givenOnce,
                where: """
                    (\(isKnown(newID)) OR \(has(newID, Self.isSentCreate)))
                        AND NOT EXISTS (SELECT 1 FROM \(hidden) AS hidden WHERE hidden.id = \(newID)
                            AND \(equal.joined(separator: " AND ")))
                    """)
        ]
    }

    /// Unless the row is only shown again: it is kept as hidden, and no delete of it waits any more.
    private var refuseDropping: String {
        let isLeaving = has(newID, "kind = 'delete' AND state <> 'rejected'")
        return refuse(
            sentences.dropping,
            where: """
                \(has(newID, "kind = 'update'", in: "withdrawn"))
                    AND (\(isLeaving) OR NOT \(isHidden(newID)))
                """)
    }

    /// What a hidden row has already may be the server's, and is not judged.
    private var checks: [String] {
        (creates ? givable : updatable).flatMap { column in
            let value = self.column(column, of: Self.row)
            let isNew = """
                (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM \(hidden) AS hidden WHERE hidden.id = \(newID)
                    AND hidden.\(part(column)) IS \(value))
                """
            // What a create cannot give, a new row need not have.
            let isLeftOut = creates && givenLater.contains(column)
            return checks(
                of: column, ifNew: isLeftOut ? "\(value) IS NOT NULL AND (\(isNew))" : isNew)
        }
    }

    // MARK: Effects

    /// Before its create is: who follows the log hears first of the row.
    private var tellNew: String {
        """
        INSERT INTO change (list, change, row_id, title, state)
        SELECT \(listName), 'added', \(newID), \(list.title(Self.row)), 'queued'
        WHERE \(isNewRow);
        """
    }

    /// A row that is written shall be: its delete goes. One that was refused stays where its row is only shown
    /// again, which is so as long as the row is kept as hidden.
    private var takingBack: [String] {
        [
            """
            DELETE FROM operation
            WHERE \(isRewritten) AND list = \(listName) AND row_id = \(newID) AND kind = 'delete'
                AND NOT (state = 'rejected' AND \(isHidden(newID)));
            """,
            "DELETE FROM \(hidden) WHERE \(isRewritten) AND id = \(newID);",
            """
            INSERT INTO operation SELECT * \(operations(newID, "kind = 'create'", in: "withdrawn"))
                AND \(isRewritten)
                AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
            """,
            "DELETE \(operations(newID, "kind = 'create'", in: "withdrawn")) AND \(isRewritten);",
            // It may have other values now.
            """
            UPDATE operation SET idempotency_key = \(Self.newKey), sent_hash = NULL
            WHERE \(isRewritten) AND list = \(listName) AND row_id = \(newID)
                AND \(Self.isUnsentCreate) AND attempts > 0;
            """,
        ]
    }

    /// The create comes first: a person's trigger on the same row runs before this one, and may have made a mark.
    private var queueing: [String] {
        let creating = queue(
            .create, of: newID,
            where: "NOT \(isKnown(newID)) AND NOT \(has(newID, "kind = 'create'"))")
        return (creates ? [creating] : []) + (updates ? marking : [])
    }

    private var marking: [String] {
        let given = givenLater.map { "\(column($0, of: Self.row)) IS NOT NULL" }
        let fields = fields("\(allFields)", of: newID)
        return [
            """
            UPDATE operation SET fields = \(fields)
            WHERE list = \(listName) AND row_id = \(newID) AND \(Self.isMark);
            """,
            queue(
                .update, of: newID, fields: fields,
                where: mayBeMarked(newID, givenLater: given)),
        ]
    }

    /// A new row shows what it has to by its defaults, but where it was given a NULL.
    private var showing: [String] {
        [
            mirror(
                newID, where: "\(isRewritten) OR NEW.\(state) IS NULL OR NEW.\(added) IS NULL"),
            tell(
                "iif((SELECT returning_row FROM control) = 1, 'added', 'changed')", newID,
                where: isRewritten),
            "UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;",
        ]
    }
}
