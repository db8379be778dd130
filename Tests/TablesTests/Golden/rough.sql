CREATE TABLE "rough" (
    "row_id" INTEGER,
    "position" TEXT,
    "NEW" REAL,
    "key" INTEGER,
    "document" TEXT,
    "server_id" TEXT,
    "state" TEXT,
    "seq" TEXT,
    "list" TEXT,
    "it's" TEXT,
    """; DROP TABLE control; --" TEXT,
    "known" TEXT,
    "value 0" TEXT,
    "mark" TEXT DEFAULT (substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1) || substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1)),
    "the place" INTEGER,
    "the document" TEXT,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_rough" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL,
    -- Its place in the last whole list.
    rank INTEGER
) STRICT;

CREATE TABLE "d_rough" (
    id INTEGER PRIMARY KEY,
    "c_row_id" INTEGER, "c_position" TEXT, "c_NEW" REAL, "c_key" INTEGER, "c_document" TEXT, "c_server_id" TEXT, "c_state" TEXT, "c_seq" TEXT, "c_list" TEXT, "c_it's" TEXT, "c_""; DROP TABLE control; --" TEXT, "c_known" TEXT, "c_value 0" TEXT, "c_mark" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE INDEX "rough by position" ON "rough" ("position");

CREATE VIRTUAL TABLE "rough_search" USING fts5 (
    "position", "list", "it's",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "rough_count" BEFORE INSERT ON "rough"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0) > coalesce((SELECT max("_id") FROM "rough"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'rough'), 0)
    AND (SELECT applying FROM control) IS NOT 'rough'
BEGIN
    UPDATE control SET applying = 'rough';
    INSERT INTO "rough" ("_id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0));
    DELETE FROM "rough" WHERE "_id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "rough_insert" AFTER INSERT ON "rough"
WHEN (SELECT applying FROM control) IS NOT 'rough'
BEGIN
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of rough with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of rough was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'rough'), 0)
        OR NEW."_id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0)
        OR NEW."_id" < (SELECT max("_id") FROM "rough"))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of rough is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of rough is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of rough is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of rough is written by syncd alone: leave it out')
        WHEN NEW."the place" IS NOT NULL THEN RAISE(ABORT, 'the place of rough is written by syncd alone: leave it out')
        WHEN NEW."the document" IS NOT NULL THEN RAISE(ABORT, 'the document of rough is written by syncd alone: leave it out')
        WHEN NEW."server_id" IS NOT NULL THEN RAISE(ABORT, 'server_id of rough is written by syncd alone: leave it out')
        WHEN NEW."state" IS NOT NULL THEN RAISE(ABORT, 'state of rough is written by syncd alone: leave it out')
        WHEN NEW."seq" IS NOT NULL THEN RAISE(ABORT, 'seq of rough is written by syncd alone: leave it out')
        WHEN NEW."it's" IS NOT NULL THEN RAISE(ABORT, 'it''s of rough is written by syncd alone: leave it out')
        WHEN NEW."""; DROP TABLE control; --" IS NOT NULL THEN RAISE(ABORT, '"; DROP TABLE control; -- of rough is written by syncd alone: leave it out')
        WHEN NEW."value 0" IS NOT NULL THEN RAISE(ABORT, 'value 0 of rough is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        OR NEW."the place" IS NOT NULL
        OR NEW."the document" IS NOT NULL
        OR NEW."server_id" IS NOT NULL
        OR NEW."state" IS NOT NULL
        OR NEW."seq" IS NOT NULL
        OR NEW."it's" IS NOT NULL
        OR NEW."""; DROP TABLE control; --" IS NOT NULL
        OR NEW."value 0" IS NOT NULL)
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'mark of rough must be given, or left out: then syncd makes it')
    WHERE NEW."mark" IS NULL AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'row_id, position, NEW, key, document, list, known, mark of rough cannot be changed, because the server has no call for it')
    WHERE (EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')))
        AND NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
            AND hidden."c_row_id" IS NEW."row_id" AND hidden."c_position" IS NEW."position" AND hidden."c_NEW" IS NEW."NEW" AND hidden."c_key" IS NEW."key" AND hidden."c_document" IS NEW."document" AND hidden."c_list" IS NEW."list" AND hidden."c_known" IS NEW."known" AND hidden."c_mark" IS NEW."mark");
    INSERT INTO checked_text
    SELECT NEW."position"
    WHERE NEW."position" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."position" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_position" IS NEW."position"));
    SELECT CASE
        WHEN NEW."position" IS NULL
            THEN RAISE(ABORT, 'position of rough must be given')
        WHEN length(CAST(NEW."position" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'position of rough must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."position" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'position of rough must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'position of rough must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_position" IS NEW."position");
    SELECT CASE
        WHEN abs(NEW."NEW") = 9e999
            THEN RAISE(ABORT, 'NEW of rough must be finite')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_NEW" IS NEW."NEW");
    SELECT CASE
        WHEN NEW."key" <> 0 AND NEW."key" <> 1
            THEN RAISE(ABORT, 'key of rough must be 0 or 1')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_key" IS NEW."key");
    INSERT INTO checked_text
    SELECT NEW."document"
    WHERE NEW."document" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."document" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_document" IS NEW."document"));
    INSERT INTO checked_json
    SELECT NEW."document", 61
    WHERE length(CAST(NEW."document" AS BLOB)) <= 1048576 AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_document" IS NEW."document"));
    SELECT CASE
        WHEN length(CAST(NEW."document" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'document of rough must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."document" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'document of rough must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'document of rough must be valid UTF-8')
        WHEN substr(trim(NEW."document", char(9, 10, 13, 32)), 1, 1) || substr(trim(NEW."document", char(9, 10, 13, 32)), -1) NOT IN ('[]', '{}')
            THEN RAISE(ABORT, 'document of rough must be an object or a list of JSON')
        WHEN (SELECT invalid_json FROM control) = 1
            THEN RAISE(ABORT, 'document of rough must not hold U+0000, or half a pair of surrogates')
        WHEN (SELECT invalid_json FROM control) = 2
            THEN RAISE(ABORT, 'document of rough must not have more than 61 objects and lists within each other')
        WHEN (SELECT invalid_json FROM control) = 3
            THEN RAISE(ABORT, 'document of rough must not have a name longer than 128 bytes')
        WHEN (SELECT invalid_json FROM control) = 4
            THEN RAISE(ABORT, 'document of rough must not have more than 65536 members')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_document" IS NEW."document");
    INSERT INTO checked_text
    SELECT NEW."list"
    WHERE NEW."list" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."list" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_list" IS NEW."list"));
    SELECT CASE
        WHEN length(CAST(NEW."list" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'list of rough must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."list" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'list of rough must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'list of rough must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_list" IS NEW."list");
    INSERT INTO checked_text
    SELECT NEW."known"
    WHERE NEW."known" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."known" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_known" IS NEW."known"));
    SELECT CASE
        WHEN length(CAST(NEW."known" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'known of rough must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."known" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'known of rough must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'known of rough must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_known" IS NEW."known");
    INSERT INTO checked_text
    SELECT NEW."mark"
    WHERE NEW."mark" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."mark" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_mark" IS NEW."mark"));
    SELECT CASE
        WHEN length(CAST(NEW."mark" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'mark of rough must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."mark" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'mark of rough must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'mark of rough must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_mark" IS NEW."mark");
    INSERT INTO spelled_text SELECT ifnull(NEW."position", '') || ifnull(NEW."server_id", '') || ifnull(NEW."state", '') || ifnull(NEW."seq", '') || ifnull(NEW."list", '') || ifnull(NEW."it's", '') || ifnull(NEW."""; DROP TABLE control; --", '') || ifnull(NEW."known", '') || ifnull(NEW."value 0", '') || ifnull(NEW."mark", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."position" AS BLOB)), 0) + ifnull(length(CAST(NEW."document" AS BLOB)), 0) + ifnull(length(CAST(NEW."server_id" AS BLOB)), 0) + ifnull(length(CAST(NEW."state" AS BLOB)), 0) + ifnull(length(CAST(NEW."seq" AS BLOB)), 0) + ifnull(length(CAST(NEW."list" AS BLOB)), 0) + ifnull(length(CAST(NEW."it's" AS BLOB)), 0) + ifnull(length(CAST(NEW."""; DROP TABLE control; --" AS BLOB)), 0) + ifnull(length(CAST(NEW."known" AS BLOB)), 0) + ifnull(length(CAST(NEW."value 0" AS BLOB)), 0) + ifnull(length(CAST(NEW."mark" AS BLOB)), 0)) > 521967;
    INSERT INTO spelled_text SELECT ifnull(NEW."document", ''), true
    WHERE 6 * (ifnull(length(CAST(NEW."position" AS BLOB)), 0) + ifnull(length(CAST(NEW."document" AS BLOB)), 0) + ifnull(length(CAST(NEW."server_id" AS BLOB)), 0) + ifnull(length(CAST(NEW."state" AS BLOB)), 0) + ifnull(length(CAST(NEW."seq" AS BLOB)), 0) + ifnull(length(CAST(NEW."list" AS BLOB)), 0) + ifnull(length(CAST(NEW."it's" AS BLOB)), 0) + ifnull(length(CAST(NEW."""; DROP TABLE control; --" AS BLOB)), 0) + ifnull(length(CAST(NEW."known" AS BLOB)), 0) + ifnull(length(CAST(NEW."value 0" AS BLOB)), 0) + ifnull(length(CAST(NEW."mark" AS BLOB)), 0)) > 521967;
    SELECT RAISE(ABORT, 'a row of rough must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1043934;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'rough', 'added', NEW."_id", substr(NEW."position", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'rough' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_rough" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'rough' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'rough' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'rough' AND row_id = NEW."_id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'rough', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = NEW."_id" AND kind = 'create');
    UPDATE "rough" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'rough' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_rough" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
        "the place" = (SELECT known."rank" FROM "s_rough" AS known WHERE known.id = NEW."_id"),
        "the document" = (SELECT known."document" FROM "s_rough" AS known WHERE known.id = NEW."_id")
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'rough', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("rough"."position", 1, 500), "_state"
    FROM "rough" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "rough_update" BEFORE UPDATE ON "rough"
WHEN (SELECT applying FROM control) IS NOT 'rough'
BEGIN
    SELECT RAISE(ABORT, 'a row of rough cannot be changed, because the server has no call for it')
    WHERE NEW."_id" IS NOT OLD."_id" OR NEW."row_id" IS NOT OLD."row_id"
        OR NEW."position" IS NOT OLD."position"
        OR NEW."NEW" IS NOT OLD."NEW"
        OR NEW."key" IS NOT OLD."key"
        OR NEW."document" IS NOT OLD."document"
        OR NEW."server_id" IS NOT OLD."server_id"
        OR NEW."state" IS NOT OLD."state"
        OR NEW."seq" IS NOT OLD."seq"
        OR NEW."list" IS NOT OLD."list"
        OR NEW."it's" IS NOT OLD."it's"
        OR NEW."""; DROP TABLE control; --" IS NOT OLD."""; DROP TABLE control; --"
        OR NEW."known" IS NOT OLD."known"
        OR NEW."value 0" IS NOT OLD."value 0"
        OR NEW."mark" IS NOT OLD."mark"
        OR NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'rough' AND row_id = OLD."_id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'rough' AND row_id = OLD."_id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_rough" AS known WHERE known.id = OLD."_id")
        OR NEW."the place" IS NOT OLD."the place" AND NEW."the place" IS NOT (SELECT known."rank" FROM "s_rough" AS known WHERE known.id = OLD."_id")
        OR NEW."the document" IS NOT OLD."the document" AND NEW."the document" IS NOT (SELECT known."document" FROM "s_rough" AS known WHERE known.id = OLD."_id");
END;

CREATE TRIGGER "rough_delete" AFTER DELETE ON "rough"
WHEN (SELECT applying FROM control) IS NOT 'rough'
BEGIN
    INSERT INTO "d_rough" (id, "c_row_id", "c_position", "c_NEW", "c_key", "c_document", "c_server_id", "c_state", "c_seq", "c_list", "c_it's", "c_""; DROP TABLE control; --", "c_known", "c_value 0", "c_mark", server_id, added_at)
    SELECT OLD."_id", OLD."row_id", OLD."position", OLD."NEW", OLD."key", OLD."document", OLD."server_id", OLD."state", OLD."seq", OLD."list", OLD."it's", OLD."""; DROP TABLE control; --", OLD."known", OLD."value 0", OLD."mark", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'rough' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'rough' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_rough"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('rough', 'removed', OLD."_id", substr(OLD."position", 1, 500));
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'rough', 'delete', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = OLD."_id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE list = 'rough' AND row_id = OLD."_id" AND kind = 'delete' AND state = 'rejected';
END;

CREATE TRIGGER "rough_left" AFTER DELETE ON "rough"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'rough', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'rough');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "rough"), 0))) WHERE list = 'rough';
END;

CREATE TRIGGER "rough_copied" AFTER UPDATE OF "rank", "document" ON "s_rough"
BEGIN
    UPDATE "rough" SET "the place" = NEW."rank", "the document" = NEW."document" WHERE "_id" = NEW.id;
END;

CREATE TRIGGER "rough_shown" AFTER INSERT ON "rough"
WHEN EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = NEW."_id")
BEGIN
    UPDATE "rough" SET "the place" = (SELECT known."rank" FROM "s_rough" AS known WHERE known.id = NEW."_id"),
        "the document" = (SELECT known."document" FROM "s_rough" AS known WHERE known.id = NEW."_id")
    WHERE "_id" = NEW."_id";
END;

CREATE VIEW "invariant_rough_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "rough" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_rough_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'rough' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_rough_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'rough' AND NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "rough" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_rough_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_rough" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "rough" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_rough_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_rough" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "rough" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'rough' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_rough_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "rough" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'rough' AND row_id = shown."_id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_rough" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL
        OR shown."the place" IS NOT (SELECT known."rank" FROM "s_rough" AS known WHERE known.id = shown."_id")
        OR shown."the document" IS NOT (SELECT known."document" FROM "s_rough" AS known WHERE known.id = shown."_id")));

CREATE VIEW "invariant_rough_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_rough" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0)
    UNION ALL
    SELECT known.id FROM "s_rough" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0)
        AND NOT EXISTS (SELECT 1 FROM "rough" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "rough_changes" AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    row_id AS id, title, change AS change,
    old_value AS "old_NEW", new_value AS "new_NEW",
    seq
FROM row_change WHERE list = 'rough';

CREATE TABLE "touched_rough" (
    key INTEGER PRIMARY KEY,
    -- NULL: the row is new.
    row_id INTEGER, "c_position" ANY, "c_NEW" ANY
) STRICT;

CREATE TRIGGER "rough_replacing" BEFORE INSERT ON "rough"
BEGIN
    INSERT INTO "touched_rough" (key, row_id, "c_position", "c_NEW")
    SELECT old."_id", old."_id", old."position", old."NEW" FROM "rough" AS old
    WHERE old."_id" = NEW."_id" AND NOT EXISTS (SELECT 1 FROM "touched_rough" AS noted WHERE noted.key = old."_id");
END;

CREATE TRIGGER "rough_arriving" AFTER INSERT ON "rough"
BEGIN
    INSERT INTO "touched_rough" (key)
    SELECT NEW."_id" WHERE NOT EXISTS (SELECT 1 FROM "touched_rough" AS noted WHERE noted.key = NEW."_id");
END;

CREATE TRIGGER "rough_changing" AFTER UPDATE OF "position", "NEW", "list", "it's" ON "rough"
WHEN NEW."position" IS NOT OLD."position"
    OR NEW."NEW" IS NOT OLD."NEW"
    OR NEW."list" IS NOT OLD."list"
    OR NEW."it's" IS NOT OLD."it's"
BEGIN
    INSERT INTO "touched_rough" (key, row_id, "c_position", "c_NEW")
    SELECT OLD."_id", OLD."_id", OLD."position", OLD."NEW"
    WHERE true AND NOT EXISTS (SELECT 1 FROM "touched_rough" AS noted WHERE noted.key = OLD."_id");
END;

CREATE TRIGGER "rough_leaving" AFTER DELETE ON "rough"
BEGIN
    INSERT INTO "touched_rough" (key, row_id, "c_position", "c_NEW")
    SELECT OLD."_id", OLD."_id", OLD."position", OLD."NEW"
    WHERE true AND NOT EXISTS (SELECT 1 FROM "touched_rough" AS noted WHERE noted.key = OLD."_id");
    DELETE FROM "touched_rough" WHERE key = OLD."_id" AND row_id IS NULL;
END;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_rough" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_row_id" INTEGER,
    "c_position" TEXT,
    "c_NEW" REAL,
    "c_key" INTEGER,
    "c_document" TEXT,
    "c_server_id" TEXT,
    "c_state" TEXT,
    "c_seq" TEXT,
    "c_list" TEXT,
    "c_it's" TEXT,
    "c_""; DROP TABLE control; --" TEXT,
    "c_known" TEXT,
    "c_value 0" TEXT,
    "c_mark" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_rough" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_rough" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_rough" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_rough" (key TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_rough";

-- clear
DELETE FROM temp."differing_rough";

-- clear
DELETE FROM temp."absent_rough";

-- clear
DELETE FROM temp."arriving_rough";

-- clear
DELETE FROM temp."skipped_rough";

-- envelope
SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
    iif(json_valid(?1), json_type(?1, '$."data"'), NULL),
    iif(json_valid(?1), json_array_length(?1, '$."data"'), NULL),
    NULL,
    NULL,
    NULL,
    iif(json_valid(?1), ?1 -> '$."data"', NULL),
    NULL,
    iif(json_valid(?1), iif(json_type(?1, '$.errors') = 'array', json_array_length(?1, '$.errors'), NULL), NULL);

-- stage
INSERT INTO temp."pulled_rough" (position, key, "c_row_id", "c_position", "c_NEW", "c_key", "c_document", "c_server_id", "c_state", "c_seq", "c_list", "c_it's", "c_""; DROP TABLE control; --", "c_known", "c_value 0", "c_mark", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_row_id", "c_position", "c_NEW", "c_key", "c_document", "c_server_id", "c_state", "c_seq", "c_list", "c_it's", "c_""; DROP TABLE control; --", "c_known", "c_value 0", "c_mark", value FROM (SELECT key, value, type, json_type(value, '$."row id"') AS id_type,
    value ->> '$."row id"' AS id,
    CASE json_type(value, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."row_id"') = 'integer', value ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(value ->> '$."row_id"' = CAST(value ->> '$."row_id"' AS INTEGER)
        AND abs(value ->> '$."row_id"') < 9007199254740992, CAST(value ->> '$."row_id"' AS INTEGER), NULL)
END AS "c_row_id",
    CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END AS "c_position",
    CASE json_type(value, '$."NEW"')
    WHEN 'integer' THEN CAST(value ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."NEW"') < 9e999, value ->> '$."NEW"', NULL)
END AS "c_NEW",
    CASE json_type(value, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."key"' IN (0, 1), value ->> '$."key"', NULL)
END AS "c_key",
    CASE WHEN json_type(value, '$."document"') IN ('object', 'array') THEN value -> '$."document"' END AS "c_document",
    CASE json_type(value, '$."server_id"') WHEN 'text' THEN value ->> '$."server_id"' END AS "c_server_id",
    CASE json_type(value, '$."state"') WHEN 'text' THEN value ->> '$."state"' END AS "c_state",
    CASE json_type(value, '$."seq"') WHEN 'text' THEN value ->> '$."seq"' END AS "c_seq",
    CASE json_type(value, '$."--"') WHEN 'text' THEN value ->> '$."--"' END AS "c_list",
    CASE json_type(value, '$."it''s"') WHEN 'text' THEN value ->> '$."it''s"' END AS "c_it's",
    CASE json_type(value, '$."`"') WHEN 'text' THEN value ->> '$."`"' END AS "c_""; DROP TABLE control; --",
    CASE json_type(value, '$."known"') WHEN 'text' THEN value ->> '$."known"' END AS "c_known",
    CASE json_type(value, '$."v"') WHEN 'text' THEN value ->> '$."v"' END AS "c_value 0",
    CASE json_type(value, '$."mark"') WHEN 'text' THEN value ->> '$."mark"' END AS "c_mark"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576)
ON CONFLICT (key) DO UPDATE SET differs = excluded.position / 10000000 WHERE NOT (document = excluded.document OR same_json(document, excluded.document));

-- countUsable
SELECT count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576)),
    count(*) FILTER (WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND NOT ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576) AND "type of position" IS NOT NULL)
FROM (SELECT key, value, type, json_type(value, '$."row id"') AS id_type,
    value ->> '$."row id"' AS id,
    CASE json_type(value, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."row_id"') = 'integer', value ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(value ->> '$."row_id"' = CAST(value ->> '$."row_id"' AS INTEGER)
        AND abs(value ->> '$."row_id"') < 9007199254740992, CAST(value ->> '$."row_id"' AS INTEGER), NULL)
END AS "c_row_id",
    CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END AS "c_position",
    json_type(value, '$."a b"') AS "type of position",
    CASE json_type(value, '$."NEW"')
    WHEN 'integer' THEN CAST(value ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."NEW"') < 9e999, value ->> '$."NEW"', NULL)
END AS "c_NEW",
    CASE json_type(value, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."key"' IN (0, 1), value ->> '$."key"', NULL)
END AS "c_key",
    CASE WHEN json_type(value, '$."document"') IN ('object', 'array') THEN value -> '$."document"' END AS "c_document",
    CASE json_type(value, '$."server_id"') WHEN 'text' THEN value ->> '$."server_id"' END AS "c_server_id",
    CASE json_type(value, '$."state"') WHEN 'text' THEN value ->> '$."state"' END AS "c_state",
    CASE json_type(value, '$."seq"') WHEN 'text' THEN value ->> '$."seq"' END AS "c_seq",
    CASE json_type(value, '$."--"') WHEN 'text' THEN value ->> '$."--"' END AS "c_list",
    CASE json_type(value, '$."it''s"') WHEN 'text' THEN value ->> '$."it''s"' END AS "c_it's",
    CASE json_type(value, '$."`"') WHEN 'text' THEN value ->> '$."`"' END AS "c_""; DROP TABLE control; --",
    CASE json_type(value, '$."known"') WHEN 'text' THEN value ->> '$."known"' END AS "c_known",
    CASE json_type(value, '$."v"') WHEN 'text' THEN value ->> '$."v"' END AS "c_value 0",
    CASE json_type(value, '$."mark"') WHEN 'text' THEN value ->> '$."mark"' END AS "c_mark"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576) THEN 'position' END, CASE WHEN NOT ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576) THEN "type of position" END
FROM (SELECT key, value, type, json_type(value, '$."row id"') AS id_type,
    value ->> '$."row id"' AS id,
    CASE json_type(value, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(value ->> '$."row_id"') = 'integer', value ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(value ->> '$."row_id"' = CAST(value ->> '$."row_id"' AS INTEGER)
        AND abs(value ->> '$."row_id"') < 9007199254740992, CAST(value ->> '$."row_id"' AS INTEGER), NULL)
END AS "c_row_id",
    CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END AS "c_position",
    json_type(value, '$."a b"') AS "type of position",
    CASE json_type(value, '$."NEW"')
    WHEN 'integer' THEN CAST(value ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(value ->> '$."NEW"') < 9e999, value ->> '$."NEW"', NULL)
END AS "c_NEW",
    CASE json_type(value, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(value ->> '$."key"' IN (0, 1), value ->> '$."key"', NULL)
END AS "c_key",
    CASE WHEN json_type(value, '$."document"') IN ('object', 'array') THEN value -> '$."document"' END AS "c_document",
    CASE json_type(value, '$."server_id"') WHEN 'text' THEN value ->> '$."server_id"' END AS "c_server_id",
    CASE json_type(value, '$."state"') WHEN 'text' THEN value ->> '$."state"' END AS "c_state",
    CASE json_type(value, '$."seq"') WHEN 'text' THEN value ->> '$."seq"' END AS "c_seq",
    CASE json_type(value, '$."--"') WHEN 'text' THEN value ->> '$."--"' END AS "c_list",
    CASE json_type(value, '$."it''s"') WHEN 'text' THEN value ->> '$."it''s"' END AS "c_it's",
    CASE json_type(value, '$."`"') WHEN 'text' THEN value ->> '$."`"' END AS "c_""; DROP TABLE control; --",
    CASE json_type(value, '$."known"') WHEN 'text' THEN value ->> '$."known"' END AS "c_known",
    CASE json_type(value, '$."v"') WHEN 'text' THEN value ->> '$."v"' END AS "c_value 0",
    CASE json_type(value, '$."mark"') WHEN 'text' THEN value ->> '$."mark"' END AS "c_mark"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1)
WHERE NOT coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576), 0)
UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
ORDER BY place LIMIT 20;

-- nameFields
SELECT substr(field.key, 1, 500)
FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8;

-- compareRows
DELETE FROM temp."differing_rough";

-- compareRows
DELETE FROM temp."absent_rough";

-- compareRows
INSERT INTO temp."differing_rough" (position)
SELECT position FROM temp."pulled_rough" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_rough" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_rough" (row_id)
SELECT id FROM "s_rough" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_rough" WHERE "s_rough".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'rough' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_rough" WHERE "s_rough".id IN (SELECT row_id FROM temp."absent_rough")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled
        WHERE pulled.key = "s_rough".server_id AND pulled."c_key" IS (CASE json_type("s_rough".document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif("s_rough".document ->> '$."key"' IN (0, 1), "s_rough".document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type("s_rough".document, '$."known"') WHEN 'text' THEN "s_rough".document ->> '$."known"' END));

-- shownOtherwise
SELECT id FROM "s_rough" WHERE ("s_rough".id IN (SELECT row_id FROM temp."absent_rough")
    AND EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled
        WHERE pulled.key = "s_rough".server_id AND NOT (pulled."c_key" IS (CASE json_type("s_rough".document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif("s_rough".document ->> '$."key"' IN (0, 1), "s_rough".document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type("s_rough".document, '$."known"') WHEN 'text' THEN "s_rough".document ->> '$."known"' END))));

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'rough', server_id, json_array(CAST((CASE json_type("s_rough".document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif("s_rough".document ->> '$."key"' IN (0, 1), "s_rough".document ->> '$."key"', NULL)
END) AS TEXT), (CASE json_type("s_rough".document, '$."known"') WHEN 'text' THEN "s_rough".document ->> '$."known"' END)), id, ?1, ?2 FROM "s_rough"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'rough'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_rough" AS known ON known.id = trail.row_id
        WHERE trail.list = 'rough' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'rough'
    AND row_id NOT IN (SELECT id FROM "s_rough" WHERE "s_rough".id IN (SELECT row_id FROM temp."absent_rough")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled
        WHERE pulled.key = "s_rough".server_id AND pulled."c_key" IS (CASE json_type("s_rough".document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif("s_rough".document ->> '$."key"' IN (0, 1), "s_rough".document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type("s_rough".document, '$."known"') WHEN 'text' THEN "s_rough".document ->> '$."known"' END)));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'rough', id, 1 FROM "s_rough" WHERE "s_rough".id IN (SELECT row_id FROM temp."absent_rough")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled
        WHERE pulled.key = "s_rough".server_id AND pulled."c_key" IS (CASE json_type("s_rough".document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif("s_rough".document ->> '$."key"' IN (0, 1), "s_rough".document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type("s_rough".document, '$."known"') WHEN 'text' THEN "s_rough".document ->> '$."known"' END))
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, CAST(pulled."c_row_id" AS TEXT), pulled."c_position", shortest_real(pulled."c_NEW"), CAST(pulled."c_key" AS TEXT), canonical_json(pulled."c_document"), pulled."c_list", pulled."c_known", pulled."c_mark" FROM temp."differing_rough" CROSS JOIN temp."pulled_rough" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_rough" WHERE "s_rough".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'rough' AND departed.server_id = pulled.key
    AND departed.identity = json_array(CAST(pulled."c_key" AS TEXT), pulled."c_known"))
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_rough" AS known CROSS JOIN temp."pulled_rough" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND pulled."c_key" IS (CASE json_type(known.document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."key"' IN (0, 1), known.document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type(known.document, '$."known"') WHEN 'text' THEN known.document ->> '$."known"' END)) AS is_shown,
    CAST(coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS TEXT),
    coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)),
    shortest_real(coalesce(
    (SELECT shown."NEW" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_NEW" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id))),
    CAST(coalesce(
    (SELECT shown."key" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_key" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS TEXT),
    canonical_json(coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id))),
    coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)),
    coalesce(
    (SELECT shown."known" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_known" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)),
    coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id))
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'rough'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'rough' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_rough" (row_id, position)
SELECT known.id, position FROM temp."differing_rough" CROSS JOIN temp."pulled_rough" AS pulled USING (position)
    CROSS JOIN "s_rough" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "rough" AS shown
        WHERE shown."_id" = known.id AND (shown."row_id" IS NOT pulled."c_row_id"
    OR shown."position" IS NOT pulled."c_position"
    OR shown."NEW" IS NOT pulled."c_NEW"
    OR NOT same_json(shown."document", pulled."c_document")
    OR shown."server_id" IS NOT pulled."c_server_id"
    OR shown."state" IS NOT pulled."c_state"
    OR shown."seq" IS NOT pulled."c_seq"
    OR shown."list" IS NOT pulled."c_list"
    OR shown."it's" IS NOT pulled."c_it's"
    OR shown."""; DROP TABLE control; --" IS NOT pulled."c_""; DROP TABLE control; --"
    OR shown."value 0" IS NOT pulled."c_value 0"
    OR shown."mark" IS NOT pulled."c_mark"))
    OR EXISTS (SELECT 1 FROM "d_rough" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_row_id" IS NOT pulled."c_row_id"
    OR hidden."c_position" IS NOT pulled."c_position"
    OR hidden."c_NEW" IS NOT pulled."c_NEW"
    OR NOT same_json(hidden."c_document", pulled."c_document")
    OR hidden."c_server_id" IS NOT pulled."c_server_id"
    OR hidden."c_state" IS NOT pulled."c_state"
    OR hidden."c_seq" IS NOT pulled."c_seq"
    OR hidden."c_list" IS NOT pulled."c_list"
    OR hidden."c_it's" IS NOT pulled."c_it's"
    OR hidden."c_""; DROP TABLE control; --" IS NOT pulled."c_""; DROP TABLE control; --"
    OR hidden."c_value 0" IS NOT pulled."c_value 0"
    OR hidden."c_mark" IS NOT pulled."c_mark")))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'rough' AND own.row_id = known.id AND true);

-- change
UPDATE "rough" SET "row_id" = pulled."c_row_id",
    "position" = pulled."c_position",
    "NEW" = pulled."c_NEW",
    "document" = pulled."c_document",
    "server_id" = pulled."c_server_id",
    "state" = pulled."c_state",
    "seq" = pulled."c_seq",
    "list" = pulled."c_list",
    "it's" = pulled."c_it's",
    """; DROP TABLE control; --" = pulled."c_""; DROP TABLE control; --",
    "value 0" = pulled."c_value 0",
    "mark" = pulled."c_mark"
FROM temp."arriving_rough" AS arriving CROSS JOIN temp."pulled_rough" AS pulled USING (position) WHERE "rough"."_id" = arriving.row_id;

-- change
UPDATE "d_rough" SET "c_row_id" = pulled."c_row_id",
    "c_position" = pulled."c_position",
    "c_NEW" = pulled."c_NEW",
    "c_document" = pulled."c_document",
    "c_server_id" = pulled."c_server_id",
    "c_state" = pulled."c_state",
    "c_seq" = pulled."c_seq",
    "c_list" = pulled."c_list",
    "c_it's" = pulled."c_it's",
    "c_""; DROP TABLE control; --" = pulled."c_""; DROP TABLE control; --",
    "c_value 0" = pulled."c_value 0",
    "c_mark" = pulled."c_mark"
FROM temp."arriving_rough" AS arriving CROSS JOIN temp."pulled_rough" AS pulled USING (position) WHERE "d_rough".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'rough', 'changed', shown."_id", substr(shown."position", 1, 500), shown."_state"
FROM temp."arriving_rough" AS arriving CROSS JOIN "rough" AS shown ON shown."_id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'rough' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'rough'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'rough'), 0),
    coalesce((SELECT max(id) FROM "s_rough"), 0), coalesce((SELECT max("_id") FROM "rough"), 0),
    coalesce((SELECT max(id) FROM "d_rough"), 0));

-- nameArriving
INSERT INTO temp."arriving_rough" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'rough' AND departed.server_id = pulled.key
    AND departed.identity = json_array(CAST(pulled."c_key" AS TEXT), pulled."c_known")), position
FROM temp."differing_rough" CROSS JOIN temp."pulled_rough" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_rough" WHERE "s_rough".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_rough" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_rough" AS arriving CROSS JOIN temp."pulled_rough" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "rough" ("_id", "row_id", "position", "NEW", "key", "document", "server_id", "state", "seq", "list", "it's", """; DROP TABLE control; --", "known", "value 0", "mark", "_state", "_server_id", "_added_at")
SELECT row_id, pulled."c_row_id", pulled."c_position", pulled."c_NEW", pulled."c_key", pulled."c_document", pulled."c_server_id", pulled."c_state", pulled."c_seq", pulled."c_list", pulled."c_it's", pulled."c_""; DROP TABLE control; --", pulled."c_known", pulled."c_value 0", pulled."c_mark", 'synced', key, ?3
FROM temp."arriving_rough" AS arriving CROSS JOIN temp."pulled_rough" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'rough', 'added', row_id, substr(pulled."c_position", 1, 500), 'synced'
FROM temp."arriving_rough" AS arriving CROSS JOIN temp."pulled_rough" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'rough' ORDER BY row_id;

-- updateDocuments
UPDATE "s_rough" SET document = pulled.document FROM temp."pulled_rough" AS pulled
WHERE "s_rough".id IN (SELECT row_id FROM temp."absent_rough")
    AND pulled.key = "s_rough".server_id AND pulled.document IS NOT "s_rough".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = "s_rough".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'rough' AND own.row_id = "s_rough".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_rough" AS known ON known.id = trail.row_id
WHERE list = 'rough' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR pulled."c_key" IS (CASE json_type(known.document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."key"' IN (0, 1), known.document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type(known.document, '$."known"') WHEN 'text' THEN known.document ->> '$."known"' END)
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'rough' AND departed.server_id = pulled.key
    AND departed.identity = json_array(CAST(pulled."c_key" AS TEXT), pulled."c_known"))));

