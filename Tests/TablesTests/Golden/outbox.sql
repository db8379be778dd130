CREATE VIEW outbox AS
SELECT seq, kind AS op, iif(list = 'todos', row_id, NULL) AS todo_id,
    CASE operation.list
    WHEN 'todos' THEN coalesce(
        (SELECT shown."title" FROM "todos" AS shown
            WHERE shown."id" = operation.row_id),
        (SELECT hidden."c_title" FROM "d_todos" AS hidden
            WHERE hidden.id = operation.row_id))
    WHEN 'notes' THEN coalesce(
        (SELECT shown."title" FROM "notes" AS shown
            WHERE shown."id" = operation.row_id),
        (SELECT hidden."c_title" FROM "d_notes" AS hidden
            WHERE hidden.id = operation.row_id))
    ELSE CAST(operation.row_id AS TEXT)
END AS title,
    state, attempts,
    strftime('%Y-%m-%dT%H:%M:%fZ', wait_shown / 1000.0, 'unixepoch') AS not_before,
    last_status, last_error, idempotency_key,
    strftime('%Y-%m-%dT%H:%M:%fZ', queued_at / 1000.0, 'unixepoch') AS queued_at,
    list, row_id
FROM operation WHERE kind <> 'delete' OR state <> 'acknowledged';

CREATE TRIGGER outbox_insert INSTEAD OF INSERT ON outbox
BEGIN
    SELECT RAISE(ABORT, 'operations are queued by writing to the tables: INSERT, UPDATE or DELETE there');
END;

CREATE TRIGGER outbox_delete INSTEAD OF DELETE ON outbox
BEGIN
    SELECT RAISE(ABORT, 'the operation is being sent and cannot be dropped: wait for its answer')
    WHERE OLD.state = 'sending';
    SELECT RAISE(ABORT, 'the operation was sent and its answer was lost, so it cannot be dropped: the next pull decides it')
    WHERE OLD.state = 'in doubt';
    SELECT RAISE(ABORT, 'the server has acknowledged the operation, so it cannot be dropped: the next lists decide it')
    WHERE OLD.state = 'acknowledged';
    DELETE FROM "todos"
    WHERE "id" = OLD.row_id AND OLD.list = 'todos' AND OLD.op = 'create';
    DELETE FROM "notes"
    WHERE "id" = OLD.row_id AND OLD.list = 'notes' AND OLD.op = 'create';
    INSERT INTO withdrawn SELECT * FROM operation WHERE seq = OLD.seq AND kind = 'update';
    UPDATE withdrawn SET sent = NULL
    WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update' AND OLD.op = 'update';
    DELETE FROM operation WHERE seq = OLD.seq;
    INSERT INTO operation_row VALUES (OLD.list, OLD.row_id);
END;

