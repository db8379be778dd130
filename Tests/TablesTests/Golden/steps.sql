CREATE TABLE "steps" (
    "title" TEXT,
    "visit" INTEGER,
    "below" INTEGER,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_steps" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_steps" (
    id INTEGER PRIMARY KEY,
    "c_title" TEXT, "c_visit" INTEGER, "c_below" INTEGER, server_id TEXT, added_at TEXT
) STRICT;

CREATE INDEX "steps by visit" ON "steps" ("visit");

CREATE INDEX "steps by below" ON "steps" ("below");

CREATE TRIGGER "steps_count" BEFORE INSERT ON "steps"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0) > coalesce((SELECT max("_id") FROM "steps"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'steps'), 0)
    AND (SELECT applying FROM control) IS NOT 'steps'
BEGIN
    UPDATE control SET applying = 'steps';
    INSERT INTO "steps" ("_id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0));
    DELETE FROM "steps" WHERE "_id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "steps_insert" AFTER INSERT ON "steps"
WHEN (SELECT applying FROM control) IS NOT 'steps'
BEGIN
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of steps with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of steps was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'steps'), 0)
        OR NEW."_id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0)
        OR NEW."_id" < (SELECT max("_id") FROM "steps"))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of steps is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of steps is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of steps is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of steps is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_title" IS NEW."title"));
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of steps must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of steps must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of steps must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of steps must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_title" IS NEW."title");
    SELECT CASE
        WHEN NEW."visit" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM "visits" AS parent WHERE parent."_id" = NEW."visit")
            THEN RAISE(ABORT, 'visit of steps must be the _id of a row of visits that is here')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_visit" IS NEW."visit");
    SELECT CASE
        WHEN NEW."below" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM "steps" AS parent WHERE parent."_id" = NEW."below")
            THEN RAISE(ABORT, 'below of steps must be the _id of a row of steps that is here')
        END
    WHERE NEW."below" IS NOT NULL AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_below" IS NEW."below"));
    INSERT INTO spelled_text SELECT ifnull(NEW."title", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0)) > 522178;
    SELECT RAISE(ABORT, 'a row of steps must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044356;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of steps were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'update')
        AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'delete' AND state <> 'rejected') OR NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"));
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'steps', 'added', NEW."_id", substr(NEW."title", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'steps' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_steps" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'steps' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'steps' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'steps' AND row_id = NEW."_id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'steps', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create');
    UPDATE operation SET fields = (7 & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 4, 7))
    WHERE list = 'steps' AND row_id = NEW."_id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'steps', 'update', NEW."_id", (7 & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 4, 7)), lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'update' AND stage = 1)
        AND (NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NEW."below" IS NOT NULL);
    UPDATE "steps" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_steps" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'steps', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("steps"."title", 1, 500), "_state"
    FROM "steps" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "steps_fixed" BEFORE UPDATE OF "_id", "_server_id", "_state", "_error", "_added_at" ON "steps"
WHEN (SELECT applying FROM control) IS NOT 'steps'
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of steps cannot be changed')
    WHERE NEW."_id" IS NOT OLD."_id";
    SELECT CASE
        WHEN NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL THEN RAISE(ABORT, '_added_at of steps is written by syncd alone: leave it out')
        WHEN NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_state of steps is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_error of steps is written by syncd alone: leave it out')
        WHEN NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_steps" AS known WHERE known.id = OLD."_id") THEN RAISE(ABORT, '_server_id of steps is written by syncd alone: leave it out')
    END
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."title" IS NOT OLD."title"
        OR NEW."visit" IS NOT OLD."visit"
        OR NEW."below" IS NOT OLD."below") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_steps" AS known WHERE known.id = OLD."_id")
        OR false);
END;

CREATE TRIGGER "steps_mark" BEFORE UPDATE OF "title", "visit", "below" ON "steps"
WHEN (SELECT applying FROM control) IS NOT 'steps' AND (NEW."title" IS NOT OLD."title"
    OR NEW."visit" IS NOT OLD."visit"
    OR NEW."below" IS NOT OLD."below")
