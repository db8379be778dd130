CREATE TABLE "notes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT,
    "body" TEXT,
    "done" INTEGER,
    "changed" TEXT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_notes" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_notes" (
    id INTEGER PRIMARY KEY,
    "c_title" TEXT, "c_body" TEXT, "c_done" INTEGER, "c_changed" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE TRIGGER "notes_count" BEFORE INSERT ON "notes"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0) > coalesce((SELECT max("id") FROM "notes"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notes'), 0)
    AND (SELECT applying FROM control) IS NOT 'notes'
BEGIN
    UPDATE control SET applying = 'notes';
    INSERT INTO "notes" ("id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0));
    DELETE FROM "notes" WHERE "id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "notes_insert" AFTER INSERT ON "notes"
WHEN (SELECT applying FROM control) IS NOT 'notes'
BEGIN
    UPDATE control SET rewriting = NEW."id",
        returning_row = EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of notes with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of notes was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."id" < 1 OR NEW."id" > 4503599627370495
            OR NEW."id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notes'), 0)
        OR NEW."id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0)
        OR NEW."id" < (SELECT max("id") FROM "notes"))
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of notes is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of notes is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of notes is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of notes is written by syncd alone: leave it out')
        WHEN NEW."changed" IS NOT NULL THEN RAISE(ABORT, 'changed of notes is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        OR NEW."changed" IS NOT NULL)
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title"));
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of notes must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of notes must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of notes must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of notes must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    INSERT INTO checked_text
    SELECT NEW."body"
    WHERE NEW."body" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."body" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_body" IS NEW."body"));
    SELECT CASE
        WHEN length(CAST(NEW."body" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'body of notes must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."body" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'body of notes must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'body of notes must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_body" IS NEW."body");
    SELECT CASE
        WHEN NEW."done" <> 0 AND NEW."done" <> 1
            THEN RAISE(ABORT, 'done of notes must be 0 or 1')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_done" IS NEW."done");
    INSERT INTO spelled_text SELECT ifnull(NEW."title", '') || ifnull(NEW."body", '') || ifnull(NEW."changed", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0) + ifnull(length(CAST(NEW."body" AS BLOB)), 0) + ifnull(length(CAST(NEW."changed" AS BLOB)), 0)) > 522162;
    SELECT RAISE(ABORT, 'a row of notes must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044324;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'update')
        AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'delete' AND state <> 'rejected') OR NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"));
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'notes', 'added', NEW."id", substr(NEW."title", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND list = 'notes' AND row_id = NEW."id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"));
    DELETE FROM "d_notes" WHERE (SELECT rewriting FROM control) IS NEW."id" AND id = NEW."id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'notes' AND row_id = NEW."id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'notes' AND row_id = NEW."id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND list = 'notes' AND row_id = NEW."id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'create', NEW."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND kind = 'create');
    UPDATE operation SET fields = 7
    WHERE list = 'notes' AND row_id = NEW."id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'update', NEW."id", 7, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = NEW."id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE "notes" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = NEW."id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id" AND ((SELECT rewriting FROM control) IS NEW."id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'notes', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "id", substr("notes"."title", 1, 500), "_state"
    FROM "notes" WHERE "id" = NEW."id" AND (SELECT rewriting FROM control) IS NEW."id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "notes_fixed" BEFORE UPDATE OF "id", "_server_id", "_state", "_error", "_added_at", "changed" ON "notes"
WHEN (SELECT applying FROM control) IS NOT 'notes'
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of notes cannot be changed')
    WHERE NEW."id" IS NOT OLD."id";
    SELECT CASE
        WHEN NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL THEN RAISE(ABORT, '_added_at of notes is written by syncd alone: leave it out')
        WHEN NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND true))) THEN RAISE(ABORT, '_state of notes is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND true))) THEN RAISE(ABORT, '_error of notes is written by syncd alone: leave it out')
        WHEN NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD."id") THEN RAISE(ABORT, '_server_id of notes is written by syncd alone: leave it out')
        WHEN NEW."changed" IS NOT OLD."changed" THEN RAISE(ABORT, 'changed of notes is written by syncd alone: leave it out')
    END
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."title" IS NOT OLD."title"
        OR NEW."body" IS NOT OLD."body"
        OR NEW."done" IS NOT OLD."done") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD."id")
        OR NEW."changed" IS NOT OLD."changed");
END;