CREATE TRIGGER outbox_update INSTEAD OF UPDATE ON outbox
BEGIN
    SELECT RAISE(ABORT, 'only the state of an operation can be set, to retry it: UPDATE outbox SET state = ''queued'' WHERE seq = ...')
    WHERE NEW.state IS NOT 'queued' AND NEW.state IS NOT 'rejected' OR NEW.seq IS NOT OLD.seq
        OR NEW.op IS NOT OLD.op
        OR NEW.todo_id IS NOT OLD.todo_id
        OR NEW.title IS NOT OLD.title
        OR NEW.attempts IS NOT OLD.attempts
        OR NEW.not_before IS NOT OLD.not_before
        OR NEW.last_status IS NOT OLD.last_status
        OR NEW.last_error IS NOT OLD.last_error
        OR NEW.idempotency_key IS NOT OLD.idempotency_key
        OR NEW.queued_at IS NOT OLD.queued_at
        OR NEW.list IS NOT OLD.list
        OR NEW.row_id IS NOT OLD.row_id;
    SELECT RAISE(ABORT, 'the operation is being sent and cannot be changed: wait for its answer')
    WHERE OLD.state = 'sending';
    SELECT RAISE(ABORT, 'the server has acknowledged the operation, so it cannot be changed: the next lists decide it')
    WHERE OLD.state = 'acknowledged';
    SELECT RAISE(ABORT, 'the operation was sent and its answer was lost, so it cannot be retried: the next pulls decide it; state = ''rejected'' ends the doubt and can double the todo')
    WHERE OLD.state = 'in doubt' AND NEW.state = 'queued' AND OLD.list = 'todos';
    SELECT RAISE(ABORT, 'the operation was sent and its answer was lost, so it cannot be retried: the next pulls decide it; state = ''rejected'' ends the doubt and can double the row')
    WHERE OLD.state = 'in doubt' AND NEW.state = 'queued' AND OLD.list <> 'todos';
    SELECT RAISE(ABORT, 'only an operation in doubt can be ended by state = ''rejected'': drop another one with DELETE FROM outbox')
    WHERE OLD.state = 'queued' AND NEW.state = 'rejected';
    DELETE FROM "d_todos"
    WHERE id = OLD.row_id AND OLD.list = 'todos' AND OLD.op = 'create' AND OLD.state = 'in doubt';
    DELETE FROM "d_notes"
    WHERE id = OLD.row_id AND OLD.list = 'notes' AND OLD.op = 'create' AND OLD.state = 'in doubt';
    UPDATE withdrawn SET sent = (SELECT ended.sent FROM operation AS ended WHERE ended.seq = OLD.seq)
    WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update'
        AND OLD.op <> 'delete' AND OLD.state = 'in doubt';
    DELETE FROM operation
    WHERE seq = OLD.seq AND OLD.op = 'create' AND OLD.state = 'in doubt' AND EXISTS (SELECT 1 FROM operation AS deletion
        WHERE deletion.list = OLD.list AND deletion.row_id = OLD.row_id
            AND deletion.kind = 'delete');
    DELETE FROM operation
    WHERE list = OLD.list AND row_id = OLD.row_id AND OLD.op = 'create' AND OLD.state = 'in doubt'
        AND NOT EXISTS (SELECT 1 FROM operation AS creation WHERE creation.seq = OLD.seq);
    UPDATE operation SET fields = fields | (SELECT mark.fields FROM operation AS mark
        WHERE mark.list = OLD.list AND mark.row_id = OLD.row_id
            AND mark.kind = 'update' AND mark.stage = 1)
    WHERE seq = OLD.seq AND stage = 0 AND state = 'in doubt' AND EXISTS (
        SELECT 1 FROM operation AS mark
        WHERE mark.list = OLD.list AND mark.row_id = OLD.row_id
            AND mark.kind = 'update' AND mark.stage = 1);
    DELETE FROM operation
    WHERE list = OLD.list AND row_id = OLD.row_id AND kind = 'update' AND stage = 1
        AND OLD.op <> 'delete' AND OLD.state = 'in doubt';
    UPDATE operation SET state = 'rejected', stage = 1, undecided = 0,
        first_sent_boot = NULL, first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_error = 'given up while in doubt' || coalesce(': ' || last_error, '')
    WHERE seq = OLD.seq AND state = 'in doubt';
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE seq = OLD.seq AND state = 'rejected' AND NEW.state = 'queued';
    INSERT INTO operation_row VALUES (OLD.list, OLD.row_id);
END;

CREATE TABLE operation_row (list TEXT, row_id INTEGER) STRICT;

CREATE TRIGGER row_follows BEFORE INSERT ON operation_row
BEGIN
    INSERT INTO "todos" ("id", "title", "server_id", "created_at", "state", "error")
    SELECT hidden.id, hidden."c_title", (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), hidden.added_at,
        told.state, told.last_error
    FROM "d_todos" AS hidden CROSS JOIN (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = NEW.row_id AND true)) AS told WHERE hidden.id = NEW.row_id AND NEW.list = 'todos' AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected')
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = NEW.row_id);
    DELETE FROM "d_todos" WHERE id = NEW.row_id AND NEW.list = 'todos' AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected');
    INSERT INTO "d_todos" (id, "c_title", server_id, added_at)
    SELECT shown."id", shown."title", shown."server_id", shown."created_at"
    FROM "todos" AS shown WHERE shown."id" = NEW.row_id AND NEW.list = 'todos' AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected')
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW.row_id);
    DELETE FROM "todos" WHERE "id" = NEW.row_id AND NEW.list = 'todos' AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected');
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'todos', 'changed', "id", substr("todos"."title", 1, 500), told.state
    FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = NEW.row_id AND true)) AS told CROSS JOIN "todos"
    WHERE "id" = NEW.row_id AND (SELECT applying FROM control) IS NOT 'todos' AND NEW.list = 'todos'
        AND ("todos"."state" IS NOT told.state OR "todos"."error" IS NOT told.last_error);
    UPDATE "todos" SET ("state", "error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = NEW.row_id AND true)),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW.row_id AND (NEW.list = 'todos');
    INSERT INTO "notes" ("id", "title", "body", "done", "changed", "_server_id", "_added_at", "_state", "_error")
    SELECT hidden.id, hidden."c_title", hidden."c_body", hidden."c_done", hidden."c_changed", (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW.row_id), hidden.added_at,
        told.state, told.last_error
    FROM "d_notes" AS hidden CROSS JOIN (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = NEW.row_id AND true)) AS told WHERE hidden.id = NEW.row_id AND NEW.list = 'notes' AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected')
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = NEW.row_id);
    DELETE FROM "d_notes" WHERE id = NEW.row_id AND NEW.list = 'notes' AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected');
    INSERT INTO "d_notes" (id, "c_title", "c_body", "c_done", "c_changed", server_id, added_at)
    SELECT shown."id", shown."title", shown."body", shown."done", shown."changed", shown."_server_id", shown."_added_at"
    FROM "notes" AS shown WHERE shown."id" = NEW.row_id AND NEW.list = 'notes' AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected')
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW.row_id);
    DELETE FROM "notes" WHERE "id" = NEW.row_id AND NEW.list = 'notes' AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW.row_id AND kind = 'delete' AND state <> 'rejected');
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'notes', 'changed', "id", substr("notes"."title", 1, 500), told.state
    FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = NEW.row_id AND true)) AS told CROSS JOIN "notes"
    WHERE "id" = NEW.row_id AND (SELECT applying FROM control) IS NOT 'notes' AND NEW.list = 'notes'
        AND ("notes"."_state" IS NOT told.state OR "notes"."_error" IS NOT told.last_error);
    UPDATE "notes" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = NEW.row_id AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW.row_id AND (NEW.list = 'notes');
    SELECT RAISE(IGNORE);
