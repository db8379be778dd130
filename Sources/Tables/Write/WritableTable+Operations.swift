internal import Declarations

/// What operations say of their rows, and how a row follows them.
extension WritableTable {
    static let now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
    static let nowMilliseconds =
        "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)"
    static let newKey = "lower(hex(randomblob(16)))"
    /// What begins an operation anew. A server that honours idempotency keys may repeat its refusal under the
    /// old key.
    static let anew = """
        state = 'queued', attempts = 0, idempotency_key = \(newKey), sent = NULL,
            refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
            wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
            last_status = NULL, last_error = NULL, stale_version = NULL,
            answered_boot = NULL, answered_ms = NULL,
            refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
        """

    static let isUnsentCreate = "kind = 'create' AND (state = 'queued' OR state = 'rejected')"
    static let isSentCreate =
        "kind = 'create' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')"
    /// An update that waits: it marks the fields that programs wrote.
    static let isMark = "kind = 'update' AND stage = 1"

    /// The operations of a row that fulfil a condition.
    func operations(_ row: String, _ condition: String, in queue: String = "operation") -> String {
        "FROM \(queue) WHERE list = \(listName) AND row_id = \(row) AND \(condition)"
    }

    /// The alias keeps `operation.row_id`, as a `row`, that of the statement around it.
    func has(_ row: String, _ condition: String, in queue: String = "operation") -> String {
        let isOfRow = "own.list = \(listName) AND own.row_id = \(row)"
        return "EXISTS (SELECT 1 FROM \(queue) AS own WHERE \(isOfRow) AND \(condition))"
    }

