CREATE TABLE "remarks" (
    "visit" INTEGER,
    "text" TEXT,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_remarks" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_remarks" (
    id INTEGER PRIMARY KEY,
    "c_visit" INTEGER, "c_text" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE INDEX "remarks by visit" ON "remarks" ("visit");

CREATE TRIGGER "remarks_count" BEFORE INSERT ON "remarks"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0) > coalesce((SELECT max("_id") FROM "remarks"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'remarks'), 0)
    AND (SELECT applying FROM control) IS NOT 'remarks'
BEGIN
    UPDATE control SET applying = 'remarks';
    INSERT INTO "remarks" ("_id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0));
    DELETE FROM "remarks" WHERE "_id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "remarks_insert" AFTER INSERT ON "remarks"
WHEN (SELECT applying FROM control) IS NOT 'remarks'
BEGIN
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of remarks with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of remarks was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'remarks'), 0)
        OR NEW."_id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0)
        OR NEW."_id" < (SELECT max("_id") FROM "remarks"))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of remarks is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of remarks is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of remarks is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of remarks is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'visit of remarks cannot be changed, because the server has no call for it')
    WHERE (EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')))
        AND NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"
            AND hidden."c_visit" IS NEW."visit");
    SELECT CASE
        WHEN NEW."visit" IS NULL
            THEN RAISE(ABORT, 'visit of remarks must be given')
        WHEN NEW."visit" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM "visits" AS parent WHERE parent."_id" = NEW."visit")
            THEN RAISE(ABORT, 'visit of remarks must be the _id of a row of visits that is here')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_visit" IS NEW."visit");
    INSERT INTO checked_text
    SELECT NEW."text"
    WHERE NEW."text" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."text" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_text" IS NEW."text"));
    SELECT CASE
        WHEN NEW."text" IS NULL
            THEN RAISE(ABORT, 'text of remarks must be given')
        WHEN length(CAST(NEW."text" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'text of remarks must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."text" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'text of remarks must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'text of remarks must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_text" IS NEW."text");
    INSERT INTO spelled_text SELECT ifnull(NEW."text", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."text" AS BLOB)), 0)) > 522199;
    SELECT RAISE(ABORT, 'a row of remarks must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044399;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of remarks were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'update')
        AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'delete' AND state <> 'rejected') OR NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"));
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'remarks', 'added', NEW."_id", substr(NEW."text", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'remarks' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_remarks" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'remarks' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'remarks' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'remarks' AND row_id = NEW."_id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'remarks', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND kind = 'create');
    UPDATE operation SET fields = 1
    WHERE list = 'remarks' AND row_id = NEW."_id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'remarks', 'update', NEW."_id", 1, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = NEW."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE "remarks" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_remarks" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'remarks', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("remarks"."text", 1, 500), "_state"
    FROM "remarks" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "remarks_fixed" BEFORE UPDATE OF "_id", "_server_id", "_state", "_error", "_added_at", "visit" ON "remarks"
WHEN (SELECT applying FROM control) IS NOT 'remarks'
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of remarks cannot be changed')
    WHERE NEW."_id" IS NOT OLD."_id";
    SELECT RAISE(ABORT, 'visit of remarks cannot be changed, because the server has no call for it')
    WHERE NEW."visit" IS NOT OLD."visit";
    SELECT CASE
        WHEN NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL THEN RAISE(ABORT, '_added_at of remarks is written by syncd alone: leave it out')
        WHEN NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_state of remarks is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_error of remarks is written by syncd alone: leave it out')
        WHEN NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_remarks" AS known WHERE known.id = OLD."_id") THEN RAISE(ABORT, '_server_id of remarks is written by syncd alone: leave it out')
    END
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."text" IS NOT OLD."text") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_remarks" AS known WHERE known.id = OLD."_id")
        OR false);
END;

