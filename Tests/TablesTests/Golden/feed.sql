CREATE TABLE "feed" (
    "title" TEXT,
    "_id" INTEGER PRIMARY KEY,
    "_fetched_at" TEXT NOT NULL,
    "_rank" INTEGER NOT NULL,
    "_document" TEXT NOT NULL
) STRICT;

CREATE TRIGGER "feed_insert" BEFORE INSERT ON "feed"
WHEN (SELECT applying FROM control) IS NOT 'feed'
BEGIN
    SELECT RAISE(ABORT, 'feed is read only: it shows what the server has');
END;

CREATE TRIGGER "feed_update" BEFORE UPDATE ON "feed"
WHEN (SELECT applying FROM control) IS NOT 'feed'
BEGIN
    SELECT RAISE(ABORT, 'feed is read only: it shows what the server has');
END;

CREATE TRIGGER "feed_delete" BEFORE DELETE ON "feed"
WHEN (SELECT applying FROM control) IS NOT 'feed'
BEGIN
    SELECT RAISE(ABORT, 'feed is read only: it shows what the server has');
END;

CREATE TRIGGER "feed_added" AFTER INSERT ON "feed"
WHEN (SELECT paused FROM control) IS NOT 'feed'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('feed', 'added', NEW."_id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "feed_changed" AFTER UPDATE ON "feed"
WHEN (SELECT paused FROM control) IS NOT 'feed' AND OLD."_document" IS NOT NEW."_document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('feed', 'changed', NEW."_id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "feed_removed" AFTER DELETE ON "feed"
WHEN (SELECT paused FROM control) IS NOT 'feed'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('feed', 'removed', OLD."_id", substr(OLD."title", 1, 500));
END;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_feed" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_feed" ON "pulled_feed" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_feed" (
    rank INTEGER PRIMARY KEY,
    "c_title" TEXT,
    position INTEGER NOT NULL,
    key INTEGER NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_feed" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_feed" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_feed" (
    key INTEGER PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "buried_feed" (
    key ANY NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (key, document)
) STRICT, WITHOUT ROWID;

-- clear
DELETE FROM temp."pulled_feed";

-- clear
DELETE FROM temp."read_feed";

-- clear
DELETE FROM temp."differing_feed";

-- clear
DELETE FROM temp."absent_feed";

-- clear
DELETE FROM temp."touched_feed";

-- clear
DELETE FROM temp."buried_feed";

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
INSERT INTO temp."pulled_feed" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    NULL AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE iif(type = 'object', NOT (ifnull(json_type(value, '$."state"'), '') = 'text' AND value ->> '$."state"' = 'gone'), false) LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    NULL AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE iif(type = 'object', NOT (ifnull(json_type(value, '$."state"'), '') = 'text' AND value ->> '$."state"' = 'gone'), false) LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_feed" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."_id", shown."_document"
FROM json_each(?1) AS listed JOIN "feed" AS shown ON shown."_id" = listed.value
;

-- read
INSERT INTO temp."read_feed" ("c_title", position, key)
SELECT CASE json_type(document, '$."title"') WHEN 'text' THEN document ->> '$."title"' END,
    position, key
FROM temp."pulled_feed" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_feed" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_feed";

-- compare
DELETE FROM temp."absent_feed";

-- compare
INSERT INTO temp."differing_feed" (rank)
SELECT pulled.rank
FROM temp."read_feed" AS pulled JOIN temp."pulled_feed" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "feed" AS shown WHERE shown."_id" = pulled.key
    AND shown."_rank" = pulled.rank
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare
INSERT INTO temp."absent_feed" (row_id)
SELECT "_id" FROM "feed" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_feed" AS pulled WHERE pulled.key = shown."_id");

-- noteNew
INSERT INTO temp."touched_feed" (key)
SELECT pulled.key
FROM temp."differing_feed" CROSS JOIN temp."read_feed" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "feed" AS shown WHERE shown."_id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_feed"
SELECT shown."_id", shown."_id"
FROM temp."differing_feed" CROSS JOIN temp."read_feed" AS pulled USING (rank)
    CROSS JOIN temp."pulled_feed" AS staged USING (position)
    CROSS JOIN "feed" AS shown ON shown."_id" = pulled.key
WHERE NOT (staged.document = shown."_document" OR same_json(staged.document, shown."_document"));

-- upsert
INSERT INTO "feed" ("_id", "title", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_title", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_feed" CROSS JOIN temp."read_feed" AS pulled USING (rank)
    CROSS JOIN temp."pulled_feed" AS staged USING (position)
WHERE true
ON CONFLICT ("_id") DO UPDATE SET
    "title" = excluded."title", "_rank" = excluded."_rank",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");

-- newest
SELECT text FROM (
    SELECT text, iif(text GLOB '*[^0-9.]*', julianday(text), CAST(text AS NUMERIC)) AS instant, text GLOB '*[^0-9.]*' AS is_date FROM (
        SELECT CASE json_type(document, '$."at"') WHEN 'text' THEN document ->> '$."at"'
    WHEN 'integer' THEN document -> '$."at"' WHEN 'real' THEN document -> '$."at"' END AS text FROM temp."pulled_feed"
        UNION ALL SELECT ?1))
WHERE instant IS NOT NULL AND (NOT is_date OR instant <= ?2 / 86400.0 + 2440587.5)
ORDER BY instant DESC, text DESC LIMIT 1;

-- sent
SELECT ?1;

-- missed
SELECT count(*) FILTER (WHERE instant IS NULL),
    count(*) FILTER (WHERE instant < iif(?1 GLOB '*[^0-9.]*', julianday(?1), CAST(?1 AS NUMERIC)))
FROM (SELECT iif(text GLOB '*[^0-9.]*', julianday(text), CAST(text AS NUMERIC)) AS instant FROM (SELECT CASE json_type(pulled.document, '$."at"') WHEN 'text' THEN pulled.document ->> '$."at"'
    WHEN 'integer' THEN pulled.document -> '$."at"' WHEN 'real' THEN pulled.document -> '$."at"' END AS text FROM temp."differing_feed" CROSS JOIN temp."read_feed" AS read USING (rank)
        CROSS JOIN temp."pulled_feed" AS pulled USING (position)
    WHERE NOT EXISTS (SELECT 1 FROM "feed" AS shown WHERE shown."_id" = read.key
        AND (shown."_document" = pulled.document OR same_json(shown."_document", pulled.document)))));

-- bury
INSERT OR IGNORE INTO temp."buried_feed" (key, document)
SELECT key, document FROM (
    SELECT iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS key, value AS document
    FROM (SELECT value FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    WHERE (ifnull(json_type(value, '$."state"'), '') = 'text' AND value ->> '$."state"' = 'gone'))
WHERE key IS NOT NULL;

-- countBuried
SELECT count(*) FROM json_each(?1) WHERE iif(type = 'object', (ifnull(json_type(value, '$."state"'), '') = 'text' AND value ->> '$."state"' = 'gone'), false);

-- kept
SELECT EXISTS (SELECT 1 FROM temp."buried_feed" AS buried CROSS JOIN "feed" AS shown
    ON shown."_id" = buried.key
    WHERE NOT EXISTS (SELECT 1 FROM temp."read_feed" AS pulled WHERE pulled.key = buried.key)
        AND shown."_id" NOT IN (SELECT row_id FROM temp."absent_feed"));

-- countKnown of the server
SELECT count(*) FROM "feed";

-- hasOpenAbsence
SELECT EXISTS (SELECT 1 FROM missed_row CROSS JOIN "feed" AS missed
    ON missed."_id" = missed_row.row_id
    WHERE list = 'feed' AND pulls >= ?1 AND pulls < 3);

-- upsert of an increment
INSERT INTO "feed" ("_id", "title", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_title", (SELECT ifnull(max("_rank"), 0) FROM "feed") + pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_feed" CROSS JOIN temp."read_feed" AS pulled USING (rank)
    CROSS JOIN temp."pulled_feed" AS staged USING (position)
WHERE true
ON CONFLICT ("_id") DO UPDATE SET
    "title" = excluded."title",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");

-- compare an increment
DELETE FROM temp."differing_feed";

-- compare an increment
DELETE FROM temp."absent_feed";

-- compare an increment
INSERT INTO temp."differing_feed" (rank)
SELECT pulled.rank
FROM temp."read_feed" AS pulled JOIN temp."pulled_feed" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "feed" AS shown WHERE shown."_id" = pulled.key
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare an increment
INSERT OR IGNORE INTO temp."absent_feed" (row_id)
SELECT shown."_id" FROM temp."buried_feed" AS buried CROSS JOIN "feed" AS shown
    ON shown."_id" = buried.key
WHERE NOT EXISTS (SELECT 1 FROM temp."read_feed" AS pulled WHERE pulled.key = buried.key)
    AND true;
