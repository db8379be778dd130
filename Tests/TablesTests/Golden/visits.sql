CREATE TABLE "visits" (
    "place" TEXT,
    "length" REAL,
    "notes" TEXT,
    "people" INTEGER,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_visits" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_visits" (
    id INTEGER PRIMARY KEY,
    "c_place" TEXT, "c_length" REAL, "c_notes" TEXT, "c_people" INTEGER, server_id TEXT, added_at TEXT
) STRICT;

CREATE VIRTUAL TABLE "visits_search" USING fts5 (
    "place",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "visits_count" BEFORE INSERT ON "visits"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0) > coalesce((SELECT max("_id") FROM "visits"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0)
    AND (SELECT applying FROM control) IS NOT 'visits'
BEGIN
    UPDATE control SET applying = 'visits';
    INSERT INTO "visits" ("_id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0));
    DELETE FROM "visits" WHERE "_id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "visits_insert" AFTER INSERT ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits'
BEGIN
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of visits with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of visits was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0)
        OR NEW."_id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0)
        OR NEW."_id" < (SELECT max("_id") FROM "visits"))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of visits is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of visits is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of visits is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of visits is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'place of visits cannot be changed, because the server has no call for it')
    WHERE (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')))
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
            AND hidden."c_place" IS NEW."place");
    INSERT INTO checked_text
    SELECT NEW."place"
    WHERE NEW."place" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."place" AS BLOB)) <= 40
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place"));
    SELECT CASE
        WHEN NEW."place" IS NULL
            THEN RAISE(ABORT, 'place of visits must be given')
        WHEN length(CAST(NEW."place" AS BLOB)) = 0
            THEN RAISE(ABORT, 'place of visits must not be empty')
        WHEN trim(NEW."place", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
            THEN RAISE(ABORT, 'place of visits must not be blank')
        WHEN length(CAST(NEW."place" AS BLOB)) > 40
            THEN RAISE(ABORT, 'place of visits must not be longer than 40 bytes')
        WHEN instr(CAST(NEW."place" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'place of visits must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'place of visits must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT CASE
        WHEN abs(NEW."length") = 9e999
            THEN RAISE(ABORT, 'length of visits must be finite')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_length" IS NEW."length");
    INSERT INTO checked_text
    SELECT NEW."notes"
    WHERE NEW."notes" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."notes" AS BLOB)) <= 1048576
        AND (NEW."notes" IS NOT NULL AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_notes" IS NEW."notes")));
    INSERT INTO checked_json
    SELECT NEW."notes", 62
    WHERE length(CAST(NEW."notes" AS BLOB)) <= 1048576 AND (NEW."notes" IS NOT NULL AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_notes" IS NEW."notes")));
    SELECT CASE
        WHEN length(CAST(NEW."notes" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'notes of visits must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."notes" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'notes of visits must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'notes of visits must be valid UTF-8')
        WHEN substr(trim(NEW."notes", char(9, 10, 13, 32)), 1, 1) || substr(trim(NEW."notes", char(9, 10, 13, 32)), -1) NOT IN ('[]', '{}')
            THEN RAISE(ABORT, 'notes of visits must be an object or a list of JSON')
        WHEN (SELECT invalid_json FROM control) = 1
            THEN RAISE(ABORT, 'notes of visits must not hold U+0000, or half a pair of surrogates')
        WHEN (SELECT invalid_json FROM control) = 2
            THEN RAISE(ABORT, 'notes of visits must not have more than 62 objects and lists within each other')
        WHEN (SELECT invalid_json FROM control) = 3
            THEN RAISE(ABORT, 'notes of visits must not have a name longer than 128 bytes')
        WHEN (SELECT invalid_json FROM control) = 4
            THEN RAISE(ABORT, 'notes of visits must not have more than 65536 members')
        END
    WHERE NEW."notes" IS NOT NULL AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_notes" IS NEW."notes"));
    INSERT INTO spelled_text SELECT ifnull(NEW."place", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."place" AS BLOB)), 0) + ifnull(length(CAST(NEW."notes" AS BLOB)), 0)) > 522161;
    INSERT INTO spelled_text SELECT ifnull(NEW."notes", ''), true
    WHERE 6 * (ifnull(length(CAST(NEW."place" AS BLOB)), 0) + ifnull(length(CAST(NEW."notes" AS BLOB)), 0)) > 522161;
    SELECT RAISE(ABORT, 'a row of visits must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044322;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of visits were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'update')
        AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'delete' AND state <> 'rejected') OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"));
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'visits', 'added', NEW."_id", substr(NEW."place", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'visits' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_visits" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'visits' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'visits' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'visits' AND row_id = NEW."_id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create');
    UPDATE operation SET fields = (7 & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 2, 7))
    WHERE list = 'visits' AND row_id = NEW."_id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'update', NEW."_id", (7 & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 2, 7)), lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'update' AND stage = 1)
        AND (NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NEW."notes" IS NOT NULL);
    UPDATE "visits" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'visits', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("visits"."place", 1, 500), "_state"
    FROM "visits" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "visits_fixed" BEFORE UPDATE OF "_id", "_server_id", "_state", "_error", "_added_at", "place" ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits'
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of visits cannot be changed')
    WHERE NEW."_id" IS NOT OLD."_id";
    SELECT RAISE(ABORT, 'place of visits cannot be changed, because the server has no call for it')
    WHERE NEW."place" IS NOT OLD."place";
    SELECT CASE
        WHEN NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL THEN RAISE(ABORT, '_added_at of visits is written by syncd alone: leave it out')
        WHEN NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_state of visits is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_error of visits is written by syncd alone: leave it out')
        WHEN NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD."_id") THEN RAISE(ABORT, '_server_id of visits is written by syncd alone: leave it out')
    END
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."length" IS NOT OLD."length"
        OR NEW."notes" IS NOT OLD."notes"
        OR NEW."people" IS NOT OLD."people") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD."_id")
        OR false);
