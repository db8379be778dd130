CREATE TABLE "todos" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT,
    "state" TEXT DEFAULT 'queued',
    "server_id" TEXT,
    "created_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    "error" TEXT
) STRICT;

CREATE TABLE "s_todos" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_todos" (
    id INTEGER PRIMARY KEY,
    "c_title" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE TRIGGER "todos_count" BEFORE INSERT ON "todos"
WHEN coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0) > coalesce((SELECT max("id") FROM "todos"), 0) AND coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0) > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todos'), 0)
    AND (SELECT applying FROM control) IS NOT 'todos'
BEGIN
    UPDATE control SET applying = 'todos';
    INSERT INTO "todos" ("id") VALUES (coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0));
    DELETE FROM "todos" WHERE "id" = coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0);
    UPDATE control SET applying = NULL;
END;

CREATE TRIGGER "todos_insert" AFTER INSERT ON "todos"
WHEN (SELECT applying FROM control) IS NOT 'todos'
BEGIN
    UPDATE control SET rewriting = NEW."id",
        returning_row = EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id") OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of todos with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged'));
    SELECT RAISE(ABORT, 'this id of todos was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."id" < 1 OR NEW."id" > 4503599627370495
            OR NEW."id" <= coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todos'), 0)
        OR NEW."id" <= coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0)
        OR NEW."id" < (SELECT max("id") FROM "todos"))
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    SELECT CASE
        WHEN NEW."server_id" IS NOT NULL THEN RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
        WHEN NEW."error" IS NOT NULL THEN RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
        WHEN NEW."state" <> 'queued' THEN RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
        WHEN NEW."created_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') THEN RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
    END
    WHERE (NEW."server_id" IS NOT NULL
        OR NEW."error" IS NOT NULL
        OR NEW."state" <> 'queued'
        OR NEW."created_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt' OR state = 'acknowledged')))
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
            AND hidden."c_title" IS NEW."title");
    INSERT INTO checked_text
    SELECT NEW."title"
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*' AND length(CAST(NEW."title" AS BLOB)) <= 4096
        AND ((SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title"));
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'the title of a todo must be text')
        WHEN length(CAST(NEW."title" AS BLOB)) = 0
            THEN RAISE(ABORT, 'the title of a todo must not be empty')
        WHEN trim(NEW."title", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
            THEN RAISE(ABORT, 'the title of a todo must not be blank')
        WHEN length(CAST(NEW."title" AS BLOB)) > 4096
            THEN RAISE(ABORT, 'the title of a todo must not be longer than 4096 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'the title of a todo must not hold a NUL character')
        WHEN (SELECT invalid_text FROM control)
            THEN RAISE(ABORT, 'the title of a todo must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    INSERT INTO spelled_text SELECT ifnull(NEW."title", ''), false
    WHERE 6 * (ifnull(length(CAST(NEW."title" AS BLOB)), 0)) > 522220;
    SELECT RAISE(ABORT, 'a todo must not be larger than 1 MiB as JSON, however its texts are spelt')
    WHERE (SELECT spelled_bytes FROM control) > 0
        AND (SELECT spelled_bytes FROM control) + 0 > 1044441;
    UPDATE control SET spelled_bytes = 0 WHERE spelled_bytes <> 0;
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'todos', 'added', NEW."id", substr(NEW."title", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND list = 'todos' AND row_id = NEW."id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"));
    DELETE FROM "d_todos" WHERE (SELECT rewriting FROM control) IS NEW."id" AND id = NEW."id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE list = 'todos' AND row_id = NEW."id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE list = 'todos' AND row_id = NEW."id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."id";
    UPDATE operation SET idempotency_key = lower(hex(randomblob(16))), sent_hash = NULL
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND list = 'todos' AND row_id = NEW."id"
        AND kind = 'create' AND (state = 'queued' OR state = 'rejected') AND attempts > 0;
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'todos', 'create', NEW."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = NEW."id" AND kind = 'create');
    UPDATE "todos" SET ("state", "error") = (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = NEW."id" AND true)),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW."id"), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id" AND ((SELECT rewriting FROM control) IS NEW."id" OR NEW."state" IS NULL OR NEW."created_at" IS NULL);
    INSERT INTO change (list, change, row_id, title, state)
    SELECT 'todos', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "id", substr("todos"."title", 1, 500), "state"
    FROM "todos" WHERE "id" = NEW."id" AND (SELECT rewriting FROM control) IS NEW."id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "todos_update" BEFORE UPDATE ON "todos"
WHEN (SELECT applying FROM control) IS NOT 'todos'
BEGIN
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE NEW."id" IS NOT OLD."id" OR NEW."title" IS NOT OLD."title"
        OR NEW."created_at" IS NOT OLD."created_at" AND OLD."created_at" IS NOT NULL
        OR NEW."state" IS NOT OLD."state" AND NEW."state" IS NOT (SELECT state FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = OLD."id" AND true)))
        OR NEW."error" IS NOT OLD."error" AND NEW."error" IS NOT (SELECT last_error FROM (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = OLD."id" AND true)))
        OR NEW."server_id" IS NOT OLD."server_id" AND NEW."server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD."id");