CREATE TRIGGER "notes_mark" BEFORE UPDATE OF "title", "body", "done" ON "notes"
WHEN (SELECT applying FROM control) IS NOT 'notes' AND (NEW."title" IS NOT OLD."title"
    OR NEW."body" IS NOT OLD."body"
    OR NEW."done" IS NOT OLD."done")
BEGIN
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND (NEW."title" IS NOT OLD."title");
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of notes must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of notes must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of notes must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of notes must be valid UTF-8')
        END
    WHERE NEW."title" IS NOT OLD."title";
    INSERT INTO checked_text
    SELECT NEW."body"
    WHERE NEW."body" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."body" AS BLOB)) <= 1048576
        AND (NEW."body" IS NOT OLD."body");
    SELECT CASE
        WHEN length(CAST(NEW."body" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'body of notes must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."body" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'body of notes must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'body of notes must be valid UTF-8')
        END
    WHERE NEW."body" IS NOT OLD."body";
    SELECT CASE
        WHEN NEW."done" <> 0 AND NEW."done" <> 1
            THEN RAISE(ABORT, 'done of notes must be 0 or 1')
        END
    WHERE NEW."done" IS NOT OLD."done";
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."title" IS NOT OLD."title" OR NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id"), NEW."title", NULL), '') || ifnull(iif(NEW."body" IS NOT OLD."body" OR NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id"), NEW."body", NULL), '') || ifnull(iif(NEW."changed" IS NOT OLD."changed" OR NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id"), NEW."changed", NULL), ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0) + ifnull(length(CAST(NEW."body" AS BLOB)), 0) + ifnull(length(CAST(NEW."changed" AS BLOB)), 0)) > 522162;
    SELECT RAISE(ABORT, 'a row of notes must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + max(0, ifnull((SELECT length(CAST(known.document AS BLOB)) FROM "s_notes" AS known WHERE known.id = OLD."id") - (iif(NEW."title" IS NOT OLD."title", ifnull(length(CAST(OLD."title" AS BLOB)), 0), 0) + iif(NEW."body" IS NOT OLD."body", ifnull(length(CAST(OLD."body" AS BLOB)), 0), 0) + iif(NEW."changed" IS NOT OLD."changed", ifnull(length(CAST(OLD."changed" AS BLOB)), 0), 0)), 0)) > 1044324;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND kind = 'update');
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'update', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE operation SET fields = fields | (iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."body" IS NOT OLD."body", 2, 0) | iif(NEW."done" IS NOT OLD."done", 4, 0))
    WHERE list = 'notes' AND row_id = OLD."id" AND kind = 'update' AND stage = 1 AND (fields | (iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."body" IS NOT OLD."body", 2, 0) | iif(NEW."done" IS NOT OLD."done", 4, 0))) IS NOT fields;
END;

CREATE TRIGGER "notes_edit" AFTER UPDATE OF "title", "body", "done" ON "notes"
WHEN (SELECT applying FROM control) IS NOT 'notes' AND (NEW."title" IS NOT OLD."title"
    OR NEW."body" IS NOT OLD."body"
    OR NEW."done" IS NOT OLD."done")
BEGIN
    UPDATE "notes" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = NEW."id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id" AND (true);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'notes', 'changed', "id", substr("notes"."title", 1, 500), "_state"
    FROM "notes" WHERE "id" = NEW."id";
END;

CREATE TRIGGER "notes_delete" AFTER DELETE ON "notes"
WHEN (SELECT applying FROM control) IS NOT 'notes'
BEGIN
    INSERT INTO "d_notes" (id, "c_title", "c_body", "c_done", "c_changed", server_id, added_at)
    SELECT OLD."id", OLD."title", OLD."body", OLD."done", OLD."changed", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = OLD."id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE list = 'notes' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_notes"
    WHERE id = OLD."id" AND NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('notes', 'removed', OLD."id", substr(OLD."title", 1, 500));
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'delete', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = OLD."id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE list = 'notes' AND row_id = OLD."id" AND kind = 'delete' AND state = 'rejected';
END;

CREATE TRIGGER "notes_left" AFTER DELETE ON "notes"
WHEN OLD."id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'notes', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'notes');
    UPDATE highest_id SET id = max(id, max(OLD."id", coalesce((SELECT max("id") FROM "notes"), 0))) WHERE list = 'notes';
END;

CREATE VIEW "invariant_notes_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."id" FROM "notes" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = shown."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = shown."id" AND kind = 'create'));

CREATE VIEW "invariant_notes_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'notes' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_notes_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'notes' AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = row_id));

CREATE VIEW "invariant_notes_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_notes" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = known.id));

