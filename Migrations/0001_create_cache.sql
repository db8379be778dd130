-- Why: the cache: the queue of operations, and how syncing goes. Sources/Tables makes the tables of lists.
-- Invariant: a delete waits behind a create only while that is being sent or in doubt.
-- Check: SELECT seq FROM operation AS d WHERE kind = 'delete' AND EXISTS (SELECT 1 FROM operation AS c WHERE c.list = d.list AND c.row_id = d.row_id AND c.kind = 'create' AND (c.state = 'queued' OR c.state = 'rejected'));

-- What the rows of a list are those of: written by the first command that knows it. A declared list is a path
-- with a query; headers and credential tell those with which it was read from others, in 16 bits each.
CREATE TABLE account (
    list TEXT PRIMARY KEY NOT NULL,
    base_url TEXT NOT NULL,
    email TEXT NOT NULL,
    path TEXT,
    query TEXT,
    headers TEXT,
    credential TEXT,
    -- What the server calls the account, and with which credential it was asked last.
    owner TEXT,
    owner_asked TEXT,
    CHECK ((path IS NULL) = (query IS NULL) AND (path IS NULL) = (headers IS NULL))
) STRICT;

-- What is remembered of a row that the server has acknowledged a change of: an answer is a claim, and the first list
-- that begins a minute after it decides.
CREATE TABLE trail (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    -- When the newest of the answers came.
    answered_boot TEXT NOT NULL,
    answered_ms INTEGER NOT NULL,
    -- The create was acknowledged, and no list has shown the row since.
    is_new INTEGER NOT NULL DEFAULT 0 CHECK (is_new IN (0, 1)),
    -- The answer to the create named the row by its status or its id alone.
    is_claim INTEGER NOT NULL DEFAULT 0 CHECK (is_claim IN (0, 1)),
    -- The server said that it will act later: the next edit waits for a list.
    holds_edits INTEGER NOT NULL DEFAULT 0 CHECK (holds_edits IN (0, 1)),
    -- When the first of the complete lists in a row began that did not show a new row.
    missed_boot TEXT,
    missed_ms INTEGER,
    -- The fields that were sent, as JSON: what was sent, what it became, and all older values of our own.
    fields TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

-- Rows that a complete pull did not show, until a second one agrees: a row that comes back is not the
-- effect of a create in doubt.
CREATE TABLE departed (
    list TEXT NOT NULL,
    server_id TEXT NOT NULL,
    -- What makes the row that row beside its id.
    identity TEXT NOT NULL,
    -- Its local id, which it gets again.
    row_id INTEGER NOT NULL,
    missed_boot TEXT NOT NULL,
    missed_ms INTEGER NOT NULL,
    PRIMARY KEY (list, server_id)
) STRICT, WITHOUT ROWID;

-- The outbox: what programs have changed and the server has not acknowledged. Of a row at most one create, one
-- delete, one update that waits and one that is under way.
-- Times named *_boot and *_ms are a moment of the machine's boot clock: decisions use no other.
CREATE TABLE operation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    list TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'create' OR kind = 'update' OR kind = 'delete'),
    row_id INTEGER NOT NULL,
    -- 0: an update that was sent and is undecided. 1: everything else.
    stage INTEGER NOT NULL DEFAULT 1 CHECK (stage = 1 OR stage = 0 AND kind = 'update'),
    state TEXT NOT NULL DEFAULT 'queued'
        CHECK (state = 'queued' OR state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'
            OR state = 'rejected'),
    -- The fields that an update is for: a bit for each column that can be changed, the first has 1.
    fields INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    idempotency_key TEXT NOT NULL,
    queued_at INTEGER NOT NULL,
    -- The values that are under way, or that were refused.
    sent TEXT,
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
    -- Refusals that did not count, because they may not be about it.
    refusals INTEGER NOT NULL DEFAULT 0,
    -- It was refused while something older of its server waited. 1: so the refusal does not count. 2: it is a delete, and
    -- so was everything older, all refused: its refusal counts. When one of those is done, this becomes 1.
    behind INTEGER NOT NULL DEFAULT 0 CHECK (behind IN (0, 1, 2)),
    -- What was sent last under the key of a create, as a hash value: other bytes want another key.
    sent_hash INTEGER,
    -- Not before this moment; shown to people as wait_shown, on the wall clock. If the server asked for a
    -- part of the wait (wait_asked), then that part ends at wait_asked_ms, not later than the whole.
    wait_boot TEXT,
    wait_ms INTEGER,
    wait_shown INTEGER,
    wait_asked INTEGER NOT NULL DEFAULT 0 CHECK (wait_asked IN (0, 1)),
    wait_asked_ms INTEGER,
    last_status INTEGER,
    last_error TEXT,
    -- The version under which the server last said that the row has changed; empty without one.
    stale_version TEXT,
    -- When the server said yes: of an acknowledged create or delete, and of a create that it did not make after all.
    answered_boot TEXT,
    answered_ms INTEGER,
    -- The refusals in the same words: what they said, how many, and when the first of them came.
    refused TEXT,
    refused_count INTEGER NOT NULL DEFAULT 0,
    refused_boot TEXT,
    refused_ms INTEGER,
    CHECK (state NOT IN ('sending', 'in doubt') OR (sent_boot IS NOT NULL AND sent_ms IS NOT NULL)),
    CHECK (state <> 'in doubt' OR undecided = 1),
    CHECK (undecided = 0 OR state IN ('sending', 'in doubt')),
    CHECK (kind <> 'update'
        OR (stage = 0) = (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'))
) STRICT;

CREATE UNIQUE INDEX operation_of_row ON operation (list, row_id, kind, stage);

-- Operations that a program has taken back, whole, until syncd looks: the program may write the row again, as
-- INSERT OR REPLACE does. The columns are those of operation, in the same order. A seq can be given again
-- where INSERT OR FAIL has failed half-way: it does not write sqlite_sequence.
CREATE TABLE withdrawn (
    seq INTEGER NOT NULL, list TEXT NOT NULL, kind TEXT NOT NULL, row_id INTEGER NOT NULL,
    stage INTEGER NOT NULL, state TEXT NOT NULL, fields INTEGER NOT NULL, attempts INTEGER NOT NULL,
    idempotency_key TEXT NOT NULL, queued_at INTEGER NOT NULL, sent TEXT, sent_boot TEXT, sent_ms INTEGER,
    first_sent_boot TEXT, first_sent_ms INTEGER, settling_ms INTEGER, undecided INTEGER NOT NULL,
    missed_boot TEXT, missed_ms INTEGER, open_pulls INTEGER NOT NULL, refuted INTEGER NOT NULL,
    refusals INTEGER NOT NULL, behind INTEGER NOT NULL, sent_hash INTEGER, wait_boot TEXT, wait_ms INTEGER,
    wait_shown INTEGER, wait_asked INTEGER NOT NULL, wait_asked_ms INTEGER, last_status INTEGER, last_error TEXT,
    stale_version TEXT, answered_boot TEXT, answered_ms INTEGER,
    refused TEXT, refused_count INTEGER NOT NULL, refused_boot TEXT, refused_ms INTEGER
) STRICT;

CREATE INDEX withdrawn_of_row ON withdrawn (list, row_id, kind);

-- Deletes of so many rows at once that nothing of them is sent before a person has accepted them (accepted), and
-- how many rows the list had before them. A row leaves with its operation.
CREATE TABLE held_delete (
    seq INTEGER PRIMARY KEY,
    list TEXT NOT NULL,
    held_at INTEGER NOT NULL,
    of_rows INTEGER NOT NULL,
    accepted INTEGER NOT NULL DEFAULT 0 CHECK (accepted IN (0, 1))
) STRICT;

CREATE TRIGGER operation_unheld AFTER DELETE ON operation WHEN OLD.kind = 'delete'
BEGIN
    DELETE FROM held_delete WHERE seq = OLD.seq;
END;

-- Deletes that were sent unasked, and how many rows the list had then: those of the last minute count as well
-- where more follow.
CREATE TABLE sent_delete (
    seq INTEGER PRIMARY KEY,
    list TEXT NOT NULL,
    queued_at INTEGER NOT NULL,
    of_rows INTEGER NOT NULL
) STRICT;

-- Few wait so, if any.
CREATE INDEX operation_behind ON operation (seq) WHERE behind > 0;

-- Counting a long queue by state reads no row of it, for queries whose WHERE has one of the two conditions
-- as it stands here. A plain queue of creates has no entry in the index until one is sent.
CREATE INDEX operation_exception ON operation (kind, state) WHERE state <> 'queued' OR kind <> 'create';

-- What a program wrote and the server has instead, until a person has seen it.
CREATE TABLE conflict (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    -- NULL where it is about the row as a whole.
    field TEXT,
    why TEXT NOT NULL CHECK (why IN (
        'edited', 'overwritten', 'doubt', 'not taken', 'gone', 'delete', 'merged')),
    mine ANY,
    theirs ANY
) STRICT;

-- The lists that have a table, and what each table was made from.
CREATE TABLE declared_list (
    name TEXT PRIMARY KEY,
    declaration TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The highest local id of a row that has left the table of a list. SQLite's own count is not enough: any
-- program can empty sqlite_sequence, and a statement that fails half-way does not write it.
CREATE TABLE highest_id (
    list TEXT PRIMARY KEY,
    id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row. Every column is as it was after every commit.
CREATE TABLE control (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- The list whose rows syncd writes: its triggers rest, those of all other lists do not.
    applying TEXT,
    -- The list whose changes a pull tells as one reset.
    paused TEXT,
    -- The row that a program writes over, and whether a delete had hidden it.
    rewriting INTEGER,
    returning_row INTEGER,
    -- 1 where checked_text has found bytes that are no UTF-8: the statement is refused then.
    invalid_text INTEGER NOT NULL DEFAULT 0,
    -- What checked_json has found: SharedObjects.JSONFault.
    invalid_json INTEGER NOT NULL DEFAULT 0,
    -- The size of the texts that went to spelled_text.
    spelled_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO control (id) VALUES (1);

-- Rows whose columns from reads are to be read: a list has brought them, or changed them.
CREATE TABLE unread_row (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

-- Rows of lists that the last pulls in a row did not show, though each read every page.
CREATE TABLE missed_row (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    pulls INTEGER NOT NULL,
    -- Of a list in parts: the last round that did not show it. Then pulls counts rounds.
    round INTEGER,
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

-- The parts of lists below rows or words, and how each was read.
CREATE TABLE part (
    list TEXT NOT NULL,
    -- The word, or what the server calls the row above.
    part TEXT NOT NULL,
    -- When the last read began that was taken, and the same for people; NULL: none was.
    read_boot TEXT,
    read_ms INTEGER,
    read_at INTEGER,
    -- The last round in which it was read to its end, or refused.
    round INTEGER,
    complete INTEGER CHECK (complete IN (0, 1)),
    -- What the columns had then whose change asks for the part, as a JSON list.
    changed TEXT,
    -- The next pull is to read it.
    wanted INTEGER NOT NULL DEFAULT 0 CHECK (wanted IN (0, 1)),
    -- Why it could not be read the last time.
    error TEXT,
    PRIMARY KEY (list, part)
) STRICT, WITHOUT ROWID;

-- What the last pull of a URL said of its version, and for a page what was on it.
CREATE TABLE validator (
    url TEXT PRIMARY KEY,
    list TEXT NOT NULL,
    entity_tag TEXT,
    last_modified TEXT,
    -- Of a page of a list: the ids at the server of its rows, and what it told.
    keys TEXT,
    next TEXT,
    total_pages INTEGER,
    total_rows INTEGER,
    -- The part that it is of, if the list has some.
    part TEXT
) STRICT;

-- How syncing of a list goes.
CREATE TABLE sync_state (
    list TEXT PRIMARY KEY NOT NULL,
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
    -- The kinds of operations that the server refused in the last cycle, whatever their rows: words of operation.kind
    -- with spaces between them. NULL where the cycle failed for another reason, or did not.
    refused_kinds TEXT,
    -- Since the cache was made: requests whose intent was committed, operations that the server has
    -- acknowledged or that nobody wanted any more, operations that it refused, and attempts whose answer
    -- was lost.
    sent INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    rejected INTEGER NOT NULL DEFAULT 0,
    in_doubt INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    -- What stopped the last replay before its queue was empty, in the words of state and last_error. It stays until
    -- something was sent, or nothing waits.
    halt TEXT,
    halt_error TEXT,
    row_count INTEGER,
    duration_ms INTEGER,
    complete INTEGER CHECK (complete IN (0, 1)),
    -- Rows of the last list that was read which could not be taken.
    skipped INTEGER NOT NULL DEFAULT 0,
    -- The columns whose values have another type in each row that has one: a line each with its name, its type and
    -- what the rows have, with tabs between them. NULL where no list was judged.
    mistaken TEXT,
    -- The columns that a list has ever shown, and those that none has, though a read or an answer did: a line each.
    listed TEXT,
    excerpt TEXT,
    -- The length at which the server cut a title, in characters; NULL where it has not.
    title_cut INTEGER,
    -- What the server makes of the marks that creates carry; NULL where no row of ours has shown it.
    marks TEXT CHECK (marks IN ('kept', 'dropped', 'cut', 'altered')),
    -- So long after a pull a local write causes the next one, at least.
    pull_gap_ms INTEGER,
    -- How many pages of a pull that takes longer than a minute have come, and how many there are, if the server tells.
    pages_read INTEGER,
    pages_told INTEGER,
    -- The last whole list that was taken: when it began, how many pages it had, and what asks for another one:
    -- 0 nothing, 1 whoever asked, 2 and 3 rows that it lacked.
    whole_at INTEGER,
    whole_boot TEXT,
    whole_ms INTEGER,
    whole_pages INTEGER NOT NULL DEFAULT 0,
    whole_wanted INTEGER NOT NULL DEFAULT 0 CHECK (whole_wanted BETWEEN 0 AND 3),
    -- When the number of rows last asked for the whole list.
    counted_boot TEXT,
    counted_ms INTEGER,
    -- From where the next increment asks, what becomes that mark once it has stood long enough and since when it
    -- stands, and the largest moment that was ever shown. They hold for the declaration in since_of alone.
    mark TEXT,
    candidate TEXT,
    candidate_boot TEXT,
    candidate_ms INTEGER,
    newest TEXT,
    since_of TEXT,
    -- How many changes whole lists have found that increments should have shown, and what the last of them were.
    missed INTEGER NOT NULL DEFAULT 0,
    missed_why TEXT,
    -- Of a list in parts: how often all of them were read.
    round INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- A pull that would have removed too much, and the rows that it did not hold.
CREATE TABLE hold (
    list TEXT PRIMARY KEY,
    since_boot TEXT NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE held_row (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_request (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    list TEXT NOT NULL,
    requested_at INTEGER NOT NULL,
    accepts_removals INTEGER NOT NULL DEFAULT 0 CHECK (accepts_removals IN (0, 1)),
    taken INTEGER NOT NULL DEFAULT 0 CHECK (taken IN (0, 1))
) STRICT;

-- What changed in the outbox and the lists, to watch; the newest 20 000 rows. The CHECK has no IN: a list of
-- three or more is built anew for each row, which takes longer than everything else.
CREATE TABLE change (
    rev INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL
        DEFAULT (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)),
    list TEXT NOT NULL,
    change TEXT NOT NULL
        CHECK (change = 'added' OR change = 'changed' OR change = 'removed' OR change = 'reset'),
    row_id INTEGER,
    title TEXT,
    state TEXT,
    op TEXT,
    CHECK ((change = 'reset') = (row_id IS NULL))
) STRICT;

CREATE TRIGGER change_added AFTER INSERT ON change WHEN NEW.rev % 1000 = 0
BEGIN
    DELETE FROM change WHERE rev <= NEW.rev - 20000;
END;

-- The public contract begins here.

CREATE VIEW list_parts AS
SELECT list, part, strftime('%Y-%m-%dT%H:%M:%fZ', read_at / 1000.0, 'unixepoch') AS read_at, complete, error
FROM part;

CREATE VIEW sync_requests AS
SELECT list,
    strftime('%Y-%m-%dT%H:%M:%fZ', requested_at / 1000.0, 'unixepoch') AS requested_at
FROM sync_request;

-- Each refusal stands before the first write of its trigger: INSERT OR IGNORE silences a CHECK,
-- but not RAISE(ABORT).
CREATE TRIGGER sync_requests_insert INSTEAD OF INSERT ON sync_requests
BEGIN
    SELECT RAISE(ABORT, 'a sync can be requested for a list that sync_status names, or for all')
    WHERE NEW.list IS NULL
        OR NEW.list <> 'all' AND NOT EXISTS (
            SELECT 1 FROM sync_state WHERE sync_state.list = NEW.list);

    -- One request that waits speaks for all that come before a daemon takes it.
    INSERT INTO sync_request (list, requested_at)
    SELECT NEW.list, CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM sync_request WHERE list = NEW.list AND taken = 0);
END;

CREATE TRIGGER sync_requests_update INSTEAD OF UPDATE ON sync_requests
BEGIN
    SELECT RAISE(ABORT, 'a sync request cannot be changed: insert a new one');
END;

CREATE TRIGGER sync_requests_delete INSTEAD OF DELETE ON sync_requests
BEGIN
    DELETE FROM sync_request WHERE list = OLD.list AND taken = 0;
END;