END;

CREATE TRIGGER "todos_delete" AFTER DELETE ON "todos"
WHEN (SELECT applying FROM control) IS NOT 'todos'
BEGIN
    INSERT INTO "d_todos" (id, "c_title", server_id, added_at)
    SELECT OLD."id", OLD."title", OLD."server_id", OLD."created_at"
    WHERE (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = OLD."id") OR EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = OLD."id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = OLD."id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE list = 'todos' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE list = 'todos' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_todos"
    WHERE id = OLD."id" AND NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = OLD."id" AND kind = 'create');
    INSERT INTO change (list, change, row_id, title)
    VALUES ('todos', 'removed', OLD."id", substr(OLD."title", 1, 500));
    INSERT INTO operation (list, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'todos', 'delete', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = OLD."id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, refusals = 0, behind = 0, sent_hash = NULL, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL, stale_version = NULL,
        answered_boot = NULL, answered_ms = NULL,
        refused = NULL, refused_count = 0, refused_boot = NULL, refused_ms = NULL
    WHERE list = 'todos' AND row_id = OLD."id" AND kind = 'delete' AND state = 'rejected';
END;

CREATE TRIGGER "todos_left" AFTER DELETE ON "todos"
WHEN OLD."id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'todos', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'todos');
    UPDATE highest_id SET id = max(id, max(OLD."id", coalesce((SELECT max("id") FROM "todos"), 0))) WHERE list = 'todos';
END;

CREATE VIEW "invariant_todos_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."id" FROM "todos" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = shown."id") AND NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = shown."id" AND kind = 'create'));

CREATE VIEW "invariant_todos_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE list = 'todos' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_todos_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE list = 'todos' AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = row_id));

CREATE VIEW "invariant_todos_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_todos" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = known.id));

CREATE VIEW "invariant_todos_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_todos" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation AS own WHERE own.list = 'todos' AND own.row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE list = 'todos' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_todos_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."id" FROM "todos" AS shown
    WHERE ((shown."state", shown."error") IS NOT (SELECT coalesce(state, 'synced') AS state, last_error FROM (SELECT state, last_error,
            min(CASE kind WHEN 'create' THEN 0 WHEN 'update'
                THEN iif(state = 'acknowledged', 4, 1 + stage) ELSE 3 END)
        FROM operation WHERE list = 'todos' AND row_id = shown."id" AND true))
        OR shown."server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = shown."id") OR shown."created_at" IS NULL));

CREATE VIEW "invariant_todos_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT hidden.id FROM "d_todos" AS hidden WHERE hidden.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0)
    UNION ALL
    SELECT known.id FROM "s_todos" AS known WHERE known.id > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0)
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = known.id));

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_todos" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    "c_title" TEXT,
    document TEXT NOT NULL,
    -- The page of another row of the list that has the same id, and is not equal.
    differs INTEGER NOT NULL DEFAULT 0,
    -- Its page has not changed: the document is what is known, and more than the list may show.
    isUnchanged INTEGER NOT NULL DEFAULT 0
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_todos" (position INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_todos" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "arriving_todos" (row_id INTEGER PRIMARY KEY, position INTEGER) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "skipped_todos" (key TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_todos";

-- clear
DELETE FROM temp."differing_todos";

-- clear
DELETE FROM temp."absent_todos";

-- clear
DELETE FROM temp."arriving_todos";

-- clear
DELETE FROM temp."skipped_todos";

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
INSERT INTO temp."pulled_todos" (position, key, "c_title", document)
SELECT ?3 * 10000000 + key + ?2, CAST(id AS TEXT), "c_title", value FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title"
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
    json_type(value, '$."title"') AS "type of title"
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1) LIMIT -1);

