CREATE TABLE "letters" (
    "title" TEXT,
    "sender" TEXT,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_letters" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_letters" (
    id INTEGER PRIMARY KEY,
    "c_title" TEXT, "c_sender" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE TRIGGER "letters_count" BEFORE INSERT ON "letters"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0) > coalesce((SELECT max("_id") FROM "letters"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'letters'), 0)
    AND (SELECT applying FROM control) IS NOT 'letters'
BEGIN
    UPDATE control SET applying = 'letters';
    INSERT INTO "letters" ("_id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0));
    DELETE FROM "letters" WHERE "_id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "letters_insert" AFTER INSERT ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters'
BEGIN
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of letters with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of letters was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'letters'), 0)
        OR NEW."_id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0)
        OR NEW."_id" < (SELECT max("_id") FROM "letters"))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT CASE
        WHEN NEW."_server_id" IS NOT NULL THEN RAISE(ABORT, '_server_id of letters is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT NULL THEN RAISE(ABORT, '_error of letters is written by syncd alone: leave it out')
        WHEN NEW."_state" <> 'queued' THEN RAISE(ABORT, '_state of letters is written by syncd alone: leave it out')
        WHEN NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, '_added_at of letters is written by syncd alone: leave it out')
        WHEN NEW."sender" IS NOT NULL THEN RAISE(ABORT, 'sender of letters is written by syncd alone: leave it out')
    END
    WHERE (NEW."_server_id" IS NOT NULL
        OR NEW."_error" IS NOT NULL
        OR NEW."_state" <> 'queued'
        OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
        OR NEW."sender" IS NOT NULL)
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_title" IS NEW."title"));
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of letters must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of letters must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of letters must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of letters must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_title" IS NEW."title");
    INSERT INTO spelled_text SELECT ifnull(NEW."title", '') || ifnull(NEW."sender", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0) + ifnull(length(CAST(NEW."sender" AS BLOB)), 0)) > 522201;
    SELECT RAISE(ABORT, 'a row of letters must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044403;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of letters were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'update')
        AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'delete' AND state <> 'rejected') OR NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = NEW."_id"));
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'letters', 'added', NEW."_id", substr(NEW."title", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'letters' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_letters" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'letters' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'letters' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND list = 'letters' AND row_id = NEW."_id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'letters', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND kind = 'create');
    UPDATE operation SET fields = 1
    WHERE list = 'letters' AND row_id = NEW."_id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'letters', 'update', NEW."_id", 1, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = NEW."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE "letters" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_letters" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'letters', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("letters"."title", 1, 500), "_state"
    FROM "letters" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "letters_fixed" BEFORE UPDATE OF "_id", "_server_id", "_state", "_error", "_added_at", "sender" ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters'
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of letters cannot be changed')
    WHERE NEW."_id" IS NOT OLD."_id";
    SELECT CASE
        WHEN NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL THEN RAISE(ABORT, '_added_at of letters is written by syncd alone: leave it out')
        WHEN NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_state of letters is written by syncd alone: leave it out')
        WHEN NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND true))) THEN RAISE(ABORT, '_error of letters is written by syncd alone: leave it out')
        WHEN NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_letters" AS known WHERE known.id = OLD."_id") THEN RAISE(ABORT, '_server_id of letters is written by syncd alone: leave it out')
        WHEN NEW."sender" IS NOT OLD."sender" THEN RAISE(ABORT, 'sender of letters is written by syncd alone: leave it out')
    END
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."title" IS NOT OLD."title") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND true)))
        OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND true)))
        OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_letters" AS known WHERE known.id = OLD."_id")
        OR NEW."sender" IS NOT OLD."sender");
END;

