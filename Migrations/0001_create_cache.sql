-- Why: the cache: its todos, the queue of operations, and how syncing goes. Sources/Tables makes the lists.
-- Invariant: a todo without a server id has a create operation; an operation always has its todo.
-- Check: SELECT id FROM todo WHERE server_id IS NULL AND id NOT IN (SELECT todo_id FROM operation WHERE kind = 'create');

-- Whose todos these are. One row, written by the first command that knows both cache and account.
CREATE TABLE account (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    base_url TEXT NOT NULL,
    email TEXT NOT NULL
) STRICT;

-- A todo of the person, pulled or new. The local id is never used again (AUTOINCREMENT).
CREATE TABLE todo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) <= 1048576),
    server_id TEXT UNIQUE CHECK (length(CAST(server_id AS BLOB)) BETWEEN 1 AND 200),
    created_at INTEGER NOT NULL,
    document TEXT,
    CHECK ((server_id IS NULL) = (document IS NULL))
) STRICT;

-- Todos whose create the server has acknowledged, and that no list has shown since.
CREATE TABLE unseen (todo_id INTEGER PRIMARY KEY) STRICT;

-- Rows that a complete pull did not show, until a second one agrees: a row that comes back is not the
-- effect of a create in doubt.
CREATE TABLE departed (
    server_id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    -- Its local id, which it gets again.
    todo_id INTEGER NOT NULL,
    missed_boot TEXT NOT NULL,
    missed_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The outbox: what the server has not acknowledged yet, at most one create and one delete a todo.
-- Times named *_boot and *_ms are a moment of the machine's boot clock: decisions use no other.
CREATE TABLE operation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('create', 'delete')),
    todo_id INTEGER NOT NULL REFERENCES todo (id),
    state TEXT NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'sending', 'in doubt', 'rejected')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    idempotency_key TEXT NOT NULL,
    queued_at INTEGER NOT NULL,
    -- The intent of the last attempt, and of the first one that is not decided.
    sent_boot TEXT,
    sent_ms INTEGER,
    first_sent_boot TEXT,
    first_sent_ms INTEGER,
    -- For how many milliseconds after sent_ms the last attempt may still take effect. NULL: not sent.
    settling_ms INTEGER,
    -- An attempt may have arrived, and no pull has decided it.
    undecided INTEGER NOT NULL DEFAULT 0 CHECK (undecided IN (0, 1)),
    -- When the first of the complete pulls in a row began that did not show its row, or its effect.
    missed_boot TEXT,
    missed_ms INTEGER,
    -- Pulls that were taken and left it in doubt, counted up to 3.
    open_pulls INTEGER NOT NULL DEFAULT 0,
    -- Refusals that may have hidden an effect, and that a pull has shown to be none.
    refuted INTEGER NOT NULL DEFAULT 0,
    -- Not before this moment; shown to people as wait_shown, on the wall clock. If the server asked for a
    -- part of the wait (wait_asked), then that part ends at wait_asked_ms, not later than the whole.
    wait_boot TEXT,
    wait_ms INTEGER,
    wait_shown INTEGER,
    wait_asked INTEGER NOT NULL DEFAULT 0 CHECK (wait_asked IN (0, 1)),
    wait_asked_ms INTEGER,
    last_status INTEGER,
    last_error TEXT,
    UNIQUE (todo_id, kind),
    CHECK (state NOT IN ('sending', 'in doubt') OR (sent_boot IS NOT NULL AND sent_ms IS NOT NULL)),
    CHECK (state <> 'in doubt' OR undecided = 1),
    CHECK (undecided = 0 OR state IN ('sending', 'in doubt'))
) STRICT;

-- Counting a long queue by state reads no row of it, for queries whose WHERE has one of the two conditions
-- as it stands here. A plain queue of creates has no entry in the index until one is sent.
CREATE INDEX operation_exception ON operation (kind, state) WHERE state <> 'queued' OR kind = 'delete';

