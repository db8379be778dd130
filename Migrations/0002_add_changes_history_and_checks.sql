-- Why: a log of changes to watch, the history of lists, and laws to check.
-- Invariant: what the views invariant_* say; the change log is neither paused nor busy after a commit.
-- Check: SELECT * FROM invariant_change_log;

-- What changed in todos, outbox and the lists; the newest 20 000 rows. The CHECK has no IN: a list of
-- three or more is built anew for each row, which takes longer than everything else.
CREATE TABLE change (
    rev INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL
        DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)),
    resource TEXT NOT NULL,
    change TEXT NOT NULL
        CHECK (change = 'added' OR change = 'changed' OR change = 'removed' OR change = 'reset'),
    row_id INTEGER,
    title TEXT,
    state TEXT,
    op TEXT,
    CHECK ((change = 'reset') = (row_id IS NULL))
) STRICT;

-- Which rows of a list came, changed in the column that its history watches, or went: written by the pull,
-- never by the first one.
CREATE TABLE row_change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    resource TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    title TEXT,
    change TEXT NOT NULL CHECK (change = 'appeared' OR change = 'changed' OR change = 'vanished'),
    old_value ANY,
    new_value ANY
) STRICT;

CREATE INDEX row_change_of_resource ON row_change (resource, seq);

CREATE TRIGGER change_added AFTER INSERT ON change WHEN NEW.rev % 1000 = 0
BEGIN
    DELETE FROM change WHERE rev <= NEW.rev - 20000;
END;

CREATE TRIGGER todo_added AFTER INSERT ON todo
WHEN (SELECT paused FROM control) IS NOT 'todos'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('todos', 'added', NEW.id, substr(NEW.title, 1, 500),
        iif(NEW.server_id IS NULL, 'queued', 'synced'));
END;

-- A todo takes its operations along. One with a waiting delete had left the view before.
CREATE TRIGGER todo_removed BEFORE DELETE ON todo
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    SELECT 'todos', 'removed', OLD.id, substr(OLD.title, 1, 500)
    WHERE (SELECT paused FROM control) IS NOT 'todos'
        AND NOT EXISTS (SELECT 1 FROM operation
            WHERE todo_id = OLD.id AND kind = 'delete' AND state <> 'rejected');
    UPDATE control SET leaving = OLD.id
    WHERE EXISTS (SELECT 1 FROM operation WHERE todo_id = OLD.id);
    DELETE FROM operation WHERE todo_id = OLD.id;
    DELETE FROM unseen WHERE todo_id = OLD.id;
    UPDATE control SET leaving = NULL WHERE leaving IS NOT NULL;
END;

-- A delete that is queued takes its todo out of the view.
CREATE TRIGGER operation_added AFTER INSERT ON operation
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    SELECT 'todos', 'removed', id, substr(title, 1, 500) FROM todo
    WHERE id = NEW.todo_id AND NEW.kind = 'delete' AND NEW.state <> 'rejected'
        AND (SELECT paused FROM control) IS NOT 'todos';
    INSERT INTO change (resource, change, row_id, title, state, op)
    SELECT 'outbox', 'added', NEW.seq, substr(title, 1, 500), NEW.state, NEW.kind
    FROM todo WHERE id = NEW.todo_id;
END;

-- A delete that is refused brings its todo back into the view, one that is retried takes it out
-- again. A create shows in its todo, unless a delete waits behind it.
CREATE TRIGGER operation_changed AFTER UPDATE ON operation
WHEN OLD.state IS NOT NEW.state OR OLD.attempts IS NOT NEW.attempts
    OR OLD.wait_shown IS NOT NEW.wait_shown OR OLD.last_status IS NOT NEW.last_status
    OR OLD.last_error IS NOT NEW.last_error OR OLD.idempotency_key IS NOT NEW.idempotency_key
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos',
        CASE WHEN NEW.kind = 'create' OR NEW.state = OLD.state THEN 'changed'
            WHEN NEW.state = 'rejected' THEN 'added' ELSE 'removed' END,
        id, substr(title, 1, 500),
        iif(NEW.kind = 'create' OR NEW.state = 'rejected', NEW.state, NULL)
    FROM todo
    WHERE id = NEW.todo_id
        AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error)
        AND iif(NEW.kind = 'create',
            NOT EXISTS (SELECT 1 FROM operation AS deletion WHERE deletion.todo_id = NEW.todo_id
                AND deletion.kind = 'delete' AND deletion.state <> 'rejected'),
            OLD.state = 'rejected' OR NEW.state = 'rejected')
        AND (SELECT paused FROM control) IS NOT 'todos';
    INSERT INTO change (resource, change, row_id, title, state, op)
    SELECT 'outbox', 'changed', NEW.seq, substr(title, 1, 500), NEW.state, NEW.kind
    FROM todo WHERE id = NEW.todo_id;
END;

-- A create that is done leaves a synced todo, a delete that is dropped brings its todo back. A todo
-- that goes together with its operations has told so itself.
CREATE TRIGGER operation_removed AFTER DELETE ON operation
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', iif(OLD.kind = 'create' OR OLD.state = 'rejected', 'changed', 'added'),
        id, substr(title, 1, 500), state
    FROM todos
    WHERE id = OLD.todo_id AND (OLD.kind = 'delete' OR server_id IS NOT NULL)
        AND (SELECT leaving FROM control) IS NOT OLD.todo_id
        AND (SELECT paused FROM control) IS NOT 'todos';
    INSERT INTO change (resource, change, row_id, title, op)
    VALUES ('outbox', 'removed', OLD.seq,
        (SELECT substr(title, 1, 500) FROM todo WHERE id = OLD.todo_id), OLD.kind);
