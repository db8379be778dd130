internal import Declarations

/// How a list that programs write to is brought back to its laws after writes that its triggers did not see.
/// `applying` names the list in `control` with ``mend``.
///
/// The server's documents and the queue are the truth; a row that nobody else knows is a wish of a program. A
/// row that is missing is none: nothing is deleted at the server for it.
public struct SweepStatements: Sendable, Hashable {
    /// Rows of the server that are neither shown nor hidden.
    public let countLost: String
    /// Rows that neither the server nor the queue knows.
    public let countUnknown: String
    /// Rows that are not what their documents say, though no update of them waits.
    public let countChanged: String
    /// Operations whose row is not there any more, and which the server cannot bring back.
    public let countOrphans: String
    /// All rows that are shown.
    public let countRows: String
    /// Documents that are no JSON: of these nothing can be told.
    public let countUnreadable: String
    /// Bring everything back to the laws, in this order.
    public let mend: [String]
    /// The new creates whose row cannot be sent: their number in the queue, and the column at fault.
    public let unsendable: String
}

extension ListTable {
    /// Nil for a list that programs only read.
    public var sweepStatements: SweepStatements? {
        isWritable ? WritableTable(list: self).sweepStatements : nil
    }
}

extension WritableTable {
    fileprivate var sweepStatements: SweepStatements {
        SweepStatements(
            countLost: "SELECT count(*) FROM (\(lost))",
            countUnknown: "SELECT count(*) FROM (\(unqueued))",
            countChanged: "SELECT count(*) FROM (\(changed))",
            countOrphans: "SELECT count(*) FROM (\(orphans))",
            countRows: "SELECT count(*) FROM \(table)",
            countUnreadable: "SELECT count(*) FROM \(known) WHERE NOT json_valid(document)",
            mend: keepIDs + rowsOfOneDelete + [shownByServer] + hiddenByDelete + edits
                + likeDocuments + newRows + withoutRow + [mirrorAll],
            unsendable: """
                SELECT own.seq, unusable.wrong, own.row_id FROM operation AS own JOIN (\(unusable)) AS unusable
                    ON unusable.\(id) = own.row_id
                WHERE own.list = \(listName) AND own.kind = 'create' AND own.state = 'queued'
                """)
    }

    private var lost: String {
        """
        SELECT known.id FROM \(known) AS known
        WHERE NOT \(isHidden("known.id"))
            AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = known.id)
        """
    }

    private var unqueued: String {
        """
        SELECT shown.\(id) AS id FROM \(table) AS shown
        WHERE NOT \(isKnown("shown.\(id)")) AND NOT \(has("shown.\(id)", "kind = 'create'"))
        """
    }

    /// What a document says of each field.
    private var projected: [(column: Column, value: String)] {
        let projection = Projection(document: "known.document")
        return fields.map { ($0, "(\(projection.shown($0)))") }
    }

    private var changed: String {
        let differs = projected.map {
            Equality.differ($0.column, "shown.\(SQLName($0.column.name))", $0.value)
        }
        return """
            SELECT known.id FROM \(known) AS known JOIN \(table) AS shown ON shown.\(id) = known.id
            WHERE NOT \(has("known.id", "kind = 'update'"))
                AND (\(differs.anyHolds))
            """
    }

    private var orphans: String {
        """
        SELECT seq FROM operation
        WHERE list = \(listName) AND NOT \(isKnown("row_id")) AND NOT \(isHidden("row_id"))
            AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = row_id)
        """
    }