-- unconfirmed
SELECT id FROM "s_rough" AS known
WHERE id IN (SELECT row_id FROM temp."absent_rough")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_rough" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT iif((SELECT marks FROM sync_state WHERE list = 'rough') IS 'kept', 'row ' || operation.row_id, replace(ifnull(coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)), ''), char(31), '')), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_rough" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'rough'
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END,
    CASE WHEN "value 1" IS NOT NULL THEN json_quote("value 1") END,
    shortest_real("value 2"),
    CASE "value 3" WHEN 0 THEN 'false' WHEN 1 THEN 'true' END,
    "value 4",
    CASE WHEN "value 5" IS NOT NULL THEN json_quote("value 5") END,
    CASE WHEN "value 6" IS NOT NULL THEN json_quote("value 6") END,
    CASE WHEN "value 7" IS NOT NULL THEN json_quote("value 7") END,
    CASE WHEN "value 8" IS NOT NULL THEN json_quote("value 8") END,
    CASE WHEN "value 9" IS NOT NULL THEN json_quote("value 9") END,
    CASE WHEN "value 10" IS NOT NULL THEN json_quote("value 10") END,
    CASE WHEN "value 11" IS NOT NULL THEN json_quote("value 11") END,
    CASE WHEN "value 12" IS NOT NULL THEN json_quote("value 12") END,
    CASE WHEN "value 13" IS NOT NULL THEN json_quote("value 13") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_rough" AS known
            WHERE known.id = operation.row_id) AS server_id,
        CASE operation.kind WHEN 'delete' THEN (SELECT CASE WHEN json_type(known.document, '$."etag"') IN ('integer', 'real')
        THEN known.document -> '$."etag"' ELSE known.document ->> '$."etag"' END FROM "s_rough" AS known
    WHERE known.id = operation.row_id) END AS version,
        coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1",
        coalesce(
    (SELECT shown."NEW" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_NEW" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 2",
        coalesce(
    (SELECT shown."key" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_key" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 3",
        coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 4",
        coalesce(
    (SELECT shown."server_id" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_server_id" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 5",
        coalesce(
    (SELECT shown."state" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_state" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 6",
        coalesce(
    (SELECT shown."seq" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_seq" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 7",
        coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 8",
        coalesce(
    (SELECT shown."it's" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_it's" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 9",
        coalesce(
    (SELECT shown."""; DROP TABLE control; --" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_""; DROP TABLE control; --" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 10",
        coalesce(
    (SELECT shown."known" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_known" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 11",
        coalesce(
    (SELECT shown."value 0" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_value 0" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 12",
        coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS "value 13"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."row id"') AS id_type,
        row ->> '$."row id"' AS id,
        CASE json_type(row, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(row ->> '$."row_id"') = 'integer', row ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(row ->> '$."row_id"' = CAST(row ->> '$."row_id"' AS INTEGER)
        AND abs(row ->> '$."row_id"') < 9007199254740992, CAST(row ->> '$."row_id"' AS INTEGER), NULL)
END AS "c_row_id",
        CASE json_type(row, '$."a b"') WHEN 'text' THEN row ->> '$."a b"' END AS "c_position",
        CASE json_type(row, '$."NEW"')
    WHEN 'integer' THEN CAST(row ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(row ->> '$."NEW"') < 9e999, row ->> '$."NEW"', NULL)
END AS "c_NEW",
        CASE json_type(row, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(row ->> '$."key"' IN (0, 1), row ->> '$."key"', NULL)
END AS "c_key",
        CASE WHEN json_type(row, '$."document"') IN ('object', 'array') THEN row -> '$."document"' END AS "c_document",
        CASE json_type(row, '$."server_id"') WHEN 'text' THEN row ->> '$."server_id"' END AS "c_server_id",
        CASE json_type(row, '$."state"') WHEN 'text' THEN row ->> '$."state"' END AS "c_state",
        CASE json_type(row, '$."seq"') WHEN 'text' THEN row ->> '$."seq"' END AS "c_seq",
        CASE json_type(row, '$."--"') WHEN 'text' THEN row ->> '$."--"' END AS "c_list",
        CASE json_type(row, '$."it''s"') WHEN 'text' THEN row ->> '$."it''s"' END AS "c_it's",
        CASE json_type(row, '$."`"') WHEN 'text' THEN row ->> '$."`"' END AS "c_""; DROP TABLE control; --",
        CASE json_type(row, '$."known"') WHEN 'text' THEN row ->> '$."known"' END AS "c_known",
        CASE json_type(row, '$."v"') WHEN 'text' THEN row ->> '$."v"' END AS "c_value 0",
        CASE json_type(row, '$."mark"') WHEN 'text' THEN row ->> '$."mark"' END AS "c_mark"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576);

-- answeredRead
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."row id"') AS id_type,
        row ->> '$."row id"' AS id,
        CASE json_type(row, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(row ->> '$."row_id"') = 'integer', row ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(row ->> '$."row_id"' = CAST(row ->> '$."row_id"' AS INTEGER)
        AND abs(row ->> '$."row_id"') < 9007199254740992, CAST(row ->> '$."row_id"' AS INTEGER), NULL)
END AS "c_row_id",
        CASE json_type(row, '$."a b"') WHEN 'text' THEN row ->> '$."a b"' END AS "c_position",
        CASE json_type(row, '$."NEW"')
    WHEN 'integer' THEN CAST(row ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(row ->> '$."NEW"') < 9e999, row ->> '$."NEW"', NULL)
END AS "c_NEW",
        CASE json_type(row, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(row ->> '$."key"' IN (0, 1), row ->> '$."key"', NULL)
END AS "c_key",
        CASE WHEN json_type(row, '$."document"') IN ('object', 'array') THEN row -> '$."document"' END AS "c_document",
        CASE json_type(row, '$."server_id"') WHEN 'text' THEN row ->> '$."server_id"' END AS "c_server_id",
        CASE json_type(row, '$."state"') WHEN 'text' THEN row ->> '$."state"' END AS "c_state",
        CASE json_type(row, '$."seq"') WHEN 'text' THEN row ->> '$."seq"' END AS "c_seq",
        CASE json_type(row, '$."--"') WHEN 'text' THEN row ->> '$."--"' END AS "c_list",
        CASE json_type(row, '$."it''s"') WHEN 'text' THEN row ->> '$."it''s"' END AS "c_it's",
        CASE json_type(row, '$."`"') WHEN 'text' THEN row ->> '$."`"' END AS "c_""; DROP TABLE control; --",
        CASE json_type(row, '$."known"') WHEN 'text' THEN row ->> '$."known"' END AS "c_known",
        CASE json_type(row, '$."v"') WHEN 'text' THEN row ->> '$."v"' END AS "c_value 0",
        CASE json_type(row, '$."mark"') WHEN 'text' THEN row ->> '$."mark"' END AS "c_mark"
    FROM (SELECT json(?1 -> '$."data"') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$."data"'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_position" IS NOT NULL AND length(CAST("c_position" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_rough" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL AND (CASE json_type(known.document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."key"' IN (0, 1), known.document ->> '$."key"', NULL)
END) IS (CASE json_type(?3, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(?3 ->> '$."key"' IN (0, 1), ?3 ->> '$."key"', NULL)
END) AND (CASE json_type(known.document, '$."known"') WHEN 'text' THEN known.document ->> '$."known"' END) IS (CASE json_type(?3, '$."known"') WHEN 'text' THEN ?3 ->> '$."known"' END));

-- owner
SELECT id, ?3 IS NOT NULL AND (CASE json_type(document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."key"' IN (0, 1), document ->> '$."key"', NULL)
END) IS (CASE json_type(?3, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(?3 ->> '$."key"' IN (0, 1), ?3 ->> '$."key"', NULL)
END) AND (CASE json_type(document, '$."known"') WHEN 'text' THEN document ->> '$."known"' END) IS (CASE json_type(?3, '$."known"') WHEN 'text' THEN ?3 ->> '$."known"' END),
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'rough')
FROM "s_rough" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."a b"') WHEN 'text' THEN ?2 ->> '$."a b"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take row_id
UPDATE "rough" SET "row_id" = (CASE json_type(?2, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."row_id"') = 'integer', ?2 ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(?2 ->> '$."row_id"' = CAST(?2 ->> '$."row_id"' AS INTEGER)
        AND abs(?2 ->> '$."row_id"') < 9007199254740992, CAST(?2 ->> '$."row_id"' AS INTEGER), NULL)
END) WHERE "_id" = ?1;

-- take row_id
UPDATE "d_rough" SET "c_row_id" = (CASE json_type(?2, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."row_id"') = 'integer', ?2 ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(?2 ->> '$."row_id"' = CAST(?2 ->> '$."row_id"' AS INTEGER)
        AND abs(?2 ->> '$."row_id"') < 9007199254740992, CAST(?2 ->> '$."row_id"' AS INTEGER), NULL)
END) WHERE id = ?1;

-- giveBack row_id
UPDATE "rough" SET "row_id" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM withdrawn WHERE list = 'rough' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."row_id"') = 'integer', known.document ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."row_id"' = CAST(known.document ->> '$."row_id"' AS INTEGER)
        AND abs(known.document ->> '$."row_id"') < 9007199254740992, CAST(known.document ->> '$."row_id"' AS INTEGER), NULL)
END) FROM "s_rough" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack row_id
UPDATE "d_rough" SET "c_row_id" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM withdrawn WHERE list = 'rough' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."row_id"') = 'integer', known.document ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."row_id"' = CAST(known.document ->> '$."row_id"' AS INTEGER)
        AND abs(known.document ->> '$."row_id"') < 9007199254740992, CAST(known.document ->> '$."row_id"' AS INTEGER), NULL)
END) FROM "s_rough" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep row_id
SELECT iif(json_type(?2, '$."row_id"') IS NULL, json_remove(?1, '$."row_id"'),
    json_set(?1, '$."row_id"', json(?2 -> '$."row_id"')));

-- patch row_id
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."row_id"'),
    json_set(?1, '$."row_id"', json(?2 -> '$."0"')));

-- record row_id
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'rough', ?1, 'row_id', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS INTEGER) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."row_id"')
    WHEN 'integer' THEN iif(typeof(coalesce(?2, '{}') ->> '$."row_id"') = 'integer', coalesce(?2, '{}') ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(coalesce(?2, '{}') ->> '$."row_id"' = CAST(coalesce(?2, '{}') ->> '$."row_id"' AS INTEGER)
        AND abs(coalesce(?2, '{}') ->> '$."row_id"') < 9007199254740992, CAST(coalesce(?2, '{}') ->> '$."row_id"' AS INTEGER), NULL)
END)));

-- take position
UPDATE "rough" SET "position" = (CASE json_type(?2, '$."a b"') WHEN 'text' THEN ?2 ->> '$."a b"' END) WHERE "_id" = ?1;

-- take position
UPDATE "d_rough" SET "c_position" = (CASE json_type(?2, '$."a b"') WHEN 'text' THEN ?2 ->> '$."a b"' END) WHERE id = ?1;

-- giveBack position
UPDATE "rough" SET "position" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'rough' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."a b"') WHEN 'text' THEN known.document ->> '$."a b"' END) FROM "s_rough" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack position
UPDATE "d_rough" SET "c_position" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM withdrawn WHERE list = 'rough' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."1"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL), (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."a b"') WHEN 'text' THEN known.document ->> '$."a b"' END) FROM "s_rough" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep position
SELECT iif(json_type(?2, '$."a b"') IS NULL, json_remove(?1, '$."a b"'),
    json_set(?1, '$."a b"', json(?2 -> '$."a b"')));

-- patch position
SELECT iif(json_type(?2, '$."1"') IS NULL, json_remove(?1, '$."a b"'),
    json_set(?1, '$."a b"', json(?2 -> '$."1"')));

-- record position
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'rough', ?1, 'position', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."a b"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."a b"' END)));

-- takeOthers
UPDATE "rough" SET "key" = (CASE json_type(?2, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(?2 ->> '$."key"' IN (0, 1), ?2 ->> '$."key"', NULL)
END),
    "server_id" = (CASE json_type(?2, '$."server_id"') WHEN 'text' THEN ?2 ->> '$."server_id"' END),
    "state" = (CASE json_type(?2, '$."state"') WHEN 'text' THEN ?2 ->> '$."state"' END),
    "seq" = (CASE json_type(?2, '$."seq"') WHEN 'text' THEN ?2 ->> '$."seq"' END),
    "it's" = (CASE json_type(?2, '$."it''s"') WHEN 'text' THEN ?2 ->> '$."it''s"' END),
    """; DROP TABLE control; --" = (CASE json_type(?2, '$."`"') WHEN 'text' THEN ?2 ->> '$."`"' END),
    "known" = (CASE json_type(?2, '$."known"') WHEN 'text' THEN ?2 ->> '$."known"' END),
    "value 0" = (CASE json_type(?2, '$."v"') WHEN 'text' THEN ?2 ->> '$."v"' END) WHERE "_id" = ?1;

-- takeOthers
UPDATE "d_rough" SET "c_key" = (CASE json_type(?2, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(?2 ->> '$."key"' IN (0, 1), ?2 ->> '$."key"', NULL)
END),
    "c_server_id" = (CASE json_type(?2, '$."server_id"') WHEN 'text' THEN ?2 ->> '$."server_id"' END),
    "c_state" = (CASE json_type(?2, '$."state"') WHEN 'text' THEN ?2 ->> '$."state"' END),
    "c_seq" = (CASE json_type(?2, '$."seq"') WHEN 'text' THEN ?2 ->> '$."seq"' END),
    "c_it's" = (CASE json_type(?2, '$."it''s"') WHEN 'text' THEN ?2 ->> '$."it''s"' END),
    "c_""; DROP TABLE control; --" = (CASE json_type(?2, '$."`"') WHEN 'text' THEN ?2 ->> '$."`"' END),
    "c_known" = (CASE json_type(?2, '$."known"') WHEN 'text' THEN ?2 ->> '$."known"' END),
    "c_value 0" = (CASE json_type(?2, '$."v"') WHEN 'text' THEN ?2 ->> '$."v"' END) WHERE id = ?1;

-- layers
SELECT CAST((SELECT (CASE json_type(known.document, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(known.document ->> '$."row_id"') = 'integer', known.document ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(known.document ->> '$."row_id"' = CAST(known.document ->> '$."row_id"' AS INTEGER)
        AND abs(known.document ->> '$."row_id"') < 9007199254740992, CAST(known.document ->> '$."row_id"' AS INTEGER), NULL)
END) FROM "s_rough" AS known WHERE known.id = ?1) AS TEXT),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    CAST((SELECT CASE json_type(sent, '$."0"')
    WHEN 'integer' THEN iif(typeof(sent ->> '$."0"') = 'integer', sent ->> '$."0"', NULL)
    WHEN 'real' THEN iif(sent ->> '$."0"' = CAST(sent ->> '$."0"' AS INTEGER)
        AND abs(sent ->> '$."0"') < 9007199254740992, CAST(sent ->> '$."0"' AS INTEGER), NULL)
END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) AS TEXT),
    false,
    CAST(coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) AS TEXT),
    CAST((CASE json_type(?2, '$."row_id"')
    WHEN 'integer' THEN iif(typeof(?2 ->> '$."row_id"') = 'integer', ?2 ->> '$."row_id"', NULL)
    WHEN 'real' THEN iif(?2 ->> '$."row_id"' = CAST(?2 ->> '$."row_id"' AS INTEGER)
        AND abs(?2 ->> '$."row_id"') < 9007199254740992, CAST(?2 ->> '$."row_id"' AS INTEGER), NULL)
END) AS TEXT),
    (SELECT (CASE json_type(known.document, '$."a b"') WHEN 'text' THEN known.document ->> '$."a b"' END) FROM "s_rough" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."1"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."1"') WHEN 'text' THEN sent ->> '$."1"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    false,
    coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."a b"') WHEN 'text' THEN ?2 ->> '$."a b"' END),
    shortest_real((SELECT (CASE json_type(known.document, '$."NEW"')
    WHEN 'integer' THEN CAST(known.document ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(known.document ->> '$."NEW"') < 9e999, known.document ->> '$."NEW"', NULL)
END) FROM "s_rough" AS known WHERE known.id = ?1)),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."2"') IS NOT NULL),
    shortest_real((SELECT CASE json_type(sent, '$."2"')
    WHEN 'integer' THEN CAST(sent ->> '$."2"' AS REAL)
    WHEN 'real' THEN iif(abs(sent ->> '$."2"') < 9e999, sent ->> '$."2"', NULL)
END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')))),
    false,
    shortest_real(coalesce(
    (SELECT shown."NEW" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_NEW" FROM "d_rough" AS hidden WHERE hidden.id = ?1))),
    shortest_real((CASE json_type(?2, '$."NEW"')
    WHEN 'integer' THEN CAST(?2 ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(?2 ->> '$."NEW"') < 9e999, ?2 ->> '$."NEW"', NULL)
END)),
    canonical_json((SELECT (CASE WHEN json_type(known.document, '$."document"') IN ('object', 'array') THEN known.document -> '$."document"' END) FROM "s_rough" AS known WHERE known.id = ?1)),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."4"') IS NOT NULL),
    canonical_json((SELECT CASE WHEN json_type(sent, '$."4"') IN ('object', 'array') THEN sent -> '$."4"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')))),
    false,
    canonical_json(coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = ?1))),
    canonical_json((CASE WHEN json_type(?2, '$."document"') IN ('object', 'array') THEN ?2 -> '$."document"' END)),
    (SELECT (CASE json_type(known.document, '$."--"') WHEN 'text' THEN known.document ->> '$."--"' END) FROM "s_rough" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."8"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."8"') WHEN 'text' THEN sent ->> '$."8"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    false,
    coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."--"') WHEN 'text' THEN ?2 ->> '$."--"' END),
    (SELECT (CASE json_type(known.document, '$."mark"') WHEN 'text' THEN known.document ->> '$."mark"' END) FROM "s_rough" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."13"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."13"') WHEN 'text' THEN sent ->> '$."13"' END FROM operation WHERE list = 'rough' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    false,
    coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."mark"') WHEN 'text' THEN ?2 ->> '$."mark"' END);

-- payload
SELECT NULL;

-- creation
SELECT iif(coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."row_id" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_row_id" FROM "d_rough" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."position" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_position" FROM "d_rough" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."NEW" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_NEW" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(shortest_real(coalesce(
    (SELECT shown."NEW" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_NEW" FROM "d_rough" AS hidden WHERE hidden.id = ?1))), 'null'), NULL),
    iif(coalesce(
    (SELECT shown."key" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_key" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE coalesce(
    (SELECT shown."key" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_key" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) WHEN 0 THEN 'false' WHEN 1 THEN 'true' END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(iif(json_valid(coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = ?1))), coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = ?1)), json_quote(coalesce(
    (SELECT shown."document" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_document" FROM "d_rough" AS hidden WHERE hidden.id = ?1)))), 'null'), NULL),
    iif(coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."list" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_list" FROM "d_rough" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."known" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_known" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."known" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_known" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."known" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_known" FROM "d_rough" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL),
    iif(coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."mark" FROM "rough" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_mark" FROM "d_rough" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'rough' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'rough' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NOT (false));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'rough' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_rough" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_rough" WHERE id = ?1;

-- setDocument
UPDATE "s_rough" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'rough' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'rough' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_rough" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_rough" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'rough' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_rough" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_rough" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_rough" AS pulled ON pulled.key = known.server_id
WHERE pulled."c_key" IS (CASE json_type(known.document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(known.document ->> '$."key"' IN (0, 1), known.document ->> '$."key"', NULL)
END) AND pulled."c_known" IS (CASE json_type(known.document, '$."known"') WHEN 'text' THEN known.document ->> '$."known"' END)
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'rough' AND kind = 'update';