END;

-- The public contract goes on here.

CREATE VIEW changes AS
SELECT rev, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    resource, change, row_id AS id, title, state, op
FROM change;

-- Laws of the cache, for syncd check and for the tests: each view must be empty.

CREATE VIEW invariant_todo_has_create AS
SELECT 'a todo without an id at the server has a create' AS law, id AS offender
FROM todo WHERE server_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM operation WHERE todo_id = todo.id AND kind = 'create');

CREATE VIEW invariant_synced_todo_has_no_create AS
SELECT 'a todo with an id at the server has no create' AS law, todo_id AS offender
FROM operation JOIN todo ON todo.id = todo_id WHERE kind = 'create' AND server_id IS NOT NULL;

CREATE VIEW invariant_title_length AS
SELECT 'a title that was given here has 1 to 4096 bytes' AS law, id AS offender
FROM todo WHERE server_id IS NULL AND length(CAST(title AS BLOB)) NOT BETWEEN 1 AND 4096;

CREATE VIEW invariant_new_ids AS
SELECT 'a local id is never used again' AS law, max(id) AS offender
FROM todo HAVING max(id) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todo'), 0);

CREATE VIEW invariant_operation_has_todo AS
SELECT 'an operation has its todo' AS law, seq AS offender
FROM operation WHERE NOT EXISTS (SELECT 1 FROM todo WHERE id = todo_id);

CREATE VIEW invariant_delete_waits AS
SELECT 'a delete waits behind a create only while that is sending or in doubt' AS law,
    deletion.seq AS offender
FROM operation AS deletion
JOIN operation AS creation ON creation.todo_id = deletion.todo_id AND creation.kind = 'create'
WHERE deletion.kind = 'delete'
    AND (creation.state IN ('queued', 'rejected') OR deletion.state <> 'queued');

CREATE VIEW invariant_undecided AS
SELECT 'an operation in doubt is undecided, a queued or rejected one is not' AS law, seq AS offender
FROM operation
WHERE state = 'in doubt' AND undecided = 0 OR state IN ('queued', 'rejected') AND undecided = 1;

CREATE VIEW invariant_first_attempt AS
SELECT 'an undecided operation knows its first attempt, a queued one has none' AS law,
    seq AS offender
FROM operation
WHERE undecided = 1 AND first_sent_boot IS NULL
    OR state IN ('queued', 'rejected') AND first_sent_boot IS NOT NULL;

CREATE VIEW invariant_attempts AS
SELECT 'an operation that was sent has attempts' AS law, seq AS offender
FROM operation WHERE state IN ('sending', 'in doubt') AND attempts = 0;

CREATE VIEW invariant_wait AS
SELECT 'what is being sent or rejected waits for no moment' AS law, seq AS offender
FROM operation WHERE state IN ('sending', 'rejected') AND wait_boot IS NOT NULL;

CREATE VIEW invariant_reason AS
SELECT 'a rejected operation says why' AS law, seq AS offender
FROM operation WHERE state = 'rejected' AND last_error IS NULL;

CREATE VIEW invariant_operation_moments AS
SELECT 'the moments of an operation are whole' AS law, seq AS offender
FROM operation
WHERE (sent_boot IS NULL) <> (sent_ms IS NULL)
    OR (first_sent_boot IS NULL) <> (first_sent_ms IS NULL)
    OR (wait_boot IS NULL) <> (wait_ms IS NULL)
    OR (wait_boot IS NULL) <> (wait_shown IS NULL)
    OR state IN ('sending', 'in doubt') AND sent_boot IS NULL
    OR wait_asked = 1 AND wait_boot IS NULL;

CREATE VIEW invariant_resource_moments AS
SELECT 'the moments of a resource are whole' AS law, resource AS offender
FROM sync_state
WHERE (pulled_boot IS NULL) <> (pulled_ms IS NULL)
    OR (due_boot IS NULL) <> (due_ms IS NULL)
    OR (due_boot IS NULL) <> (due_shown IS NULL)
    OR (pause_boot IS NULL) <> (pause_ms IS NULL);

CREATE VIEW invariant_resources AS
SELECT 'every list has its status' AS law, name AS offender
FROM (SELECT name FROM resource UNION ALL SELECT 'todos')
WHERE name NOT IN (SELECT resource FROM sync_state);

CREATE VIEW invariant_hold AS
SELECT 'held rows belong to a hold, and a hold holds rows' AS law, resource AS offender
FROM held_row WHERE resource NOT IN (SELECT resource FROM hold)
UNION
SELECT 'held rows belong to a hold, and a hold holds rows', resource
FROM hold WHERE resource NOT IN (SELECT resource FROM held_row);

CREATE VIEW invariant_validators AS
SELECT 'kept validators validate something' AS law, url AS offender
FROM validator
WHERE entity_tag IS NULL AND last_modified IS NULL OR resource <> 'todos' AND keys IS NULL;

CREATE VIEW invariant_change_log AS
SELECT 'the change log is at rest, and bounded' AS law, 'control' AS offender
FROM control WHERE applying <> 0 OR paused IS NOT NULL OR leaving IS NOT NULL
UNION ALL
SELECT 'the change log is at rest, and bounded', 'rows'
WHERE (SELECT count(*) FROM change) > 21000
UNION ALL
SELECT 'the change log is at rest, and bounded', 'missing row'
WHERE NOT EXISTS (SELECT 1 FROM control);
