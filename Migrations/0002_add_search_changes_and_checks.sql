-- Why: search in the movies, a log of changes to watch, the movies' history, and laws to check.
-- Invariant: what the views invariant_* say; the change log is neither paused nor busy after a commit.
-- Check: SELECT * FROM invariant_change_log;

-- Full text of the movies, for the pull to write and for everybody to search. No trigger fills it:
-- under trusted_schema=OFF a trigger may not write to a virtual table.
CREATE VIRTUAL TABLE movie_search USING fts5 (
    title, original_title, overview, content = 'movie', content_rowid = 'id',
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

-- A hit in the title counts most: what ORDER BY rank goes by.
INSERT INTO movie_search (movie_search, rank) VALUES ('rank', 'bm25(10.0, 5.0, 1.0)');
INSERT INTO movie_search (movie_search) VALUES ('rebuild');

-- For ranges of dates, and for count(*) without reading every document.
CREATE INDEX movie_release_date ON movie (release_date);

-- What changed in movies, todos and outbox, as the views show them; the newest 20 000 rows. The
-- CHECKs have no IN: a list of three or more is built anew for each row, which takes longer than
-- everything else.
CREATE TABLE change (
    rev INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL
        DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)),
    resource TEXT NOT NULL
        CHECK (resource = 'movies' OR resource = 'todos' OR resource = 'outbox'),
    change TEXT NOT NULL
        CHECK (change = 'added' OR change = 'changed' OR change = 'removed' OR change = 'reset'),
    row_id INTEGER,
    title TEXT,
    state TEXT,
    op TEXT,
    CHECK ((change = 'reset') = (row_id IS NULL))
) STRICT;

-- One row. Both columns are NULL after every commit.
CREATE TABLE change_control (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The resource whose changes a pull tells as one reset.
    paused TEXT,
    -- The todo that is being removed together with its operations.
    leaving INTEGER
) STRICT;

INSERT INTO change_control (id) VALUES (1);

-- Which movies came, changed their date, or went: written by the pull, never by the first one.
CREATE TABLE movie_change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    movie_id INTEGER NOT NULL,
    title TEXT NOT NULL,
    change TEXT NOT NULL CHECK (change IN ('appeared', 'slipped', 'vanished')),
    old_release_date TEXT,
    new_release_date TEXT
) STRICT;

CREATE TRIGGER change_added AFTER INSERT ON change WHEN NEW.rev % 1000 = 0
BEGIN
    DELETE FROM change WHERE rev <= NEW.rev - 20000;
END;

CREATE TRIGGER movie_added AFTER INSERT ON movie
WHEN (SELECT paused FROM change_control) IS NOT 'movies'
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('movies', 'added', NEW.id, substr(NEW.title, 1, 500));
END;

-- Not for a new rank alone, which nearly every pull brings.
CREATE TRIGGER movie_changed AFTER UPDATE OF document ON movie
WHEN OLD.document IS NOT NEW.document AND (SELECT paused FROM change_control) IS NOT 'movies'
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('movies', 'changed', NEW.id, substr(NEW.title, 1, 500));
END;

CREATE TRIGGER movie_removed AFTER DELETE ON movie
WHEN (SELECT paused FROM change_control) IS NOT 'movies'
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('movies', 'removed', OLD.id, substr(OLD.title, 1, 500));
END;

CREATE TRIGGER todo_added AFTER INSERT ON todo
WHEN (SELECT paused FROM change_control) IS NOT 'todos'
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
    WHERE (SELECT paused FROM change_control) IS NOT 'todos'
        AND NOT EXISTS (SELECT 1 FROM operation
            WHERE todo_id = OLD.id AND kind = 'delete' AND state <> 'rejected');
    UPDATE change_control SET leaving = OLD.id
    WHERE EXISTS (SELECT 1 FROM operation WHERE todo_id = OLD.id);
    DELETE FROM operation WHERE todo_id = OLD.id;
    DELETE FROM unseen WHERE todo_id = OLD.id;
    UPDATE change_control SET leaving = NULL WHERE leaving IS NOT NULL;
END;

-- A delete that is queued takes its todo out of the view.
CREATE TRIGGER operation_added AFTER INSERT ON operation
BEGIN
    INSERT INTO change (resource, change, row_id, title)
    SELECT 'todos', 'removed', id, substr(title, 1, 500) FROM todo
    WHERE id = NEW.todo_id AND NEW.kind = 'delete' AND NEW.state <> 'rejected'
        AND (SELECT paused FROM change_control) IS NOT 'todos';
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
        AND (SELECT paused FROM change_control) IS NOT 'todos';
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
        AND (SELECT leaving FROM change_control) IS NOT OLD.todo_id
        AND (SELECT paused FROM change_control) IS NOT 'todos';
    INSERT INTO change (resource, change, row_id, title, op)
    VALUES ('outbox', 'removed', OLD.seq,
        (SELECT substr(title, 1, 500) FROM todo WHERE id = OLD.todo_id), OLD.kind);
END;

-- The public contract goes on here.

CREATE VIEW changes AS
SELECT rev, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    resource, change, row_id AS id, title, state, op
FROM change;

CREATE VIEW movie_changes AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    movie_id AS id, title, change, old_release_date, new_release_date, seq
FROM movie_change;

-- Rows that the view of that name shows now, whatever the last pull brought.
DROP VIEW sync_status;
CREATE VIEW sync_status AS
SELECT resource, state,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_attempt_at / 1000.0, 'unixepoch') AS last_attempt_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_success_at / 1000.0, 'unixepoch') AS last_success_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', due_shown / 1000.0, 'unixepoch') AS next_due_at,
    failures, last_error,
    CASE resource
        WHEN 'movies' THEN (SELECT count(*) FROM movie)
        ELSE (SELECT count(*) FROM todo)
            - (SELECT count(*) FROM operation WHERE kind = 'delete' AND state <> 'rejected')
    END AS rows,
    duration_ms, complete
FROM sync_state;

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
SELECT 'both resources have their status' AS law, count(*) AS offender
FROM sync_state WHERE resource IN ('movies', 'todos') HAVING count(*) <> 2;

CREATE VIEW invariant_hold AS
SELECT 'held rows belong to a hold, and a hold holds rows' AS law, resource AS offender
FROM held_row WHERE resource NOT IN (SELECT resource FROM hold)
UNION
SELECT 'held rows belong to a hold, and a hold holds rows', resource
FROM hold WHERE resource NOT IN (SELECT resource FROM held_row);

CREATE VIEW invariant_validators AS
SELECT 'kept validators validate something' AS law, url AS offender
FROM validator
WHERE entity_tag IS NULL AND last_modified IS NULL
    OR resource = 'movies' AND (movie_ids IS NULL OR total_pages IS NULL);

CREATE VIEW invariant_change_log AS
SELECT 'the change log is at rest, and bounded' AS law, 'control' AS offender
FROM change_control WHERE paused IS NOT NULL OR leaving IS NOT NULL
UNION ALL
SELECT 'the change log is at rest, and bounded', 'rows'
WHERE (SELECT count(*) FROM change) > 21000
UNION ALL
SELECT 'the change log is at rest, and bounded', 'missing row'
WHERE NOT EXISTS (SELECT 1 FROM change_control);