CREATE VIEW "invariant_notes_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_notes" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'notes' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_notes_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."id" FROM "notes" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'notes' AND row_id = shown."id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = shown."id") OR shown."_added_at" IS NULL));

CREATE VIEW "invariant_notes_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_notes" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0)
    UNION ALL
    SELECT known.id FROM "s_notes" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0)
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = known.id));

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_notes" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_title" TEXT,
    "c_body" TEXT,
    "c_done" INTEGER,
    "c_changed" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_notes" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_notes" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_notes" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_notes" (key TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_notes";

-- clear
DELETE FROM temp."differing_notes";

-- clear
DELETE FROM temp."absent_notes";

-- clear
DELETE FROM temp."arriving_notes";

-- clear
DELETE FROM temp."skipped_notes";

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
INSERT INTO temp."pulled_notes" (position, key, "c_title", "c_body", "c_done", "c_changed", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_title", "c_body", "c_done", "c_changed", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    CASE json_type(value, '$."body"') WHEN 'text' THEN value ->> '$."body"' END AS "c_body",
    CASE json_type(value, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."done"' IN (0, 1), value ->> '$."done"', NULL)
END AS "c_done",
    CASE json_type(value, '$."changed"') WHEN 'text' THEN value ->> '$."changed"' END AS "c_changed"
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
    CASE json_type(value, '$."body"') WHEN 'text' THEN value ->> '$."body"' END AS "c_body",
    CASE json_type(value, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."done"' IN (0, 1), value ->> '$."done"', NULL)
END AS "c_done",
    CASE json_type(value, '$."changed"') WHEN 'text' THEN value ->> '$."changed"' END AS "c_changed"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN 'title' END, CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN "type of title" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    json_type(value, '$."title"') AS "type of title",
    CASE json_type(value, '$."body"') WHEN 'text' THEN value ->> '$."body"' END AS "c_body",
    CASE json_type(value, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."done"' IN (0, 1), value ->> '$."done"', NULL)
END AS "c_done",
    CASE json_type(value, '$."changed"') WHEN 'text' THEN value ->> '$."changed"' END AS "c_changed"
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
DELETE FROM temp."differing_notes";

-- compareRows
DELETE FROM temp."absent_notes";

-- compareRows
INSERT INTO temp."differing_notes" (position)
SELECT position FROM temp."pulled_notes" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_notes" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_notes" (row_id)
SELECT id FROM "s_notes" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_notes" WHERE "s_notes".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'notes' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_notes" WHERE "s_notes".id IN (SELECT row_id FROM temp."absent_notes")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled
        WHERE pulled.key = "s_notes".server_id AND true);

-- shownOtherwise
SELECT id FROM "s_notes" WHERE false;

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'notes', server_id, '', id, ?1, ?2 FROM "s_notes"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'notes'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_notes" AS known ON known.id = trail.row_id
        WHERE trail.list = 'notes' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'notes'
    AND row_id NOT IN (SELECT id FROM "s_notes" WHERE "s_notes".id IN (SELECT row_id FROM temp."absent_notes")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled
        WHERE pulled.key = "s_notes".server_id AND true));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'notes', id, 1 FROM "s_notes" WHERE "s_notes".id IN (SELECT row_id FROM temp."absent_notes")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled
        WHERE pulled.key = "s_notes".server_id AND true)
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, pulled."c_title", pulled."c_body", CAST(pulled."c_done" AS TEXT) FROM temp."differing_notes" CROSS JOIN temp."pulled_notes" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_notes" WHERE "s_notes".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'notes' AND departed.server_id = pulled.key
    AND departed.identity = '')
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_notes" AS known CROSS JOIN temp."pulled_notes" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND true) AS is_shown,
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END),
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."1"') WHEN 'text' THEN operation.sent ->> '$."1"' END),
    CAST(iif(operation.sent IS NULL, coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."2"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(operation.sent ->> '$."2"' IN (0, 1), operation.sent ->> '$."2"', NULL)
END) AS TEXT)
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'notes'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'notes' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_notes" (row_id, position)
SELECT known.id, position FROM temp."differing_notes" CROSS JOIN temp."pulled_notes" AS pulled USING (position)
    CROSS JOIN "s_notes" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "notes" AS shown
        WHERE shown."id" = known.id AND (shown."title" IS NOT pulled."c_title"
    OR shown."body" IS NOT pulled."c_body"
    OR shown."done" IS NOT pulled."c_done"
    OR shown."changed" IS NOT pulled."c_changed"))
    OR EXISTS (SELECT 1 FROM "d_notes" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_title" IS NOT pulled."c_title"
    OR hidden."c_body" IS NOT pulled."c_body"
    OR hidden."c_done" IS NOT pulled."c_done"
    OR hidden."c_changed" IS NOT pulled."c_changed")))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'notes' AND own.row_id = known.id AND true);