CREATE TRIGGER "letters_mark" BEFORE UPDATE OF "title" ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters' AND (NEW."title" IS NOT OLD."title")
BEGIN
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 1048576
        AND (NEW."title" IS NOT OLD."title");
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'title of letters must be given')
        WHEN length(CAST(NEW."title" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'title of letters must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'title of letters must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'title of letters must be valid UTF-8')
        END
    WHERE NEW."title" IS NOT OLD."title";
    INSERT INTO spelled_text SELECT ifnull(iif(NEW."title" IS NOT OLD."title" OR NOT EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = OLD."_id"), NEW."title", NULL), '') || ifnull(iif(NEW."sender" IS NOT OLD."sender" OR NOT EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = OLD."_id"), NEW."sender", NULL), ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0) + ifnull(length(CAST(NEW."sender" AS BLOB)), 0)) > 522201;
    SELECT RAISE(ABORT, 'a row of letters must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + max(0, ifnull((SELECT length(CAST(known.document AS BLOB)) FROM "s_letters" AS known WHERE known.id = OLD."_id") - (iif(NEW."title" IS NOT OLD."title", ifnull(length(CAST(OLD."title" AS BLOB)), 0), 0) + iif(NEW."sender" IS NOT OLD."sender", ifnull(length(CAST(OLD."sender" AS BLOB)), 0), 0)), 0)) > 1044403;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    SELECT RAISE(ABORT, 'the edits of this row of letters were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND kind = 'update');
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'letters', 'update', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE operation SET fields = fields | (iif(NEW."title" IS NOT OLD."title", 1, 0))
    WHERE list = 'letters' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND (fields | (iif(NEW."title" IS NOT OLD."title", 1, 0))) IS NOT fields;
END;

CREATE TRIGGER "letters_edit" AFTER UPDATE OF "title" ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters' AND (NEW."title" IS NOT OLD."title")
BEGIN
    UPDATE "letters" SET ("_state", "_error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = NEW."_id" AND true)),
        "_server_id" = (SELECT known.server_id FROM "s_letters" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND (true);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'letters', 'changed', "_id", substr("letters"."title", 1, 500), "_state"
    FROM "letters" WHERE "_id" = NEW."_id";
END;

CREATE TRIGGER "letters_undeletable" BEFORE DELETE ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters'
BEGIN
    SELECT RAISE(ABORT, 'a row of letters cannot be deleted, because the server has no call for it')
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
END;

CREATE TRIGGER "letters_delete" AFTER DELETE ON "letters"
WHEN (SELECT applying FROM control) IS NOT 'letters'
BEGIN
    INSERT INTO "d_letters" (id, "c_title", "c_sender", server_id, added_at)
    SELECT OLD."_id", OLD."title", OLD."sender", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE list = 'letters' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_letters"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('letters', 'removed', OLD."_id", substr(OLD."title", 1, 500));
END;

CREATE TRIGGER "letters_left" AFTER DELETE ON "letters"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'letters', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'letters');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "letters"), 0))) WHERE list = 'letters';
END;

CREATE VIEW "invariant_letters_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "letters" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_letters_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'letters' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_letters_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'letters' AND NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "letters" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_letters_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_letters" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "letters" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_letters_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_letters" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "letters" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'letters' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_letters_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "letters" AS shown
    WHERE ((shown."_state", shown."_error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'letters' AND row_id = shown."_id" AND true))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_letters" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL));

CREATE VIEW "invariant_letters_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_letters" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0)
    UNION ALL
    SELECT known.id FROM "s_letters" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0)
        AND NOT EXISTS (SELECT 1 FROM "letters" AS shown WHERE shown."_id" = known.id));

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_letters" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_title" TEXT,
    "c_sender" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_letters" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_letters" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_letters" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_letters" (key TEXT PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "buried_letters" (
    key ANY NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (key, document)
) STRICT, WITHOUT ROWID;

-- clear
DELETE FROM temp."pulled_letters";

-- clear
DELETE FROM temp."differing_letters";

-- clear
DELETE FROM temp."absent_letters";

-- clear
DELETE FROM temp."arriving_letters";

-- clear
DELETE FROM temp."skipped_letters";

-- clear
DELETE FROM temp."buried_letters";

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
INSERT INTO temp."pulled_letters" (position, key, "c_title", "c_sender", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_title", "c_sender", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    CASE json_type(value, '$."from"') WHEN 'text' THEN value ->> '$."from"' END AS "c_sender"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE iif(type = 'object', NOT NOT (ifnull(json_type(value, '$."deleted"'), 'null') IN ('null', 'false')), false) LIMIT -1) LIMIT -1)
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
    CASE json_type(value, '$."from"') WHEN 'text' THEN value ->> '$."from"' END AS "c_sender"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE iif(type = 'object', NOT NOT (ifnull(json_type(value, '$."deleted"'), 'null') IN ('null', 'false')), false) LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN 'title' END, CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN "type of title" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    json_type(value, '$."title"') AS "type of title",
    CASE json_type(value, '$."from"') WHEN 'text' THEN value ->> '$."from"' END AS "c_sender"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE iif(type = 'object', NOT NOT (ifnull(json_type(value, '$."deleted"'), 'null') IN ('null', 'false')), false) LIMIT -1) LIMIT -1)