END;

CREATE TRIGGER "visits_mark" BEFORE UPDATE OF "length", "notes", "people" ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits' AND (NEW."length" IS NOT OLD."length"
    OR NEW."notes" IS NOT OLD."notes"
    OR NEW."people" IS NOT OLD."people")
BEGIN
    SELECT CASE
        WHEN abs(NEW."length") = 9e999
            THEN RAISE(ABORT, 'length of visits must be finite')
        END
    WHERE NEW."length" IS NOT OLD."length";
    INSERT INTO checked_text
    SELECT NEW."notes"
    WHERE NEW."notes" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."notes" AS BLOB)) <= 1048576
        AND (NEW."notes" IS NOT OLD."notes");
    INSERT INTO checked_json
    SELECT NEW."notes", 62
    WHERE length(CAST(NEW."notes" AS BLOB)) <= 1048576 AND (NEW."notes" IS NOT OLD."notes");
    SELECT CASE
        WHEN length(CAST(NEW."notes" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'notes of visits must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."notes" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'notes of visits must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'notes of visits must be valid UTF-8')
        WHEN substr(trim(NEW."notes", char(9, 10, 13, 32)), 1, 1) || substr(trim(NEW."notes", char(9, 10, 13, 32)), -1) NOT IN ('[]', '{}')
            THEN RAISE(ABORT, 'notes of visits must be an object or a list of JSON')
        WHEN (SELECT invalid_json FROM control) = 1
            THEN RAISE(ABORT, 'notes of visits must not hold U+0000, or half a pair of surrogates')
        WHEN (SELECT invalid_json FROM control) = 2
            THEN RAISE(ABORT, 'notes of visits must not have more than 62 objects and lists within each other')
        WHEN (SELECT invalid_json FROM control) = 3
            THEN RAISE(ABORT, 'notes of visits must not have a name longer than 128 bytes')
        WHEN (SELECT invalid_json FROM control) = 4
            THEN RAISE(ABORT, 'notes of visits must not have more than 65536 members')
        END
    WHERE NEW."notes" IS NOT OLD."notes";
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."place" IS NOT OLD."place" OR NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id"), NEW."place", NULL), ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."place" AS BLOB)), 0) + ifnull(length(CAST(NEW."notes" AS BLOB)), 0)) > 522161;
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."notes" IS NOT OLD."notes" OR NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id"), NEW."notes", NULL), ''), true
    WHERE 6 * (ifnull(length(CAST(NEW."place" AS BLOB)), 0) + ifnull(length(CAST(NEW."notes" AS BLOB)), 0)) > 522161;
    SELECT RAISE(ABORT, 'a row of visits must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + max(0, ifnull((SELECT length(CAST(known.document AS BLOB)) FROM "s_visits" AS known WHERE known.id = OLD."_id") - (iif(NEW."place" IS NOT OLD."place", ifnull(length(CAST(OLD."place" AS BLOB)), 0), 0) + iif(NEW."notes" IS NOT OLD."notes", ifnull(length(CAST(OLD."notes" AS BLOB)), 0), 0)), 0)) > 1044322;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of visits were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'update');
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'update', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'update' AND stage = 1)
        AND (NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NEW."notes" IS NOT OLD."notes");
    UPDATE operation SET fields = fields | ((iif(NEW."length" IS NOT OLD."length", 1, 0) | iif(NEW."notes" IS NOT OLD."notes", 2, 0) | iif(NEW."people" IS NOT OLD."people", 4, 0)) & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 2, 7))
    WHERE list = 'visits' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND (fields | ((iif(NEW."length" IS NOT OLD."length", 1, 0) | iif(NEW."notes" IS NOT OLD."notes", 2, 0) | iif(NEW."people" IS NOT OLD."people", 4, 0)) & iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected')), 2, 7))) IS NOT fields;
END;

CREATE TRIGGER "visits_edit" AFTER UPDATE OF "length", "notes", "people" ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits' AND (NEW."length" IS NOT OLD."length"
    OR NEW."notes" IS NOT OLD."notes"
    OR NEW."people" IS NOT OLD."people")
BEGIN
    UPDATE "visits" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND (true);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), "_state"
    FROM "visits" WHERE "_id" = NEW."_id";
