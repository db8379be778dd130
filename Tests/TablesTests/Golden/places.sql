CREATE TABLE "places" (
    "town" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT NOT NULL UNIQUE,
    "_fetched_at" TEXT NOT NULL,
    "_rank" INTEGER NOT NULL,
    "_document" TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE "places_search" USING fts5 (
    "name", content = "places", content_rowid = "_id",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "places_insert" BEFORE INSERT ON "places"
WHEN (SELECT applying FROM control) IS NOT 'places'
BEGIN
    SELECT RAISE(ABORT, 'places is read only: it shows what the server has');
END;

CREATE TRIGGER "places_update" BEFORE UPDATE ON "places"
WHEN (SELECT applying FROM control) IS NOT 'places'
BEGIN
    SELECT RAISE(ABORT, 'places is read only: it shows what the server has');
END;

CREATE TRIGGER "places_delete" BEFORE DELETE ON "places"
WHEN (SELECT applying FROM control) IS NOT 'places'
BEGIN
    SELECT RAISE(ABORT, 'places is read only: it shows what the server has');
END;

CREATE TRIGGER "places_added" AFTER INSERT ON "places"
WHEN (SELECT paused FROM control) IS NOT 'places'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('places', 'added', NEW."_id", substr(NEW."name", 1, 500));
END;

CREATE TRIGGER "places_changed" AFTER UPDATE ON "places"
WHEN (SELECT paused FROM control) IS NOT 'places' AND OLD."_document" IS NOT NEW."_document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('places', 'changed', NEW."_id", substr(NEW."name", 1, 500));
END;

CREATE TRIGGER "places_removed" AFTER DELETE ON "places"
WHEN (SELECT paused FROM control) IS NOT 'places'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('places', 'removed', OLD."_id", substr(OLD."name", 1, 500));
END;

CREATE TRIGGER "places_left" AFTER DELETE ON "places"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'places'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'places', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'places');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "places"), 0))) WHERE list = 'places';
END;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_places" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_places" ON "pulled_places" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_places" (
    rank INTEGER PRIMARY KEY,
    "c_town" TEXT,
    "c_name" TEXT,
    position INTEGER NOT NULL,
    key TEXT NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_places" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_places" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_places" (
    key TEXT PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER,
    "c_name" ANY
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "part_of_places" (part TEXT NOT NULL) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "parts_of_places" (
    part TEXT PRIMARY KEY,
    -- The count of a row that is missed for the first time.
    first INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "lacking_places" (
    row_id INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "leaving_places" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "wanted_places" (part TEXT PRIMARY KEY) STRICT;

-- clear
DELETE FROM temp."pulled_places";

-- clear
DELETE FROM temp."read_places";

-- clear
DELETE FROM temp."differing_places";

-- clear
DELETE FROM temp."absent_places";

-- clear
DELETE FROM temp."touched_places";

-- clear
DELETE FROM temp."part_of_places";

-- clear
DELETE FROM temp."parts_of_places";

-- clear
DELETE FROM temp."lacking_places";

-- clear
DELETE FROM temp."leaving_places";

-- clear
DELETE FROM temp."wanted_places";

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
INSERT INTO temp."pulled_places" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    CASE WHEN json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer' THEN CAST(value ->> '$."id"' AS TEXT)
    WHEN json_type(value, '$."id"') = 'text' AND length(CAST(value ->> '$."id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."@town"') WHEN 'text' THEN value ->> '$."@town"' END) IS NULL OR length(CAST(CASE json_type(value, '$."@town"') WHEN 'text' THEN value ->> '$."@town"' END AS BLOB)) > 1048576 THEN 'town' WHEN (CASE json_type(value, '$."name"') WHEN 'text' THEN value ->> '$."name"' END) IS NULL OR length(CAST(CASE json_type(value, '$."name"') WHEN 'text' THEN value ->> '$."name"' END AS BLOB)) > 1048576 THEN 'name' END AS missing
FROM (SELECT key, json_set(value, '$."@town"', (SELECT part FROM temp."part_of_places")) AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    CASE WHEN json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer' THEN CAST(value ->> '$."id"' AS TEXT)
    WHEN json_type(value, '$."id"') = 'text' AND length(CAST(value ->> '$."id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."@town"') WHEN 'text' THEN value ->> '$."@town"' END) IS NULL OR length(CAST(CASE json_type(value, '$."@town"') WHEN 'text' THEN value ->> '$."@town"' END AS BLOB)) > 1048576 THEN 'town' WHEN (CASE json_type(value, '$."name"') WHEN 'text' THEN value ->> '$."name"' END) IS NULL OR length(CAST(CASE json_type(value, '$."name"') WHEN 'text' THEN value ->> '$."name"' END AS BLOB)) > 1048576 THEN 'name' END AS missing
FROM (SELECT key, json_set(value, '$."@town"', (SELECT part FROM temp."part_of_places")) AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_places" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."_server_id", shown."_document"
FROM json_each(?1) AS listed JOIN "places" AS shown ON shown."_server_id" = listed.value
WHERE (shown."_document" ->> '$."@town"') IS (SELECT part FROM temp."part_of_places");

-- read
INSERT INTO temp."read_places" ("c_town", "c_name", position, key)
SELECT CASE json_type(document, '$."@town"') WHEN 'text' THEN document ->> '$."@town"' END,
    CASE json_type(document, '$."name"') WHEN 'text' THEN document ->> '$."name"' END,
    position, key
FROM temp."pulled_places" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_places" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_places";

-- compare
DELETE FROM temp."absent_places";

-- compare
INSERT INTO temp."differing_places" (rank)
SELECT pulled.rank
FROM temp."read_places" AS pulled JOIN temp."pulled_places" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "places" AS shown WHERE shown."_server_id" = pulled.key
    AND shown."_rank" = pulled.rank
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare
INSERT INTO temp."absent_places" (row_id)
SELECT "_id" FROM "places" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_places" AS pulled WHERE pulled.key = shown."_server_id");

-- noteNew
INSERT INTO temp."touched_places" (key)
SELECT pulled.key
FROM temp."differing_places" CROSS JOIN temp."read_places" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "places" AS shown WHERE shown."_server_id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_places"
SELECT shown."_server_id", shown."_id", shown."name"
FROM temp."differing_places" CROSS JOIN temp."read_places" AS pulled USING (rank)
    CROSS JOIN temp."pulled_places" AS staged USING (position)
    CROSS JOIN "places" AS shown ON shown."_server_id" = pulled.key
WHERE NOT (staged.document = shown."_document" OR same_json(staged.document, shown."_document"));

-- upsert
INSERT INTO "places" ("_server_id", "town", "name", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_town", pulled."c_name", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_places" CROSS JOIN temp."read_places" AS pulled USING (rank)
    CROSS JOIN temp."pulled_places" AS staged USING (position)
WHERE true
ON CONFLICT ("_server_id") DO UPDATE SET
    "town" = excluded."town", "name" = excluded."name", "_rank" = excluded."_rank",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");

-- parts
SELECT source.key, source.names, source.changed,
    part.read_boot, part.read_ms, part.changed, part.round, ifnull(part.wanted, 0),
    part.error IS NOT NULL
FROM (SELECT column1 AS key, '[]' AS names, NULL AS changed
FROM (VALUES ('north/a'), ('south'))) AS source LEFT JOIN part ON part.list = 'places' AND part.part = source.key
ORDER BY part.read_ms IS NOT NULL, iif(part.read_boot = ?1, part.read_ms, 0), source.key;

-- doubtful
SELECT NULL WHERE false;

-- noteRead
INSERT OR REPLACE INTO temp."parts_of_places" (part, first) VALUES (?1, ?2);

-- noteLost
INSERT OR IGNORE INTO temp."parts_of_places" (part, first)
SELECT part.part, ?1 FROM part WHERE part.list = 'places' AND NOT part.part IN ('north/a', 'south');

-- countLacking
SELECT count(*) FROM "places" AS known CROSS JOIN temp."parts_of_places" AS taken
    ON taken.part = known."_document" ->> '$."@town"'
WHERE NOT EXISTS (SELECT 1 FROM temp."pulled_places" AS staged WHERE staged.key = known."_server_id");

-- addLeaving
INSERT OR IGNORE INTO temp."leaving_places" (row_id) VALUES (?1);

-- isLeaving
SELECT EXISTS (SELECT 1 FROM temp."leaving_places" WHERE row_id = ?1);

-- forgetMisses
DELETE FROM missed_row WHERE list = 'places' AND row_id NOT IN (
    SELECT known."_id" FROM "places" AS known WHERE NOT EXISTS (SELECT 1 FROM temp."read_places" AS pulled WHERE pulled.key = known."_server_id"));

-- countMisses
INSERT OR REPLACE INTO missed_row (list, row_id, pulls, round)
SELECT 'places', lacking.row_id, CASE missed.round WHEN ?1 THEN missed.pulls WHEN ?1 - 1 THEN missed.pulls + 1 ELSE lacking.first END, ?1
FROM temp."lacking_places" AS lacking LEFT JOIN missed_row AS missed
    ON missed.list = 'places' AND missed.row_id = lacking.row_id
WHERE lacking.row_id IN (SELECT row_id FROM temp."absent_places")
    AND lacking.row_id IN (SELECT "_id" FROM "places");

-- wanted
SELECT part FROM temp."wanted_places";

-- countEmptied
SELECT count(*), count(*) FILTER (WHERE stays = 0) FROM (
    SELECT (known."_document" ->> '$."@town"') AS part,
        count(*) FILTER (WHERE known."_id" NOT IN (SELECT row_id FROM temp."leaving_places")) AS stays
    FROM "places" AS known GROUP BY 1);

-- partOfRow
SELECT (known."_document" ->> '$."@town"') FROM "places" AS known WHERE known."_id" = ?1;

-- forgetLost
DELETE FROM part WHERE list = 'places' AND NOT part.part IN ('north/a', 'south');

-- upsert of parts
INSERT INTO "places" ("_server_id", "town", "name", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_town", pulled."c_name", (SELECT ifnull(max("_rank"), 0) FROM "places") + pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_places" CROSS JOIN temp."read_places" AS pulled USING (rank)
    CROSS JOIN temp."pulled_places" AS staged USING (position)
WHERE true
ON CONFLICT ("_server_id") DO UPDATE SET
    "town" = excluded."town", "name" = excluded."name",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");

-- count of parts
SELECT count(*) FROM (SELECT column1 AS key, '[]' AS names, NULL AS changed
FROM (VALUES ('north/a'), ('south')));

-- place
DELETE FROM temp."part_of_places";

-- place
INSERT INTO temp."part_of_places" VALUES (?1);

-- compare parts
DELETE FROM temp."lacking_places";

-- compare parts
DELETE FROM temp."wanted_places";

-- compare parts
INSERT OR IGNORE INTO temp."wanted_places" (part)
SELECT (known."_document" ->> '$."@town"') FROM temp."read_places" AS pulled CROSS JOIN "places" AS known ON known."_server_id" = pulled.key
WHERE (known."_document" ->> '$."@town"') IS NOT pulled."c_town"
    AND (known."_document" ->> '$."@town"') NOT IN (SELECT part FROM temp."parts_of_places")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'places' AND missed_row.row_id = known."_id")
    AND (known."_document" ->> '$."@town"') IN ('north/a', 'south')
UNION SELECT pulled."c_town" FROM temp."read_places" AS pulled CROSS JOIN "places" AS known ON known."_server_id" = pulled.key
WHERE (known."_document" ->> '$."@town"') IS NOT pulled."c_town"
    AND (known."_document" ->> '$."@town"') NOT IN (SELECT part FROM temp."parts_of_places")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'places' AND missed_row.row_id = known."_id")
    AND (known."_document" ->> '$."@town"') IN ('north/a', 'south');

-- compare parts
DELETE FROM temp."read_places" WHERE key IN (SELECT pulled.key FROM temp."read_places" AS pulled CROSS JOIN "places" AS known ON known."_server_id" = pulled.key
WHERE (known."_document" ->> '$."@town"') IS NOT pulled."c_town"
    AND (known."_document" ->> '$."@town"') NOT IN (SELECT part FROM temp."parts_of_places")
    AND NOT EXISTS (SELECT 1 FROM missed_row
        WHERE missed_row.list = 'places' AND missed_row.row_id = known."_id")
    AND (known."_document" ->> '$."@town"') IN ('north/a', 'south'));

-- compare parts
DELETE FROM temp."differing_places";

-- compare parts
DELETE FROM temp."absent_places";

-- compare parts
INSERT INTO temp."differing_places" (rank)
SELECT pulled.rank
FROM temp."read_places" AS pulled JOIN temp."pulled_places" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "places" AS shown WHERE shown."_server_id" = pulled.key
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare parts
INSERT INTO temp."lacking_places" (row_id, first)
SELECT known."_id", taken.first FROM "places" AS known CROSS JOIN temp."parts_of_places" AS taken
    ON taken.part = known."_document" ->> '$."@town"' WHERE NOT EXISTS (SELECT 1 FROM temp."read_places" AS pulled WHERE pulled.key = known."_server_id");

-- compare parts
INSERT OR IGNORE INTO temp."absent_places" (row_id) SELECT row_id FROM temp."lacking_places";

-- noteLeaving
DELETE FROM temp."leaving_places";

-- noteLeaving
INSERT OR IGNORE INTO temp."leaving_places" (row_id)
SELECT lacking.row_id FROM temp."lacking_places" AS lacking LEFT JOIN missed_row AS missed
    ON missed.list = 'places' AND missed.row_id = lacking.row_id
WHERE lacking.row_id IN (SELECT row_id FROM temp."absent_places") AND ?2 AND CASE missed.round WHEN ?1 THEN missed.pulls WHEN ?1 - 1 THEN missed.pulls + 1 ELSE lacking.first END >= ?3;

-- noteLeaving
INSERT OR IGNORE INTO temp."leaving_places" (row_id)
SELECT missed.row_id FROM missed_row AS missed CROSS JOIN "places" AS known
    ON known."_id" = missed.row_id
WHERE missed.list = 'places' AND ?2 AND missed.round = ?1 AND missed.pulls >= ?3 AND NOT EXISTS (SELECT 1 FROM temp."read_places" AS pulled WHERE pulled.key = known."_server_id");