WHERE NOT coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576), 0)
UNION ALL SELECT key + ?2, type, NULL, 0, NULL, NULL FROM json_each(?1) WHERE type <> 'object'
ORDER BY place LIMIT 20;

-- nameFields
SELECT substr(field.key, 1, 500)
FROM (SELECT value, type FROM json_each(?1) LIMIT 1) AS row,
    json_each(iif(row.type = 'object', row.value, '{}')) AS field LIMIT 8;

-- compareRows
DELETE FROM temp."differing_letters";

-- compareRows
DELETE FROM temp."absent_letters";

-- compareRows
INSERT INTO temp."differing_letters" (position)
SELECT position FROM temp."pulled_letters" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_letters" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_letters" (row_id)
SELECT id FROM "s_letters" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_letters" WHERE "s_letters".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'letters' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_letters" WHERE "s_letters".id IN (SELECT row_id FROM temp."absent_letters")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled
        WHERE pulled.key = "s_letters".server_id AND pulled."c_sender" IS (CASE json_type("s_letters".document, '$."from"') WHEN 'text' THEN "s_letters".document ->> '$."from"' END));

-- shownOtherwise
SELECT id FROM "s_letters" WHERE ("s_letters".id IN (SELECT row_id FROM temp."absent_letters")
    AND EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled
        WHERE pulled.key = "s_letters".server_id AND NOT (pulled."c_sender" IS (CASE json_type("s_letters".document, '$."from"') WHEN 'text' THEN "s_letters".document ->> '$."from"' END))));

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'letters', server_id, ifnull((CASE json_type("s_letters".document, '$."from"') WHEN 'text' THEN "s_letters".document ->> '$."from"' END), ''), id, ?1, ?2 FROM "s_letters"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'letters'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_letters" AS known ON known.id = trail.row_id
        WHERE trail.list = 'letters' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'letters'
    AND row_id NOT IN (SELECT id FROM "s_letters" WHERE "s_letters".id IN (SELECT row_id FROM temp."absent_letters")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled
        WHERE pulled.key = "s_letters".server_id AND pulled."c_sender" IS (CASE json_type("s_letters".document, '$."from"') WHEN 'text' THEN "s_letters".document ->> '$."from"' END)));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'letters', id, 1 FROM "s_letters" WHERE "s_letters".id IN (SELECT row_id FROM temp."absent_letters")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled
        WHERE pulled.key = "s_letters".server_id AND pulled."c_sender" IS (CASE json_type("s_letters".document, '$."from"') WHEN 'text' THEN "s_letters".document ->> '$."from"' END))
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, pulled."c_title" FROM temp."differing_letters" CROSS JOIN temp."pulled_letters" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_letters" WHERE "s_letters".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'letters' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_sender", ''))
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_letters" AS known CROSS JOIN temp."pulled_letters" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND pulled."c_sender" IS (CASE json_type(known.document, '$."from"') WHEN 'text' THEN known.document ->> '$."from"' END)) AS is_shown,
    iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END)
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'letters'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'letters' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- noteChanging
INSERT INTO temp."arriving_letters" (row_id, position)
SELECT known.id, position FROM temp."differing_letters" CROSS JOIN temp."pulled_letters" AS pulled USING (position)
    CROSS JOIN "s_letters" AS known ON known.server_id = pulled.key
WHERE (EXISTS (SELECT 1 FROM "letters" AS shown
        WHERE shown."_id" = known.id AND (shown."title" IS NOT pulled."c_title"))
    OR EXISTS (SELECT 1 FROM "d_letters" AS hidden
        WHERE hidden.id = known.id AND (hidden."c_title" IS NOT pulled."c_title")))
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = known.id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'letters' AND own.row_id = known.id AND true);

-- change
UPDATE "letters" SET "title" = pulled."c_title"
FROM temp."arriving_letters" AS arriving CROSS JOIN temp."pulled_letters" AS pulled USING (position) WHERE "letters"."_id" = arriving.row_id;

-- change
UPDATE "d_letters" SET "c_title" = pulled."c_title"
FROM temp."arriving_letters" AS arriving CROSS JOIN temp."pulled_letters" AS pulled USING (position) WHERE "d_letters".id = arriving.row_id;