-- The lists that have a table, and what each table was made from.
CREATE TABLE resource (
    name TEXT PRIMARY KEY,
    declaration TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row. A program that writes to a table sees 0 in applying. Every column is as it was after every commit.
CREATE TABLE control (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- 1 while syncd writes to the tables of lists.
    applying INTEGER NOT NULL DEFAULT 0 CHECK (applying IN (0, 1)),
    -- The resource whose changes a pull tells as one reset.
    paused TEXT,
    -- The todo that is being removed together with its operations.
    leaving INTEGER
) STRICT;

INSERT INTO control (id) VALUES (1);

-- Rows of lists that the last pulls in a row did not show, though each read every page.
CREATE TABLE missed_row (
    resource TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    pulls INTEGER NOT NULL,
    PRIMARY KEY (resource, row_id)
) STRICT, WITHOUT ROWID;

-- What the last pull of a URL said of its version, and for a page what was on it.
CREATE TABLE validator (
    url TEXT PRIMARY KEY,
    resource TEXT NOT NULL,
    entity_tag TEXT,
    last_modified TEXT,
    -- Of a page of a list: the ids at the server of its rows, and what it told.
    keys TEXT,
    next TEXT,
    total_pages INTEGER,
    total_rows INTEGER
) STRICT;

-- How syncing of a resource goes.
CREATE TABLE sync_state (
    resource TEXT PRIMARY KEY NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN (
        'ok', 'offline', 'failing', 'needs credentials', 'misconfigured', 'untrusted', 'held',
        'waiting')),
    last_attempt_at INTEGER,
    last_success_at INTEGER,
    -- When the last pull that was taken began.
    pulled_boot TEXT,
    pulled_ms INTEGER,
    -- When the next cycle is due, and until when the server asked for that wait, as in operation.
    due_boot TEXT,
    due_ms INTEGER,
    due_shown INTEGER,
    due_asked INTEGER NOT NULL DEFAULT 0 CHECK (due_asked IN (0, 1)),
    due_asked_ms INTEGER,
    -- Nothing is replayed before this moment.
    pause_boot TEXT,
    pause_ms INTEGER,
    pause_asked INTEGER NOT NULL DEFAULT 0 CHECK (pause_asked IN (0, 1)),
    pause_asked_ms INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    -- Since the cache was made: requests whose intent was committed, operations that the server has
    -- acknowledged or that nobody wanted any more, operations that it refused, and attempts whose answer
    -- was lost.
    sent INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    in_doubt INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    row_count INTEGER,
    duration_ms INTEGER,
    complete INTEGER CHECK (complete IN (0, 1)),
    -- How many rows the list had when it first lacked an acknowledged row; 0 where one of another length
    -- was held since, so that it is no page; NULL where it lacks none.
    cut_rows INTEGER,
    -- The length at which the server cut a title, in characters; NULL where it has not.
    title_cut INTEGER,
    -- So long after a pull a local write causes the next one, at least.
    pull_gap_ms INTEGER
) STRICT, WITHOUT ROWID;

INSERT INTO sync_state (resource) VALUES ('todos');

