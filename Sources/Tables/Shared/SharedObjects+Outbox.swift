internal import Declarations

extension SharedObjects {
    /// The queue as programs see it. Of `lists`, those count that programs write to.
    public static func outbox(of lists: [ListTable]) -> [SchemaObject] {
        let tables = lists.filter { !$0.declaration.isReadOnly }.map(WritableTable.init)
        return [view(of: tables), insertRefusal, deletes(of: tables), updates(of: tables)]
            + rowFollows(of: tables) + log(of: tables)
    }

    /// The name of the row of an operation, shown or hidden.
    private static func title(_ operation: String, _ tables: [WritableTable]) -> String {
        let cases = tables.compactMap { table in
            table.list.label.map { label in
                """
                    WHEN \(table.listName) THEN coalesce(
                        (SELECT shown.\(SQLName(label.name)) FROM \(table.table) AS shown
                            WHERE shown.\(table.id) = \(operation).row_id),
                        (SELECT hidden.\(table.part(label)) FROM \(table.hidden) AS hidden
                            WHERE hidden.id = \(operation).row_id))
                """
            }
        }
        let id = "CAST(\(operation).row_id AS TEXT)"
        guard !cases.isEmpty else { return id }
        return "CASE \(operation).list\n\(cases.joined(separator: "\n"))\n    ELSE \(id)\nEND"
    }

    private static func view(of tables: [WritableTable]) -> SchemaObject {
        SchemaObject(
            name: "outbox",
            sql: """
                CREATE VIEW outbox AS
                SELECT seq, kind AS op, iif(list = 'todos', row_id, NULL) AS todo_id,
                    \(title("operation", tables)) AS title,
                    state, attempts,
                    strftime('%Y-%m-%dT%H:%M:%fZ', wait_shown / 1000.0, 'unixepoch') AS not_before,
                    last_status, last_error, idempotency_key,
                    strftime('%Y-%m-%dT%H:%M:%fZ', queued_at / 1000.0, 'unixepoch') AS queued_at,
                    list, row_id
                FROM operation WHERE kind <> 'delete' OR state <> 'acknowledged'
                """)
    }

    private static func trigger(_ verb: String, _ body: [String]) -> SchemaObject {
        let name = "outbox_\(verb.lowercased())"
        return SchemaObject(
            name: name,
            sql: """
                CREATE TRIGGER \(name) INSTEAD OF \(verb) ON outbox
                BEGIN
                \(body.joined(separator: "\n").indented)
                END
                """)
    }

    private static func refuse(_ sentence: String, where wrong: String) -> String {
        "SELECT RAISE(ABORT, \(SQLText(sentence)))\nWHERE \(wrong);"
    }

    private static let insertRefusal = trigger(
        "INSERT",
        [
            "SELECT RAISE(ABORT, 'operations are queued by writing to the tables: INSERT, UPDATE or DELETE there');"
        ])

    /// A dropped delete shows its row again; a dropped create takes its row along; what a dropped update
    /// wrote is taken back when syncd looks.
    private static func deletes(of tables: [WritableTable]) -> SchemaObject {
        let creates = tables.filter(\.creates).map { table in
            """
            DELETE FROM \(table.table)
            WHERE \(table.id) = OLD.row_id AND OLD.list = \(table.listName) AND OLD.op = 'create';
            """
        }
        return trigger(
            "DELETE",
            [
                refuse(
                    "the operation is being sent and cannot be dropped: wait for its answer",
                    where: "OLD.state = 'sending'"),
                refuse(
                    "the operation was sent and its answer was lost, so it cannot be dropped: the next pull decides it",
                    where: "OLD.state = 'in doubt'"),
                refuse(
                    "the server has acknowledged the operation, so it cannot be dropped: the next lists decide it",
                    where: "OLD.state = 'acknowledged'"),
            ] + creates + [
                "INSERT INTO withdrawn SELECT * FROM operation WHERE seq = OLD.seq AND kind = 'update';",
                """
                UPDATE withdrawn SET sent = NULL
                WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update' AND OLD.op = 'update';
                """,
                "DELETE FROM operation WHERE seq = OLD.seq;", rowFollows,
            ])
    }