END;

CREATE TRIGGER "visits_undeletable" BEFORE DELETE ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits'
BEGIN
    SELECT RAISE(ABORT, 'a row of visits cannot be deleted, because the server has no call for it')
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
END;

CREATE TRIGGER "visits_delete" AFTER DELETE ON "visits"
WHEN (SELECT applying FROM control) IS NOT 'visits'
BEGIN
    INSERT INTO "d_visits" (id, "c_place", "c_length", "c_notes", "c_people", server_id, added_at)
    SELECT OLD."_id", OLD."place", OLD."length", OLD."notes", OLD."people", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE list = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_visits"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('visits', 'removed', OLD."_id", substr(OLD."place", 1, 500));
END;

CREATE TRIGGER "visits_left" AFTER DELETE ON "visits"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'visits', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'visits');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "visits"), 0))) WHERE list = 'visits';
END;

CREATE VIEW "invariant_visits_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "visits" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_visits_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'visits' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_visits_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'visits' AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_visits_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_visits" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_visits_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_visits" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'visits' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_visits_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "visits" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'visits' AND row_id = shown."_id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL));

CREATE VIEW "invariant_visits_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_visits" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0)
    UNION ALL
    SELECT known.id FROM "s_visits" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0)
        AND NOT EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "visits_changes" AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    row_id AS id, title, change AS change,
    old_value AS "old_length", new_value AS "new_length",
    seq
FROM row_change WHERE list = 'visits';

CREATE TABLE "touched_visits" (
    key INTEGER PRIMARY KEY,
    -- NULL: the row is new.
    row_id INTEGER, "c_place" ANY, "c_length" ANY
) STRICT;

CREATE TRIGGER "visits_replacing" BEFORE INSERT ON "visits"
BEGIN
    INSERT INTO "touched_visits" (key, row_id, "c_place", "c_length")
    SELECT old."_id", old."_id", old."place", old."length" FROM "visits" AS old
    WHERE old."_id" = NEW."_id" AND NOT EXISTS (SELECT 1 FROM "touched_visits" AS noted WHERE noted.key = old."_id");
END;

CREATE TRIGGER "visits_arriving" AFTER INSERT ON "visits"
BEGIN
    INSERT INTO "touched_visits" (key)
    SELECT NEW."_id" WHERE NOT EXISTS (SELECT 1 FROM "touched_visits" AS noted WHERE noted.key = NEW."_id");
END;

CREATE TRIGGER "visits_changing" AFTER UPDATE OF "place", "length" ON "visits"
WHEN NEW."place" IS NOT OLD."place"
    OR NEW."length" IS NOT OLD."length"
BEGIN
    INSERT INTO "touched_visits" (key, row_id, "c_place", "c_length")
    SELECT OLD."_id", OLD."_id", OLD."place", OLD."length"
    WHERE true AND NOT EXISTS (SELECT 1 FROM "touched_visits" AS noted WHERE noted.key = OLD."_id");
END;