-- change
INSERT INTO change (list, change, row_id, title, state)
SELECT 'letters', 'changed', shown."_id", substr(shown."title", 1, 500), shown."_state"
FROM temp."arriving_letters" AS arriving CROSS JOIN "letters" AS shown ON shown."_id" = arriving.row_id
WHERE (SELECT paused FROM control) IS NOT 'letters' ORDER BY arriving.row_id;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'letters'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'letters'), 0),
    coalesce((SELECT max(id) FROM "s_letters"), 0), coalesce((SELECT max("_id") FROM "letters"), 0),
    coalesce((SELECT max(id) FROM "d_letters"), 0));

-- nameArriving
INSERT INTO temp."arriving_letters" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'letters' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_sender", '')), position
FROM temp."differing_letters" CROSS JOIN temp."pulled_letters" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_letters" WHERE "s_letters".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_letters" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_letters" AS arriving CROSS JOIN temp."pulled_letters" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "letters" ("_id", "title", "sender", "_state", "_server_id", "_added_at")
SELECT row_id, pulled."c_title", pulled."c_sender", 'synced', key, ?3
FROM temp."arriving_letters" AS arriving CROSS JOIN temp."pulled_letters" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'letters', 'added', row_id, substr(pulled."c_title", 1, 500), 'synced'
FROM temp."arriving_letters" AS arriving CROSS JOIN temp."pulled_letters" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'letters' ORDER BY row_id;

-- updateDocuments
UPDATE "s_letters" SET document = pulled.document FROM temp."pulled_letters" AS pulled
WHERE "s_letters".id IN (SELECT row_id FROM temp."absent_letters")
    AND pulled.key = "s_letters".server_id AND pulled.document IS NOT "s_letters".document
    AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = "s_letters".id AND kind <> 'create') AND NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'letters' AND own.row_id = "s_letters".id AND true);

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_letters" AS known ON known.id = trail.row_id
WHERE list = 'letters' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR pulled."c_sender" IS (CASE json_type(known.document, '$."from"') WHEN 'text' THEN known.document ->> '$."from"' END)
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'letters' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_sender", ''))));

-- unconfirmed
SELECT id FROM "s_letters" AS known
WHERE id IN (SELECT row_id FROM temp."absent_letters")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(iif(operation.kind = 'create', iif(operation.sent IS NULL, coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id)), CASE json_type(operation.sent, '$."0"') WHEN 'text' THEN operation.sent ->> '$."0"' END), coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id))), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_letters" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'letters'
    AND NOT (kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation AS deletion
    WHERE deletion.list = operation.list AND deletion.row_id = operation.row_id
        AND deletion.kind = 'delete' AND deletion.state <> 'rejected'))
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END,
    CASE WHEN "value 1" IS NOT NULL THEN json_quote("value 1") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_letters" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0",
        coalesce(
    (SELECT shown."sender" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_sender" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id)) AS "value 1"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."from"') WHEN 'text' THEN row ->> '$."from"' END AS "c_sender"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- answeredUpdates
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title",
        CASE json_type(row, '$."from"') WHEN 'text' THEN row ->> '$."from"' END AS "c_sender"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_letters" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL AND (CASE json_type(known.document, '$."from"') WHEN 'text' THEN known.document ->> '$."from"' END) IS (CASE json_type(?3, '$."from"') WHEN 'text' THEN ?3 ->> '$."from"' END));

-- owner
SELECT id, ?3 IS NOT NULL AND (CASE json_type(document, '$."from"') WHEN 'text' THEN document ->> '$."from"' END) IS (CASE json_type(?3, '$."from"') WHEN 'text' THEN ?3 ->> '$."from"' END),
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'letters')
FROM "s_letters" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;

-- take title
UPDATE "letters" SET "title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE "_id" = ?1;

-- take title
UPDATE "d_letters" SET "c_title" = (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END) WHERE id = ?1;

-- giveBack title
UPDATE "letters" SET "title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'letters' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = ?1))) WHERE "_id" = ?1;

-- giveBack title
UPDATE "d_letters" SET "c_title" = iif(EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM withdrawn WHERE list = 'letters' AND row_id = ?1 AND kind = 'update' AND json_type(sent, '$."0"') IS NOT NULL LIMIT 1),
    iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = ?1))) WHERE id = ?1;

-- keep title
SELECT iif(json_type(?2, '$."title"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."title"')));

-- patch title
SELECT iif(json_type(?2, '$."0"') IS NULL, json_remove(?1, '$."title"'),
    json_set(?1, '$."title"', json(?2 -> '$."0"')));