-- A pull that would have removed too much, and the rows that it did not hold.
CREATE TABLE hold (
    resource TEXT PRIMARY KEY,
    since_boot TEXT NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE held_row (
    resource TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (resource, row_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_request (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    resource TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    accepts_removals INTEGER NOT NULL DEFAULT 0 CHECK (accepts_removals IN (0, 1)),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1))
) STRICT;

-- The public contract begins here.

CREATE VIEW todos AS
SELECT todo.id AS id, todo.title AS title,
    coalesce(creation.state, deletion.state, iif(todo.server_id IS NULL, 'not queued', 'synced'))
        AS state,
    todo.server_id AS server_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', todo.created_at / 1000.0, 'unixepoch') AS created_at,
    CASE
        WHEN todo.server_id IS NULL AND creation.seq IS NULL
        THEN 'written to the table todo, so it is never sent: delete it, and INSERT INTO todos(title)'
        ELSE coalesce(creation.last_error, deletion.last_error)
    END AS error
FROM todo
LEFT JOIN operation AS creation ON creation.todo_id = todo.id AND creation.kind = 'create'
LEFT JOIN operation AS deletion ON deletion.todo_id = todo.id AND deletion.kind = 'delete'
WHERE deletion.seq IS NULL OR deletion.state = 'rejected';

CREATE VIEW outbox AS
SELECT operation.seq AS seq, operation.kind AS op, operation.todo_id AS todo_id,
    todo.title AS title, operation.state AS state, operation.attempts AS attempts,
    strftime('%Y-%m-%dT%H:%M:%fZ', operation.wait_shown / 1000.0, 'unixepoch') AS not_before,
    operation.last_status AS last_status, operation.last_error AS last_error,
    operation.idempotency_key AS idempotency_key,
    strftime('%Y-%m-%dT%H:%M:%fZ', operation.queued_at / 1000.0, 'unixepoch') AS queued_at
FROM operation JOIN todo ON todo.id = operation.todo_id;

CREATE VIEW sync_requests AS
SELECT resource,
    strftime('%Y-%m-%dT%H:%M:%fZ', requested_at / 1000.0, 'unixepoch') AS requested_at
FROM sync_request;

-- Each refusal stands before the first write of its trigger: INSERT OR IGNORE silences a CHECK,
-- but not RAISE(ABORT).
CREATE TRIGGER todos_insert INSTEAD OF INSERT ON todos
BEGIN
    SELECT RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
    WHERE NEW.id IS NOT NULL OR NEW.state IS NOT NULL OR NEW.server_id IS NOT NULL
        OR NEW.created_at IS NOT NULL OR NEW.error IS NOT NULL;
    SELECT RAISE(ABORT, 'the title of a todo must be text')
    WHERE typeof(NEW.title) <> 'text';
    SELECT RAISE(ABORT, 'the title of a todo must not be empty')
    WHERE length(CAST(NEW.title AS BLOB)) = 0;
    SELECT RAISE(ABORT, 'the title of a todo must not be blank')
    WHERE trim(NEW.title, char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196,
        8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = '';
    SELECT RAISE(ABORT, 'the title of a todo must not be longer than 4096 bytes')
    WHERE length(CAST(NEW.title AS BLOB)) > 4096;
    SELECT RAISE(ABORT, 'the title of a todo must not hold a NUL character')
    WHERE instr(CAST(NEW.title AS BLOB), x'00') > 0;
    -- A character that does not become itself again through its code point is not UTF-8. Parts of 32
    -- characters are tried at once, those of ASCII alone not at all: a walk from character to
    -- character would take time with the square of the length. The last part is filled up with spaces.
    -- U+FFFE and U+FFFF are UTF-8, though SQLite's functions make U+FFFD of them.
    SELECT RAISE(ABORT, 'the title of a todo must be valid UTF-8')
    WHERE NEW.title GLOB '*[^' || char(1) || '-' || char(127) || ']*'
        AND EXISTS (
            WITH RECURSIVE piece(place, part) AS (
                SELECT 1, substr(NEW.title || printf('%31s', ''), 1, 32)
                UNION ALL
                SELECT place + 32, substr(NEW.title || printf('%31s', ''), place + 32, 32)
                FROM piece WHERE place + 32 <= length(NEW.title))
            SELECT 1 FROM piece
            WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT char(
                    unicode(substr(part, 1, 1)), unicode(substr(part, 2, 1)), unicode(substr(part, 3, 1)),
                    unicode(substr(part, 4, 1)), unicode(substr(part, 5, 1)), unicode(substr(part, 6, 1)),
                    unicode(substr(part, 7, 1)), unicode(substr(part, 8, 1)), unicode(substr(part, 9, 1)),
                    unicode(substr(part, 10, 1)), unicode(substr(part, 11, 1)), unicode(substr(part, 12, 1)),
                    unicode(substr(part, 13, 1)), unicode(substr(part, 14, 1)), unicode(substr(part, 15, 1)),
                    unicode(substr(part, 16, 1)), unicode(substr(part, 17, 1)), unicode(substr(part, 18, 1)),
                    unicode(substr(part, 19, 1)), unicode(substr(part, 20, 1)), unicode(substr(part, 21, 1)),
                    unicode(substr(part, 22, 1)), unicode(substr(part, 23, 1)), unicode(substr(part, 24, 1)),
                    unicode(substr(part, 25, 1)), unicode(substr(part, 26, 1)), unicode(substr(part, 27, 1)),
                    unicode(substr(part, 28, 1)), unicode(substr(part, 29, 1)), unicode(substr(part, 30, 1)),
                    unicode(substr(part, 31, 1)), unicode(substr(part, 32, 1))));

    INSERT INTO todo (title, created_at)
    VALUES (NEW.title, CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER));
    INSERT INTO operation (kind, todo_id, idempotency_key, queued_at)
    SELECT 'create', id, lower(hex(randomblob(16))), created_at
    FROM todo WHERE id = last_insert_rowid();
END;

CREATE TRIGGER todos_update INSTEAD OF UPDATE ON todos
BEGIN
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one');
END;

CREATE TRIGGER todos_delete INSTEAD OF DELETE ON todos
BEGIN
    -- A create that never arrived needs no delete. One that is being sent or in doubt has to be
    -- waited for, so the delete queues behind it.
    INSERT INTO operation (kind, todo_id, idempotency_key, queued_at)
    SELECT 'delete', OLD.id, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (
            SELECT 1 FROM operation WHERE todo_id = OLD.id AND kind = 'create'
                AND state IN ('queued', 'rejected'))
        AND NOT EXISTS (SELECT 1 FROM operation WHERE todo_id = OLD.id AND kind = 'delete')
        -- What was written to the table todo is at no server.
        AND (OLD.server_id IS NOT NULL OR EXISTS (
            SELECT 1 FROM operation WHERE todo_id = OLD.id AND kind = 'create'));
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))),
        refuted = 0, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL
    WHERE todo_id = OLD.id AND kind = 'delete' AND state = 'rejected';
    DELETE FROM operation
    WHERE todo_id = OLD.id AND kind = 'create' AND state IN ('queued', 'rejected');
    DELETE FROM todo
    WHERE id = OLD.id AND server_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM operation WHERE todo_id = OLD.id);
