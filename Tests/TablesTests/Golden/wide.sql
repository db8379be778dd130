CREATE TABLE "wide" (
    "c0" TEXT,
    "c1" INTEGER,
    "c2" REAL,
    "c3" INTEGER,
    "c4" TEXT,
    "c5" TEXT,
    "c6" INTEGER,
    "c7" REAL,
    "c8" INTEGER,
    "c9" TEXT,
    "c10" TEXT,
    "c11" INTEGER,
    "c12" REAL,
    "c13" INTEGER,
    "c14" TEXT,
    "c15" TEXT,
    "c16" INTEGER,
    "c17" REAL,
    "c18" INTEGER,
    "c19" TEXT,
    "c20" TEXT,
    "c21" INTEGER,
    "c22" REAL,
    "c23" INTEGER,
    "c24" TEXT,
    "c25" TEXT,
    "c26" INTEGER,
    "c27" REAL,
    "c28" INTEGER,
    "c29" TEXT,
    "c30" TEXT,
    "c31" INTEGER,
    "c32" REAL,
    "c33" INTEGER,
    "c34" TEXT,
    "c35" TEXT,
    "c36" INTEGER,
    "c37" REAL,
    "c38" INTEGER,
    "c39" TEXT,
    "c40" TEXT,
    "c41" INTEGER,
    "c42" REAL,
    "c43" INTEGER,
    "c44" TEXT,
    "c45" TEXT,
    "c46" INTEGER,
    "c47" REAL,
    "c48" INTEGER,
    "c49" TEXT,
    "c50" TEXT,
    "c51" INTEGER,
    "c52" REAL,
    "c53" INTEGER,
    "c54" TEXT,
    "c55" TEXT,
    "c56" INTEGER,
    "c57" REAL,
    "c58" INTEGER,
    "_id" INTEGER PRIMARY KEY,
    "_fetched_at" TEXT NOT NULL,
    "_rank" INTEGER NOT NULL,
    "_document" TEXT NOT NULL
) STRICT;

CREATE TRIGGER "wide_insert" BEFORE INSERT ON "wide"
WHEN (SELECT applying FROM control) IS NOT 'wide'
BEGIN
    SELECT RAISE(ABORT, 'wide is read only: it shows what the server has');
END;

CREATE TRIGGER "wide_update" BEFORE UPDATE ON "wide"
WHEN (SELECT applying FROM control) IS NOT 'wide'
BEGIN
    SELECT RAISE(ABORT, 'wide is read only: it shows what the server has');
END;

CREATE TRIGGER "wide_delete" BEFORE DELETE ON "wide"
WHEN (SELECT applying FROM control) IS NOT 'wide'
BEGIN
    SELECT RAISE(ABORT, 'wide is read only: it shows what the server has');
END;

CREATE TRIGGER "wide_added" AFTER INSERT ON "wide"
WHEN (SELECT paused FROM control) IS NOT 'wide'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('wide', 'added', NEW."_id", CAST(NEW."_id" AS TEXT));
END;

CREATE TRIGGER "wide_changed" AFTER UPDATE ON "wide"
WHEN (SELECT paused FROM control) IS NOT 'wide' AND OLD."_document" IS NOT NEW."_document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('wide', 'changed', NEW."_id", CAST(NEW."_id" AS TEXT));
END;

CREATE TRIGGER "wide_removed" AFTER DELETE ON "wide"
WHEN (SELECT paused FROM control) IS NOT 'wide'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('wide', 'removed', OLD."_id", CAST(OLD."_id" AS TEXT));
END;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_wide" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_wide" ON "pulled_wide" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_wide" (
    rank INTEGER PRIMARY KEY,
    "c_c0" TEXT,
    "c_c1" INTEGER,
    "c_c2" REAL,
    "c_c3" INTEGER,
    "c_c4" TEXT,
    "c_c5" TEXT,
    "c_c6" INTEGER,
    "c_c7" REAL,
    "c_c8" INTEGER,
    "c_c9" TEXT,
    "c_c10" TEXT,
    "c_c11" INTEGER,
    "c_c12" REAL,
    "c_c13" INTEGER,
    "c_c14" TEXT,
    "c_c15" TEXT,
    "c_c16" INTEGER,
    "c_c17" REAL,
    "c_c18" INTEGER,
    "c_c19" TEXT,
    "c_c20" TEXT,
    "c_c21" INTEGER,
    "c_c22" REAL,
    "c_c23" INTEGER,
    "c_c24" TEXT,
    "c_c25" TEXT,
    "c_c26" INTEGER,
    "c_c27" REAL,
    "c_c28" INTEGER,
    "c_c29" TEXT,
    "c_c30" TEXT,
    "c_c31" INTEGER,
    "c_c32" REAL,
    "c_c33" INTEGER,
    "c_c34" TEXT,
    "c_c35" TEXT,
    "c_c36" INTEGER,
    "c_c37" REAL,
    "c_c38" INTEGER,
    "c_c39" TEXT,
    "c_c40" TEXT,
    "c_c41" INTEGER,
    "c_c42" REAL,
    "c_c43" INTEGER,
    "c_c44" TEXT,
    "c_c45" TEXT,
    "c_c46" INTEGER,
    "c_c47" REAL,
    "c_c48" INTEGER,
    "c_c49" TEXT,
    "c_c50" TEXT,
    "c_c51" INTEGER,
    "c_c52" REAL,
    "c_c53" INTEGER,
    "c_c54" TEXT,
    "c_c55" TEXT,
    "c_c56" INTEGER,
    "c_c57" REAL,
    "c_c58" INTEGER,
    position INTEGER NOT NULL,
    key INTEGER NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_wide" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_wide" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_wide" (
    key INTEGER PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER
) STRICT;