-- record title
INSERT INTO conflict (at, list, row_id, field, why, mine, theirs)
VALUES (CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER), 'letters', ?1, 'title', ?3,
    CASE ?4 WHEN 1 THEN (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))) WHEN 0 THEN coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1))
        WHEN 2 THEN CAST(?5 AS TEXT) END,
    iif(?2 IS NULL, NULL, (CASE json_type(coalesce(?2, '{}'), '$."title"') WHEN 'text' THEN coalesce(?2, '{}') ->> '$."title"' END)));

-- takeOthers
UPDATE "letters" SET "sender" = (CASE json_type(?2, '$."from"') WHEN 'text' THEN ?2 ->> '$."from"' END) WHERE "_id" = ?1;

-- takeOthers
UPDATE "d_letters" SET "c_sender" = (CASE json_type(?2, '$."from"') WHEN 'text' THEN ?2 ->> '$."from"' END) WHERE id = ?1;

-- layers
SELECT (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = ?1),
    EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL),
    (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))),
    (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = ?1))),
    coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)),
    (CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END);

-- payload
SELECT iif((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = ?1 AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = ?1))), coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- creation
SELECT iif(coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)) IS NOT NULL, coalesce(CASE WHEN coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1)) IS NOT NULL THEN json_quote(coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = ?1),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = ?1))) END, 'null'), NULL);

-- freeze
UPDATE operation SET sent = ?2, fields = iif(kind = 'update', ?3, fields) WHERE seq = ?1;

-- empty
SELECT mark.seq, mark.row_id FROM operation AS mark
WHERE mark.list = 'letters' AND mark.kind = 'update' AND mark.stage = 1
    AND (?1 IS NULL OR mark.row_id = ?1)
    AND (EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = mark.row_id AND kind = 'create' AND (state = 'queued' OR state = 'rejected')) OR NOT ((EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = mark.row_id AND kind = 'update' AND stage = 1 AND (fields & 1) <> 0) AND coalesce(
    (SELECT shown."title" FROM "letters" AS shown WHERE shown."_id" = mark.row_id),
    (SELECT hidden."c_title" FROM "d_letters" AS hidden WHERE hidden.id = mark.row_id)) IS NOT iif(EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'letters' AND own.row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged')) AND json_type(sent, '$."0"') IS NOT NULL), (SELECT CASE json_type(sent, '$."0"') WHEN 'text' THEN sent ->> '$."0"' END FROM operation WHERE list = 'letters' AND row_id = mark.row_id AND (kind = 'update' AND stage = 0 AND state <> 'acknowledged'
    OR kind = 'create' AND state IN ('sending', 'in doubt', 'acknowledged'))), (SELECT (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) FROM "s_letters" AS known WHERE known.id = mark.row_id)))));

-- refused
SELECT seq, kind, row_id, sent FROM operation
WHERE state = 'rejected' AND list = 'letters' AND kind <> 'delete'
    AND NOT (answered_ms IS NOT NULL AND last_status IS NULL);

-- isHidden
SELECT EXISTS (SELECT 1 FROM "d_letters" AS hidden WHERE hidden.id = ?1);

-- document
SELECT document FROM "s_letters" WHERE id = ?1;

-- setDocument
UPDATE "s_letters" SET document = ?2 WHERE id = ?1 AND document IS NOT ?2;

-- pulledRows
SELECT known.id,
    iif((known.document = pulled.document OR same_json(known.document, pulled.document)), known.document, pulled.document)
FROM (SELECT row_id FROM operation WHERE list = 'letters' AND kind <> 'create'
    UNION SELECT row_id FROM trail WHERE list = 'letters' AND NOT row_id IN (SELECT known.id FROM trail AS remembered
    CROSS JOIN "s_letters" AS known ON known.id = remembered.row_id
    CROSS JOIN temp."pulled_letters" AS pulled ON pulled.key = known.server_id
    WHERE remembered.list = 'letters' AND NOT EXISTS (
        SELECT 1 FROM temp."differing_letters" AS other WHERE other.position = pulled.position))) AS changed
    CROSS JOIN "s_letters" AS known ON known.id = changed.row_id
    CROSS JOIN temp."pulled_letters" AS pulled ON pulled.key = known.server_id
WHERE pulled."c_sender" IS (CASE json_type(known.document, '$."from"') WHEN 'text' THEN known.document ->> '$."from"' END)
ORDER BY known.id;