BEGIN
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND (NEW."title" IS NOT OLD."title");
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of steps must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of steps must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of steps must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of steps must be valid UTF-8')
        END
    WHERE NEW."title" IS NOT OLD."title";
    SELECT CASE
        WHEN NEW."visit" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM "visits" AS parent WHERE parent."_id" = NEW."visit")
            THEN RAISE(ABORT, 'visit of steps must be the _id of a row of visits that is here')
        END
    WHERE NEW."visit" IS NOT OLD."visit";
    SELECT CASE
        WHEN NEW."below" IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM "steps" AS parent WHERE parent."_id" = NEW."below")
            THEN RAISE(ABORT, 'below of steps must be the _id of a row of steps that is here')
        END
    WHERE NEW."below" IS NOT OLD."below";
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."title" IS NOT OLD."title" OR NOT EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = OLD."_id"), NEW."title", NULL), ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0)) > 522178;
    SELECT RAISE(ABORT, 'a row of steps must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + max(0, ifnull((SELECT length(CAST(known.document AS BLOB)) FROM "s_steps" AS known WHERE known.id = OLD."_id") - (iif(NEW."title" IS NOT OLD."title", ifnull(length(CAST(OLD."title" AS BLOB)), 0), 0)), 0)) > 1044356;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of steps were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'update');
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'steps', 'update', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'update' AND stage = 1)
        AND (NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NEW."below" IS NOT OLD."below");
    UPDATE operation SET fields = fields | ((iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."visit" IS NOT OLD."visit", 2, 0) | iif(NEW."below" IS NOT OLD."below", 4, 0)) & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 4, 7))
    WHERE list = 'steps' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND (fields | ((iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."visit" IS NOT OLD."visit", 2, 0) | iif(NEW."below" IS NOT OLD."below", 4, 0)) & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 4, 7))) IS NOT fields;
END;

CREATE TRIGGER "steps_edit" AFTER UPDATE OF "title", "visit", "below" ON "steps"
WHEN (SELECT applying FROM control) IS NOT 'steps' AND (NEW."title" IS NOT OLD."title"
    OR NEW."visit" IS NOT OLD."visit"
    OR NEW."below" IS NOT OLD."below")
BEGIN
    UPDATE "steps" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_steps" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND (true);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'steps', 'changed', "_id", substr("steps"."title", 1, 500), "_state"
    FROM "steps" WHERE "_id" = NEW."_id";
END;

CREATE TRIGGER "steps_delete" AFTER DELETE ON "steps"
WHEN (SELECT applying FROM control) IS NOT 'steps'
BEGIN
    INSERT INTO "d_steps" (id, "c_title", "c_visit", "c_below", server_id, added_at)
    SELECT OLD."_id", OLD."title", OLD."visit", OLD."below", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE list = 'steps' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_steps"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('steps', 'removed', OLD."_id", substr(OLD."title", 1, 500));
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'steps', 'delete', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = OLD."_id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE list = 'steps' AND row_id = OLD."_id" AND kind = 'delete' AND state = 'rejected';
END;

CREATE TRIGGER "steps_left" AFTER DELETE ON "steps"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'steps', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'steps');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "steps"), 0))) WHERE list = 'steps';
END;

CREATE VIEW "invariant_steps_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "steps" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_steps_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'steps' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_steps_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'steps' AND NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "steps" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_steps_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_steps" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "steps" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_steps_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_steps" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "steps" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'steps' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_steps_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "steps" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'steps' AND row_id = shown."_id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_steps" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL));

CREATE VIEW "invariant_steps_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_steps" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0)
    UNION ALL
    SELECT known.id FROM "s_steps" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0)
        AND NOT EXISTS (SELECT 1 FROM "steps" AS shown WHERE shown."_id" = known.id));

CREATE TABLE "r_steps" (
    row_id INTEGER PRIMARY KEY,
    "c_visit" TEXT,
    "c_below" TEXT
) STRICT;

CREATE INDEX "r_steps by visit" ON "r_steps" ("c_visit")
WHERE "c_visit" IS NOT NULL;

CREATE INDEX "r_steps by below" ON "r_steps" ("c_below")
WHERE "c_below" IS NOT NULL;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_steps" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_title" TEXT,
    "c_visit" TEXT,
    "c_below" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_steps" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_steps" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_steps" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_steps" (key TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_steps";

-- clear
DELETE FROM temp."differing_steps";

-- clear
DELETE FROM temp."absent_steps";

-- clear
DELETE FROM temp."arriving_steps";

-- clear
DELETE FROM temp."skipped_steps";

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
INSERT INTO temp."pulled_steps" (position, key, "c_title", "c_visit", "c_below", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_title", "c_visit", "c_below", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    CASE json_type(value, '$."visit_id"')
    WHEN 'text' THEN value ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."visit_id"') = 'integer', CAST(value ->> '$."visit_id"' AS TEXT), NULL)
END AS "c_visit",
    CASE json_type(value, '$."parent"."id"')
    WHEN 'text' THEN value ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."parent"."id"') = 'integer', CAST(value ->> '$."parent"."id"' AS TEXT), NULL)
END AS "c_below"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576)
ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT (document = excluded.document OR same_json(document, excluded.document));

-- countUsable
SELECT count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576)),
    count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) AND "type of title" IS NOT NULL)
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    json_type(value, '$."title"') AS "type of title",
    CASE json_type(value, '$."visit_id"')
    WHEN 'text' THEN value ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."visit_id"') = 'integer', CAST(value ->> '$."visit_id"' AS TEXT), NULL)
