internal import Declarations

/// The statements of a list that shows more rows than the table has: those for which `while` does not hold.
///
/// Such a row is read like any other, so that an edit finds its values, and a create its row by a mark of its own. Then
/// it is set aside, unless a change of it waits.
public struct ConditionStatements: Sendable, Hashable {
    /// The numbers of the pages with such a row.
    public let pages: String
    /// Note the staged rows that are set aside, and take them out of the pull.
    public let setAside: [String]
    /// Whether such a row is left in the pull, because a change of it waits.
    public let hasKept: String
    /// Whether such a row, for all that is known, leaves with a change that waits, as a condition on a staged row that
    /// is `pulled`: a read tells whether it is there. Nil where programs only read.
    public let leavesWithChange: String?
    /// The rows with an acknowledged delete that are set aside; nil where programs only read.
    public let deleted: String?
    /// Takes rows out of the pull that no row of the table is; nil where programs only read.
    public let leaveOut: String?
    /// Whether the document `?1` is one of such a row.
    public let isOut: String
    /// Whether a row of the table was set aside, as a condition.
    public let isAside: String
}

extension ListTable {
    /// Nil where every row that the list shows is one of the table.
    public var condition: ConditionStatements? {
        declaration.condition == nil ? nil : madeCondition { conditionStatements }
    }

    /// The ids of the rows that were set aside.
    var aside: SQLName { SQLName("aside_\(declaration.name)") }

    /// Nil where no row ever is.
    var createAside: String? {
        guard declaration.condition != nil else { return nil }
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(aside) (key ANY PRIMARY KEY NOT NULL, page INTEGER NOT NULL)
                STRICT, WITHOUT ROWID
            """
    }

    /// Whether `document` is one of a row of the table, as a condition that is never NULL.
    private func holds(_ document: String) -> String {
        (declaration.condition?.parts ?? []).map { part in
            let values = part.values.map { $0 == .bool(false) ? .null : $0 }
            let any = values.map { Equality.isPlain($0, at: part.path, of: document) }.anyHolds
            return "(\(any))"
        }.joined(separator: " AND ")
    }

    private var conditionStatements: ConditionStatements {
        let isOut = "NOT (\(holds("pulled.document")))"
        let writable = isWritable ? WritableTable(list: self) : nil
        let isNeeded = writable.map { "\n    AND NOT (\($0.isNeeded))" } ?? ""
        return ConditionStatements(
            pages: """
                SELECT page FROM temp.\(aside)
                UNION SELECT position / 10000000 FROM temp.\(staged) AS pulled WHERE \(isOut)
                """,
            setAside: [
                """
                INSERT OR IGNORE INTO temp.\(aside) (key, page)
                SELECT key, position / 10000000 FROM temp.\(staged) AS pulled WHERE \(isOut)\(isNeeded)
                """,
                "DELETE FROM temp.\(staged) WHERE key IN (SELECT key FROM temp.\(aside))",
            ],
            hasKept: "SELECT EXISTS (SELECT 1 FROM temp.\(staged) AS pulled WHERE \(isOut))",
            leavesWithChange: writable.map {
                "\(isOut) AND NOT (\($0.isNeeded)) AND \($0.hasChangeToLose)"
            },
            deleted: writable.map {
                """
                SELECT row_id FROM operation CROSS JOIN \($0.known) AS known ON known.id = row_id
                WHERE list = \(listName) AND kind = 'delete' AND answered_ms IS NOT NULL
                    AND known.server_id IN (SELECT key FROM temp.\(aside))
                """
            },
            leaveOut: writable.map {
                """
                DELETE FROM temp.\(differing) WHERE position IN (
                    SELECT position FROM temp.\(staged) AS pulled
                    WHERE \(isOut) AND NOT EXISTS (
                        SELECT 1 FROM \($0.known) AS known WHERE known.server_id = pulled.key))
                """
            },
            isOut: "SELECT NOT (\(holds("?1")))",
            isAside: writable.map {
                "(\($0.known).server_id IN (SELECT key FROM temp.\(aside)) AND NOT \($0.hasOperation))"
            } ?? "\(table).\(key) IN (SELECT key FROM temp.\(aside))")
    }
}

extension WritableTable {
    /// A row that the list shows with a mark is alive, and may come back.
    var andIsNotAside: String {
        list.createAside == nil
            ? ""
            : "\n            AND departed.server_id NOT IN (SELECT key FROM temp.\(list.aside))"
    }

    /// A create is found among such rows by a mark of its own alone: another row may have looked like it all the time.
    private var mayBeNew: String {
        guard let mark = markColumn else { return "" }
        return """

                OR pulled.\(part(mark)) IS NOT NULL
                    AND EXISTS (SELECT 1 FROM operation
                        WHERE list = \(listName) AND kind = 'create' AND state <> 'queued')
                    AND NOT EXISTS (SELECT 1 FROM \(known) AS known WHERE known.server_id = pulled.key)
            """
    }

    /// Whether the pulled row, for which `while` does not hold, is looked at all the same: a change of it waits, or it
    /// may be the row of a create. A delete that marks the row is done once the mark is there; one by DELETE can be
    /// sent again, unless the server has refused it. Nor is a change needed that the server did not find the row for.
    fileprivate var isNeeded: String {
        let isMark = list.declaration.calls[.delete].map { $0.method != .delete } ?? false
        let states = isMark ? "'rejected', 'sending', 'in doubt'" : "'rejected'"
        let isDeleted = "kind = 'delete' AND (answered_ms IS NOT NULL OR state IN (\(states)))"
        let isNotFound =
            "state IN ('in doubt', 'rejected') AND ifnull(last_status, 0) IN (404, 410)"
        return """
            (SELECT ifnull(NOT max(\(isDeleted)) AND NOT max(\(isNotFound)), 0)
                    FROM \(known) AS known CROSS JOIN operation
                        ON operation.list = \(listName) AND operation.row_id = known.id
                    WHERE known.server_id = pulled.key)
                OR EXISTS (SELECT 1 FROM \(known) AS known CROSS JOIN trail
                    ON trail.list = \(listName) AND trail.row_id = known.id AND trail.is_new = 1
                    WHERE known.server_id = pulled.key)\(mayBeNew)
            """
    }

    /// Whether the pulled row has an edit that waits, or a change that was refused, and no delete that may have taken
    /// effect.
    fileprivate var hasChangeToLose: String {
        """
        (SELECT ifnull(max(kind = 'update' OR state = 'rejected') AND NOT max(kind = 'delete' AND state <> 'rejected'), 0)
            FROM \(known) AS known CROSS JOIN operation
                ON operation.list = \(listName) AND operation.row_id = known.id
            WHERE known.server_id = pulled.key)
        """
    }
}