CREATE TRIGGER "visits_leaving" AFTER DELETE ON "visits"
BEGIN
    INSERT INTO "touched_visits" (key, row_id, "c_place", "c_length")
    SELECT OLD."_id", OLD."_id", OLD."place", OLD."length"
    WHERE true AND NOT EXISTS (SELECT 1 FROM "touched_visits" AS noted WHERE noted.key = OLD."_id");
    DELETE FROM "touched_visits" WHERE key = OLD."_id" AND row_id IS NULL;
END;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_visits" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_place" TEXT,
    "c_length" REAL,
    "c_notes" TEXT,
    "c_people" INTEGER,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_visits" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_visits" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_visits" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_visits" (key TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_visits";

-- clear
DELETE FROM temp."differing_visits";

-- clear
DELETE FROM temp."absent_visits";

-- clear
DELETE FROM temp."arriving_visits";

-- clear
DELETE FROM temp."skipped_visits";

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
INSERT INTO temp."pulled_visits" (position, key, "c_place", "c_length", "c_notes", "c_people", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_place", "c_length", "c_notes", "c_people", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."place"') WHEN 'text' THEN value ->> '$."place"' END AS "c_place",
    CASE json_type(value, '$."length"')
    WHEN 'integer' THEN CAST(value ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."length"') < 9e999, value ->> '$."length"', NULL)
END AS "c_length",
    CASE WHEN json_type(value, '$."notes"') IN ('object', 'array') THEN value -> '$."notes"' END AS "c_notes",
    CASE json_type(value, '$."people"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."people"') = 'integer', value ->> '$."people"', NULL)
    WHEN 'real' THEN iif(value ->> '$."people"' = CAST(value ->> '$."people"' AS INTEGER)
        AND abs(value ->> '$."people"') < 9007199254740992, CAST(value ->> '$."people"' AS INTEGER), NULL)
END AS "c_people"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576)
ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT (document = excluded.document OR same_json(document, excluded.document));

-- countUsable
SELECT count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576)),
    count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND NOT ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576) AND "type of place" IS NOT NULL)
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."place"') WHEN 'text' THEN value ->> '$."place"' END AS "c_place",
    json_type(value, '$."place"') AS "type of place",
    CASE json_type(value, '$."length"')
    WHEN 'integer' THEN CAST(value ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."length"') < 9e999, value ->> '$."length"', NULL)
END AS "c_length",
    CASE WHEN json_type(value, '$."notes"') IN ('object', 'array') THEN value -> '$."notes"' END AS "c_notes",
    CASE json_type(value, '$."people"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."people"') = 'integer', value ->> '$."people"', NULL)
    WHEN 'real' THEN iif(value ->> '$."people"' = CAST(value ->> '$."people"' AS INTEGER)
        AND abs(value ->> '$."people"') < 9007199254740992, CAST(value ->> '$."people"' AS INTEGER), NULL)
END AS "c_people"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576) THEN 'place' END, CASE WHEN NOT ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576) THEN "type of place" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."place"') WHEN 'text' THEN value ->> '$."place"' END AS "c_place",
    json_type(value, '$."place"') AS "type of place",
    CASE json_type(value, '$."length"')
    WHEN 'integer' THEN CAST(value ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."length"') < 9e999, value ->> '$."length"', NULL)
END AS "c_length",
    CASE WHEN json_type(value, '$."notes"') IN ('object', 'array') THEN value -> '$."notes"' END AS "c_notes",
    CASE json_type(value, '$."people"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."people"') = 'integer', value ->> '$."people"', NULL)
    WHEN 'real' THEN iif(value ->> '$."people"' = CAST(value ->> '$."people"' AS INTEGER)
        AND abs(value ->> '$."people"') < 9007199254740992, CAST(value ->> '$."people"' AS INTEGER), NULL)
END AS "c_people"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE NOT coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576), 0)
UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
ORDER BY place LIMIT 20;

-- nameFields
SELECT substr(field.key, 1, 500)
FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8;

-- compareRows
DELETE FROM temp."differing_visits";

-- compareRows
DELETE FROM temp."absent_visits";

-- compareRows
INSERT INTO temp."differing_visits" (position)
SELECT position FROM temp."pulled_visits" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_visits" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_visits" (row_id)
SELECT id FROM "s_visits" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_visits" WHERE "s_visits".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'visits' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_visits" WHERE "s_visits".id IN (SELECT row_id FROM temp."absent_visits")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled
        WHERE pulled.key = "s_visits".server_id AND true);