CREATE TRIGGER "remarks_mark" BEFORE UPDATE OF "text" ON "remarks"
WHEN (SELECT applying FROM control) IS NOT 'remarks' AND (NEW."text" IS NOT OLD."text")
BEGIN
    INSERT INTO checked_text
    SELECT NEW."text"
    WHERE NEW."text" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."text" AS BLOB)) <= 1048576
        AND (NEW."text" IS NOT OLD."text");
    SELECT CASE
        WHEN NEW."text" IS NULL
            THEN RAISE(ABORT, 'text of remarks must be given')
        WHEN length(CAST(NEW."text" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'text of remarks must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."text" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'text of remarks must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'text of remarks must be valid UTF-8')
        END
    WHERE NEW."text" IS NOT OLD."text";
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."text" IS NOT OLD."text" OR NOT EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = OLD."_id"), NEW."text", NULL), ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."text" AS BLOB)), 0)) > 522199;
    SELECT RAISE(ABORT, 'a row of remarks must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + max(0, ifnull((SELECT length(CAST(known.document AS BLOB)) FROM "s_remarks" AS known WHERE known.id = OLD."_id") - (iif(NEW."text" IS NOT OLD."text", ifnull(length(CAST(OLD."text" AS BLOB)), 0), 0)), 0)) > 1044399;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of remarks were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND kind = 'update');
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'remarks', 'update', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE operation SET fields = fields | (iif(NEW."text" IS NOT OLD."text", 1, 0))
    WHERE list = 'remarks' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND (fields | (iif(NEW."text" IS NOT OLD."text", 1, 0))) IS NOT fields;
END;

CREATE TRIGGER "remarks_edit" AFTER UPDATE OF "text" ON "remarks"
WHEN (SELECT applying FROM control) IS NOT 'remarks' AND (NEW."text" IS NOT OLD."text")
BEGIN
    UPDATE "remarks" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_remarks" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND (true);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'remarks', 'changed', "_id", substr("remarks"."text", 1, 500), "_state"
    FROM "remarks" WHERE "_id" = NEW."_id";
END;

CREATE TRIGGER "remarks_delete" AFTER DELETE ON "remarks"
WHEN (SELECT applying FROM control) IS NOT 'remarks'
BEGIN
    INSERT INTO "d_remarks" (id, "c_visit", "c_text", server_id, added_at)
    SELECT OLD."_id", OLD."visit", OLD."text", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE list = 'remarks' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_remarks"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('remarks', 'removed', OLD."_id", substr(OLD."text", 1, 500));
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'remarks', 'delete', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = OLD."_id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE list = 'remarks' AND row_id = OLD."_id" AND kind = 'delete' AND state = 'rejected';
END;

CREATE TRIGGER "remarks_left" AFTER DELETE ON "remarks"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'remarks', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'remarks');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "remarks"), 0))) WHERE list = 'remarks';
END;

CREATE VIEW "invariant_remarks_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "remarks" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_remarks_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'remarks' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_remarks_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'remarks' AND NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "remarks" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_remarks_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_remarks" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "remarks" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_remarks_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_remarks" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "remarks" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'remarks' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_remarks_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "remarks" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'remarks' AND row_id = shown."_id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_remarks" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL));

CREATE VIEW "invariant_remarks_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_remarks" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0)
    UNION ALL
    SELECT known.id FROM "s_remarks" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0)
        AND NOT EXISTS (SELECT 1 FROM "remarks" AS shown WHERE shown."_id" = known.id));

CREATE TABLE "r_remarks" (
    row_id INTEGER PRIMARY KEY,
    "c_visit" TEXT
) STRICT;

CREATE INDEX "r_remarks by visit" ON "r_remarks" ("c_visit")
WHERE "c_visit" IS NOT NULL;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_remarks" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_visit" TEXT,
    "c_text" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_remarks" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_remarks" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_remarks" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_remarks" (key TEXT PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "part_of_remarks" (part TEXT NOT NULL) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "parts_of_remarks" (
    part TEXT PRIMARY KEY,
    -- The count of a row that is missed for the first time.
    first INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "lacking_remarks" (
    row_id INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "leaving_remarks" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "wanted_remarks" (part TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_remarks";

-- clear
DELETE FROM temp."differing_remarks";

-- clear
DELETE FROM temp."absent_remarks";

-- clear
DELETE FROM temp."arriving_remarks";

-- clear
DELETE FROM temp."skipped_remarks";

-- clear
DELETE FROM temp."part_of_remarks";

-- clear
DELETE FROM temp."parts_of_remarks";

-- clear
DELETE FROM temp."lacking_remarks";

-- clear
DELETE FROM temp."leaving_remarks";

-- clear
DELETE FROM temp."wanted_remarks";

-- envelope
SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
    iif(json_valid(?1), json_type(?1, '$'), NULL),
    iif(json_valid(?1), json_array_length(?1, '$'), NULL),
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL;

-- stage
INSERT INTO temp."pulled_remarks" (position, key, "c_visit", "c_text", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_visit", "c_text", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."@visit"')
    WHEN 'text' THEN value ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."@visit"') = 'integer', CAST(value ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
    CASE json_type(value, '$."text"') WHEN 'text' THEN value ->> '$."text"' END AS "c_text"
FROM (SELECT key, json_set(value, '$."@visit"', (SELECT part FROM temp."part_of_remarks")) AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576)
ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT (document = excluded.document OR same_json(document, excluded.document));

-- countUsable
SELECT count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576)),
    count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND NOT ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576) AND "type of visit" IS NOT NULL AND "type of text" IS NOT NULL)
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."@visit"')
    WHEN 'text' THEN value ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."@visit"') = 'integer', CAST(value ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
    json_type(value, '$."@visit"') AS "type of visit",
    CASE json_type(value, '$."text"') WHEN 'text' THEN value ->> '$."text"' END AS "c_text",
    json_type(value, '$."text"') AS "type of text"
FROM (SELECT key, json_set(value, '$."@visit"', (SELECT part FROM temp."part_of_remarks")) AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_visit" IS NOT NULL) THEN 'visit' WHEN NOT ("c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576) THEN 'text' END, CASE WHEN NOT ("c_visit" IS NOT NULL) THEN "type of visit" WHEN NOT ("c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576) THEN "type of text" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."@visit"')
    WHEN 'text' THEN value ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."@visit"') = 'integer', CAST(value ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
    json_type(value, '$."@visit"') AS "type of visit",
    CASE json_type(value, '$."text"') WHEN 'text' THEN value ->> '$."text"' END AS "c_text",
    json_type(value, '$."text"') AS "type of text"
FROM (SELECT key, json_set(value, '$."@visit"', (SELECT part FROM temp."part_of_remarks")) AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE NOT coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576), 0)
UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
ORDER BY place LIMIT 20;

-- nameFields
SELECT substr(field.key, 1, 500)
FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8;

-- compareRows
DELETE FROM temp."differing_remarks";

-- compareRows
DELETE FROM temp."absent_remarks";

-- compareRows
INSERT INTO temp."differing_remarks" (position)
SELECT position FROM temp."pulled_remarks" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_remarks" (row_id)
SELECT id FROM "s_remarks" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_remarks" WHERE "s_remarks".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'remarks' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_remarks" WHERE "s_remarks".id IN (SELECT row_id FROM temp."absent_remarks")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled
        WHERE pulled.key = "s_remarks".server_id AND true);