    private static let rowFollows = "INSERT INTO operation_row VALUES (OLD.list, OLD.row_id);"

    /// A table that stays empty, into which both triggers insert of which row they have changed an operation:
    /// the row shows what has become of it.
    private static func rowFollows(of tables: [WritableTable]) -> [SchemaObject] {
        let body = tables.flatMap { table in
            table.followDelete("NEW.row_id", where: "NEW.list = \(table.listName)")
        }
        return [
            SchemaObject(
                name: "operation_row",
                sql: "CREATE TABLE operation_row (list TEXT, row_id INTEGER) STRICT"),
            SchemaObject(
                name: "row_follows",
                sql: """
                    CREATE TRIGGER row_follows BEFORE INSERT ON operation_row
                    BEGIN
                    \((body + ["SELECT RAISE(IGNORE);"]).joined(separator: "\n").indented)
                    END
                    """),
        ]
    }

    /// Tell of each operation, with the title of its row, shown or hidden.
    private static func log(of tables: [WritableTable]) -> [SchemaObject] {
        let seen = [
            "state", "last_error", "attempts", "wait_shown", "last_status", "idempotency_key",
        ]
        let differs = seen.map { "NEW.\($0) IS NOT OLD.\($0)" }.anyHolds
        // A delete leaves the outbox as soon as it is acknowledged.
        func hasLeft(_ operation: String) -> String {
            "\(operation).kind = 'delete' AND \(operation).state = 'acknowledged'"
        }
        let changes = "UPDATE OF \(seen.joined(separator: ", ")) ON operation"
        return [
            ("added", "added", "INSERT ON operation", "NEW", "NEW.state"),
            (
                "changed", "changed",
                // A statement that sets none of these columns has no program for it.
                "\(changes)\nWHEN (\(differs)) AND NOT (\(hasLeft("NEW")))", "NEW", "NEW.state"
            ),
            (
                "left", "removed",
                "UPDATE OF state ON operation\nWHEN \(hasLeft("NEW")) AND NOT (\(hasLeft("OLD")))",
                "NEW", "NULL"
            ),
            (
                "removed", "removed", "DELETE ON operation\nWHEN NOT (\(hasLeft("OLD")))", "OLD",
                "NULL"
            ),
        ].map { suffix, change, event, operation, state in
            let name = "operation_\(suffix)"
            return SchemaObject(
                name: name,
                sql: """
                    CREATE TRIGGER \(name) AFTER \(event)
                    BEGIN
                        INSERT INTO change (list, change, row_id, title, state, op)
                        VALUES ('outbox', '\(change)', \(operation).seq,
                            substr(\(title(operation, tables)), 1, 500), \(state), \(operation).kind);
                    END
                    """)
        }
    }

    private static let unchangeable = [
        "seq", "op", "todo_id", "title", "attempts", "not_before", "last_status", "last_error",
        "idempotency_key", "queued_at", "list", "row_id",
    ]

    private static func updates(of tables: [WritableTable]) -> SchemaObject {
        let others = unchangeable.map { "NEW.\($0) IS NOT OLD.\($0)" }.anyHolds
        let refusals =
            [
                refuse(
                    "only the state of an operation can be set, to retry it: UPDATE outbox SET state = 'queued' WHERE seq = ...",
                    where: "NEW.state IS NOT 'queued' AND NEW.state IS NOT 'rejected' OR \(others)"),
                refuse(
                    "the operation is being sent and cannot be changed: wait for its answer",
                    where: "OLD.state = 'sending'"),
            ]
            + [
                refuse(
                    "the server has acknowledged the operation, so it cannot be changed: the next lists decide it",
                    where: "OLD.state = 'acknowledged'")
            ]
            + [("todo", "="), ("row", "<>")].map { row, relation in
                refuse(
                    "the operation was sent and its answer was lost, so it cannot be retried: the next pulls decide it; state = 'rejected' ends the doubt and can double the \(row)",
                    where:
                        "OLD.state = 'in doubt' AND NEW.state = 'queued' AND OLD.list \(relation) 'todos'"
                )
            } + [
                refuse(
                    "only an operation in doubt can be ended by state = 'rejected': drop another one with DELETE FROM outbox",
                    where: "OLD.state = 'queued' AND NEW.state = 'rejected'")
            ]
        return trigger("UPDATE", refusals + endings(of: tables) + [retry, rowFollows])
    }