END;

CREATE TRIGGER outbox_insert INSTEAD OF INSERT ON outbox
BEGIN
    SELECT RAISE(ABORT, 'operations are queued by writing to todos: INSERT INTO todos(title) or DELETE FROM todos');
END;

CREATE TRIGGER outbox_delete INSTEAD OF DELETE ON outbox
BEGIN
    SELECT RAISE(ABORT, 'the operation is being sent and cannot be dropped: wait for its answer')
    WHERE OLD.state = 'sending';
    SELECT RAISE(ABORT, 'the operation was sent and its answer was lost, so it cannot be dropped: the next pull decides it')
    WHERE OLD.state = 'in doubt';

    -- A dropped delete brings its todo back; a dropped create takes its todo along.
    DELETE FROM operation
    WHERE seq = OLD.seq OR (OLD.op = 'create' AND todo_id = OLD.todo_id);
    DELETE FROM todo WHERE OLD.op = 'create' AND id = OLD.todo_id;
END;

CREATE TRIGGER outbox_update INSTEAD OF UPDATE ON outbox
BEGIN
    SELECT RAISE(ABORT, 'only the state of an operation can be set, to retry it: UPDATE outbox SET state = ''queued'' WHERE seq = ...')
    WHERE NEW.state IS NOT 'queued' AND NEW.state IS NOT 'rejected'
        OR NEW.seq IS NOT OLD.seq OR NEW.op IS NOT OLD.op
        OR NEW.todo_id IS NOT OLD.todo_id OR NEW.title IS NOT OLD.title
        OR NEW.attempts IS NOT OLD.attempts OR NEW.not_before IS NOT OLD.not_before
        OR NEW.last_status IS NOT OLD.last_status OR NEW.last_error IS NOT OLD.last_error
        OR NEW.idempotency_key IS NOT OLD.idempotency_key OR NEW.queued_at IS NOT OLD.queued_at;
    SELECT RAISE(ABORT, 'the operation is being sent and cannot be changed: wait for its answer')
    WHERE OLD.state = 'sending';
    SELECT RAISE(ABORT, 'the operation was sent and its answer was lost, so it cannot be retried: the next pulls decide it; state = ''rejected'' ends the doubt and can double the todo')
    WHERE OLD.state = 'in doubt' AND NEW.state = 'queued';
    SELECT RAISE(ABORT, 'only an operation in doubt can be ended by state = ''rejected'': drop another one with DELETE FROM outbox')
    WHERE OLD.state = 'queued' AND NEW.state = 'rejected';

    -- A person ends a doubt. A create that a delete waits for is never sent again, so both go.
    DELETE FROM todo
    WHERE id = OLD.todo_id AND OLD.op = 'create' AND OLD.state = 'in doubt'
        AND EXISTS (SELECT 1 FROM operation WHERE todo_id = OLD.todo_id AND kind = 'delete');
    UPDATE operation SET state = 'rejected', undecided = 0,
        first_sent_boot = NULL, first_sent_ms = NULL, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_error = 'given up while in doubt' || coalesce(': ' || last_error, '')
    WHERE seq = OLD.seq AND state = 'in doubt';
    -- A server that honours idempotency keys may repeat its refusal under the old key.
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))),
        refuted = 0, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL
    WHERE seq = OLD.seq AND state = 'rejected' AND NEW.state = 'queued';
END;

CREATE TRIGGER sync_requests_insert INSTEAD OF INSERT ON sync_requests
BEGIN
    SELECT RAISE(ABORT, 'a sync can be requested for a list that sync_status names, or for all')
    WHERE NEW.resource IS NULL
        OR NEW.resource <> 'all' AND NOT EXISTS (
            SELECT 1 FROM sync_state WHERE sync_state.resource = NEW.resource);

    -- One request that waits speaks for all that come before a daemon takes it.
    INSERT INTO sync_request (resource, requested_at)
    SELECT NEW.resource, CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM sync_request WHERE resource = NEW.resource AND taken = 0);
END;

CREATE TRIGGER sync_requests_update INSTEAD OF UPDATE ON sync_requests
BEGIN
    SELECT RAISE(ABORT, 'a sync request cannot be changed: insert a new one');
END;

CREATE TRIGGER sync_requests_delete INSTEAD OF DELETE ON sync_requests
BEGIN
    DELETE FROM sync_request WHERE resource = OLD.resource AND taken = 0;
END;