-- nameSkipped
SELECT key + ?2 AS place, type, id_type, coalesce((id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')), 0), CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN 'title' END, CASE WHEN NOT ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576) THEN "type of title" END
FROM (SELECT key, value, type, json_type(value, '$."id"') AS id_type,
    value ->> '$."id"' AS id,
    CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS "c_title",
    json_type(value, '$."title"') AS "type of title"
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
DELETE FROM temp."differing_todos";

-- compareRows
DELETE FROM temp."absent_todos";

-- compareRows
INSERT INTO temp."differing_todos" (position)
SELECT position FROM temp."pulled_todos" AS pulled
WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known
    WHERE known.server_id = pulled.key
        AND (known.document = pulled.document OR same_json(known.document, pulled.document)));

-- compareKnown
INSERT INTO temp."absent_todos" (row_id)
SELECT id FROM "s_todos" AS known
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled
    WHERE pulled.key = known.server_id
        AND (pulled.document = known.document OR same_json(pulled.document, known.document)));

-- countKnown
SELECT count(*) FROM "s_todos" WHERE "s_todos".id NOT IN (SELECT row_id FROM operation
    WHERE list = 'todos' AND kind = 'delete' AND state <> 'rejected');

-- notShown
SELECT id FROM "s_todos" WHERE "s_todos".id IN (SELECT row_id FROM temp."absent_todos")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled
        WHERE pulled.key = "s_todos".server_id AND pulled."c_title" IS (CASE json_type("s_todos".document, '$."title"') WHEN 'text' THEN "s_todos".document ->> '$."title"' END));

-- shownOtherwise
SELECT id FROM "s_todos" WHERE ("s_todos".id IN (SELECT row_id FROM temp."absent_todos")
    AND EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled
        WHERE pulled.key = "s_todos".server_id AND NOT (pulled."c_title" IS (CASE json_type("s_todos".document, '$."title"') WHEN 'text' THEN "s_todos".document ->> '$."title"' END))));

-- rememberDeparted
INSERT OR REPLACE INTO departed (list, server_id, identity, row_id, missed_boot, missed_ms)
SELECT 'todos', server_id, ifnull((CASE json_type("s_todos".document, '$."title"') WHEN 'text' THEN "s_todos".document ->> '$."title"' END), ''), id, ?1, ?2 FROM "s_todos"
WHERE true;

-- forgetDeparted
DELETE FROM departed
WHERE list = 'todos'
    AND NOT EXISTS (SELECT 1 FROM trail CROSS JOIN "s_todos" AS known ON known.id = trail.row_id
        WHERE trail.list = 'todos' AND is_new = 1
            AND known.server_id = departed.server_id)
    AND (EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled WHERE pulled.key = departed.server_id)
        OR ?1 AND iif(missed_boot = ?2, missed_ms, 0) + ?3 <= ?4);

-- countMisses
DELETE FROM missed_row WHERE list = 'todos'
    AND row_id NOT IN (SELECT id FROM "s_todos" WHERE "s_todos".id IN (SELECT row_id FROM temp."absent_todos")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled
        WHERE pulled.key = "s_todos".server_id AND pulled."c_title" IS (CASE json_type("s_todos".document, '$."title"') WHEN 'text' THEN "s_todos".document ->> '$."title"' END)));