-- shownOtherwise
SELECT id FROM "s_remarks" WHERE false;

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'remarks', server_id, '', id, ?1, ?2 FROM "s_remarks"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'remarks'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_remarks" AS known ON known.id = trail.row_id
        WHERE trail.list = 'remarks' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'remarks'
    AND row_id NOT IN (SELECT id FROM "s_remarks" WHERE "s_remarks".id IN (SELECT row_id FROM temp."absent_remarks")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled
        WHERE pulled.key = "s_remarks".server_id AND true));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'remarks', id, 1 FROM "s_remarks" WHERE "s_remarks".id IN (SELECT row_id FROM temp."absent_remarks")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled
        WHERE pulled.key = "s_remarks".server_id AND true)
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, CAST(pulled."c_visit" AS TEXT), pulled."c_text" FROM temp."differing_remarks" CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" WHERE "s_remarks".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'remarks' AND departed.server_id = pulled.key
    AND departed.identity = '')
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_remarks" AS known CROSS JOIN temp."pulled_remarks" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND true) AS is_shown,
    CAST(iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END) AS TEXT),
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."1"') WHEN 'text' THEN operation.sent ->> '$."1"' END)
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'remarks'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'remarks' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_remarks" (row_id, position)
SELECT known.id, position FROM temp."differing_remarks" CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
    CROSS JOIN "s_remarks" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "remarks" AS shown
        WHERE shown."_id" = known.id AND (shown."visit" IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit")
    OR shown."text" IS NOT pulled."c_text"))
    OR EXISTS (SELECT 1 FROM "d_remarks" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_visit" IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit")
    OR hidden."c_text" IS NOT pulled."c_text")))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'remarks' AND own.row_id = known.id AND true);

-- change
UPDATE "remarks" SET "visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"),
    "text" = pulled."c_text"
FROM temp."arriving_remarks" AS arriving CROSS JOIN temp."pulled_remarks" AS pulled USING (position) WHERE "remarks"."_id" = arriving.row_id;

-- change
UPDATE "d_remarks" SET "c_visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"),
    "c_text" = pulled."c_text"
FROM temp."arriving_remarks" AS arriving CROSS JOIN temp."pulled_remarks" AS pulled USING (position) WHERE "d_remarks".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'remarks', 'changed', shown."_id", substr(shown."text", 1, 500), shown."_state"
FROM temp."arriving_remarks" AS arriving CROSS JOIN "remarks" AS shown ON shown."_id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'remarks' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'remarks'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'remarks'), 0),
    coalesce((SELECT max(id) FROM "s_remarks"), 0), coalesce((SELECT max("_id") FROM "remarks"), 0),
    coalesce((SELECT max(id) FROM "d_remarks"), 0));

-- nameArriving
INSERT INTO temp."arriving_remarks" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'remarks' AND departed.server_id = pulled.key
    AND departed.identity = ''), position
FROM temp."differing_remarks" CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" WHERE "s_remarks".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_remarks" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_remarks" AS arriving CROSS JOIN temp."pulled_remarks" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "remarks" ("_id", "visit", "text", "_state", "_server_id", "_added_at")
SELECT row_id, (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"), pulled."c_text", 'synced', key, ?3
FROM temp."arriving_remarks" AS arriving CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'remarks', 'added', row_id, substr(pulled."c_text", 1, 500), 'synced'
FROM temp."arriving_remarks" AS arriving CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'remarks' ORDER BY row_id;

-- updateDocuments
UPDATE "s_remarks" SET document = pulled.document FROM temp."pulled_remarks" AS pulled
WHERE "s_remarks".id IN (SELECT row_id FROM temp."absent_remarks")
    AND pulled.key = "s_remarks".server_id AND pulled.document IS NOT "s_remarks".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = "s_remarks".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'remarks' AND own.row_id = "s_remarks".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_remarks" AS known ON known.id = trail.row_id
WHERE list = 'remarks' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR true
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'remarks' AND departed.server_id = pulled.key
    AND departed.identity = '')));