-- shownOtherwise
SELECT id FROM "s_visits" WHERE false;

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'visits', server_id, '', id, ?1, ?2 FROM "s_visits"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'visits'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_visits" AS known ON known.id = trail.row_id
        WHERE trail.list = 'visits' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'visits'
    AND row_id NOT IN (SELECT id FROM "s_visits" WHERE "s_visits".id IN (SELECT row_id FROM temp."absent_visits")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled
        WHERE pulled.key = "s_visits".server_id AND true));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'visits', id, 1 FROM "s_visits" WHERE "s_visits".id IN (SELECT row_id FROM temp."absent_visits")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled
        WHERE pulled.key = "s_visits".server_id AND true)
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, pulled."c_place", shortest_real(pulled."c_length"), CAST(pulled."c_people" AS TEXT) FROM temp."differing_visits" CROSS JOIN temp."pulled_visits" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_visits" WHERE "s_visits".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'visits' AND departed.server_id = pulled.key
    AND departed.identity = '')
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_visits" AS known CROSS JOIN temp."pulled_visits" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND true) AS is_shown,
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END),
    shortest_real(iif(operation.sent IS NULL, coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."1"')
    WHEN 'integer' THEN CAST(operation.sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(operation.sent ->> '$."1"') < 9e999, operation.sent ->> '$."1"', NULL)
END)),
    CAST(iif(operation.sent IS NULL, coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."3"')
    WHEN 'integer' THEN iif(typeof(operation.sent ->> '$."3"') = 'integer', operation.sent ->> '$."3"', NULL)
    WHEN 'real' THEN iif(operation.sent ->> '$."3"' = CAST(operation.sent ->> '$."3"' AS INTEGER)
        AND abs(operation.sent ->> '$."3"') < 9007199254740992, CAST(operation.sent ->> '$."3"' AS INTEGER), NULL)
END) AS TEXT)
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'visits'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'visits' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_visits" (row_id, position)
SELECT known.id, position FROM temp."differing_visits" CROSS JOIN temp."pulled_visits" AS pulled USING (position)
    CROSS JOIN "s_visits" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "visits" AS shown
        WHERE shown."_id" = known.id AND (shown."place" IS NOT pulled."c_place"
    OR shown."length" IS NOT pulled."c_length"
    OR NOT same_json(shown."notes", pulled."c_notes")
    OR shown."people" IS NOT pulled."c_people"))
    OR EXISTS (SELECT 1 FROM "d_visits" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_place" IS NOT pulled."c_place"
    OR hidden."c_length" IS NOT pulled."c_length"
    OR NOT same_json(hidden."c_notes", pulled."c_notes")
    OR hidden."c_people" IS NOT pulled."c_people")))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'visits' AND own.row_id = known.id AND true);

-- change
UPDATE "visits" SET "place" = pulled."c_place",
    "length" = pulled."c_length",
    "notes" = pulled."c_notes",
    "people" = pulled."c_people"
FROM temp."arriving_visits" AS arriving CROSS JOIN temp."pulled_visits" AS pulled USING (position) WHERE "visits"."_id" = arriving.row_id;

-- change
UPDATE "d_visits" SET "c_place" = pulled."c_place",
    "c_length" = pulled."c_length",
    "c_notes" = pulled."c_notes",
    "c_people" = pulled."c_people"
FROM temp."arriving_visits" AS arriving CROSS JOIN temp."pulled_visits" AS pulled USING (position) WHERE "d_visits".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'visits', 'changed', shown."_id", substr(shown."place", 1, 500), shown."_state"
FROM temp."arriving_visits" AS arriving CROSS JOIN "visits" AS shown ON shown."_id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'visits' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'visits'), 0),
    coalesce((SELECT max(id) FROM "s_visits"), 0), coalesce((SELECT max("_id") FROM "visits"), 0),
    coalesce((SELECT max(id) FROM "d_visits"), 0));

-- nameArriving
INSERT INTO temp."arriving_visits" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'visits' AND departed.server_id = pulled.key
    AND departed.identity = ''), position