-- countMisses
INSERT INTO missed_row (list, row_id, pulls)
SELECT 'todos', id, 1 FROM "s_todos" WHERE "s_todos".id IN (SELECT row_id FROM temp."absent_todos")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled
        WHERE pulled.key = "s_todos".server_id AND pulled."c_title" IS (CASE json_type("s_todos".document, '$."title"') WHEN 'text' THEN "s_todos".document ->> '$."title"' END))
ON CONFLICT (list, row_id) DO UPDATE SET pulls = pulls + 1;

-- unowned
SELECT pulled.key, position / 10000000, pulled."c_title" FROM temp."differing_todos" CROSS JOIN temp."pulled_todos" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_todos" WHERE "s_todos".server_id = pulled.key) AND NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'todos' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_title", ''))
ORDER BY position;

-- openOperations
SELECT seq, kind, state, row_id, sent_boot, sent_ms, settling_ms, missed_boot, missed_ms,
    last_status, refuted, answered_boot, answered_ms, behind,
    EXISTS (SELECT 1 FROM "s_todos" AS known CROSS JOIN temp."pulled_todos" AS pulled
        ON pulled.key = known.server_id
        WHERE known.id = row_id AND pulled."c_title" IS (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END)) AS is_shown,
    coalesce(
    (SELECT shown."title" FROM "todos" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_todos" AS hidden WHERE hidden.id = operation.row_id))
FROM operation
WHERE (state <> 'queued' OR kind <> 'create') AND list = 'todos'
    AND (kind = 'create' OR answered_ms IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM trail AS own WHERE own.list = 'todos' AND own.row_id = operation.row_id AND is_new = 1))
    AND (state = 'in doubt' OR answered_ms IS NOT NULL OR kind <> 'create'
        AND EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = row_id)
        AND (is_shown = 0 OR missed_ms IS NOT NULL))
ORDER BY seq;

-- lastID
SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todos'), 0), coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'todos'), 0),
    coalesce((SELECT max(id) FROM "s_todos"), 0), coalesce((SELECT max("id") FROM "todos"), 0),
    coalesce((SELECT max(id) FROM "d_todos"), 0));

-- nameArriving
INSERT INTO temp."arriving_todos" (row_id, position)
SELECT (SELECT departed.row_id FROM departed WHERE departed.list = 'todos' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_title", '')), position
FROM temp."differing_todos" CROSS JOIN temp."pulled_todos" AS pulled USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "s_todos" WHERE "s_todos".server_id = pulled.key)
ORDER BY position
ON CONFLICT (row_id) DO UPDATE SET position = excluded.position;

-- addKnown
INSERT INTO "s_todos" (id, server_id, document)
SELECT row_id, key, document FROM temp."arriving_todos" AS arriving CROSS JOIN temp."pulled_todos" AS pulled USING (position) ORDER BY row_id;

-- addShown
INSERT INTO "todos" ("id", "title", "state", "server_id", "created_at")
SELECT row_id, pulled."c_title", 'synced', key, ?3
FROM temp."arriving_todos" AS arriving CROSS JOIN temp."pulled_todos" AS pulled USING (position)
WHERE row_id BETWEEN ?1 AND ?2 ORDER BY row_id;

-- tellAdded
INSERT INTO change (list, change, row_id, title, state)
SELECT 'todos', 'added', row_id, substr(pulled."c_title", 1, 500), 'synced'
FROM temp."arriving_todos" AS arriving CROSS JOIN temp."pulled_todos" AS pulled USING (position)
WHERE (SELECT paused FROM control) IS NOT 'todos' ORDER BY row_id;

-- updateDocuments
UPDATE "s_todos" SET document = pulled.document FROM temp."pulled_todos" AS pulled
WHERE "s_todos".id IN (SELECT row_id FROM temp."absent_todos")
    AND pulled.key = "s_todos".server_id AND pulled.document IS NOT "s_todos".document;