END;

CREATE TRIGGER operation_added AFTER INSERT ON operation
BEGIN
    INSERT INTO change (list, change, row_id, title, state, op)
    VALUES ('outbox', 'added', NEW.seq,
        substr(CASE NEW.list
    WHEN 'todos' THEN coalesce(
        (SELECT shown."title" FROM "todos" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_todos" AS hidden
            WHERE hidden.id = NEW.row_id))
    WHEN 'notes' THEN coalesce(
        (SELECT shown."title" FROM "notes" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_notes" AS hidden
            WHERE hidden.id = NEW.row_id))
    ELSE CAST(NEW.row_id AS TEXT)
END, 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER operation_changed AFTER UPDATE OF state, last_error, attempts, wait_shown, last_status, idempotency_key ON operation
WHEN (NEW.state IS NOT OLD.state
    OR NEW.last_error IS NOT OLD.last_error
    OR NEW.attempts IS NOT OLD.attempts
    OR NEW.wait_shown IS NOT OLD.wait_shown
    OR NEW.last_status IS NOT OLD.last_status
    OR NEW.idempotency_key IS NOT OLD.idempotency_key) AND NOT (NEW.kind = 'delete' AND NEW.state = 'acknowledged')
BEGIN
    INSERT INTO change (list, change, row_id, title, state, op)
    VALUES ('outbox', 'changed', NEW.seq,
        substr(CASE NEW.list
    WHEN 'todos' THEN coalesce(
        (SELECT shown."title" FROM "todos" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_todos" AS hidden
            WHERE hidden.id = NEW.row_id))
    WHEN 'notes' THEN coalesce(
        (SELECT shown."title" FROM "notes" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_notes" AS hidden
            WHERE hidden.id = NEW.row_id))
    ELSE CAST(NEW.row_id AS TEXT)
END, 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER operation_left AFTER UPDATE OF state ON operation
WHEN NEW.kind = 'delete' AND NEW.state = 'acknowledged' AND NOT (OLD.kind = 'delete' AND OLD.state = 'acknowledged')
BEGIN
    INSERT INTO change (list, change, row_id, title, state, op)
    VALUES ('outbox', 'removed', NEW.seq,
        substr(CASE NEW.list
    WHEN 'todos' THEN coalesce(
        (SELECT shown."title" FROM "todos" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_todos" AS hidden
            WHERE hidden.id = NEW.row_id))
    WHEN 'notes' THEN coalesce(
        (SELECT shown."title" FROM "notes" AS shown
            WHERE shown."id" = NEW.row_id),
        (SELECT hidden."c_title" FROM "d_notes" AS hidden
            WHERE hidden.id = NEW.row_id))
    ELSE CAST(NEW.row_id AS TEXT)
END, 1, 500), NULL, NEW.kind);
END;

CREATE TRIGGER operation_removed AFTER DELETE ON operation
WHEN NOT (OLD.kind = 'delete' AND OLD.state = 'acknowledged')
BEGIN
    INSERT INTO change (list, change, row_id, title, state, op)
    VALUES ('outbox', 'removed', OLD.seq,
        substr(CASE OLD.list
    WHEN 'todos' THEN coalesce(
        (SELECT shown."title" FROM "todos" AS shown
            WHERE shown."id" = OLD.row_id),
        (SELECT hidden."c_title" FROM "d_todos" AS hidden
            WHERE hidden.id = OLD.row_id))
    WHEN 'notes' THEN coalesce(
        (SELECT shown."title" FROM "notes" AS shown
            WHERE shown."id" = OLD.row_id),
        (SELECT hidden."c_title" FROM "d_notes" AS hidden
            WHERE hidden.id = OLD.row_id))
    ELSE CAST(OLD.row_id AS TEXT)
END, 1, 500), NULL, OLD.kind);
END;
