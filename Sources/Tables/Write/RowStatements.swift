internal import Declarations

/// How syncd itself writes rows of a list that programs write to, while `applying` names the list in `control`. `?1` is
/// the local id with each.
public struct RowStatements: Sendable, Hashable {
    /// Remove a row with its operations: nobody has it any more.
    public let forget: [String]
    /// Make the row of a create that of the server: `?2` its id there, `?3` its document. The create is still in
    /// the queue; that it goes is up to the caller.
    public let adopt: [String]
    /// Give a row that is at the server another id there, `?2`.
    public let move: [String]
    /// Tells whoever follows the change log that a row is as it is now.
    public let tellChanged: String
    /// The same of a row that is back.
    public let tellAdded: String
    /// A document of the row's own columns: `?2` its id at the server.
    public let document: String
    /// Make a row of the server that of a rejected create again.
    public let takeBack: [String]
    /// Records a conflict of the row as a whole: `?2` why, `?3` ours.
    public let tellConflict: String
    /// Show in a row what its operations say, after these were changed. `applying` need not name the list.
    public let follow: [String]
    /// The same after a delete was changed: one that waits hides its row.
    public let followDelete: [String]
}

/// How syncd reads the queue of a list that programs write to.
public struct QueueStatements: Sendable, Hashable {
    /// The operations that are not rejected, in their order. First stands a text: operations of equal ones go one
    /// after another.
    public let waiting: String
    /// The updates and deletes that are queued: each with the texts that the server has of its row, a column each, and
    /// behind them those that it leaves there. Nil where rows have no texts that programs write.
    public let freed: String?
    /// The creates that are queued, each with the texts of its row in the same columns.
    public let taken: String?
    /// What is sent of the operation `?1`: its kind, the id of its row at the server, its key, its attempts, the
    /// version of its row, the value of each field as JSON, and what the server has in `Declaration.addressingColumns`.
    public let outgoing: String
    /// The row in the answer to a create, `?1`: its id and its document; no row if it is none.
    public let answered: String
    /// The row in the answer to an update, in the same way, at each place where one of the calls has it.
    public let answeredUpdates: [String]
    /// The row in the answer to a read of one row, in the same way; nil where there is no such call.
    public let answeredRead: String?
    /// What the server has in each of `Declaration.readNames` of the row `?1`, as JSON. Nil where those are none.
    public let addressed: String?
    /// The values that the create `?1` sent, and below them those of the document `?2`, as far as a new row can have
    /// them; nil where creates are not looked for by columns.
    public let compared: String?
    /// Whether the document `?1` has the mark of a create; nil where creates carry none.
    public let showsMark: String?
    /// The id that the answer to a create, `?1`, names where its call says so; nil where it says nothing.
    public let answeredID: String?
    /// The same for an id that a header names, `?1`: the id, and a document that has it alone; no row if it is none.
    public let named: String
    /// The document `?1` with what the answer `?2` shows of it: what an answer leaves out stays as it was.
    public let laidOver: String
    /// Whether the row `?1` is the one that the server shows with the id `?2` and the document `?3`.
    public let isSameRow: String
    /// The row that has the id `?1` of the answer `?3` to the create of the row `?2`. Then two facts: whether it is
    /// the same one by what makes a row that row, and whether this cycle's pull has not shown it.
    public let owner: String
    /// At how many characters the server has cut the text by which the create of the row `?1` is found: `?2` is the
    /// document that it answered. No row where it has not; nil where creates are not found by one text.
    public let cut: String?

    /// A rejected create that the server had acknowledged: it is never sent again, unless a person says so.
    public static var wasAcknowledged: String {
        "(answered_ms IS NOT NULL AND last_status IS NULL)"
    }

    /// What begins an operation anew, in an UPDATE of `operation`.
    public static var anew: String { WritableTable.anew }
}

extension ListTable {
    /// Nil for a list that programs only read.
    public var rowStatements: RowStatements? {
        isWritable ? madeRowStatements { WritableTable(list: self).rowStatements } : nil
    }

    /// Nil for a list that programs only read.
    public var queueStatements: QueueStatements? {
        isWritable ? madeQueueStatements { WritableTable(list: self).queueStatements } : nil
    }
}