    func isKnown(_ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(known) AS known WHERE known.id = \(row))"
    }

    func isHidden(_ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(hidden) AS hidden WHERE hidden.id = \(row))"
    }

    /// Queues an operation of a row. `fields` are the bits of a mark.
    func queue(
        _ kind: WriteCall.Kind, of row: String, fields: String = "0", where condition: String
    ) -> String {
        """
        INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
        SELECT \(listName), '\(kind.rawValue)', \(row), \(fields), \(Self.newKey),
            \(Self.nowMilliseconds)
        WHERE \(condition);
        """
    }

    // MARK: What a row shows of its operations

    /// The state and the error of the operation that a row shows, as one row: a create before an update, what is sent
    /// before what waits, and a delete only where nothing else is; last what the server has acknowledged. Beside min(), the other columns are those of the
    /// row that it finds.
    /// Source: https://www.sqlite.org/lang_select.html#bareagg
    private func told(_ row: String) -> String {
        """
        (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
                min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                    THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
            \(operations(row, "true"))))
        """
    }

    func stateOf(_ row: String) -> String { "(SELECT state FROM \(told(row)))" }
    func errorOf(_ row: String) -> String { "(SELECT last_error FROM \(told(row)))" }
    func serverIDOf(_ row: String) -> String {
        "(SELECT known.server_id FROM \(known) AS known WHERE known.id = \(row))"
    }

    /// Sets a row's bookkeeping to what its operations say.
    func mirrored(_ row: String) -> String {
        """
        (\(state), \(error)) = \(told(row)),
            \(serverID) = \(serverIDOf(row)), \(added) = coalesce(\(added), \(Self.now))\(
                copies.map { ",\n    \($0.name) = \(copy($0.source, of: row))" }.joined())
        """
    }

    /// Whether the row `rows` has another bookkeeping than that.
    func isOtherwise(_ rows: String, _ row: String) -> String {
        """
        ((\(rows).\(state), \(rows).\(error)) IS NOT \(told(row))
            OR \(rows).\(serverID) IS NOT \(serverIDOf(row)) OR \(rows).\(added) IS NULL\(
                copies.map { "\n    OR \(rows).\($0.name) IS NOT \(copy($0.source, of: row))" }.joined()))
        """
    }

    /// Brings a row's bookkeeping to what its operations say.
    func mirror(_ row: String, where condition: String = "true") -> String {
        "UPDATE \(table) SET \(mirrored(row))\nWHERE \(id) = \(row) AND (\(condition));"
    }

    /// Tells that ``mirror(_:where:)`` is about to change what a row shows, outside of syncd's own writes.
    /// What the operations say stands first: SQLite would keep it in a table of its own otherwise.
    private func tellMirror(_ row: String, where condition: String) -> String {
        """
        INSERT INTO change (list, change, row_id, title, state)
        SELECT \(listName), 'changed', \(id), \(list.title("\(table)")), told.state
        FROM \(told(row)) AS told CROSS JOIN \(table)
        WHERE \(id) = \(row) AND \(list.isProgram) AND \(condition)
            AND (\(table).\(state) IS NOT told.state OR \(table).\(error) IS NOT told.last_error);
        """
    }

    // MARK: Rows that a delete hides

    private var parts: [SQLName] { fields.map { part($0) } }
    private var names: [SQLName] { fields.map { SQLName($0.name) } }

    /// Keeps a row whole while it is hidden; `row` has its values.
    func hide(_ row: String, where condition: String) -> String {
        """
        INSERT INTO \(hidden) (id, \(parts.listed)server_id, added_at)
        SELECT \(row).\(id), \(names.map { "\(row).\($0), " }.joined())\(row).\(serverID), \(row).\(added)
        WHERE \(condition) AND NOT \(isHidden("\(row).\(id)"));
        """
    }

    /// Keeps the row with the id `row` as it is shown.
    func hideShown(_ row: String, where condition: String) -> String {
        """
        INSERT INTO \(hidden) (id, \(parts.listed)server_id, added_at)
        SELECT shown.\(id), \(names.map { "shown.\($0), " }.joined())shown.\(serverID), shown.\(added)
        FROM \(table) AS shown WHERE shown.\(id) = \(row) AND \(condition)
            AND NOT \(isHidden(row))
        """
    }

    // MARK: Following the queue

    /// Show in the row `row` what its operations say, after these were changed. No trigger on the queue does so:
    /// each program that writes an operation would compile those of all lists.
    func follow(_ row: String, where condition: String = "true") -> [String] {
        [tellMirror(row, where: condition), mirror(row, where: condition)]
    }

    /// The same after a delete was changed: one that waits hides its row.
    func followDelete(_ row: String, where condition: String = "true") -> [String] {
        (deletes ? showing(row, where: condition) : []) + follow(row, where: condition)
    }

    private func showing(_ row: String, where condition: String) -> [String] {
        let isLeaving = has(row, "kind = 'delete' AND state <> 'rejected'")
        let (shows, hides) = ("\(condition) AND NOT \(isLeaving)", "\(condition) AND \(isLeaving)")
        return [
            """
            INSERT INTO \(table) (\(id), \(names.listed)\(serverID), \(added), \(state), \(error))
            SELECT hidden.id, \(parts.map { "hidden.\($0), " }.joined())\(serverIDOf(row)), hidden.added_at,
                told.state, told.last_error
            FROM \(hidden) AS hidden CROSS JOIN \(told(row)) AS told WHERE hidden.id = \(row) AND \(shows)
                AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = \(row));
            """,
            "DELETE FROM \(hidden) WHERE id = \(row) AND \(shows);",
            hideShown(row, where: hides) + ";",
            "DELETE FROM \(table) WHERE \(id) = \(row) AND \(hides);",
        ]
    }

    /// Tells of a row as it stands after a program's write. `change` is a value.
    func tell(_ change: String, _ row: String, where condition: String? = nil) -> String {
        let more = condition.map { " AND \($0)" } ?? ""
        return """
            INSERT INTO change (list, change, row_id, title, state)
            SELECT \(listName), \(change), \(id), \(list.title("\(table)")), \(state)
            FROM \(table) WHERE \(id) = \(row)\(more);
            """
    }
}

extension [SQLName] {
    /// With a comma after each.
    fileprivate var listed: String { map { "\($0), " }.joined() }
}

extension WritableTable {
    /// The value of a column in the row of an operation, shown or hidden.
    func ownValue(of column: Column) -> String {
        """
        coalesce(
            (SELECT shown.\(SQLName(column.name)) FROM \(table) AS shown WHERE shown.\(id) = operation.row_id),
            (SELECT hidden.\(part(column)) FROM \(hidden) AS hidden WHERE hidden.id = operation.row_id))
        """
    }
}