    /// An id that stands for a row is not given again. One that cannot be given at all becomes the next that can:
    /// such a row has made the number of the last one useless, too.
    private var keepIDs: [String] {
        let isGiven = "BETWEEN 1 AND \(Self.largestID)"
        let known = [
            "SELECT shown.\(id) AS id FROM \(table) AS shown",
            "SELECT known.id FROM \(known) AS known",
            "SELECT hidden.id FROM \(hidden) AS hidden",
        ]
        let named = ["operation", "withdrawn", "departed"].map {
            "SELECT row_id FROM \($0) WHERE list = \(listName)"
        }
        let all = (known + named + ["SELECT \(list.counted)", "SELECT \(list.highestID)"])
            .joined(separator: "\nUNION ALL ")
        return [
            list.raise(to: "0")[0],
            """
            UPDATE highest_id SET id = (SELECT coalesce(max(id), 0) FROM (\(all)) WHERE id \(isGiven))
            WHERE list = \(listName)
            """,
            """
            UPDATE \(table) SET \(id) = next.id FROM (
                SELECT shown.\(id) AS old, own.id + row_number() OVER (ORDER BY shown.\(id)) AS id
                FROM \(table) AS shown JOIN highest_id AS own ON own.list = \(listName)
                WHERE shown.\(id) NOT \(isGiven)
            ) AS next WHERE next.old = \(table).\(id)
            """,
            "UPDATE sqlite_sequence SET seq = 0 WHERE name = \(listName) AND seq NOT \(isGiven)",
        ] + list.keepIDs + list.countOn
    }

    /// A row that is shown and hidden: its delete decides.
    private var rowsOfOneDelete: [String] {
        [
            """
            DELETE FROM \(table) WHERE \(isHidden("\(table).\(id)"))
                AND \(has("\(table).\(id)", "kind = 'delete' AND state <> 'rejected'"))
            """,
            "DELETE FROM \(hidden) WHERE id IN (SELECT \(id) FROM \(table))",
        ]
    }

    /// Where rows can be changed, a value that is not the document's is an edit.
    private var edits: [String] {
        guard updates else { return [] }
        let bits = projected.compactMap { column, value in
            updatable.firstIndex(of: column).map { index in
                let differs = Equality.differ(column, "shown.\(SQLName(column.name))", value)
                return "iif(\(differs), \(UInt64(1) << UInt64(index)), 0)"
            }
        }.joined(separator: " | ")
        return [
            """
            INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
            SELECT \(listName), 'update', id, bits, \(Self.newKey), \(Self.nowMilliseconds)
            FROM (SELECT known.id, \(bits) AS bits
                FROM \(known) AS known JOIN \(table) AS shown ON shown.\(id) = known.id
                WHERE NOT \(has("known.id", "kind = 'update'")))
            WHERE bits <> 0
            """
        ]
    }

    /// A row that nobody knows is a new one; where the server takes none, it goes.
    private var newRows: [String] {
        guard creates else { return ["DELETE FROM \(table) WHERE \(id) IN (\(unqueued))"] }
        return [
            """
            DELETE FROM operation WHERE list = \(listName) AND kind = 'create' AND \(isKnown("row_id"))
            """,
            """
            INSERT INTO operation (list, kind, row_id, idempotency_key, queued_at)
            SELECT \(listName), 'create', id, \(Self.newKey), \(Self.nowMilliseconds)
            FROM (\(unqueued)) ORDER BY id
            """,
        ] + marksOfNewRows
    }

    /// What no create can give.
    private var marksOfNewRows: [String] {
        guard laterFields != 0 else { return [] }
        let bits = updatable.enumerated().filter { givenLater.contains($0.element) }.map {
            "iif(shown.\(SQLName($0.element.name)) IS NOT NULL, \(UInt64(1) << UInt64($0.offset)), 0)"
        }.joined(separator: " | ")
        return [
            """
            INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
            SELECT \(listName), 'update', id, bits, \(Self.newKey), \(Self.nowMilliseconds)
            FROM (SELECT shown.\(id) AS id, \(bits) AS bits FROM \(table) AS shown
                WHERE NOT \(isKnown("shown.\(id)")) AND NOT \(has("shown.\(id)", "kind = 'update'")))
            WHERE bits <> 0
            """
        ]
    }

    private var withoutRow: [String] {
        ["DELETE FROM operation WHERE seq IN (\(orphans))"]
    }

    private var mirrorAll: String {
        """
        UPDATE \(table) SET \(mirrored("\(table).\(id)"))
        WHERE \(isOtherwise("\(table)", "\(table).\(id)"))
        """
    }
}