FROM temp."differing_visits" CROSS JOIN temp."pulled_visits" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_visits" WHERE "s_visits".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_visits" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_visits" AS arriving CROSS JOIN temp."pulled_visits" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "visits" ("_id", "place", "length", "notes", "people", "_state", "_server_id", "_added_at")
SELECT row_id, pulled."c_place", pulled."c_length", pulled."c_notes", pulled."c_people", 'synced', key, ?3
FROM temp."arriving_visits" AS arriving CROSS JOIN temp."pulled_visits" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'visits', 'added', row_id, substr(pulled."c_place", 1, 500), 'synced'
FROM temp."arriving_visits" AS arriving CROSS JOIN temp."pulled_visits" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'visits' ORDER BY row_id;

-- updateDocuments
UPDATE "s_visits" SET document = pulled.document FROM temp."pulled_visits" AS pulled
WHERE "s_visits".id IN (SELECT row_id FROM temp."absent_visits")
    AND pulled.key = "s_visits".server_id AND pulled.document IS NOT "s_visits".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = "s_visits".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'visits' AND own.row_id = "s_visits".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_visits" AS known ON known.id = trail.row_id
WHERE list = 'visits' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR true
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'visits' AND departed.server_id = pulled.key
    AND departed.identity = '')));

-- unconfirmed
SELECT id FROM "s_visits" AS known
WHERE id IN (SELECT row_id FROM temp."absent_visits")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_visits" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END), coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id))), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'visits'
    AND NOT (kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS deletion
    WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END,
    shortest_real("value 1"),
    "value 2",
    CASE WHEN "value 3" IS NOT NULL THEN json_quote("value 3") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_visits" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1",
        coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)) AS "value 2",
        coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)) AS "value 3"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."place"') WHEN 'text' THEN row ->> '$."place"' END AS "c_place",
        CASE json_type(row, '$."length"')
    WHEN 'integer' THEN CAST(row ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(row ->> '$."length"') < 9e999, row ->> '$."length"', NULL)
END AS "c_length",
        CASE WHEN json_type(row, '$."notes"') IN ('object', 'array') THEN row -> '$."notes"' END AS "c_notes",
        CASE json_type(row, '$."people"')
    WHEN 'integer' THEN iif(typeof(row ->> '$."people"') = 'integer', row ->> '$."people"', NULL)
    WHEN 'real' THEN iif(row ->> '$."people"' = CAST(row ->> '$."people"' AS INTEGER)
        AND abs(row ->> '$."people"') < 9007199254740992, CAST(row ->> '$."people"' AS INTEGER), NULL)
END AS "c_people"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576);

-- answeredUpdates
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."place"') WHEN 'text' THEN row ->> '$."place"' END AS "c_place",
        CASE json_type(row, '$."length"')
    WHEN 'integer' THEN CAST(row ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(row ->> '$."length"') < 9e999, row ->> '$."length"', NULL)
END AS "c_length",
        CASE WHEN json_type(row, '$."notes"') IN ('object', 'array') THEN row -> '$."notes"' END AS "c_notes",
        CASE json_type(row, '$."people"')
    WHEN 'integer' THEN iif(typeof(row ->> '$."people"') = 'integer', row ->> '$."people"', NULL)
    WHEN 'real' THEN iif(row ->> '$."people"' = CAST(row ->> '$."people"' AS INTEGER)
        AND abs(row ->> '$."people"') < 9007199254740992, CAST(row ->> '$."people"' AS INTEGER), NULL)
END AS "c_people"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_place" IS NOT NULL AND length(CAST("c_place" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_visits" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL);

-- owner
SELECT id, ?3 IS NOT NULL AND true,
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'visits')
FROM "s_visits" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."place"') WHEN 'text' THEN ?2 ->> '$."place"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take place
UPDATE "visits" SET "place" = (CASE json_type(?2, '$."place"') WHEN 'text' THEN ?2 ->> '$."place"' END) WHERE "_id" = ?1;

-- take place
UPDATE "d_visits" SET "c_place" = (CASE json_type(?2, '$."place"') WHEN 'text' THEN ?2 ->> '$."place"' END) WHERE id = ?1;

-- giveBack place
UPDATE "visits" SET "place" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'visits' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."place"') WHEN 'text' THEN known.document ->> '$."place"' END) FROM "s_visits" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack place
UPDATE "d_visits" SET "c_place" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'visits' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."place"') WHEN 'text' THEN known.document ->> '$."place"' END) FROM "s_visits" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep place
SELECT iif(json_type(?2, '$."place"') IS NULL, json_remove(?1, '$."place"'),
    json_set(?1, '$."place"', json(?2 -> '$."place"')));