END AS "c_visit",
    CASE json_type(value, '$."parent"."id"')
    WHEN 'text' THEN value ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."parent"."id"') = 'integer', CAST(value ->> '$."parent"."id"' AS TEXT), NULL)
END AS "c_below"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN 'title' END, CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN "type of title" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    json_type(value, '$."title"') AS "type of title",
    CASE json_type(value, '$."visit_id"')
    WHEN 'text' THEN value ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."visit_id"') = 'integer', CAST(value ->> '$."visit_id"' AS TEXT), NULL)
END AS "c_visit",
    CASE json_type(value, '$."parent"."id"')
    WHEN 'text' THEN value ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(value ->> '$."parent"."id"') = 'integer', CAST(value ->> '$."parent"."id"' AS TEXT), NULL)
END AS "c_below"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE NOT coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576), 0)
UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
ORDER BY place LIMIT 20;

-- nameFields
SELECT substr(field.key, 1, 500)
FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8;

-- compareRows
DELETE FROM temp."differing_steps";

-- compareRows
DELETE FROM temp."absent_steps";

-- compareRows
INSERT INTO temp."differing_steps" (position)
SELECT position FROM temp."pulled_steps" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_steps" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_steps" (row_id)
SELECT id FROM "s_steps" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_steps" WHERE "s_steps".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'steps' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_steps" WHERE "s_steps".id IN (SELECT row_id FROM temp."absent_steps")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled
        WHERE pulled.key = "s_steps".server_id AND true);

-- shownOtherwise
SELECT id FROM "s_steps" WHERE false;

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'steps', server_id, '', id, ?1, ?2 FROM "s_steps"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'steps'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_steps" AS known ON known.id = trail.row_id
        WHERE trail.list = 'steps' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'steps'
    AND row_id NOT IN (SELECT id FROM "s_steps" WHERE "s_steps".id IN (SELECT row_id FROM temp."absent_steps")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled
        WHERE pulled.key = "s_steps".server_id AND true));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'steps', id, 1 FROM "s_steps" WHERE "s_steps".id IN (SELECT row_id FROM temp."absent_steps")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled
        WHERE pulled.key = "s_steps".server_id AND true)
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, pulled."c_title", CAST(pulled."c_visit" AS TEXT) FROM temp."differing_steps" CROSS JOIN temp."pulled_steps" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_steps" WHERE "s_steps".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'steps' AND departed.server_id = pulled.key
    AND departed.identity = '')
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_steps" AS known CROSS JOIN temp."pulled_steps" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND true) AS is_shown,
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END),
    CAST(iif(operation.sent IS NULL, coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))), CASE json_type(operation.sent, '$."1"')
    WHEN 'text' THEN operation.sent ->> '$."1"'
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."1"') = 'integer', CAST(operation.sent ->> '$."1"' AS TEXT), NULL)
END) AS TEXT)
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'steps'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'steps' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_steps" (row_id, position)
SELECT known.id, position FROM temp."differing_steps" CROSS JOIN temp."pulled_steps" AS pulled USING (position)
    CROSS JOIN "s_steps" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "steps" AS shown
        WHERE shown."_id" = known.id AND (shown."title" IS NOT pulled."c_title"
    OR shown."visit" IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit")
    OR shown."below" IS NOT (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = pulled."c_below")))
    OR EXISTS (SELECT 1 FROM "d_steps" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_title" IS NOT pulled."c_title"
    OR hidden."c_visit" IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit")
    OR hidden."c_below" IS NOT (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = pulled."c_below"))))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'steps' AND own.row_id = known.id AND true);

-- change
UPDATE "steps" SET "title" = pulled."c_title",
    "visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"),
    "below" = (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = pulled."c_below")