    /// A person ends a doubt. A create that a delete waits for is never sent again, so all of its row goes. An
    /// update that was edited meanwhile becomes one with what waits. What was sent lies beneath edits that were
    /// dropped before, until syncd has taken these back.
    private static func endings(of tables: [WritableTable]) -> [String] {
        let isEnding = "OLD.op = 'create' AND OLD.state = 'in doubt'"
        let hidden = tables.filter(\.deletes).map { table in
            """
            DELETE FROM \(table.hidden)
            WHERE id = OLD.row_id AND OLD.list = \(table.listName) AND \(isEnding);
            """
        }
        return hidden + [
            """
            UPDATE withdrawn SET sent = (SELECT ended.sent FROM operation AS ended WHERE ended.seq = OLD.seq)
            WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update'
                AND OLD.op <> 'delete' AND OLD.state = 'in doubt';
            DELETE FROM operation
            WHERE seq = OLD.seq AND \(isEnding) AND EXISTS (SELECT 1 FROM operation AS deletion
                WHERE deletion.list = OLD.list AND deletion.row_id = OLD.row_id
                    AND deletion.kind = 'delete');
            DELETE FROM operation
            WHERE list = OLD.list AND row_id = OLD.row_id AND \(isEnding)
                AND NOT EXISTS (SELECT 1 FROM operation AS creation WHERE creation.seq = OLD.seq);
            UPDATE operation SET fields = fields | (SELECT mark.fields FROM operation AS mark
                WHERE mark.list = OLD.list AND mark.row_id = OLD.row_id
                    AND mark.kind = 'update' AND mark.stage = 1)
            WHERE seq = OLD.seq AND stage = 0 AND state = 'in doubt' AND EXISTS (
                SELECT 1 FROM operation AS mark
                WHERE mark.list = OLD.list AND mark.row_id = OLD.row_id
                    AND mark.kind = 'update' AND mark.stage = 1);
            \(leftToUpdates(of: tables))DELETE FROM operation
            WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update' AND stage = 1
                AND OLD.op <> 'delete' AND OLD.state = 'in doubt'\(isNotLeft(of: tables));
            UPDATE operation SET state = 'rejected', stage = 1, undecided = 0,
                first_sent_boot = NULL, first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL,
                wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
                last_error = 'given up while in doubt' || coalesce(': ' || last_error, '')
            WHERE seq = OLD.seq AND state = 'in doubt';
            """
        ]
    }

    /// The create whose doubt is ended takes along the edits that wait, but for those of fields that it cannot give.
    private static func leftToUpdates(of tables: [WritableTable]) -> String {
        tables.filter { $0.laterFields != 0 }.map { table in
            """
            UPDATE operation SET fields = fields & \(table.laterFields)
            WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update' AND stage = 1
                AND OLD.list = \(table.listName) AND OLD.op = 'create' AND OLD.state = 'in doubt';

            """
        }.joined()
    }

    private static func isNotLeft(of tables: [WritableTable]) -> String {
        let names = tables.filter { $0.laterFields != 0 }.map { "\($0.listName)" }
        guard !names.isEmpty else { return "" }
        let isLeft = "OLD.op = 'create' AND fields <> 0"
        return "\n    AND NOT (\(isLeft) AND OLD.list IN (\(names.joined(separator: ", "))))"
    }

    private static let retry = """
        UPDATE operation SET \(WritableTable.anew)
        WHERE seq = OLD.seq AND state = 'rejected' AND NEW.state = 'queued';
        """
}