-- change
UPDATE "notes" SET "title" = pulled."c_title",
    "body" = pulled."c_body",
    "done" = pulled."c_done",
    "changed" = pulled."c_changed"
FROM temp."arriving_notes" AS arriving CROSS JOIN temp."pulled_notes" AS pulled USING (position) WHERE "notes"."id" = arriving.row_id;

-- change
UPDATE "d_notes" SET "c_title" = pulled."c_title",
    "c_body" = pulled."c_body",
    "c_done" = pulled."c_done",
    "c_changed" = pulled."c_changed"
FROM temp."arriving_notes" AS arriving CROSS JOIN temp."pulled_notes" AS pulled USING (position) WHERE "d_notes".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'notes', 'changed', shown."id", substr(shown."title", 1, 500), shown."_state"
FROM temp."arriving_notes" AS arriving CROSS JOIN "notes" AS shown ON shown."id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'notes' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'notes'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'notes'), 0),
    coalesce((SELECT max(id) FROM "s_notes"), 0), coalesce((SELECT max("id") FROM "notes"), 0),
    coalesce((SELECT max(id) FROM "d_notes"), 0));

-- nameArriving
INSERT INTO temp."arriving_notes" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'notes' AND departed.server_id = pulled.key
    AND departed.identity = ''), position
FROM temp."differing_notes" CROSS JOIN temp."pulled_notes" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_notes" WHERE "s_notes".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_notes" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_notes" AS arriving CROSS JOIN temp."pulled_notes" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "notes" ("id", "title", "body", "done", "changed", "_state", "_server_id", "_added_at")
SELECT row_id, pulled."c_title", pulled."c_body", pulled."c_done", pulled."c_changed", 'synced', key, ?3
FROM temp."arriving_notes" AS arriving CROSS JOIN temp."pulled_notes" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'notes', 'added', row_id, substr(pulled."c_title", 1, 500), 'synced'
FROM temp."arriving_notes" AS arriving CROSS JOIN temp."pulled_notes" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'notes' ORDER BY row_id;

-- updateDocuments
UPDATE "s_notes" SET document = pulled.document FROM temp."pulled_notes" AS pulled
WHERE "s_notes".id IN (SELECT row_id FROM temp."absent_notes")
    AND pulled.key = "s_notes".server_id AND pulled.document IS NOT "s_notes".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = "s_notes".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'notes' AND own.row_id = "s_notes".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_notes" AS known ON known.id = trail.row_id
WHERE list = 'notes' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR true
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'notes' AND departed.server_id = pulled.key
    AND departed.identity = '')));

-- unconfirmed
SELECT id FROM "s_notes" AS known
WHERE id IN (SELECT row_id FROM temp."absent_notes")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_notes" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END), coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id))), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'notes'
    AND NOT (kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS deletion
    WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END,
    CASE WHEN "value 1" IS NOT NULL THEN json_quote("value 1") END,
    CASE "value 2" WHEN 0 THEN 'false' WHEN 1 THEN 'true' END,
    CASE WHEN "value 3" IS NOT NULL THEN json_quote("value 3") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_notes" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1",
        coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)) AS "value 2",
        coalesce(
    (SELECT shown."changed" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_changed" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)) AS "value 3"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."body"') WHEN 'text' THEN row ->> '$."body"' END AS "c_body",
        CASE json_type(row, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(row ->> '$."done"' IN (0, 1), row ->> '$."done"', NULL)
END AS "c_done",
        CASE json_type(row, '$."changed"') WHEN 'text' THEN row ->> '$."changed"' END AS "c_changed"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- answeredUpdates
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."body"') WHEN 'text' THEN row ->> '$."body"' END AS "c_body",
        CASE json_type(row, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(row ->> '$."done"' IN (0, 1), row ->> '$."done"', NULL)
END AS "c_done",
        CASE json_type(row, '$."changed"') WHEN 'text' THEN row ->> '$."changed"' END AS "c_changed"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_notes" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL);

-- owner
SELECT id, ?3 IS NOT NULL AND true,
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'notes')
FROM "s_notes" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take title
UPDATE "notes" SET "title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE "id" = ?1;

-- take title
UPDATE "d_notes" SET "c_title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE id = ?1;

-- giveBack title
UPDATE "notes" SET "title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'notes' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = ?1))) WHERE "id" = ?1;

-- giveBack title
UPDATE "d_notes" SET "c_title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'notes' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep title
SELECT iif(json_type(?2, '$."title"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."title"')));

-- patch title
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."0"')));

-- record title
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'notes', ?1, 'title', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."title"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."title"' END)));

-- take body
UPDATE "notes" SET "body" = (CASE json_type(?2, '$."body"') WHEN 'text' THEN ?2 ->> '$."body"' END) WHERE "id" = ?1;

-- take body
UPDATE "d_notes" SET "c_body" = (CASE json_type(?2, '$."body"') WHEN 'text' THEN ?2 ->> '$."body"' END) WHERE id = ?1;

-- giveBack body
UPDATE "notes" SET "body" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'notes' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = ?1))) WHERE "id" = ?1;