FROM temp."arriving_steps" AS arriving CROSS JOIN temp."pulled_steps" AS pulled USING (position) WHERE "steps"."_id" = arriving.row_id;

-- change
UPDATE "d_steps" SET "c_title" = pulled."c_title",
    "c_visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"),
    "c_below" = (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = pulled."c_below")
FROM temp."arriving_steps" AS arriving CROSS JOIN temp."pulled_steps" AS pulled USING (position) WHERE "d_steps".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'steps', 'changed', shown."_id", substr(shown."title", 1, 500), shown."_state"
FROM temp."arriving_steps" AS arriving CROSS JOIN "steps" AS shown ON shown."_id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'steps' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'steps'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'steps'), 0),
    coalesce((SELECT max(id) FROM "s_steps"), 0), coalesce((SELECT max("_id") FROM "steps"), 0),
    coalesce((SELECT max(id) FROM "d_steps"), 0));

-- nameArriving
INSERT INTO temp."arriving_steps" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'steps' AND departed.server_id = pulled.key
    AND departed.identity = ''), position
FROM temp."differing_steps" CROSS JOIN temp."pulled_steps" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_steps" WHERE "s_steps".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_steps" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_steps" AS arriving CROSS JOIN temp."pulled_steps" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "steps" ("_id", "title", "visit", "below", "_state", "_server_id", "_added_at")
SELECT row_id, pulled."c_title", (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = pulled."c_visit"), (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = pulled."c_below"), 'synced', key, ?3
FROM temp."arriving_steps" AS arriving CROSS JOIN temp."pulled_steps" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'steps', 'added', row_id, substr(pulled."c_title", 1, 500), 'synced'
FROM temp."arriving_steps" AS arriving CROSS JOIN temp."pulled_steps" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'steps' ORDER BY row_id;

-- updateDocuments
UPDATE "s_steps" SET document = pulled.document FROM temp."pulled_steps" AS pulled
WHERE "s_steps".id IN (SELECT row_id FROM temp."absent_steps")
    AND pulled.key = "s_steps".server_id AND pulled.document IS NOT "s_steps".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = "s_steps".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'steps' AND own.row_id = "s_steps".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_steps" AS known ON known.id = trail.row_id
WHERE list = 'steps' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR true
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'steps' AND departed.server_id = pulled.key
    AND departed.identity = '')));

-- unconfirmed
SELECT id FROM "s_steps" AS known
WHERE id IN (SELECT row_id FROM temp."absent_steps")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_steps" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END), coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_steps" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'steps'
    AND NOT (kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS deletion
    WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END,
    (SELECT json_quote(parent."document" ->> '$."id"') FROM "s_visits" AS parent WHERE parent."id" = "value 1"),
    (SELECT json_quote(parent."document" ->> '$."id"') FROM "s_steps" AS parent WHERE parent."id" = "value 2")
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_steps" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1",
        coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) AS "value 2"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."visit_id"')
    WHEN 'text' THEN row ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."visit_id"') = 'integer', CAST(row ->> '$."visit_id"' AS TEXT), NULL)
END AS "c_visit",
        CASE json_type(row, '$."parent"."id"')
    WHEN 'text' THEN row ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."parent"."id"') = 'integer', CAST(row ->> '$."parent"."id"' AS TEXT), NULL)
END AS "c_below"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- answeredUpdates
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."visit_id"')
    WHEN 'text' THEN row ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."visit_id"') = 'integer', CAST(row ->> '$."visit_id"' AS TEXT), NULL)
END AS "c_visit",
        CASE json_type(row, '$."parent"."id"')
    WHEN 'text' THEN row ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(row ->> '$."parent"."id"') = 'integer', CAST(row ->> '$."parent"."id"' AS TEXT), NULL)
END AS "c_below"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_steps" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL);

-- owner
SELECT id, ?3 IS NOT NULL AND true,
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'steps')
FROM "s_steps" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take title
UPDATE "steps" SET "title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE "_id" = ?1;

-- take title
UPDATE "d_steps" SET "c_title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE id = ?1;

-- giveBack title
UPDATE "steps" SET "title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'steps' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack title
UPDATE "d_steps" SET "c_title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'steps' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep title
SELECT iif(json_type(?2, '$."title"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."title"')));

-- patch title
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."0"')));

-- record title
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'steps', ?1, 'title', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."title"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."title"' END)));