-- dropped
SELECT row_id, fields FROM withdrawn
WHERE list = 'letters' AND kind = 'update';

-- newest
SELECT text FROM (
    SELECT text, iif(text GLOB '*[^0-9.]*', julianday(text), CAST(text AS NUMERIC)) AS instant, text GLOB '*[^0-9.]*' AS is_date FROM (
        SELECT CASE json_type(document, '$."changed"') WHEN 'text' THEN document ->> '$."changed"'
    WHEN 'integer' THEN document -> '$."changed"' WHEN 'real' THEN document -> '$."changed"' END AS text FROM temp."pulled_letters"
        UNION ALL SELECT ?1))
WHERE instant IS NOT NULL AND (NOT is_date OR instant <= ?2 / 86400.0 + 2440587.5)
ORDER BY instant DESC, text DESC LIMIT 1;

-- sent
SELECT coalesce(strftime('%s', ?1), ?1);

-- missed
SELECT count(*) FILTER (WHERE instant IS NULL),
    count(*) FILTER (WHERE instant < iif(?1 GLOB '*[^0-9.]*', julianday(?1), CAST(?1 AS NUMERIC)))
FROM (SELECT iif(text GLOB '*[^0-9.]*', julianday(text), CAST(text AS NUMERIC)) AS instant FROM (SELECT CASE json_type(pulled.document, '$."changed"') WHEN 'text' THEN pulled.document ->> '$."changed"'
    WHEN 'integer' THEN pulled.document -> '$."changed"' WHEN 'real' THEN pulled.document -> '$."changed"' END AS text FROM temp."differing_letters" CROSS JOIN temp."pulled_letters" AS pulled USING (position)
    WHERE NOT EXISTS (SELECT 1 FROM operation CROSS JOIN "s_letters" AS known
        ON known.id = operation.row_id
        WHERE operation.list = 'letters' AND known.server_id = pulled.key)));

-- bury
INSERT OR IGNORE INTO temp."buried_letters" (key, document)
SELECT key, document FROM (
    SELECT CASE json_type(value, '$."id"')
    WHEN 'integer' THEN CAST(value ->> '$."id"' AS TEXT)
    WHEN 'text' THEN value ->> '$."id"' END AS key, value AS document
    FROM (SELECT value FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    WHERE NOT (ifnull(json_type(value, '$."deleted"'), 'null') IN ('null', 'false')))
WHERE key IS NOT NULL;

-- countBuried
SELECT count(*) FROM json_each(?1) WHERE iif(type = 'object', NOT (ifnull(json_type(value, '$."deleted"'), 'null') IN ('null', 'false')), false);

-- kept
SELECT EXISTS (SELECT 1 FROM temp."buried_letters" AS buried CROSS JOIN "s_letters" AS known
    ON known.server_id = buried.key
    WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_letters" AS pulled WHERE pulled.key = buried.key)
        AND (known.id NOT IN (SELECT row_id FROM temp."absent_letters")
            OR EXISTS (SELECT 1 FROM operation
                WHERE list = 'letters' AND row_id = known.id)));

-- countKnown of the server
SELECT count(*) FROM "s_letters";

-- hasOpenAbsence
SELECT EXISTS (SELECT 1 FROM missed_row CROSS JOIN "s_letters" AS missed
    ON missed."id" = missed_row.row_id
    WHERE list = 'letters' AND pulls >= ?1 AND pulls < 3);

-- compare an increment
DELETE FROM temp."differing_letters";

-- compare an increment
DELETE FROM temp."absent_letters";

-- compare an increment
INSERT INTO temp."differing_letters" (position)
SELECT position FROM temp."pulled_letters" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_letters" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compare an increment
INSERT INTO temp."absent_letters" (row_id)
SELECT known.id FROM temp."differing_letters" CROSS JOIN temp."pulled_letters" AS pulled USING (position)
    CROSS JOIN "s_letters" AS known ON known.server_id = pulled.key;

-- compare an increment
INSERT OR IGNORE INTO temp."absent_letters" (row_id)
SELECT known.id FROM temp."buried_letters" AS buried CROSS JOIN "s_letters" AS known
    ON known.server_id = buried.key
WHERE (CASE json_type(known.document, '$."from"') WHEN 'text' THEN known.document ->> '$."from"' END) IS (CASE json_type(buried.document, '$."from"') WHEN 'text' THEN buried.document ->> '$."from"' END);