-- echoes
SELECT row_id FROM trail CROSS JOIN "s_todos" AS known ON known.id = trail.row_id
WHERE list = 'todos' AND NOT iif(answered_boot = ?1, answered_ms, 0) <= ?2
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled WHERE pulled.key = known.server_id
        AND (is_new = 0 OR pulled."c_title" IS (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END)
            OR NOT EXISTS (SELECT 1 FROM departed WHERE departed.list = 'todos' AND departed.server_id = pulled.key
    AND departed.identity = ifnull(pulled."c_title", ''))));

-- unconfirmed
SELECT id FROM "s_todos" AS known
WHERE id IN (SELECT row_id FROM temp."absent_todos")
    AND NOT EXISTS (SELECT 1 FROM temp."pulled_todos" AS pulled WHERE pulled.key = known.server_id);

-- waiting
SELECT replace(ifnull(coalesce(
    (SELECT shown."title" FROM "todos" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_todos" AS hidden WHERE hidden.id = operation.row_id)), ''), char(31), ''), seq, kind, state, attempts, wait_boot, wait_ms, wait_asked,
    sent_boot, sent_ms, first_sent_boot, first_sent_ms, wait_asked_ms,
    kind <> 'create' AND EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = operation.row_id), row_id, last_status
FROM operation
WHERE state <> 'rejected' AND (state <> 'acknowledged' OR kind = 'create') AND list = 'todos'
ORDER BY seq;

-- outgoing
SELECT kind, server_id, idempotency_key, attempts, version,
    CASE WHEN "value 0" IS NOT NULL THEN json_quote("value 0") END
FROM (SELECT kind, idempotency_key, attempts,
        (SELECT known.server_id FROM "s_todos" AS known
            WHERE known.id = operation.row_id) AS server_id,
        NULL AS version,
        coalesce(
    (SELECT shown."title" FROM "todos" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_todos" AS hidden WHERE hidden.id = operation.row_id)) AS "value 0"
    FROM operation WHERE seq = ?1 LIMIT 1);

-- answered
SELECT CAST(id AS TEXT), row FROM (
    SELECT row, json_type(row, '$."id"') AS id_type,
        row ->> '$."id"' AS id,
        CASE json_type(row, '$."title"') WHEN 'text' THEN row ->> '$."title"' END AS "c_title"
    FROM (SELECT json(?1 -> '$') AS row
        WHERE iif(json_valid(?1), json_type(?1, '$'), NULL) = 'object' LIMIT -1) LIMIT -1)
WHERE (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
    AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..')) AND ("c_title" IS NOT NULL AND length(CAST("c_title" AS BLOB)) <= 1048576);

-- isSameRow
SELECT EXISTS (SELECT 1 FROM "s_todos" AS known
    WHERE known.id = ?1 AND known.server_id = ?2 AND ?3 IS NOT NULL AND (CASE json_type(known.document, '$."title"') WHEN 'text' THEN known.document ->> '$."title"' END) IS (CASE json_type(?3, '$."title"') WHEN 'text' THEN ?3 ->> '$."title"' END));

-- owner
SELECT id, ?3 IS NOT NULL AND (CASE json_type(document, '$."title"') WHEN 'text' THEN document ->> '$."title"' END) IS (CASE json_type(?3, '$."title"') WHEN 'text' THEN ?3 ->> '$."title"' END),
    id IN (SELECT row_id FROM unconfirmed WHERE unconfirmed.list = 'todos')
FROM "s_todos" WHERE server_id = ?1 AND id <> ?2;

-- cut
SELECT length(answered) FROM (
    SELECT coalesce(
    (SELECT shown."title" FROM "todos" AS shown WHERE shown."id" = operation.row_id),
    (SELECT hidden."c_title" FROM "d_todos" AS hidden WHERE hidden.id = operation.row_id)) AS given, CASE json_type(?2, '$."title"') WHEN 'text' THEN ?2 ->> '$."title"' END AS answered
        FROM (SELECT ?1 AS row_id) AS operation)
WHERE length(given) > length(answered) AND substr(given, 1, length(answered)) = answered;