-- unconfirmed
SELECT id FROM "s_remarks" AS known
WHERE id IN (SELECT row_id FROM temp."absent_remarks")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(CAST(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END), coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)))) AS TEXT), ''), char(31), '') || char(31) || replace(ifnull(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."1"') WHEN 'text' THEN operation.sent ->> '$."1"' END), coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_remarks" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'remarks'
    AND NOT (kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS deletion
    WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    (SELECT json_quote(parent."document" ->> '$."id"') FROM "s_visits" AS parent WHERE parent."id" = "value 0"),
    CASE WHEN "value 1" IS NOT NULL THEN json_quote("value 1") END,
    CASE WHEN "known 0" IS NOT NULL THEN json_quote("known 0") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_remarks" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1",
        (SELECT CASE json_type(known.document, '$."@visit"')
    WHEN 'text' THEN known.document ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."@visit"') = 'integer', CAST(known.document ->> '$."@visit"' AS TEXT), NULL)
END FROM "s_remarks" AS known
    WHERE known.id = operation.row_id AND operation.kind <> 'create') AS "known 0"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."@visit"')
    WHEN 'text' THEN row ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."@visit"') = 'integer', CAST(row ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
        CASE json_type(row, '$."text"') WHEN 'text' THEN row ->> '$."text"' END AS "c_text"
    FROM (SELECT json_set(json(?1 -> '$'), '$."@visit"', ?2) AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576);

-- answeredUpdates
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."@visit"')
    WHEN 'text' THEN row ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."@visit"') = 'integer', CAST(row ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
        CASE json_type(row, '$."text"') WHEN 'text' THEN row ->> '$."text"' END AS "c_text"
    FROM (SELECT json_set(json(?1 -> '$'), '$."@visit"', ?2) AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576);

-- answeredRead
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."@visit"')
    WHEN 'text' THEN row ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."@visit"') = 'integer', CAST(row ->> '$."@visit"' AS TEXT), NULL)
END AS "c_visit",
        CASE json_type(row, '$."text"') WHEN 'text' THEN row ->> '$."text"' END AS "c_text"
    FROM (SELECT json_set(json(?1 -> '$'), '$."@visit"', ?2) AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_visit" IS NOT NULL AND "c_text" IS NOT NULL AND length(CAST("c_text" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_remarks" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL);

-- owner
SELECT id, ?3 IS NOT NULL AND true,
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'remarks')
FROM "s_remarks" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."text"') WHEN 'text' THEN ?2 ->> '$."text"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take visit
UPDATE "remarks" SET "visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(?2, '$."@visit"')
    WHEN 'text' THEN ?2 ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."@visit"') = 'integer', CAST(?2 ->> '$."@visit"' AS TEXT), NULL)
END)) WHERE "_id" = ?1;

-- take visit
UPDATE "d_remarks" SET "c_visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(?2, '$."@visit"')
    WHEN 'text' THEN ?2 ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."@visit"') = 'integer', CAST(?2 ->> '$."@visit"' AS TEXT), NULL)
END)) WHERE id = ?1;

-- giveBack visit
UPDATE "remarks" SET "visit" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT sent ->> '$.rows."0"' FROM withdrawn WHERE list = 'remarks' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT sent ->> '$.rows."0"' FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT (CASE json_type(known.document, '$."@visit"')
    WHEN 'text' THEN known.document ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."@visit"') = 'integer', CAST(known.document ->> '$."@visit"' AS TEXT), NULL)
END) FROM "s_remarks" AS known WHERE known.id = ?1)))) WHERE "_id" = ?1;

-- giveBack visit
UPDATE "d_remarks" SET "c_visit" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT sent ->> '$.rows."0"' FROM withdrawn WHERE list = 'remarks' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT sent ->> '$.rows."0"' FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT (CASE json_type(known.document, '$."@visit"')
    WHEN 'text' THEN known.document ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."@visit"') = 'integer', CAST(known.document ->> '$."@visit"' AS TEXT), NULL)
END) FROM "s_remarks" AS known WHERE known.id = ?1)))) WHERE id = ?1;

-- keep visit
SELECT iif(json_type(?2, '$."@visit"') IS NULL, json_remove(?1, '$."@visit"'),
    json_set(?1, '$."@visit"', json(?2 -> '$."@visit"')));

-- patch visit
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."@visit"'),
    json_set(?1, '$."@visit"', json(?2 -> '$."0"')));

-- record visit
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'remarks', ?1, 'visit', ?3,
    CASE ?4 WHEN 1 THEN (SELECT sent ->> '$.rows."0"' FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = CAST(?5 AS TEXT)) END,
    iif(?2 IS NULL, NULL, (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(coalesce(?2, '{}'), '$."@visit"')
    WHEN 'text' THEN coalesce(?2, '{}') ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(coalesce(?2, '{}') ->> '$."@visit"') = 'integer', CAST(coalesce(?2, '{}') ->> '$."@visit"' AS TEXT), NULL)
END))));

-- take text
UPDATE "remarks" SET "text" = (CASE json_type(?2, '$."text"') WHEN 'text' THEN ?2 ->> '$."text"' END) WHERE "_id" = ?1;

-- take text
UPDATE "d_remarks" SET "c_text" = (CASE json_type(?2, '$."text"') WHEN 'text' THEN ?2 ->> '$."text"' END) WHERE id = ?1;

-- giveBack text
UPDATE "remarks" SET "text" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'remarks' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack text
UPDATE "d_remarks" SET "c_text" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'remarks' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep text
SELECT iif(json_type(?2, '$."text"') IS NULL, json_remove(?1, '$."text"'),
    json_set(?1, '$."text"', json(?2 -> '$."text"')));