-- take visit
UPDATE "steps" SET "visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(?2, '$."visit_id"')
    WHEN 'text' THEN ?2 ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."visit_id"') = 'integer', CAST(?2 ->> '$."visit_id"' AS TEXT), NULL)
END)) WHERE "_id" = ?1;

-- take visit
UPDATE "d_steps" SET "c_visit" = (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(?2, '$."visit_id"')
    WHEN 'text' THEN ?2 ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."visit_id"') = 'integer', CAST(?2 ->> '$."visit_id"' AS TEXT), NULL)
END)) WHERE id = ?1;

-- giveBack visit
UPDATE "steps" SET "visit" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT sent ->> '$.rows."1"' FROM withdrawn WHERE list = 'steps' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT sent ->> '$.rows."1"' FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1)))) WHERE "_id" = ?1;

-- giveBack visit
UPDATE "d_steps" SET "c_visit" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT sent ->> '$.rows."1"' FROM withdrawn WHERE list = 'steps' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT sent ->> '$.rows."1"' FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1)))) WHERE id = ?1;

-- keep visit
SELECT iif(json_type(?2, '$."visit_id"') IS NULL, json_remove(?1, '$."visit_id"'),
    json_set(?1, '$."visit_id"', json(?2 -> '$."visit_id"')));

-- patch visit
SELECT iif(json_type(?2, '$."1"') IS NULL, json_remove(?1, '$."visit_id"'),
    json_set(?1, '$."visit_id"', json(?2 -> '$."1"')));

-- record visit
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'steps', ?1, 'visit', ?3,
    CASE ?4 WHEN 1 THEN (SELECT sent ->> '$.rows."1"' FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = CAST(?5 AS TEXT)) END,
    iif(?2 IS NULL, NULL, (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = (CASE json_type(coalesce(?2, '{}'), '$."visit_id"')
    WHEN 'text' THEN coalesce(?2, '{}') ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(coalesce(?2, '{}') ->> '$."visit_id"') = 'integer', CAST(coalesce(?2, '{}') ->> '$."visit_id"' AS TEXT), NULL)
END))));

-- layers
SELECT (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = ?1))),
    coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END),
    CAST((SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."1"')
    WHEN 'text' THEN sent ->> '$."1"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."1"') = 'integer', CAST(sent ->> '$."1"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'text' THEN sent ->> '$."1"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."1"') = 'integer', CAST(sent ->> '$."1"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1))),
    CAST(coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) AS TEXT),
    CAST((CASE json_type(?2, '$."visit_id"')
    WHEN 'text' THEN ?2 ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."visit_id"') = 'integer', CAST(?2 ->> '$."visit_id"' AS TEXT), NULL)
END) AS TEXT),
    CAST((SELECT (CASE json_type(known.document, '$."parent"."id"')
    WHEN 'text' THEN known.document ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."parent"."id"') = 'integer', CAST(known.document ->> '$."parent"."id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."2"')
    WHEN 'text' THEN sent ->> '$."2"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."2"') = 'integer', CAST(sent ->> '$."2"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'text' THEN sent ->> '$."2"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."2"') = 'integer', CAST(sent ->> '$."2"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."parent"."id"')
    WHEN 'text' THEN known.document ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."parent"."id"') = 'integer', CAST(known.document ->> '$."parent"."id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1))),
    CAST(coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) AS TEXT),
    CAST((CASE json_type(?2, '$."parent"."id"')
    WHEN 'text' THEN ?2 ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."parent"."id"') = 'integer', CAST(?2 ->> '$."parent"."id"' AS TEXT), NULL)
END) AS TEXT);

-- payload
SELECT iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'text' THEN sent ->> '$."1"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."1"') = 'integer', CAST(sent ->> '$."1"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1))), coalesce((SELECT json_quote(parent."document" ->> '$."id"') FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'row ' || coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'text' THEN sent ->> '$."2"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."2"') = 'integer', CAST(sent ->> '$."2"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."parent"."id"')
    WHEN 'text' THEN known.document ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."parent"."id"') = 'integer', CAST(known.document ->> '$."parent"."id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = ?1))), coalesce((SELECT json_quote(parent."document" ->> '$."id"') FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'null'), NULL);

-- creation
SELECT iif(coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce((SELECT json_quote(parent."document" ->> '$."id"') FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = ?1))), 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'steps' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) AND NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))), 'row ' || coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'text' THEN sent ->> '$."2"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."2"') = 'integer', CAST(sent ->> '$."2"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."parent"."id"')
    WHEN 'text' THEN known.document ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."parent"."id"') = 'integer', CAST(known.document ->> '$."parent"."id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = mark.row_id)))) OR NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_title" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'steps' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_steps" AS known WHERE known.id = mark.row_id)))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_visits" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))), 'row ' || coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'text' THEN sent ->> '$."1"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."1"') = 'integer', CAST(sent ->> '$."1"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."visit_id"')
    WHEN 'text' THEN known.document ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."visit_id"') = 'integer', CAST(known.document ->> '$."visit_id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = mark.row_id)))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce((SELECT CAST(parent."document" ->> '$."id"' AS TEXT) FROM "s_steps" AS parent WHERE parent."id" = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))), 'row ' || coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = mark.row_id))) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'text' THEN sent ->> '$."2"'
    WHEN 'integer' THEN iif(typeof(sent ->> '$."2"') = 'integer', CAST(sent ->> '$."2"' AS TEXT), NULL)