-- clear
DELETE FROM temp."pulled_wide";

-- clear
DELETE FROM temp."read_wide";

-- clear
DELETE FROM temp."differing_wide";

-- clear
DELETE FROM temp."absent_wide";

-- clear
DELETE FROM temp."touched_wide";

-- envelope
SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
    iif(json_valid(?1), json_type(?1, '$."data"'), NULL),
    iif(json_valid(?1), json_array_length(?1, '$."data"'), NULL),
    NULL,
    NULL,
    iif(json_valid(?1), iif(json_type(?1, '$."count"') = 'integer' AND typeof(?1 ->> '$."count"') = 'integer', ?1 ->> '$."count"', NULL), NULL),
    iif(json_valid(?1), ?1 -> '$."data"', NULL),
    NULL,
    iif(json_valid(?1), iif(json_type(?1, '$.errors') = 'array', json_array_length(?1, '$.errors'), NULL), NULL);

-- stage
INSERT INTO temp."pulled_wide" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    NULL AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    NULL AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_wide" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."_id", shown."_document"
FROM json_each(?1) AS listed JOIN "wide" AS shown ON shown."_id" = listed.value
;

-- read
INSERT INTO temp."read_wide" ("c_c0", "c_c1", "c_c2", "c_c3", "c_c4", "c_c5", "c_c6", "c_c7", "c_c8", "c_c9", "c_c10", "c_c11", "c_c12", "c_c13", "c_c14", "c_c15", "c_c16", "c_c17", "c_c18", "c_c19", "c_c20", "c_c21", "c_c22", "c_c23", "c_c24", "c_c25", "c_c26", "c_c27", "c_c28", "c_c29", "c_c30", "c_c31", "c_c32", "c_c33", "c_c34", "c_c35", "c_c36", "c_c37", "c_c38", "c_c39", "c_c40", "c_c41", "c_c42", "c_c43", "c_c44", "c_c45", "c_c46", "c_c47", "c_c48", "c_c49", "c_c50", "c_c51", "c_c52", "c_c53", "c_c54", "c_c55", "c_c56", "c_c57", "c_c58", position, key)
SELECT CASE json_type(document, '$."f0"') WHEN 'text' THEN document ->> '$."f0"' END,
    CASE json_type(document, '$."f1"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f1"') = 'integer', document ->> '$."f1"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f1"' = CAST(document ->> '$."f1"' AS INTEGER)
        AND abs(document ->> '$."f1"') < 9007199254740992, CAST(document ->> '$."f1"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f2"')
    WHEN 'integer' THEN CAST(document ->> '$."f2"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f2"') < 9e999, document ->> '$."f2"', NULL)
END,
    CASE json_type(document, '$."f3"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f3"' IN (0, 1), document ->> '$."f3"', NULL)
END,
    CASE WHEN json_type(document, '$."f4"') IN ('object', 'array') THEN document -> '$."f4"' END,
    CASE json_type(document, '$."f5"') WHEN 'text' THEN document ->> '$."f5"' END,
    CASE json_type(document, '$."f6"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f6"') = 'integer', document ->> '$."f6"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f6"' = CAST(document ->> '$."f6"' AS INTEGER)
        AND abs(document ->> '$."f6"') < 9007199254740992, CAST(document ->> '$."f6"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f7"')
    WHEN 'integer' THEN CAST(document ->> '$."f7"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f7"') < 9e999, document ->> '$."f7"', NULL)