-- patch text
SELECT iif(json_type(?2, '$."1"') IS NULL, json_remove(?1, '$."text"'),
    json_set(?1, '$."text"', json(?2 -> '$."1"')));

-- record text
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'remarks', ?1, 'text', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."text"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."text"' END)));

-- layers
SELECT CAST((SELECT (CASE json_type(known.document, '$."@visit"')
    WHEN 'text' THEN known.document ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."@visit"') = 'integer', CAST(known.document ->> '$."@visit"' AS TEXT), NULL)
END) FROM "s_remarks" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."0"')
    WHEN 'text' THEN sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', CAST(sent ->> '$."0"' AS TEXT), NULL)
END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    false,
    CAST(coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))) AS TEXT),
    CAST((CASE json_type(?2, '$."@visit"')
    WHEN 'text' THEN ?2 ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."@visit"') = 'integer', CAST(?2 ->> '$."@visit"' AS TEXT), NULL)
END) AS TEXT),
    (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = ?1))),
    coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."text"') WHEN 'text' THEN ?2 ->> '$."text"' END);

-- payload
SELECT iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- creation
SELECT iif(coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce((SELECT json_quote(parent."document" ->> '$."id"') FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))), 'null'), NULL),
    iif(coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'remarks' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."text" FROM "remarks" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_text" FROM "d_remarks" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'remarks' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."text"') WHEN 'text' THEN known.document ->> '$."text"' END) FROM "s_remarks" AS known WHERE known.id = mark.row_id)))));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'remarks' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_remarks" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_remarks" WHERE id = ?1;

-- setDocument
UPDATE "s_remarks" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'remarks' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'remarks' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_remarks" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_remarks" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'remarks' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_remarks" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_remarks" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_remarks" AS pulled ON pulled.key = known.server_id
WHERE true
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'remarks' AND kind = 'update';

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_remarks_insert"
AFTER INSERT ON main."s_remarks"
BEGIN
    INSERT INTO "r_remarks" SELECT NEW."id",
        CASE json_type(NEW."document", '$."@visit"')
        WHEN 'text' THEN NEW."document" ->> '$."@visit"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."@visit"') = 'integer', CAST(NEW."document" ->> '$."@visit"' AS TEXT), NULL)
    END;
END;

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_remarks_update"
AFTER UPDATE OF "document" ON main."s_remarks"
BEGIN
    UPDATE "r_remarks" SET "c_visit" = CASE json_type(NEW."document", '$."@visit"')
        WHEN 'text' THEN NEW."document" ->> '$."@visit"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."@visit"') = 'integer', CAST(NEW."document" ->> '$."@visit"' AS TEXT), NULL)
    END
    WHERE row_id = NEW."id" AND ("c_visit" IS NOT CASE json_type(NEW."document", '$."@visit"')
        WHEN 'text' THEN NEW."document" ->> '$."@visit"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."@visit"') = 'integer', CAST(NEW."document" ->> '$."@visit"' AS TEXT), NULL)
    END);
END;

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_remarks_delete"
AFTER DELETE ON main."s_remarks"
BEGIN
    DELETE FROM "r_remarks" WHERE row_id = OLD."id";
END;

-- fill
DELETE FROM "r_remarks";

-- fill
INSERT INTO "r_remarks" SELECT known."id",
    CASE json_type(known."document", '$."@visit"')
    WHEN 'text' THEN known."document" ->> '$."@visit"'
    WHEN 'integer' THEN iif(typeof(known."document" ->> '$."@visit"') = 'integer', CAST(known."document" ->> '$."@visit"' AS TEXT), NULL)
END
FROM "s_remarks" AS known WHERE json_valid(known."document");

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_visits  insert"
AFTER INSERT ON main."s_visits"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'visits', '', CAST(NEW."server_id" AS TEXT)
    WHERE NEW."server_id" IS NOT NULL;
END;

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_visits  delete"
AFTER DELETE ON main."s_visits"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'visits', '', CAST(OLD."server_id" AS TEXT)
    WHERE OLD."server_id" IS NOT NULL;
END;

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_visits  update"
AFTER UPDATE OF "server_id" ON main."s_visits"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'visits', '', CAST(OLD."server_id" AS TEXT)
    WHERE OLD."server_id" IS NOT NULL;
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'visits', '', CAST(NEW."server_id" AS TEXT)
    WHERE NEW."server_id" IS NOT NULL;
END;

-- find
INSERT OR IGNORE INTO temp.following (row_id, number)
SELECT refers.row_id, (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit")
FROM temp.referred AS referred CROSS JOIN "r_remarks" AS refers
    ON refers."c_visit" = referred.key
WHERE referred.list = 'visits' AND referred.field = '';

-- leave
DELETE FROM temp.following WHERE (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = following.row_id AND kind = 'update' AND stage = 1 AND (fields & 0) <> 0) OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = following.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL));

-- leave
DELETE FROM temp.following WHERE NOT (EXISTS (SELECT 1 FROM "remarks" AS shown
    WHERE shown."_id" = following.row_id AND shown."visit" IS NOT following.number) OR EXISTS (SELECT 1 FROM "d_remarks" AS hidden
    WHERE hidden.id = following.row_id AND hidden."c_visit" IS NOT following.number));

