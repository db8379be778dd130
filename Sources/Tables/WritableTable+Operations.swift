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
            refuted = 0, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
            wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
            last_status = NULL, last_error = NULL, stale_version = NULL
        """

    static let isUnsentCreate = "kind = 'create' AND (state = 'queued' OR state = 'rejected')"
    static let isSentCreate = "kind = 'create' AND (state = 'sending' OR state = 'in doubt')"
    /// An update that waits: it marks the fields that programs wrote.
    static let isMark = "kind = 'update' AND stage = 1"

    /// The operations of a row that fulfil a condition.
    func operations(_ row: String, _ condition: String, in queue: String = "operation") -> String {
        "FROM \(queue) WHERE resource = \(resource) AND row_id = \(row) AND \(condition)"
    }

    func has(_ row: String, _ condition: String, in queue: String = "operation") -> String {
        "EXISTS (SELECT 1 \(operations(row, condition, in: queue)))"
    }

    func isKnown(_ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(known) AS known WHERE known.id = \(row))"
    }

    func isHidden(_ row: String) -> String {
        "EXISTS (SELECT 1 FROM \(hidden) AS hidden WHERE hidden.id = \(row))"
    }

    /// Queues an operation of a row. `fields` are the bits of a mark.
    func queue(
        _ kind: WriteCall.Kind, of row: String, fields: UInt64 = 0, where condition: String
    ) -> String {
        """
        INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
        SELECT \(resource), '\(kind.rawValue)', \(row), \(fields), \(Self.newKey),
            \(Self.nowMilliseconds)
        WHERE \(condition);
        """
    }

    // MARK: What a row shows of its operations

    /// Of the operation that a row shows. The index has creates before updates, and what is sent before what
    /// waits; a delete shows only where nothing else does.
    private func first(_ column: String, _ row: String) -> String {
        """
        (SELECT \(column) \(operations(row, "kind <> 'delete'"))
            ORDER BY kind, stage LIMIT 1)
        """
    }

    private func ofDelete(_ column: String, _ row: String) -> String {
        "(SELECT \(column) \(operations(row, "kind = 'delete'")))"
    }

    func stateOf(_ row: String) -> String {
        "coalesce(\(first("state", row)), \(ofDelete("state", row)), 'synced')"
    }

    /// An operation that is shown and has no error hides that of a delete.
    func errorOf(_ row: String) -> String {
        """
        iif(\(has(row, "kind <> 'delete'")), \(first("last_error", row)),
            \(ofDelete("last_error", row)))
        """
    }
    func serverIDOf(_ row: String) -> String {
        "(SELECT known.server_id FROM \(known) AS known WHERE known.id = \(row))"
    }

    /// Brings a row's bookkeeping to what its operations say.
    func mirror(_ row: String, where condition: String? = nil) -> String {
        let more = condition.map { " AND (\($0))" } ?? ""
        return """
            UPDATE \(table) SET \(state) = \(stateOf(row)),
                \(error) = \(errorOf(row)),
                \(serverID) = \(serverIDOf(row)), \(added) = coalesce(\(added), \(Self.now))
            WHERE \(id) = \(row)\(more);
            """
    }

    /// Tells that ``mirror(_:)`` is about to change what a row shows, outside of syncd's own writes.
    private func tellMirror(_ row: String, where condition: String? = nil) -> String {
        let more = condition.map { " AND \($0)" } ?? ""
        return """
            INSERT INTO change (resource, change, row_id, title, state)
            SELECT \(resource), 'changed', \(id), \(list.title("\(table)")), \(stateOf(row))
            FROM \(table) WHERE \(id) = \(row) AND \(Self.isProgram)\(more)
                AND (\(state) IS NOT \(stateOf(row)) OR \(error) IS NOT \(errorOf(row)));
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

    /// Shows a hidden row again, with the bookkeeping that its operations say.
    private func show(_ row: String, where condition: String) -> [String] {
        [
            """
            INSERT INTO \(table) (\(id), \(names.listed)\(serverID), \(added), \(state), \(error))
            SELECT hidden.id, \(parts.map { "hidden.\($0), " }.joined())\(serverIDOf(row)), hidden.added_at,
                \(stateOf(row)), \(errorOf(row))
            FROM \(hidden) AS hidden WHERE hidden.id = \(row) AND \(condition)
                AND NOT EXISTS (SELECT 1 FROM \(table) AS shown WHERE shown.\(id) = \(row));
            """,
            "DELETE FROM \(hidden) WHERE id = \(row) AND \(condition);",
        ]
    }

    // MARK: Triggers on the queue

    /// A delete that the server refuses shows its row again; one that is tried again hides it.
    var followed: SchemaObject {
        let isRetried = "NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected'"
        let showing =
            deletes
            ? show(
                "NEW.row_id",
                where: "NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected'")
                + [
                    hideShown("NEW.row_id", where: isRetried) + ";",
                    "DELETE FROM \(table) WHERE \(id) = NEW.row_id AND \(isRetried);",
                ]
            : []
        let isSeen = "NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error"
        return trigger(
            "followed",
            // A statement that sets none of these columns has no program for any list.
            """
            AFTER UPDATE OF state, last_error, attempts, wait_shown, last_status, idempotency_key ON operation
            """,
            when: """
                NEW.resource = \(resource) AND (\(isSeen) OR NEW.attempts IS NOT OLD.attempts
                    OR NEW.wait_shown IS NOT OLD.wait_shown OR NEW.last_status IS NOT OLD.last_status
                    OR NEW.idempotency_key IS NOT OLD.idempotency_key)
                """,
            showing + [
                tellMirror("NEW.row_id"), mirror("NEW.row_id"),
                tellQueue("changed", "NEW", "NEW.state"),
            ])
    }

    /// A delete that goes shows its row again, unless syncd removes the row with its operations.
    var freed: SchemaObject {
        let isFreed = "(SELECT leaving FROM control) IS NOT OLD.row_id"
        let showing =
            deletes
            ? show("OLD.row_id", where: "OLD.kind = 'delete' AND \(isFreed)") : []
        return trigger(
            "freed", "AFTER DELETE ON operation", when: "OLD.resource = \(resource)",
            showing + [
                tellMirror("OLD.row_id", where: isFreed),
                mirror("OLD.row_id", where: isFreed),
                tellQueue("removed", "OLD", "NULL"),
            ])
    }

    var queued: SchemaObject {
        trigger(
            "queued", "AFTER INSERT ON operation", when: "NEW.resource = \(resource)",
            [tellQueue("added", "NEW", "NEW.state")])
    }

    /// Tells of an operation, with the title of its row, shown or hidden.
    private func tellQueue(_ change: String, _ operation: String, _ state: String) -> String {
        let title = list.label.map { label in
            """
            substr(coalesce(
                    (SELECT shown.\(SQLName(label.name)) FROM \(table) AS shown
                        WHERE shown.\(id) = \(operation).row_id),
                    (SELECT hidden.\(part(label)) FROM \(hidden) AS hidden
                        WHERE hidden.id = \(operation).row_id)), 1, 500)
            """
        }
        return """
            INSERT INTO change (resource, change, row_id, title, state, op)
            VALUES ('outbox', '\(change)', \(operation).seq,
                \(title ?? "NULL"), \(state), \(operation).kind);
            """
    }

    /// Tells of a row as it stands after a program's write. `change` is a value.
    func tell(_ change: String, _ row: String, where condition: String? = nil) -> String {
        let more = condition.map { " AND \($0)" } ?? ""
        return """
            INSERT INTO change (resource, change, row_id, title, state)
            SELECT \(resource), \(change), \(id), \(list.title("\(table)")), \(state)
            FROM \(table) WHERE \(id) = \(row)\(more);
            """
    }
}

extension [SQLName] {
    /// With a comma after each.
    fileprivate var listed: String { map { "\($0), " }.joined() }
}