END,
    CASE json_type(document, '$."f8"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f8"' IN (0, 1), document ->> '$."f8"', NULL)
END,
    CASE WHEN json_type(document, '$."f9"') IN ('object', 'array') THEN document -> '$."f9"' END,
    CASE json_type(document, '$."f10"') WHEN 'text' THEN document ->> '$."f10"' END,
    CASE json_type(document, '$."f11"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f11"') = 'integer', document ->> '$."f11"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f11"' = CAST(document ->> '$."f11"' AS INTEGER)
        AND abs(document ->> '$."f11"') < 9007199254740992, CAST(document ->> '$."f11"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f12"')
    WHEN 'integer' THEN CAST(document ->> '$."f12"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f12"') < 9e999, document ->> '$."f12"', NULL)
END,
    CASE json_type(document, '$."f13"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f13"' IN (0, 1), document ->> '$."f13"', NULL)
END,
    CASE WHEN json_type(document, '$."f14"') IN ('object', 'array') THEN document -> '$."f14"' END,
    CASE json_type(document, '$."f15"') WHEN 'text' THEN document ->> '$."f15"' END,
    CASE json_type(document, '$."f16"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f16"') = 'integer', document ->> '$."f16"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f16"' = CAST(document ->> '$."f16"' AS INTEGER)
        AND abs(document ->> '$."f16"') < 9007199254740992, CAST(document ->> '$."f16"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f17"')
    WHEN 'integer' THEN CAST(document ->> '$."f17"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f17"') < 9e999, document ->> '$."f17"', NULL)
END,
    CASE json_type(document, '$."f18"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f18"' IN (0, 1), document ->> '$."f18"', NULL)
END,
    CASE WHEN json_type(document, '$."f19"') IN ('object', 'array') THEN document -> '$."f19"' END,
    CASE json_type(document, '$."f20"') WHEN 'text' THEN document ->> '$."f20"' END,
    CASE json_type(document, '$."f21"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f21"') = 'integer', document ->> '$."f21"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f21"' = CAST(document ->> '$."f21"' AS INTEGER)
        AND abs(document ->> '$."f21"') < 9007199254740992, CAST(document ->> '$."f21"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f22"')
    WHEN 'integer' THEN CAST(document ->> '$."f22"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f22"') < 9e999, document ->> '$."f22"', NULL)
END,
    CASE json_type(document, '$."f23"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f23"' IN (0, 1), document ->> '$."f23"', NULL)
END,
    CASE WHEN json_type(document, '$."f24"') IN ('object', 'array') THEN document -> '$."f24"' END,
    CASE json_type(document, '$."f25"') WHEN 'text' THEN document ->> '$."f25"' END,
    CASE json_type(document, '$."f26"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f26"') = 'integer', document ->> '$."f26"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f26"' = CAST(document ->> '$."f26"' AS INTEGER)
        AND abs(document ->> '$."f26"') < 9007199254740992, CAST(document ->> '$."f26"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f27"')
    WHEN 'integer' THEN CAST(document ->> '$."f27"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f27"') < 9e999, document ->> '$."f27"', NULL)
END,
    CASE json_type(document, '$."f28"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f28"' IN (0, 1), document ->> '$."f28"', NULL)
END,
    CASE WHEN json_type(document, '$."f29"') IN ('object', 'array') THEN document -> '$."f29"' END,
    CASE json_type(document, '$."f30"') WHEN 'text' THEN document ->> '$."f30"' END,
    CASE json_type(document, '$."f31"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f31"') = 'integer', document ->> '$."f31"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f31"' = CAST(document ->> '$."f31"' AS INTEGER)
        AND abs(document ->> '$."f31"') < 9007199254740992, CAST(document ->> '$."f31"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f32"')
    WHEN 'integer' THEN CAST(document ->> '$."f32"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f32"') < 9e999, document ->> '$."f32"', NULL)
END,
    CASE json_type(document, '$."f33"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f33"' IN (0, 1), document ->> '$."f33"', NULL)
END,
    CASE WHEN json_type(document, '$."f34"') IN ('object', 'array') THEN document -> '$."f34"' END,
    CASE json_type(document, '$."f35"') WHEN 'text' THEN document ->> '$."f35"' END,
    CASE json_type(document, '$."f36"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f36"') = 'integer', document ->> '$."f36"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f36"' = CAST(document ->> '$."f36"' AS INTEGER)
        AND abs(document ->> '$."f36"') < 9007199254740992, CAST(document ->> '$."f36"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f37"')
    WHEN 'integer' THEN CAST(document ->> '$."f37"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f37"') < 9e999, document ->> '$."f37"', NULL)