-- show
UPDATE "remarks" SET "visit" = (SELECT number FROM temp.following WHERE row_id = "remarks"."_id")
WHERE "_id" IN (SELECT row_id FROM temp.following);

-- show
UPDATE "d_remarks" SET "c_visit" = (SELECT number FROM temp.following WHERE row_id = "d_remarks".id)
WHERE id IN (SELECT row_id FROM temp.following);

-- tell
INSERT INTO change (list, change, row_id, title, state)
SELECT 'remarks', 'changed', shown."_id", substr(shown."text", 1, 500), shown."_state"
FROM temp.following AS following CROSS JOIN "remarks" AS shown
    ON shown."_id" = following.row_id
WHERE (SELECT paused FROM control) IS NOT 'remarks' ORDER BY following.row_id;

-- waits
SELECT seq FROM operation WHERE (operation.state = 'queued' AND (EXISTS (SELECT 1 FROM operation AS parent
    WHERE operation.kind IN ('create') AND parent.list = 'visits'
    AND parent.row_id = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged')))));

-- waiting
SELECT operation.seq, parent.seq, parent.list, parent.kind, parent.state, NULL
FROM operation CROSS JOIN operation AS parent
WHERE operation.list = 'remarks' AND operation.kind <> 'delete' AND operation.state = 'queued'
    AND operation.kind IN ('create') AND parent.list = 'visits'
    AND parent.row_id = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged'));

-- deletesBehind
WITH RECURSIVE above (list, row_id, seq) AS (
SELECT 'visits', (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"), operation.seq
FROM operation CROSS JOIN "r_remarks" AS refers ON refers.row_id = operation.row_id
WHERE operation.list = 'remarks' AND refers."c_visit" IS NOT NULL
    AND (operation.kind = 'delete' AND operation.state IN ('queued', 'sending', 'in doubt')
        OR operation.kind = 'update' AND operation.state <> 'acknowledged' AND iif(operation.stage = 1,
    (operation.fields & 0) <> 0 AND coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)) IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"),
    json_type(operation.sent, '$."0"') IS NOT NULL
        AND operation.sent ->> '$.rows."0"' IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"))
            AND NOT (operation.stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = operation.row_id AND kind = 'delete')))
UNION ALL SELECT 'visits', operation.sent ->> '$.rows."0"', operation.seq
FROM operation
WHERE operation.list = 'remarks' AND operation.kind <> 'delete'
    AND operation.state IN ('sending', 'in doubt') AND operation.sent ->> '$.rows."0"' IS NOT NULL
    AND (coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)) IS NOT operation.sent ->> '$.rows."0"' OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'remarks' AND own.row_id = operation.row_id AND kind = 'delete'))
UNION SELECT 'visits', (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"), above.seq
FROM above CROSS JOIN "r_remarks" AS refers ON refers.row_id = above.row_id
WHERE above.list = 'remarks' AND refers."c_visit" IS NOT NULL
), stands (list, row_id, seq) AS MATERIALIZED (SELECT * FROM above WHERE row_id IS NOT NULL)
SELECT deletion.seq, lower.seq, lower.list, lower.kind, lower.state
FROM operation AS deletion
    JOIN stands ON stands.list = deletion.list AND stands.row_id = deletion.row_id
    JOIN operation AS lower ON lower.seq = stands.seq
WHERE deletion.kind = 'delete' AND deletion.state = 'queued' AND lower.seq <> deletion.seq
    AND NOT (lower.kind = 'delete' AND deletion.seq < lower.seq
        AND EXISTS (SELECT 1 FROM stands AS own WHERE own.seq = deletion.seq
            AND own.list = lower.list AND own.row_id = lower.row_id))
ORDER BY deletion.seq, lower.seq;

-- parts
SELECT source.key, source.names, source.changed,
    part.read_boot, part.read_ms, part.changed, part.round, ifnull(part.wanted, 0),
    part.error IS NOT NULL
FROM (SELECT CAST(parent."server_id" AS TEXT) AS key, json_array() AS names, json_array(CASE json_type(parent."document", '$."length"')
    WHEN 'integer' THEN CAST(parent."document" ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(parent."document" ->> '$."length"') < 9e999, parent."document" ->> '$."length"', NULL)
END, json(CASE WHEN json_type(parent."document", '$."notes"') IN ('object', 'array') THEN parent."document" -> '$."notes"' END)) AS changed
FROM "s_visits" AS parent) AS source LEFT JOIN part ON part.list = 'remarks' AND part.part = source.key
ORDER BY part.read_ms IS NOT NULL, iif(part.read_boot = ?1, part.read_ms, 0), source.key;

-- doubtful
SELECT DISTINCT part FROM (
    SELECT iif(kind = 'create', iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END), (SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") FROM "s_remarks" AS known WHERE known."id" = operation.row_id)) AS part
    FROM operation WHERE list = 'remarks'
        AND (state IN ('in doubt', 'acknowledged') OR missed_ms IS NOT NULL)
    UNION ALL
    SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") FROM trail CROSS JOIN "s_remarks" AS known
        ON known."id" = trail.row_id
    WHERE trail.list = 'remarks')
WHERE part IS NOT NULL;

-- noteRead
INSERT OR REPLACE INTO temp."parts_of_remarks" (part, first) VALUES (?1, ?2);

-- noteLost
INSERT OR IGNORE INTO temp."parts_of_remarks" (part, first)
SELECT part.part, ?1 FROM part WHERE part.list = 'remarks' AND NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = part.part) IS NOT NULL;

