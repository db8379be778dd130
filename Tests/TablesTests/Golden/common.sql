CREATE TABLE control (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    applying TEXT,
    paused TEXT,
    leaving INTEGER,
    rewriting INTEGER,
    returning_row INTEGER,
    invalid_text INTEGER NOT NULL DEFAULT 0,
    invalid_json INTEGER NOT NULL DEFAULT 0,
    spelled_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO control (id) VALUES (1);
CREATE TABLE highest_id (list TEXT PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE change (
    rev INTEGER PRIMARY KEY AUTOINCREMENT, list TEXT NOT NULL, change TEXT NOT NULL, row_id INTEGER, title TEXT, state TEXT,
    op TEXT
) STRICT;
CREATE TABLE row_change (
    seq INTEGER PRIMARY KEY, at INTEGER, list TEXT, row_id INTEGER, title TEXT, change TEXT, old_value ANY, new_value ANY
) STRICT;
CREATE TABLE operation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    list TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'create' OR kind = 'update' OR kind = 'delete'),
    row_id INTEGER NOT NULL,
    stage INTEGER NOT NULL DEFAULT 1 CHECK (stage = 1 OR stage = 0 AND kind = 'update'),
    state TEXT NOT NULL DEFAULT 'queued'
        CHECK (state = 'queued' OR state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'
            OR state = 'rejected'),
    fields INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    idempotency_key TEXT NOT NULL,
    queued_at INTEGER NOT NULL,
    sent TEXT,
    sent_boot TEXT,
    sent_ms INTEGER,
    first_sent_boot TEXT,
    first_sent_ms INTEGER,
    settling_ms INTEGER,
    undecided INTEGER NOT NULL DEFAULT 0 CHECK (undecided IN (0, 1)),
    missed_boot TEXT,
    missed_ms INTEGER,
    open_pulls INTEGER NOT NULL DEFAULT 0,
    refuted INTEGER NOT NULL DEFAULT 0,
    refusals INTEGER NOT NULL DEFAULT 0,
    behind INTEGER NOT NULL DEFAULT 0 CHECK (behind IN (0, 1)),
    sent_hash INTEGER,
    wait_boot TEXT,
    wait_ms INTEGER,
    wait_shown INTEGER,
    wait_asked INTEGER NOT NULL DEFAULT 0 CHECK (wait_asked IN (0, 1)),
    wait_asked_ms INTEGER,
    last_status INTEGER,
    last_error TEXT,
    stale_version TEXT,
    answered_boot TEXT,
    answered_ms INTEGER,
    refused TEXT,
    refused_count INTEGER NOT NULL DEFAULT 0,
    refused_boot TEXT,
    refused_ms INTEGER,
    CHECK (kind <> 'update'
        OR (stage = 0) = (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'))
) STRICT;
CREATE UNIQUE INDEX operation_of_row ON operation (list, row_id, kind, stage);
CREATE TABLE withdrawn (
    seq INTEGER NOT NULL, list TEXT NOT NULL, kind TEXT NOT NULL, row_id INTEGER NOT NULL, stage INTEGER NOT NULL,
    state TEXT NOT NULL, fields INTEGER NOT NULL, attempts INTEGER NOT NULL, idempotency_key TEXT NOT NULL,
    queued_at INTEGER NOT NULL, sent TEXT, sent_boot TEXT, sent_ms INTEGER, first_sent_boot TEXT, first_sent_ms INTEGER,
    settling_ms INTEGER, undecided INTEGER NOT NULL, missed_boot TEXT, missed_ms INTEGER, open_pulls INTEGER NOT NULL,
    refuted INTEGER NOT NULL, refusals INTEGER NOT NULL, behind INTEGER NOT NULL, sent_hash INTEGER, wait_boot TEXT, wait_ms INTEGER, wait_shown INTEGER, wait_asked INTEGER NOT NULL,
    wait_asked_ms INTEGER, last_status INTEGER, last_error TEXT, stale_version TEXT,
    answered_boot TEXT, answered_ms INTEGER,
    refused TEXT, refused_count INTEGER NOT NULL, refused_boot TEXT, refused_ms INTEGER
) STRICT;
CREATE INDEX withdrawn_of_row ON withdrawn (list, row_id, kind);

CREATE TABLE trail (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    answered_boot TEXT NOT NULL,
    answered_ms INTEGER NOT NULL,
    made_ms INTEGER,
    is_new INTEGER NOT NULL DEFAULT 0 CHECK (is_new IN (0, 1)),
    is_claim INTEGER NOT NULL DEFAULT 0 CHECK (is_claim IN (0, 1)),
    holds_edits INTEGER NOT NULL DEFAULT 0 CHECK (holds_edits IN (0, 1)),
    missed_boot TEXT,
    missed_ms INTEGER,
    fields TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE missed_row (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    pulls INTEGER NOT NULL,
    -- Of a list in parts: the last round that did not show it. Then pulls counts rounds.
    round INTEGER,
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

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

CREATE TEMP TABLE unconfirmed (
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    PRIMARY KEY (list, row_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    field TEXT,
    why TEXT NOT NULL CHECK (why IN (
        'edited', 'overwritten', 'doubt', 'not taken', 'gone', 'delete', 'merged')),
    mine ANY,
    theirs ANY
) STRICT;

CREATE TABLE sync_state (
    list TEXT PRIMARY KEY,
    marks TEXT
) STRICT, WITHOUT ROWID;