END FROM operation WHERE list = 'steps' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."parent"."id"')
    WHEN 'text' THEN known.document ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."parent"."id"') = 'integer', CAST(known.document ->> '$."parent"."id"' AS TEXT), NULL)
END) FROM "s_steps" AS known WHERE known.id = mark.row_id)))));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'steps' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_steps" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_steps" WHERE id = ?1;

-- setDocument
UPDATE "s_steps" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'steps' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'steps' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_steps" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_steps" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'steps' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_steps" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_steps" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_steps" AS pulled ON pulled.key = known.server_id
WHERE true
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'steps' AND kind = 'update';

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_steps_insert"
AFTER INSERT ON main."s_steps"
BEGIN
    INSERT INTO "r_steps" SELECT NEW."id",
        CASE json_type(NEW."document", '$."visit_id"')
        WHEN 'text' THEN NEW."document" ->> '$."visit_id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."visit_id"') = 'integer', CAST(NEW."document" ->> '$."visit_id"' AS TEXT), NULL)
    END,
        CASE json_type(NEW."document", '$."parent"."id"')
        WHEN 'text' THEN NEW."document" ->> '$."parent"."id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."parent"."id"') = 'integer', CAST(NEW."document" ->> '$."parent"."id"' AS TEXT), NULL)
    END;
END;

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_steps_update"
AFTER UPDATE OF "document" ON main."s_steps"
BEGIN
    UPDATE "r_steps" SET "c_visit" = CASE json_type(NEW."document", '$."visit_id"')
        WHEN 'text' THEN NEW."document" ->> '$."visit_id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."visit_id"') = 'integer', CAST(NEW."document" ->> '$."visit_id"' AS TEXT), NULL)
    END,
        "c_below" = CASE json_type(NEW."document", '$."parent"."id"')
        WHEN 'text' THEN NEW."document" ->> '$."parent"."id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."parent"."id"') = 'integer', CAST(NEW."document" ->> '$."parent"."id"' AS TEXT), NULL)
    END
    WHERE row_id = NEW."id" AND ("c_visit" IS NOT CASE json_type(NEW."document", '$."visit_id"')
        WHEN 'text' THEN NEW."document" ->> '$."visit_id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."visit_id"') = 'integer', CAST(NEW."document" ->> '$."visit_id"' AS TEXT), NULL)
    END
        OR "c_below" IS NOT CASE json_type(NEW."document", '$."parent"."id"')
        WHEN 'text' THEN NEW."document" ->> '$."parent"."id"'
        WHEN 'integer' THEN iif(typeof(NEW."document" ->> '$."parent"."id"') = 'integer', CAST(NEW."document" ->> '$."parent"."id"' AS TEXT), NULL)
    END);
END;

-- keep
CREATE TEMP TRIGGER IF NOT EXISTS "r_steps_delete"
AFTER DELETE ON main."s_steps"
BEGIN
    DELETE FROM "r_steps" WHERE row_id = OLD."id";
END;

-- fill
DELETE FROM "r_steps";

-- fill
INSERT INTO "r_steps" SELECT known."id",
    CASE json_type(known."document", '$."visit_id"')
    WHEN 'text' THEN known."document" ->> '$."visit_id"'
    WHEN 'integer' THEN iif(typeof(known."document" ->> '$."visit_id"') = 'integer', CAST(known."document" ->> '$."visit_id"' AS TEXT), NULL)