-- giveBack body
UPDATE "d_notes" SET "c_body" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'notes' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep body
SELECT iif(json_type(?2, '$."body"') IS NULL, json_remove(?1, '$."body"'),
    json_set(?1, '$."body"', json(?2 -> '$."body"')));

-- patch body
SELECT iif(json_type(?2, '$."1"') IS NULL, json_remove(?1, '$."body"'),
    json_set(?1, '$."body"', json(?2 -> '$."1"')));

-- record body
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'notes', ?1, 'body', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."body"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."body"' END)));

-- takeOthers
UPDATE "notes" SET "changed" = (CASE json_type(?2, '$."changed"') WHEN 'text' THEN ?2 ->> '$."changed"' END) WHERE "id" = ?1;

-- takeOthers
UPDATE "d_notes" SET "c_changed" = (CASE json_type(?2, '$."changed"') WHEN 'text' THEN ?2 ->> '$."changed"' END) WHERE id = ?1;

-- layers
SELECT (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = ?1))),
    coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END),
    (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = ?1))),
    coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."body"') WHEN 'text' THEN ?2 ->> '$."body"' END),
    CAST((SELECT (CASE json_type(known.document, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."done"' IN (0, 1), known.document ->> '$."done"', NULL)
END) FROM "s_notes" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."2"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(sent ->> '$."2"' IN (0, 1), sent ->> '$."2"', NULL)
END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(sent ->> '$."2"' IN (0, 1), sent ->> '$."2"', NULL)
END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."done"' IN (0, 1), known.document ->> '$."done"', NULL)
END) FROM "s_notes" AS known WHERE known.id = ?1))),
    CAST(coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) AS TEXT),
    CAST((CASE json_type(?2, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(?2 ->> '$."done"' IN (0, 1), ?2 ->> '$."done"', NULL)
END) AS TEXT);

-- payload
SELECT iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(sent ->> '$."2"' IN (0, 1), sent ->> '$."2"', NULL)
END FROM operation WHERE list = 'notes' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."done"' IN (0, 1), known.document ->> '$."done"', NULL)
END) FROM "s_notes" AS known WHERE known.id = ?1))), coalesce(CASE coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END, 'null'), NULL);

-- creation
SELECT iif(coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = ?1),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = ?1)) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END, 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'notes' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "notes" AS shown WHERE shown."id" = mark.row_id),
    (SELECT hidden."c_title" FROM "d_notes" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'notes' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_notes" AS known WHERE known.id = mark.row_id)))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND coalesce(
    (SELECT shown."body" FROM "notes" AS shown WHERE shown."id" = mark.row_id),
    (SELECT hidden."c_body" FROM "d_notes" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'notes' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."body"') WHEN 'text' THEN known.document ->> '$."body"' END) FROM "s_notes" AS known WHERE known.id = mark.row_id)))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."done" FROM "notes" AS shown WHERE shown."id" = mark.row_id),
    (SELECT hidden."c_done" FROM "d_notes" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'notes' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE json_type(sent, '$."2"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(sent ->> '$."2"' IN (0, 1), sent ->> '$."2"', NULL)
END FROM operation WHERE list = 'notes' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."done"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."done"' IN (0, 1), known.document ->> '$."done"', NULL)
END) FROM "s_notes" AS known WHERE known.id = mark.row_id)))));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'notes' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_notes" WHERE id = ?1;

-- setDocument
UPDATE "s_notes" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'notes' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'notes' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_notes" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_notes" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'notes' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_notes" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_notes" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_notes" AS pulled ON pulled.key = known.server_id
WHERE true
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'notes' AND kind = 'update';