-- patch place
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."place"'),
    json_set(?1, '$."place"', json(?2 -> '$."0"')));

-- record place
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'visits', ?1, 'place', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."place"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."place"' END)));

-- take length
UPDATE "visits" SET "length" = (CASE json_type(?2, '$."length"')
    WHEN 'integer' THEN CAST(?2 ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(?2 ->> '$."length"') < 9e999, ?2 ->> '$."length"', NULL)
END) WHERE "_id" = ?1;

-- take length
UPDATE "d_visits" SET "c_length" = (CASE json_type(?2, '$."length"')
    WHEN 'integer' THEN CAST(?2 ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(?2 ->> '$."length"') < 9e999, ?2 ->> '$."length"', NULL)
END) WHERE id = ?1;

-- giveBack length
UPDATE "visits" SET "length" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM withdrawn WHERE list = 'visits' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack length
UPDATE "d_visits" SET "c_length" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM withdrawn WHERE list = 'visits' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep length
SELECT iif(json_type(?2, '$."length"') IS NULL, json_remove(?1, '$."length"'),
    json_set(?1, '$."length"', json(?2 -> '$."length"')));

-- patch length
SELECT iif(json_type(?2, '$."1"') IS NULL, json_remove(?1, '$."length"'),
    json_set(?1, '$."length"', json(?2 -> '$."1"')));

-- record length
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'visits', ?1, 'length', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS REAL) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."length"')
    WHEN 'integer' THEN CAST(coalesce(?2, '{}') ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(coalesce(?2, '{}') ->> '$."length"') < 9e999, coalesce(?2, '{}') ->> '$."length"', NULL)
END)));

-- layers
SELECT (SELECT (CASE json_type(known.document, '$."place"') WHEN 'text' THEN known.document ->> '$."place"' END) FROM "s_visits" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    false,
    coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."place"') WHEN 'text' THEN ?2 ->> '$."place"' END),
    shortest_real((SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1)),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL),
    shortest_real((SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))),
    shortest_real(coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1))),
    shortest_real((CASE json_type(?2, '$."length"')
    WHEN 'integer' THEN CAST(?2 ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(?2 ->> '$."length"') < 9e999, ?2 ->> '$."length"', NULL)
END)),
    canonical_json((SELECT (CASE WHEN json_type(known.document, '$."notes"') IN ('object', 'array') THEN known.document -> '$."notes"' END) FROM "s_visits" AS known WHERE known.id = ?1)),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL),
    canonical_json((SELECT CASE WHEN json_type(sent, '$."2"') IN ('object', 'array') THEN sent -> '$."2"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND NOT same_json(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1)), iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE WHEN json_type(sent, '$."2"') IN ('object', 'array') THEN sent -> '$."2"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE WHEN json_type(known.document, '$."notes"') IN ('object', 'array') THEN known.document -> '$."notes"' END) FROM "s_visits" AS known WHERE known.id = ?1)))),
    canonical_json(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1))),
    canonical_json((CASE WHEN json_type(?2, '$."notes"') IN ('object', 'array') THEN ?2 -> '$."notes"' END)),
    CAST((SELECT (CASE json_type(known.document, '$."people"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."people"') = 'integer', known.document ->> '$."people"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."people"' = CAST(known.document ->> '$."people"' AS INTEGER)
        AND abs(known.document ->> '$."people"') < 9007199254740992, CAST(known.document ->> '$."people"' AS INTEGER), NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."3"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."3"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."3"') = 'integer', sent ->> '$."3"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."3"' = CAST(sent ->> '$."3"' AS INTEGER)
        AND abs(sent ->> '$."3"') < 9007199254740992, CAST(sent ->> '$."3"' AS INTEGER), NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."3"') IS NOT NULL), (SELECT CASE json_type(sent, '$."3"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."3"') = 'integer', sent ->> '$."3"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."3"' = CAST(sent ->> '$."3"' AS INTEGER)
        AND abs(sent ->> '$."3"') < 9007199254740992, CAST(sent ->> '$."3"' AS INTEGER), NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."people"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."people"') = 'integer', known.document ->> '$."people"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."people"' = CAST(known.document ->> '$."people"' AS INTEGER)
        AND abs(known.document ->> '$."people"') < 9007199254740992, CAST(known.document ->> '$."people"' AS INTEGER), NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))),
    CAST(coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) AS TEXT),
    CAST((CASE json_type(?2, '$."people"')
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."people"') = 'integer', ?2 ->> '$."people"', NULL)
    WHEN 'real' THEN iif(?2 ->> '$."people"' = CAST(?2 ->> '$."people"' AS INTEGER)
        AND abs(?2 ->> '$."people"') < 9007199254740992, CAST(?2 ->> '$."people"' AS INTEGER), NULL)
END) AS TEXT);