END,
    CASE json_type(known."document", '$."parent"."id"')
    WHEN 'text' THEN known."document" ->> '$."parent"."id"'
    WHEN 'integer' THEN iif(typeof(known."document" ->> '$."parent"."id"') = 'integer', CAST(known."document" ->> '$."parent"."id"' AS TEXT), NULL)
END
FROM "s_steps" AS known WHERE json_valid(known."document");

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
FROM temp.referred AS referred CROSS JOIN "r_steps" AS refers
    ON refers."c_visit" = referred.key
WHERE referred.list = 'visits' AND referred.field = '';

-- leave
DELETE FROM temp.following WHERE (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = following.row_id AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = following.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL));

-- leave
DELETE FROM temp.following WHERE NOT (EXISTS (SELECT 1 FROM "steps" AS shown
    WHERE shown."_id" = following.row_id AND shown."visit" IS NOT following.number) OR EXISTS (SELECT 1 FROM "d_steps" AS hidden
    WHERE hidden.id = following.row_id AND hidden."c_visit" IS NOT following.number));

-- show
UPDATE "steps" SET "visit" = (SELECT number FROM temp.following WHERE row_id = "steps"."_id")
WHERE "_id" IN (SELECT row_id FROM temp.following);

-- show
UPDATE "d_steps" SET "c_visit" = (SELECT number FROM temp.following WHERE row_id = "d_steps".id)
WHERE id IN (SELECT row_id FROM temp.following);

-- tell
INSERT INTO change (list, change, row_id, title, state)
SELECT 'steps', 'changed', shown."_id", substr(shown."title", 1, 500), shown."_state"
FROM temp.following AS following CROSS JOIN "steps" AS shown
    ON shown."_id" = following.row_id
WHERE (SELECT paused FROM control) IS NOT 'steps' ORDER BY following.row_id;

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_steps  insert"
AFTER INSERT ON main."s_steps"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'steps', '', CAST(NEW."server_id" AS TEXT)
    WHERE NEW."server_id" IS NOT NULL;
END;

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_steps  delete"
AFTER DELETE ON main."s_steps"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'steps', '', CAST(OLD."server_id" AS TEXT)
    WHERE OLD."server_id" IS NOT NULL;
END;

-- watch
CREATE TEMP TRIGGER IF NOT EXISTS "referred s_steps  update"
AFTER UPDATE OF "server_id" ON main."s_steps"
BEGIN
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'steps', '', CAST(OLD."server_id" AS TEXT)
    WHERE OLD."server_id" IS NOT NULL;
    INSERT OR IGNORE INTO referred (list, field, key)
    SELECT 'steps', '', CAST(NEW."server_id" AS TEXT)
    WHERE NEW."server_id" IS NOT NULL;
END;

-- find
INSERT OR IGNORE INTO temp.following (row_id, number)
SELECT refers.row_id, (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = refers."c_below")
FROM temp.referred AS referred CROSS JOIN "r_steps" AS refers
    ON refers."c_below" = referred.key
WHERE referred.list = 'steps' AND referred.field = '';

-- leave
DELETE FROM temp.following WHERE (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = following.row_id AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = following.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL));

-- leave
DELETE FROM temp.following WHERE NOT (EXISTS (SELECT 1 FROM "steps" AS shown
    WHERE shown."_id" = following.row_id AND shown."below" IS NOT following.number) OR EXISTS (SELECT 1 FROM "d_steps" AS hidden
    WHERE hidden.id = following.row_id AND hidden."c_below" IS NOT following.number));

-- show
UPDATE "steps" SET "below" = (SELECT number FROM temp.following WHERE row_id = "steps"."_id")
WHERE "_id" IN (SELECT row_id FROM temp.following);

-- show
UPDATE "d_steps" SET "c_below" = (SELECT number FROM temp.following WHERE row_id = "d_steps".id)
WHERE id IN (SELECT row_id FROM temp.following);

-- tell
INSERT INTO change (list, change, row_id, title, state)
SELECT 'steps', 'changed', shown."_id", substr(shown."title", 1, 500), shown."_state"
FROM temp.following AS following CROSS JOIN "steps" AS shown
    ON shown."_id" = following.row_id
WHERE (SELECT paused FROM control) IS NOT 'steps' ORDER BY following.row_id;