extension WritableTable {
    fileprivate var rowStatements: RowStatements {
        RowStatements(
            forget: forget, adopt: adopt, move: move, tellChanged: tellOwn("changed", "\(state)"),
            tellAdded: tellOwn("added", "\(state)"), document: ownDocument, takeBack: takeBack,
            tellConflict: """
                INSERT INTO conflict (at, list, row_id, why, mine)
                VALUES (\(Self.nowMilliseconds), \(listName), ?1, ?2, ?3)
                """,
            follow: follow("?1"), followDelete: followDelete("?1"))
    }

    /// Who follows the log hears first of the row, then of its operations. These are told of with its title, so it
    /// is kept for so long.
    private var forget: [String] {
        [
            tellOwn("removed", "NULL"),
            hideShown("?1", where: has("?1", "true")),
            "DELETE FROM \(table) WHERE \(id) = ?1",
            "DELETE FROM operation WHERE list = \(listName) AND row_id = ?1",
            "DELETE FROM withdrawn WHERE list = \(listName) AND row_id = ?1",
            "DELETE FROM \(hidden) WHERE id = ?1",
            "DELETE FROM \(known) WHERE id = ?1",
            "DELETE FROM trail WHERE list = \(listName) AND row_id = ?1",
        ]
    }

    private var takeBack: [String] {
        [
            "DELETE FROM operation WHERE list = \(listName) AND row_id = ?1",
            """
            INSERT INTO operation (list, kind, row_id, state, attempts, idempotency_key, queued_at, last_error,
                answered_boot, answered_ms)
            SELECT \(listName), 'create', ?1, 'rejected', 1, \(Self.newKey), \(Self.nowMilliseconds),
                'the server said yes, and no list has shown the row since', answered_boot, answered_ms
            FROM trail WHERE list = \(listName) AND row_id = ?1
            """,
            "DELETE FROM trail WHERE list = \(listName) AND row_id = ?1",
            "DELETE FROM \(known) WHERE id = ?1",
        ]
    }

    private var ownDocument: String {
        let made = DocumentText(list.declaration, serverID: "?2") { "own.\(part($0))" }
        let shown = fields.map { "\(SQLName($0.name)) AS \(part($0)), " }.joined()
        let hidden = fields.map { "\(part($0)), " }.joined()
        return """
            SELECT \(made.sql) FROM (SELECT \(shown)\(id) AS id FROM \(table) WHERE \(id) = ?1
                UNION ALL SELECT \(hidden)id FROM \(self.hidden) WHERE id = ?1) AS own
            """
    }

    /// Tells of what syncd does with the row `?1`, unless the pull is told as one.
    private func tellOwn(_ change: String, _ state: String) -> String {
        """
        INSERT INTO change (list, change, row_id, title, state)
        SELECT \(listName), '\(change)', \(id), \(list.title("\(table)")), \(state)
        FROM \(table) WHERE \(id) = ?1 AND (SELECT paused FROM control) IS NOT \(listName)
        """
    }

    private var adopt: [String] {
        let projection = Projection(document: "?3")
        let values = fields.map { ($0, projection.shown($0)) }
        let shown =
            values.map { column, value in
                "\(SQLName(column.name)) = \(unlessEdited(column, SQLName(column.name), value))"
            } + ["\(state) = 'synced', \(error) = NULL, \(serverID) = ?2"]
        let hidden =
            values.map { column, value in
                "\(part(column)) = \(unlessEdited(column, part(column), value))"
            } + ["server_id = ?2"]
        return [
            "UPDATE \(table) SET \(shown.joined(separator: ",\n    ")) WHERE \(id) = ?1",
            "UPDATE \(self.hidden) SET \(hidden.joined(separator: ",\n    ")) WHERE id = ?1",
            "INSERT INTO \(known) (id, server_id, document) VALUES (?1, ?2, ?3)",
        ]
    }

    private var move: [String] {
        [
            "UPDATE \(table) SET \(serverID) = ?2 WHERE \(id) = ?1",
            "UPDATE \(hidden) SET server_id = ?2 WHERE id = ?1",
            "UPDATE \(known) SET server_id = ?2 WHERE id = ?1",
        ]
    }

    /// What was edited while the create was under way waits over the row as the server has it.
    private func unlessEdited(_ column: Column, _ own: SQLName, _ value: String) -> String {
        updatable.contains(column) ? "iif(\(isEdit(column, of: "?1")), \(own), \(value))" : value
    }
}