-- payload
SELECT iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))), coalesce(shortest_real(coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1))), 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND NOT same_json(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1)), iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE WHEN json_type(sent, '$."2"') IN ('object', 'array') THEN sent -> '$."2"' END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE WHEN json_type(known.document, '$."notes"') IN ('object', 'array') THEN known.document -> '$."notes"' END) FROM "s_visits" AS known WHERE known.id = ?1)))), coalesce(iif(json_valid(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1))), coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1)), json_quote(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = ?1)))), 'null'), NULL),
    iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."3"') IS NOT NULL), (SELECT CASE json_type(sent, '$."3"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."3"') = 'integer', sent ->> '$."3"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."3"' = CAST(sent ->> '$."3"' AS INTEGER)
        AND abs(sent ->> '$."3"') < 9007199254740992, CAST(sent ->> '$."3"' AS INTEGER), NULL)
END FROM operation WHERE list = 'visits' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."people"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."people"') = 'integer', known.document ->> '$."people"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."people"' = CAST(known.document ->> '$."people"' AS INTEGER)
        AND abs(known.document ->> '$."people"') < 9007199254740992, CAST(known.document ->> '$."people"' AS INTEGER), NULL)
END) FROM "s_visits" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- creation
SELECT iif(coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."place" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_place" FROM "d_visits" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(shortest_real(coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = ?1))), 'null'), NULL),
    iif(coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'visits' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) AND NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND NOT same_json(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = mark.row_id)), iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE WHEN json_type(sent, '$."2"') IN ('object', 'array') THEN sent -> '$."2"' END FROM operation WHERE list = 'visits' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE WHEN json_type(known.document, '$."notes"') IN ('object', 'array') THEN known.document -> '$."notes"' END) FROM "s_visits" AS known WHERE known.id = mark.row_id))))) OR NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."length" FROM "visits" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_length" FROM "d_visits" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"')
    WHEN 'integer' THEN CAST(sent ->> '$."1"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."1"') < 9e999, sent ->> '$."1"', NULL)
END FROM operation WHERE list = 'visits' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."length"')
    WHEN 'integer' THEN CAST(known.document ->> '$."length"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."length"') < 9e999, known.document ->> '$."length"', NULL)
END) FROM "s_visits" AS known WHERE known.id = mark.row_id)))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 2) <> 0) AND NOT same_json(coalesce(
    (SELECT shown."notes" FROM "visits" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_notes" FROM "d_visits" AS hidden WHERE hidden.id = mark.row_id)), iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL), (SELECT CASE WHEN json_type(sent, '$."2"') IN ('object', 'array') THEN sent -> '$."2"' END FROM operation WHERE list = 'visits' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE WHEN json_type(known.document, '$."notes"') IN ('object', 'array') THEN known.document -> '$."notes"' END) FROM "s_visits" AS known WHERE known.id = mark.row_id))))
    OR (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 4) <> 0) AND coalesce(
    (SELECT shown."people" FROM "visits" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_people" FROM "d_visits" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'visits' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."3"') IS NOT NULL), (SELECT CASE json_type(sent, '$."3"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."3"') = 'integer', sent ->> '$."3"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."3"' = CAST(sent ->> '$."3"' AS INTEGER)
        AND abs(sent ->> '$."3"') < 9007199254740992, CAST(sent ->> '$."3"' AS INTEGER), NULL)
END FROM operation WHERE list = 'visits' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."people"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."people"') = 'integer', known.document ->> '$."people"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."people"' = CAST(known.document ->> '$."people"' AS INTEGER)
        AND abs(known.document ->> '$."people"') < 9007199254740992, CAST(known.document ->> '$."people"' AS INTEGER), NULL)
END) FROM "s_visits" AS known WHERE known.id = mark.row_id)))));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'visits' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_visits" WHERE id = ?1;

-- setDocument
UPDATE "s_visits" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'visits' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'visits' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_visits" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_visits" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'visits' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_visits" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_visits" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_visits" AS pulled ON pulled.key = known.server_id
WHERE true
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'visits' AND kind = 'update';