-- waits
SELECT seq FROM operation WHERE (operation.state = 'queued' AND (EXISTS (SELECT 1 FROM operation AS parent
    WHERE operation.kind IN ('create', 'update') AND parent.list = 'visits'
    AND parent.row_id = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged')))
    OR EXISTS (SELECT 1 FROM operation AS parent
    WHERE operation.kind IN ('update') AND parent.list = 'steps'
    AND parent.row_id = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged')))));

-- waiting
SELECT operation.seq, parent.seq, parent.list, parent.kind, parent.state, NULL
FROM operation CROSS JOIN operation AS parent
WHERE operation.list = 'steps' AND operation.kind <> 'delete' AND operation.state = 'queued'
    AND operation.kind IN ('create', 'update') AND parent.list = 'visits'
    AND parent.row_id = coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged'));

-- waiting
SELECT operation.seq, parent.seq, parent.list, parent.kind, parent.state, NULL
FROM operation CROSS JOIN operation AS parent
WHERE operation.list = 'steps' AND operation.kind <> 'delete' AND operation.state = 'queued'
    AND operation.kind IN ('update') AND parent.list = 'steps'
    AND parent.row_id = coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id))
    AND (parent.kind = 'create'
        OR parent.kind = 'delete' AND parent.state IN ('sending', 'in doubt', 'acknowledged'));

-- deletesBehind
WITH RECURSIVE above (list, row_id, seq) AS (
SELECT 'visits', (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"), operation.seq
FROM operation CROSS JOIN "r_steps" AS refers ON refers.row_id = operation.row_id
WHERE operation.list = 'steps' AND refers."c_visit" IS NOT NULL
    AND (operation.kind = 'delete' AND operation.state IN ('queued', 'sending', 'in doubt')
        OR operation.kind = 'update' AND operation.state <> 'acknowledged' AND iif(operation.stage = 1,
    (operation.fields & 2) <> 0 AND coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"),
    json_type(operation.sent, '$."1"') IS NOT NULL
        AND operation.sent ->> '$.rows."1"' IS NOT (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"))
            AND NOT (operation.stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = operation.row_id AND kind = 'delete')))
UNION ALL SELECT 'visits', operation.sent ->> '$.rows."1"', operation.seq
FROM operation
WHERE operation.list = 'steps' AND operation.kind <> 'delete'
    AND operation.state IN ('sending', 'in doubt') AND operation.sent ->> '$.rows."1"' IS NOT NULL
    AND (coalesce(
    (SELECT shown."visit" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_visit" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) IS NOT operation.sent ->> '$.rows."1"' OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = operation.row_id AND kind = 'delete'))
UNION ALL SELECT 'steps', (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = refers."c_below"), operation.seq
FROM operation CROSS JOIN "r_steps" AS refers ON refers.row_id = operation.row_id
WHERE operation.list = 'steps' AND refers."c_below" IS NOT NULL
    AND (operation.kind = 'delete' AND operation.state IN ('queued', 'sending', 'in doubt')
        OR operation.kind = 'update' AND operation.state <> 'acknowledged' AND iif(operation.stage = 1,
    (operation.fields & 4) <> 0 AND coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) IS NOT (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = refers."c_below"),
    json_type(operation.sent, '$."2"') IS NOT NULL
        AND operation.sent ->> '$.rows."2"' IS NOT (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = refers."c_below"))
            AND NOT (operation.stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = operation.row_id AND kind = 'delete')))
UNION ALL SELECT 'steps', operation.sent ->> '$.rows."2"', operation.seq
FROM operation
WHERE operation.list = 'steps' AND operation.kind <> 'delete'
    AND operation.state IN ('sending', 'in doubt') AND operation.sent ->> '$.rows."2"' IS NOT NULL
    AND (coalesce(
    (SELECT shown."below" FROM "steps" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_below" FROM "d_steps" AS hidden WHERE hidden.id = operation.row_id)) IS NOT operation.sent ->> '$.rows."2"' OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'steps' AND own.row_id = operation.row_id AND kind = 'delete'))
UNION SELECT 'visits', (SELECT parent."id" FROM "s_visits" AS parent WHERE parent."server_id" = refers."c_visit"), above.seq
FROM above CROSS JOIN "r_steps" AS refers ON refers.row_id = above.row_id
WHERE above.list = 'steps' AND refers."c_visit" IS NOT NULL
UNION SELECT 'steps', (SELECT parent."id" FROM "s_steps" AS parent WHERE parent."server_id" = refers."c_below"), above.seq
FROM above CROSS JOIN "r_steps" AS refers ON refers.row_id = above.row_id
WHERE above.list = 'steps' AND refers."c_below" IS NOT NULL
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
