CREATE TABLE "hostile" (
    "select" INTEGER,
    """; DROP TABLE control; --" TEXT NOT NULL,
    "NEW" REAL,
    "key" INTEGER,
    "place" TEXT,
    "rank" TEXT,
    "document" TEXT,
    "applying" TEXT,
    "it's" TEXT,
    "[x]" TEXT,
    "`" TEXT,
    "é" TEXT,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT NOT NULL UNIQUE,
    "_fetched_at" TEXT NOT NULL,
    "_rank" INTEGER NOT NULL,
    "_document" TEXT NOT NULL
) STRICT;

CREATE INDEX "hostile by ""; DROP TABLE control; --" ON "hostile" ("""; DROP TABLE control; --");

CREATE VIRTUAL TABLE "hostile_search" USING fts5 (
    "it's", """; DROP TABLE control; --", content = "hostile", content_rowid = "_id",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "hostile_insert" BEFORE INSERT ON "hostile"
WHEN (SELECT applying FROM control) IS NOT 'hostile'
BEGIN
    SELECT RAISE(ABORT, 'hostile is read only: it shows what the server has');
END;

CREATE TRIGGER "hostile_update" BEFORE UPDATE ON "hostile"
WHEN (SELECT applying FROM control) IS NOT 'hostile'
BEGIN
    SELECT RAISE(ABORT, 'hostile is read only: it shows what the server has');
END;

CREATE TRIGGER "hostile_delete" BEFORE DELETE ON "hostile"
WHEN (SELECT applying FROM control) IS NOT 'hostile'
BEGIN
    SELECT RAISE(ABORT, 'hostile is read only: it shows what the server has');
END;

CREATE TRIGGER "hostile_added" AFTER INSERT ON "hostile"
WHEN (SELECT paused FROM control) IS NOT 'hostile'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('hostile', 'added', NEW."_id", substr(NEW."""; DROP TABLE control; --", 1, 500));
END;

CREATE TRIGGER "hostile_changed" AFTER UPDATE ON "hostile"
WHEN (SELECT paused FROM control) IS NOT 'hostile' AND OLD."_document" IS NOT NEW."_document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('hostile', 'changed', NEW."_id", substr(NEW."""; DROP TABLE control; --", 1, 500));
END;

CREATE TRIGGER "hostile_removed" AFTER DELETE ON "hostile"
WHEN (SELECT paused FROM control) IS NOT 'hostile'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('hostile', 'removed', OLD."_id", substr(OLD."""; DROP TABLE control; --", 1, 500));
END;

CREATE TRIGGER "hostile_left" AFTER DELETE ON "hostile"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'hostile'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'hostile', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'hostile');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "hostile"), 0))) WHERE list = 'hostile';
END;

CREATE VIEW "hostile_changes" AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    row_id AS id, title, change AS change,
    old_value AS "old_""; DROP TABLE control; --", new_value AS "new_""; DROP TABLE control; --",
    seq
FROM row_change WHERE list = 'hostile';

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_hostile" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_hostile" ON "pulled_hostile" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_hostile" (
    rank INTEGER PRIMARY KEY,
    "c_select" INTEGER,
    "c_""; DROP TABLE control; --" TEXT,
    "c_NEW" REAL,
    "c_key" INTEGER,
    "c_place" TEXT,
    "c_rank" TEXT,
    "c_document" TEXT,
    "c_applying" TEXT,
    "c_it's" TEXT,
    "c_[x]" TEXT,
    "c_`" TEXT,
    "c_é" TEXT,
    position INTEGER NOT NULL,
    key TEXT NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_hostile" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_hostile" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_hostile" (
    key TEXT PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER,
    "c_""; DROP TABLE control; --" ANY,
    "c_it's" ANY
) STRICT;

-- clear
DELETE FROM temp."pulled_hostile";

-- clear
DELETE FROM temp."read_hostile";

-- clear
DELETE FROM temp."differing_hostile";

-- clear
DELETE FROM temp."absent_hostile";

-- clear
DELETE FROM temp."touched_hostile";

-- envelope
SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
    iif(json_valid(?1), json_type(?1, '$."it''s"[0]'), NULL),
    iif(json_valid(?1), json_array_length(?1, '$."it''s"[0]'), NULL),
    NULL,
    NULL,
    NULL,
    iif(json_valid(?1), ?1 -> '$."it''s"[0]', NULL),
    NULL,
    NULL;

-- stage
INSERT INTO temp."pulled_hostile" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."row id"') AS id_type,
    CASE WHEN json_type(value, '$."row id"') = 'integer' AND typeof(value ->> '$."row id"') = 'integer' THEN CAST(value ->> '$."row id"' AS TEXT)
    WHEN json_type(value, '$."row id"') = 'text' AND length(CAST(value ->> '$."row id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."row id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END) IS NULL OR length(CAST(CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END AS BLOB)) > 1048576 THEN '"; DROP TABLE control; --' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."row id"') AS id_type,
    CASE WHEN json_type(value, '$."row id"') = 'integer' AND typeof(value ->> '$."row id"') = 'integer' THEN CAST(value ->> '$."row id"' AS TEXT)
    WHEN json_type(value, '$."row id"') = 'text' AND length(CAST(value ->> '$."row id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."row id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END) IS NULL OR length(CAST(CASE json_type(value, '$."a b"') WHEN 'text' THEN value ->> '$."a b"' END AS BLOB)) > 1048576 THEN '"; DROP TABLE control; --' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_hostile" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."_server_id", shown."_document"
FROM json_each(?1) AS listed JOIN "hostile" AS shown ON shown."_server_id" = listed.value
;

-- read
INSERT INTO temp."read_hostile" ("c_select", "c_""; DROP TABLE control; --", "c_NEW", "c_key", "c_place", "c_rank", "c_document", "c_applying", "c_it's", "c_[x]", "c_`", "c_é", position, key)
SELECT CASE json_type(document, '$."select"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."select"') = 'integer', document ->> '$."select"', NULL)
    WHEN 'real' THEN iif(document ->> '$."select"' = CAST(document ->> '$."select"' AS INTEGER)
        AND abs(document ->> '$."select"') < 9007199254740992, CAST(document ->> '$."select"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."a b"') WHEN 'text' THEN document ->> '$."a b"' END,
    CASE json_type(document, '$."NEW"')
    WHEN 'integer' THEN CAST(document ->> '$."NEW"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."NEW"') < 9e999, document ->> '$."NEW"', NULL)
END,
    CASE json_type(document, '$."key"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."key"' IN (0, 1), document ->> '$."key"', NULL)
END,
    CASE WHEN json_type(document, '$."place"') IN ('object', 'array') THEN document -> '$."place"' END,
    CASE json_type(document, '$."rank"') WHEN 'text' THEN document ->> '$."rank"' END,
    CASE json_type(document, '$."document"') WHEN 'text' THEN document ->> '$."document"' END,
    CASE json_type(document, '$."--"') WHEN 'text' THEN document ->> '$."--"' END,
    CASE json_type(document, '$."it''s"') WHEN 'text' THEN document ->> '$."it''s"' END,
    CASE json_type(document, '$."$.x[0]"') WHEN 'text' THEN document ->> '$."$.x[0]"' END,
    CASE json_type(document, '$."`"') WHEN 'text' THEN document ->> '$."`"' END,
    CASE json_type(document, '$."é"') WHEN 'text' THEN document ->> '$."é"' END,
    position, key
FROM temp."pulled_hostile" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_hostile" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_hostile";

-- compare
DELETE FROM temp."absent_hostile";

-- compare
INSERT INTO temp."differing_hostile" (rank)
SELECT pulled.rank
FROM temp."read_hostile" AS pulled JOIN temp."pulled_hostile" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "hostile" AS shown WHERE shown."_server_id" = pulled.key
    AND shown."_rank" = pulled.rank
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare
INSERT INTO temp."absent_hostile" (row_id)
SELECT "_id" FROM "hostile" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_hostile" AS pulled WHERE pulled.key = shown."_server_id");

-- noteNew
INSERT INTO temp."touched_hostile" (key)
SELECT pulled.key
FROM temp."differing_hostile" CROSS JOIN temp."read_hostile" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "hostile" AS shown WHERE shown."_server_id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_hostile"
SELECT shown."_server_id", shown."_id", shown."""; DROP TABLE control; --", shown."it's"
FROM temp."differing_hostile" CROSS JOIN temp."read_hostile" AS pulled USING (rank)
    CROSS JOIN temp."pulled_hostile" AS staged USING (position)
    CROSS JOIN "hostile" AS shown ON shown."_server_id" = pulled.key
WHERE NOT (staged.document = shown."_document" OR same_json(staged.document, shown."_document"));

-- upsert
INSERT INTO "hostile" ("_server_id", "select", """; DROP TABLE control; --", "NEW", "key", "place", "rank", "document", "applying", "it's", "[x]", "`", "é", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_select", pulled."c_""; DROP TABLE control; --", pulled."c_NEW", pulled."c_key", pulled."c_place", pulled."c_rank", pulled."c_document", pulled."c_applying", pulled."c_it's", pulled."c_[x]", pulled."c_`", pulled."c_é", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_hostile" CROSS JOIN temp."read_hostile" AS pulled USING (rank)
    CROSS JOIN temp."pulled_hostile" AS staged USING (position)
WHERE true
ON CONFLICT ("_server_id") DO UPDATE SET
    "select" = excluded."select", """; DROP TABLE control; --" = excluded."""; DROP TABLE control; --", "NEW" = excluded."NEW", "key" = excluded."key", "place" = iif(same_json("place", excluded."place"), "place", excluded."place"), "rank" = excluded."rank", "document" = excluded."document", "applying" = excluded."applying", "it's" = excluded."it's", "[x]" = excluded."[x]", "`" = excluded."`", "é" = excluded."é", "_rank" = excluded."_rank",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");