-- absent
SELECT known.id, known.server_id FROM temp."parts_of_remarks" AS taken CROSS JOIN "r_remarks" AS refers
    ON refers."c_visit" = taken.part
    CROSS JOIN "s_remarks" AS known ON known."id" = refers.row_id
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known."server_id") AND NOT EXISTS (SELECT 1 FROM operation
        WHERE list = 'remarks' AND row_id = known.id) LIMIT ?1;

-- countLacking
SELECT count(*) FROM temp."parts_of_remarks" AS taken CROSS JOIN "r_remarks" AS refers
    ON refers."c_visit" = taken.part
    CROSS JOIN "s_remarks" AS known ON known."id" = refers.row_id
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS staged WHERE staged.key = known."server_id");

-- unknown
SELECT known.id FROM "s_remarks" AS known
WHERE known.id IN (SELECT row_id FROM operation WHERE list = 'remarks' AND kind <> 'create'
        UNION SELECT row_id FROM trail WHERE list = 'remarks')
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known."server_id") AND ifnull((SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id"), '') NOT IN (SELECT part FROM temp."parts_of_remarks")
    AND known.id NOT IN (SELECT row_id FROM temp."leaving_remarks")
UNION
SELECT row_id FROM operation WHERE list = 'remarks' AND kind = 'create'
    AND ifnull(iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END), '') NOT IN (SELECT part FROM temp."parts_of_remarks");

-- addLeaving
INSERT OR IGNORE INTO temp."leaving_remarks" (row_id) VALUES (?1);

-- isLeaving
SELECT EXISTS (SELECT 1 FROM temp."leaving_remarks" WHERE row_id = ?1);

-- forgetMisses
DELETE FROM missed_row WHERE list = 'remarks' AND row_id NOT IN (
    SELECT known."id" FROM "s_remarks" AS known WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known."server_id"));

-- countMisses
INSERT OR REPLACE INTO missed_row (list, row_id, pulls, round)
SELECT 'remarks', lacking.row_id, CASE missed.round WHEN ?1 THEN missed.pulls WHEN ?1 - 1 THEN missed.pulls + 1 ELSE lacking.first END, ?1
FROM temp."lacking_remarks" AS lacking LEFT JOIN missed_row AS missed
    ON missed.list = 'remarks' AND missed.row_id = lacking.row_id
WHERE lacking.row_id IN (SELECT row_id FROM temp."absent_remarks")
    AND lacking.row_id IN (SELECT "id" FROM "s_remarks");

-- wanted
SELECT part FROM temp."wanted_remarks";

-- countEmptied
SELECT count(*), count(*) FILTER (WHERE stays = 0) FROM (
    SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") AS part,
        count(*) FILTER (WHERE known."id" NOT IN (SELECT row_id FROM temp."leaving_remarks")) AS stays
    FROM "s_remarks" AS known GROUP BY 1);