END,
    CASE json_type(document, '$."f38"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f38"' IN (0, 1), document ->> '$."f38"', NULL)
END,
    CASE WHEN json_type(document, '$."f39"') IN ('object', 'array') THEN document -> '$."f39"' END,
    CASE json_type(document, '$."f40"') WHEN 'text' THEN document ->> '$."f40"' END,
    CASE json_type(document, '$."f41"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f41"') = 'integer', document ->> '$."f41"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f41"' = CAST(document ->> '$."f41"' AS INTEGER)
        AND abs(document ->> '$."f41"') < 9007199254740992, CAST(document ->> '$."f41"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f42"')
    WHEN 'integer' THEN CAST(document ->> '$."f42"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f42"') < 9e999, document ->> '$."f42"', NULL)
END,
    CASE json_type(document, '$."f43"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f43"' IN (0, 1), document ->> '$."f43"', NULL)
END,
    CASE WHEN json_type(document, '$."f44"') IN ('object', 'array') THEN document -> '$."f44"' END,
    CASE json_type(document, '$."f45"') WHEN 'text' THEN document ->> '$."f45"' END,
    CASE json_type(document, '$."f46"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f46"') = 'integer', document ->> '$."f46"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f46"' = CAST(document ->> '$."f46"' AS INTEGER)
        AND abs(document ->> '$."f46"') < 9007199254740992, CAST(document ->> '$."f46"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f47"')
    WHEN 'integer' THEN CAST(document ->> '$."f47"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f47"') < 9e999, document ->> '$."f47"', NULL)
END,
    CASE json_type(document, '$."f48"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f48"' IN (0, 1), document ->> '$."f48"', NULL)
END,
    CASE WHEN json_type(document, '$."f49"') IN ('object', 'array') THEN document -> '$."f49"' END,
    CASE json_type(document, '$."f50"') WHEN 'text' THEN document ->> '$."f50"' END,
    CASE json_type(document, '$."f51"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f51"') = 'integer', document ->> '$."f51"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f51"' = CAST(document ->> '$."f51"' AS INTEGER)
        AND abs(document ->> '$."f51"') < 9007199254740992, CAST(document ->> '$."f51"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f52"')
    WHEN 'integer' THEN CAST(document ->> '$."f52"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f52"') < 9e999, document ->> '$."f52"', NULL)
END,
    CASE json_type(document, '$."f53"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f53"' IN (0, 1), document ->> '$."f53"', NULL)
END,
    CASE WHEN json_type(document, '$."f54"') IN ('object', 'array') THEN document -> '$."f54"' END,
    CASE json_type(document, '$."f55"') WHEN 'text' THEN document ->> '$."f55"' END,
    CASE json_type(document, '$."f56"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."f56"') = 'integer', document ->> '$."f56"', NULL)
    WHEN 'real' THEN iif(document ->> '$."f56"' = CAST(document ->> '$."f56"' AS INTEGER)
        AND abs(document ->> '$."f56"') < 9007199254740992, CAST(document ->> '$."f56"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."f57"')
    WHEN 'integer' THEN CAST(document ->> '$."f57"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."f57"') < 9e999, document ->> '$."f57"', NULL)
END,
    CASE json_type(document, '$."f58"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."f58"' IN (0, 1), document ->> '$."f58"', NULL)
END,
    position, key
FROM temp."pulled_wide" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_wide" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_wide";

-- compare
DELETE FROM temp."absent_wide";

-- compare
INSERT INTO temp."differing_wide" (rank)
SELECT pulled.rank
FROM temp."read_wide" AS pulled JOIN temp."pulled_wide" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "wide" AS shown WHERE shown."_id" = pulled.key
    AND shown."_rank" = pulled.rank
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare
INSERT INTO temp."absent_wide" (row_id)
SELECT "_id" FROM "wide" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_wide" AS pulled WHERE pulled.key = shown."_id");

-- noteNew
INSERT INTO temp."touched_wide" (key)
SELECT pulled.key
FROM temp."differing_wide" CROSS JOIN temp."read_wide" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "wide" AS shown WHERE shown."_id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_wide"
SELECT shown."_id", shown."_id"
FROM temp."differing_wide" CROSS JOIN temp."read_wide" AS pulled USING (rank)
    CROSS JOIN temp."pulled_wide" AS staged USING (position)
    CROSS JOIN "wide" AS shown ON shown."_id" = pulled.key
