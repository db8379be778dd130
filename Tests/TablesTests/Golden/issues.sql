CREATE TABLE "issues" (
    "number" INTEGER,
    "title" TEXT NOT NULL,
    "author" TEXT,
    "labels" TEXT,
    "updated_at" TEXT,
    "body" TEXT,
    "_id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "_server_id" TEXT NOT NULL UNIQUE,
    "_fetched_at" TEXT NOT NULL,
    "_rank" INTEGER NOT NULL,
    "_document" TEXT NOT NULL
) STRICT;

CREATE INDEX "issues by updated_at" ON "issues" ("updated_at");

CREATE VIRTUAL TABLE "issues_search" USING fts5 (
    "title", "body", content = "issues", content_rowid = "_id",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "issues_insert" BEFORE INSERT ON "issues"
WHEN (SELECT applying FROM control) IS NOT 'issues'
BEGIN
    SELECT RAISE(ABORT, 'issues is read only: it shows what the server has');
END;

CREATE TRIGGER "issues_update" BEFORE UPDATE ON "issues"
WHEN (SELECT applying FROM control) IS NOT 'issues'
BEGIN
    SELECT RAISE(ABORT, 'issues is read only: it shows what the server has');
END;

CREATE TRIGGER "issues_delete" BEFORE DELETE ON "issues"
WHEN (SELECT applying FROM control) IS NOT 'issues'
BEGIN
    SELECT RAISE(ABORT, 'issues is read only: it shows what the server has');
END;

CREATE TRIGGER "issues_added" AFTER INSERT ON "issues"
WHEN (SELECT paused FROM control) IS NOT 'issues'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('issues', 'added', NEW."_id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "issues_changed" AFTER UPDATE ON "issues"
WHEN (SELECT paused FROM control) IS NOT 'issues' AND OLD."_document" IS NOT NEW."_document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('issues', 'changed', NEW."_id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "issues_removed" AFTER DELETE ON "issues"
WHEN (SELECT paused FROM control) IS NOT 'issues'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('issues', 'removed', OLD."_id", substr(OLD."title", 1, 500));
END;

CREATE TRIGGER "issues_left" AFTER DELETE ON "issues"
WHEN OLD."_id" > coalesce((SELECT gone.id FROM highest_id AS gone WHERE gone.list = 'issues'), 0)
BEGIN
    INSERT INTO highest_id (list, id) SELECT 'issues', 0
    WHERE NOT EXISTS (SELECT 1 FROM highest_id WHERE list = 'issues');
    UPDATE highest_id SET id = max(id, max(OLD."_id", coalesce((SELECT max("_id") FROM "issues"), 0))) WHERE list = 'issues';
END;

CREATE VIEW "issues_changes" AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    row_id AS id, title, change AS change,
    old_value AS "old_title", new_value AS "new_title",
    seq
FROM row_change WHERE list = 'issues';

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_issues" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_issues" ON "pulled_issues" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_issues" (
    rank INTEGER PRIMARY KEY,
    "c_number" INTEGER,
    "c_title" TEXT,
    "c_author" TEXT,
    "c_labels" TEXT,
    "c_updated_at" TEXT,
    "c_body" TEXT,
    position INTEGER NOT NULL,
    key TEXT NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_issues" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_issues" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_issues" (
    key TEXT PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER,
    "c_title" ANY,
    "c_body" ANY
) STRICT;

-- clear
DELETE FROM temp."pulled_issues";

-- clear
DELETE FROM temp."read_issues";

-- clear
DELETE FROM temp."differing_issues";

-- clear
DELETE FROM temp."absent_issues";

-- clear
DELETE FROM temp."touched_issues";

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
INSERT INTO temp."pulled_issues" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    CASE WHEN json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer' THEN CAST(value ->> '$."id"' AS TEXT)
    WHEN json_type(value, '$."id"') = 'text' AND length(CAST(value ->> '$."id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END) IS NULL OR length(CAST(CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS BLOB)) > 1048576 THEN 'title' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    CASE WHEN json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer' THEN CAST(value ->> '$."id"' AS TEXT)
    WHEN json_type(value, '$."id"') = 'text' AND length(CAST(value ->> '$."id"' AS BLOB)) BETWEEN 1 AND 200 THEN value ->> '$."id"'
END AS id,
    CASE WHEN (CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END) IS NULL OR length(CAST(CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS BLOB)) > 1048576 THEN 'title' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_issues" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."_server_id", shown."_document"
FROM json_each(?1) AS listed JOIN "issues" AS shown ON shown."_server_id" = listed.value
;

-- read
INSERT INTO temp."read_issues" ("c_number", "c_title", "c_author", "c_labels", "c_updated_at", "c_body", position, key)
SELECT CASE json_type(document, '$."number"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."number"') = 'integer', document ->> '$."number"', NULL)
    WHEN 'real' THEN iif(document ->> '$."number"' = CAST(document ->> '$."number"' AS INTEGER)
        AND abs(document ->> '$."number"') < 9007199254740992, CAST(document ->> '$."number"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."title"') WHEN 'text' THEN document ->> '$."title"' END,
    CASE json_type(document, '$."user"."login"') WHEN 'text' THEN document ->> '$."user"."login"' END,
    CASE WHEN json_type(document, '$."labels"') IN ('object', 'array') THEN document -> '$."labels"' END,
    CASE json_type(document, '$."updated_at"') WHEN 'text' THEN document ->> '$."updated_at"' END,
    CASE json_type(document, '$."body"') WHEN 'text' THEN document ->> '$."body"' END,
    position, key
FROM temp."pulled_issues" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_issues" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_issues";

-- compare
DELETE FROM temp."absent_issues";

-- compare
INSERT INTO temp."differing_issues" (rank)
SELECT pulled.rank
FROM temp."read_issues" AS pulled JOIN temp."pulled_issues" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "issues" AS shown WHERE shown."_server_id" = pulled.key
    AND shown."_rank" = pulled.rank
    AND (shown."_document" = staged.document OR same_json(shown."_document", staged.document)));

-- compare
INSERT INTO temp."absent_issues" (row_id)
SELECT "_id" FROM "issues" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_issues" AS pulled WHERE pulled.key = shown."_server_id");

-- noteNew
INSERT INTO temp."touched_issues" (key)
SELECT pulled.key
FROM temp."differing_issues" CROSS JOIN temp."read_issues" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "issues" AS shown WHERE shown."_server_id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_issues"
SELECT shown."_server_id", shown."_id", shown."title", shown."body"
FROM temp."differing_issues" CROSS JOIN temp."read_issues" AS pulled USING (rank)
    CROSS JOIN temp."pulled_issues" AS staged USING (position)
    CROSS JOIN "issues" AS shown ON shown."_server_id" = pulled.key
WHERE NOT (staged.document = shown."_document" OR same_json(staged.document, shown."_document"));

-- upsert
INSERT INTO "issues" ("_server_id", "number", "title", "author", "labels", "updated_at", "body", "_rank", "_fetched_at", "_document")
SELECT pulled.key, pulled."c_number", pulled."c_title", pulled."c_author", pulled."c_labels", pulled."c_updated_at", pulled."c_body", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_issues" CROSS JOIN temp."read_issues" AS pulled USING (rank)
    CROSS JOIN temp."pulled_issues" AS staged USING (position)
WHERE true
ON CONFLICT ("_server_id") DO UPDATE SET
    "number" = excluded."number", "title" = excluded."title", "author" = excluded."author", "labels" = iif(same_json("labels", excluded."labels"), "labels", excluded."labels"), "updated_at" = excluded."updated_at", "body" = excluded."body", "_rank" = excluded."_rank",
    "_document" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_document", excluded."_document"),
    "_fetched_at" = iif(("_document" = excluded."_document" OR same_json("_document", excluded."_document")), "_fetched_at", excluded."_fetched_at");