-- partOfOperation
SELECT iif(kind = 'create', iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END),
    (SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") FROM "s_remarks" AS known WHERE known."id" = operation.row_id))
FROM operation WHERE seq = ?1;

-- partOfRow
SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") FROM "s_remarks" AS known WHERE known."id" = ?1;

-- lostRows
SELECT refers.row_id FROM "r_remarks" AS refers
WHERE refers."c_visit" IN (SELECT key FROM temp.referred WHERE list = 'visits' AND field = '') AND ((SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit") IS NULL OR EXISTS (SELECT 1 FROM "remarks" AS shown
    WHERE shown."_id" = refers.row_id AND shown."visit" <> (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit")) OR EXISTS (SELECT 1 FROM "d_remarks" AS hidden
    WHERE hidden.id = refers.row_id AND hidden."c_visit" <> (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit")));

-- lostCreates
SELECT seq, row_id FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'remarks'
    AND kind = 'create' AND state = 'in doubt'
    AND iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."0"')
    WHEN 'text' THEN operation.sent ->> '$."0"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."0"') = 'integer', CAST(operation.sent ->> '$."0"' AS TEXT), NULL)
END) IN (SELECT key FROM temp.referred WHERE list = 'visits' AND field = '')
    AND NOT EXISTS (SELECT 1 FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "remarks" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_remarks" AS hidden WHERE hidden.id = operation.row_id)));

-- forgetLost
DELETE FROM part WHERE list = 'remarks' AND NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = part.part) IS NOT NULL;

-- count of parts
SELECT count(*) FROM (SELECT CAST(parent."server_id" AS TEXT) AS key, json_array() AS names, json_array(CASE json_type(parent."document", '$."length"')
    WHEN 'integer' THEN CAST(parent."document" ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(parent."document" ->> '$."length"') < 9e999, parent."document" ->> '$."length"', NULL)
END, json(CASE WHEN json_type(parent."document", '$."notes"') IN ('object', 'array') THEN parent."document" -> '$."notes"' END)) AS changed
FROM "s_visits" AS parent);

-- place
DELETE FROM temp."part_of_remarks";

-- place
INSERT INTO temp."part_of_remarks" VALUES (?1);

-- compare parts
DELETE FROM temp."pulled_remarks" AS pulled WHERE pulled."c_visit" NOT IN (SELECT key FROM (SELECT CAST(parent."server_id" AS TEXT) AS key, json_array() AS names, json_array(CASE json_type(parent."document", '$."length"')
    WHEN 'integer' THEN CAST(parent."document" ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(parent."document" ->> '$."length"') < 9e999, parent."document" ->> '$."length"', NULL)
END, json(CASE WHEN json_type(parent."document", '$."notes"') IN ('object', 'array') THEN parent."document" -> '$."notes"' END)) AS changed
FROM "s_visits" AS parent));

-- compare parts
DELETE FROM temp."pulled_remarks" WHERE document ->> '$."@visit"' NOT IN (SELECT key FROM (SELECT CAST(parent."server_id" AS TEXT) AS key, json_array() AS names, json_array(CASE json_type(parent."document", '$."length"')
    WHEN 'integer' THEN CAST(parent."document" ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(parent."document" ->> '$."length"') < 9e999, parent."document" ->> '$."length"', NULL)
END, json(CASE WHEN json_type(parent."document", '$."notes"') IN ('object', 'array') THEN parent."document" -> '$."notes"' END)) AS changed
FROM "s_visits" AS parent));

-- compare parts
DELETE FROM temp."lacking_remarks";

-- compare parts
DELETE FROM temp."wanted_remarks";

-- compare parts
INSERT OR IGNORE INTO temp."wanted_remarks" (part)
SELECT (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") FROM temp."pulled_remarks" AS pulled CROSS JOIN "s_remarks" AS known ON known."server_id" = pulled.key
WHERE (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") IS NOT pulled."c_visit"
    AND (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") NOT IN (SELECT part FROM temp."parts_of_remarks")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'remarks' AND missed_row.row_id = known."id")
    AND (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id")) IS NOT NULL
UNION SELECT pulled."c_visit" FROM temp."pulled_remarks" AS pulled CROSS JOIN "s_remarks" AS known ON known."server_id" = pulled.key
WHERE (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") IS NOT pulled."c_visit"
    AND (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") NOT IN (SELECT part FROM temp."parts_of_remarks")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'remarks' AND missed_row.row_id = known."id")
    AND (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id")) IS NOT NULL;

-- compare parts
DELETE FROM temp."pulled_remarks" WHERE key IN (SELECT pulled.key FROM temp."pulled_remarks" AS pulled CROSS JOIN "s_remarks" AS known ON known."server_id" = pulled.key
WHERE (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") IS NOT pulled."c_visit"
    AND (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id") NOT IN (SELECT part FROM temp."parts_of_remarks")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'remarks' AND missed_row.row_id = known."id")
    AND (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT refers."c_visit" FROM "r_remarks" AS refers WHERE refers.row_id = known."id")) IS NOT NULL);

-- compare parts
DELETE FROM temp."differing_remarks";

-- compare parts
DELETE FROM temp."absent_remarks";

-- compare parts
INSERT INTO temp."differing_remarks" (position)
SELECT position FROM temp."pulled_remarks" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_remarks" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compare parts
INSERT INTO temp."absent_remarks" (row_id)
SELECT known.id FROM temp."differing_remarks" CROSS JOIN temp."pulled_remarks" AS pulled USING (position)
    CROSS JOIN "s_remarks" AS known ON known.server_id = pulled.key;

-- compare parts
INSERT INTO temp."lacking_remarks" (row_id, first)
SELECT known."id", taken.first FROM temp."parts_of_remarks" AS taken CROSS JOIN "r_remarks" AS refers
    ON refers."c_visit" = taken.part
    CROSS JOIN "s_remarks" AS known ON known."id" = refers.row_id WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known."server_id");

-- compare parts
INSERT OR IGNORE INTO temp."absent_remarks" (row_id) SELECT row_id FROM temp."lacking_remarks";

-- noteLeaving
DELETE FROM temp."leaving_remarks";

-- noteLeaving
INSERT OR IGNORE INTO temp."leaving_remarks" (row_id)
SELECT lacking.row_id FROM temp."lacking_remarks" AS lacking LEFT JOIN missed_row AS missed
    ON missed.list = 'remarks' AND missed.row_id = lacking.row_id
WHERE lacking.row_id IN (SELECT row_id FROM temp."absent_remarks") AND ?2 AND CASE missed.round WHEN ?1 THEN missed.pulls WHEN ?1 - 1 THEN missed.pulls + 1 ELSE lacking.first END >= ?3;

-- noteLeaving
INSERT OR IGNORE INTO temp."leaving_remarks" (row_id)
SELECT missed.row_id FROM missed_row AS missed CROSS JOIN "s_remarks" AS known
    ON known."id" = missed.row_id
WHERE missed.list = 'remarks' AND ?2 AND missed.round = ?1 AND missed.pulls >= ?3 AND NOT EXISTS (SELECT 1 FROM temp."pulled_remarks" AS pulled WHERE pulled.key = known."server_id");