WHERE NOT (staged.document = shown."_document" OR same_json(staged.document, shown."_document"));

-- upsert
INSERT INTO "wide" ("_id", "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c13", "c14", "c15", "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23", "c24", "c25", "c26", "c27", "c28", "c29", "c30", "c31", "c32", "c33", "c34", "c35", "c36", "c37", "c38", "c39", "c40", "c41", "c42", "c43", "c44", "c45", "c46", "c47", "c48", "c49", "c50", "c51", "c52", "c53", "c54", "c55", "c56", "c57", "c58", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_c0", pulled."c_c1", pulled."c_c2", pulled."c_c3", pulled."c_c4", pulled."c_c5", pulled."c_c6", pulled."c_c7", pulled."c_c8", pulled."c_c9", pulled."c_c10", pulled."c_c11", pulled."c_c12", pulled."c_c13", pulled."c_c14", pulled."c_c15", pulled."c_c16", pulled."c_c17", pulled."c_c18", pulled."c_c19", pulled."c_c20", pulled."c_c21", pulled."c_c22", pulled."c_c23", pulled."c_c24", pulled."c_c25", pulled."c_c26", pulled."c_c27", pulled."c_c28", pulled."c_c29", pulled."c_c30", pulled."c_c31", pulled."c_c32", pulled."c_c33", pulled."c_c34", pulled."c_c35", pulled."c_c36", pulled."c_c37", pulled."c_c38", pulled."c_c39", pulled."c_c40", pulled."c_c41", pulled."c_c42", pulled."c_c43", pulled."c_c44", pulled."c_c45", pulled."c_c46", pulled."c_c47", pulled."c_c48", pulled."c_c49", pulled."c_c50", pulled."c_c51", pulled."c_c52", pulled."c_c53", pulled."c_c54", pulled."c_c55", pulled."c_c56", pulled."c_c57", pulled."c_c58", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_wide" CROSS JOIN temp."read_wide" AS pulled USING (rank)
    CROSS JOIN temp."pulled_wide" AS staged USING (position)
WHERE true
ON CONFLICT ("_id") DO UPDATE SET
    "c0" = excluded."c0", "c1" = excluded."c1", "c2" = excluded."c2", "c3" = excluded."c3", "c4" = iif(same_json("c4", excluded."c4"), "c4", excluded."c4"), "c5" = excluded."c5", "c6" = excluded."c6", "c7" = excluded."c7", "c8" = excluded."c8", "c9" = iif(same_json("c9", excluded."c9"), "c9", excluded."c9"), "c10" = excluded."c10", "c11" = excluded."c11", "c12" = excluded."c12", "c13" = excluded."c13", "c14" = iif(same_json("c14", excluded."c14"), "c14", excluded."c14"), "c15" = excluded."c15", "c16" = excluded."c16", "c17" = excluded."c17", "c18" = excluded."c18", "c19" = iif(same_json("c19", excluded."c19"), "c19", excluded."c19"), "c20" = excluded."c20", "c21" = excluded."c21", "c22" = excluded."c22", "c23" = excluded."c23", "c24" = iif(same_json("c24", excluded."c24"), "c24", excluded."c24"), "c25" = excluded."c25", "c26" = excluded."c26", "c27" = excluded."c27", "c28" = excluded."c28", "c29" = iif(same_json("c29", excluded."c29"), "c29", excluded."c29"), "c30" = excluded."c30", "c31" = excluded."c31", "c32" = excluded."c32", "c33" = excluded."c33", "c34" = iif(same_json("c34", excluded."c34"), "c34", excluded."c34"), "c35" = excluded."c35", "c36" = excluded."c36", "c37" = excluded."c37", "c38" = excluded."c38", "c39" = iif(same_json("c39", excluded."c39"), "c39", excluded."c39"), "c40" = excluded."c40", "c41" = excluded."c41", "c42" = excluded."c42", "c43" = excluded."c43", "c44" = iif(same_json("c44", excluded."c44"), "c44", excluded."c44"), "c45" = excluded."c45", "c46" = excluded."c46", "c47" = excluded."c47", "c48" = excluded."c48", "c49" = iif(same_json("c49", excluded."c49"), "c49", excluded."c49"), "c50" = excluded."c50", "c51" = excluded."c51", "c52" = excluded."c52", "c53" = excluded."c53", "c54" = iif(same_json("c54", excluded."c54"), "c54", excluded."c54"), "c55" = excluded."c55", "c56" = excluded."c56", "c57" = excluded."c57", "c58" = excluded."c58", "_rank" = excluded."_rank",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");
