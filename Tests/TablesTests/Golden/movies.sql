CREATE TABLE "movies" (
    "id" INTEGER PRIMARY KEY,
    "title" TEXT NOT NULL,
    "original_title" TEXT,
    "original_language" TEXT,
    "overview" TEXT,
    "release_date" TEXT,
    "poster_path" TEXT,
    "backdrop_path" TEXT,
    "genre_ids" TEXT,
    "popularity" REAL,
    "vote_average" REAL,
    "vote_count" INTEGER,
    "adult" INTEGER,
    "video" INTEGER,
    "rank" INTEGER NOT NULL,
    "fetched_at" TEXT NOT NULL,
    "document" TEXT NOT NULL
) STRICT;

CREATE INDEX "movies by release_date" ON "movies" ("release_date");

CREATE VIRTUAL TABLE "movie_search" USING fts5 (
    "title", "original_title", "overview", content = "movies", content_rowid = "id",
    tokenize = "unicode61 remove_diacritics 2", prefix = '2 3');

CREATE TRIGGER "movies_insert" BEFORE INSERT ON "movies"
WHEN (SELECT applying FROM control) IS NOT 'movies'
BEGIN
    SELECT RAISE(ABORT, 'movies is read only: it shows what the server has');
END;

CREATE TRIGGER "movies_update" BEFORE UPDATE ON "movies"
WHEN (SELECT applying FROM control) IS NOT 'movies'
BEGIN
    SELECT RAISE(ABORT, 'movies is read only: it shows what the server has');
END;

CREATE TRIGGER "movies_delete" BEFORE DELETE ON "movies"
WHEN (SELECT applying FROM control) IS NOT 'movies'
BEGIN
    SELECT RAISE(ABORT, 'movies is read only: it shows what the server has');
END;

CREATE TRIGGER "movies_added" AFTER INSERT ON "movies"
WHEN (SELECT paused FROM control) IS NOT 'movies'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('movies', 'added', NEW."id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "movies_changed" AFTER UPDATE ON "movies"
WHEN (SELECT paused FROM control) IS NOT 'movies' AND OLD."document" IS NOT NEW."document"
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('movies', 'changed', NEW."id", substr(NEW."title", 1, 500));
END;

CREATE TRIGGER "movies_removed" AFTER DELETE ON "movies"
WHEN (SELECT paused FROM control) IS NOT 'movies'
BEGIN
    INSERT INTO change (list, change, row_id, title)
    VALUES ('movies', 'removed', OLD."id", substr(OLD."title", 1, 500));
END;

CREATE VIEW "movie_changes" AS
SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    row_id AS id, title, iif(change = 'changed', 'slipped', change) AS change,
    old_value AS "old_release_date", new_value AS "new_release_date",
    seq
FROM row_change WHERE list = 'movies';

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "pulled_movies" (
    -- The number of its page times 10 000 000, and its place on it.
    position INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT;

-- prepare
CREATE INDEX IF NOT EXISTS temp."keys of pulled_movies" ON "pulled_movies" (key);

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "read_movies" (
    rank INTEGER PRIMARY KEY,
    "c_title" TEXT,
    "c_original_title" TEXT,
    "c_original_language" TEXT,
    "c_overview" TEXT,
    "c_release_date" TEXT,
    "c_poster_path" TEXT,
    "c_backdrop_path" TEXT,
    "c_genre_ids" TEXT,
    "c_popularity" REAL,
    "c_vote_average" REAL,
    "c_vote_count" INTEGER,
    "c_adult" INTEGER,
    "c_video" INTEGER,
    position INTEGER NOT NULL,
    key INTEGER NOT NULL UNIQUE
) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "differing_movies" (rank INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "absent_movies" (row_id INTEGER PRIMARY KEY) STRICT;

-- prepare
CREATE TEMP TABLE IF NOT EXISTS "touched_movies" (
    key INTEGER PRIMARY KEY NOT NULL,
    -- NULL: the row is new.
    row_id INTEGER,
    "c_title" ANY,
    "c_original_title" ANY,
    "c_overview" ANY,
    "c_release_date" ANY
) STRICT;

-- clear
DELETE FROM temp."pulled_movies";

-- clear
DELETE FROM temp."read_movies";

-- clear
DELETE FROM temp."differing_movies";

-- clear
DELETE FROM temp."absent_movies";

-- clear
DELETE FROM temp."touched_movies";

-- envelope
SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
    iif(json_valid(?1), json_type(?1, '$."results"'), NULL),
    iif(json_valid(?1), json_array_length(?1, '$."results"'), NULL),
    NULL,
    iif(json_valid(?1), iif(json_type(?1, '$."total_pages"') = 'integer' AND typeof(?1 ->> '$."total_pages"') = 'integer', ?1 ->> '$."total_pages"', NULL), NULL),
    iif(json_valid(?1), iif(json_type(?1, '$."total_results"') = 'integer' AND typeof(?1 ->> '$."total_results"') = 'integer', ?1 ->> '$."total_results"', NULL), NULL),
    iif(json_valid(?1), ?1 -> '$."results"', NULL),
    NULL,
    NULL;

-- stage
INSERT INTO temp."pulled_movies" (position, key, document)
SELECT ?3 * 10000000 + place, id, value FROM (SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    CASE WHEN (CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END) IS NULL OR length(CAST(CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS BLOB)) > 1048576 THEN 'title' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)) WHERE id IS NOT NULL AND missing IS NULL;

-- nameSkipped
SELECT place, type, id_type, id IS NOT NULL, missing FROM (
    SELECT key + ?2 AS place, value, type, json_type(value, '$."id"') AS id_type,
    iif(json_type(value, '$."id"') = 'integer' AND typeof(value ->> '$."id"') = 'integer', value ->> '$."id"', NULL) AS id,
    CASE WHEN (CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END) IS NULL OR length(CAST(CASE json_type(value, '$."title"') WHEN 'text' THEN value ->> '$."title"' END AS BLOB)) > 1048576 THEN 'title' END AS missing
FROM (SELECT key, value AS value, type FROM json_each(?1) WHERE type = 'object' LIMIT -1)
    UNION ALL SELECT key + ?2, NULL, type, NULL, NULL, NULL
    FROM json_each(?1) WHERE type <> 'object')
WHERE id IS NULL OR missing IS NOT NULL
ORDER BY place LIMIT 20;

-- stageUnchanged
INSERT INTO temp."pulled_movies" (position, key, document)
SELECT ?2 * 10000000 + listed.key, shown."id", shown."document"
FROM json_each(?1) AS listed JOIN "movies" AS shown ON shown."id" = listed.value
;

-- read
INSERT INTO temp."read_movies" ("c_title", "c_original_title", "c_original_language", "c_overview", "c_release_date", "c_poster_path", "c_backdrop_path", "c_genre_ids", "c_popularity", "c_vote_average", "c_vote_count", "c_adult", "c_video", position, key)
SELECT CASE json_type(document, '$."title"') WHEN 'text' THEN document ->> '$."title"' END,
    CASE json_type(document, '$."original_title"') WHEN 'text' THEN document ->> '$."original_title"' END,
    CASE json_type(document, '$."original_language"') WHEN 'text' THEN document ->> '$."original_language"' END,
    CASE json_type(document, '$."overview"') WHEN 'text' THEN document ->> '$."overview"' END,
    CASE json_type(document, '$."release_date"') WHEN 'text' THEN document ->> '$."release_date"' END,
    CASE json_type(document, '$."poster_path"') WHEN 'text' THEN document ->> '$."poster_path"' END,
    CASE json_type(document, '$."backdrop_path"') WHEN 'text' THEN document ->> '$."backdrop_path"' END,
    CASE WHEN json_type(document, '$."genre_ids"') IN ('object', 'array') THEN document -> '$."genre_ids"' END,
    CASE json_type(document, '$."popularity"')
    WHEN 'integer' THEN CAST(document ->> '$."popularity"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."popularity"') < 9e999, document ->> '$."popularity"', NULL)
END,
    CASE json_type(document, '$."vote_average"')
    WHEN 'integer' THEN CAST(document ->> '$."vote_average"' AS REAL)
    WHEN 'real' THEN iif(abs(document ->> '$."vote_average"') < 9e999, document ->> '$."vote_average"', NULL)
END,
    CASE json_type(document, '$."vote_count"')
    WHEN 'integer' THEN iif(typeof(document ->> '$."vote_count"') = 'integer', document ->> '$."vote_count"', NULL)
    WHEN 'real' THEN iif(document ->> '$."vote_count"' = CAST(document ->> '$."vote_count"' AS INTEGER)
        AND abs(document ->> '$."vote_count"') < 9007199254740992, CAST(document ->> '$."vote_count"' AS INTEGER), NULL)
END,
    CASE json_type(document, '$."adult"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."adult"' IN (0, 1), document ->> '$."adult"', NULL)
END,
    CASE json_type(document, '$."video"')
    WHEN 'true' THEN 1 WHEN 'false' THEN 0
    WHEN 'integer' THEN iif(document ->> '$."video"' IN (0, 1), document ->> '$."video"', NULL)
END,
    position, key
FROM temp."pulled_movies" WHERE position > ?1 ORDER BY position LIMIT ?2
ON CONFLICT (key) DO NOTHING;

-- lastRead
SELECT max(position)
FROM (SELECT position FROM temp."pulled_movies" WHERE position > ?1 ORDER BY position LIMIT ?2);

-- compare
DELETE FROM temp."differing_movies";

-- compare
DELETE FROM temp."absent_movies";

-- compare
INSERT INTO temp."differing_movies" (rank)
SELECT pulled.rank
FROM temp."read_movies" AS pulled JOIN temp."pulled_movies" AS staged USING (position)
WHERE NOT EXISTS (SELECT 1 FROM "movies" AS shown WHERE shown."id" = pulled.key
    AND shown."rank" = pulled.rank
    AND (shown."document" = staged.document OR same_json(shown."document", staged.document)));

-- compare
INSERT INTO temp."absent_movies" (row_id)
SELECT "id" FROM "movies" AS shown
WHERE NOT EXISTS (SELECT 1 FROM temp."read_movies" AS pulled WHERE pulled.key = shown."id");

-- noteNew
INSERT INTO temp."touched_movies" (key)
SELECT pulled.key
FROM temp."differing_movies" CROSS JOIN temp."read_movies" AS pulled USING (rank)
WHERE NOT EXISTS (SELECT 1 FROM "movies" AS shown WHERE shown."id" = pulled.key);

-- noteChanged
INSERT INTO temp."touched_movies"
SELECT shown."id", shown."id", shown."title", shown."original_title", shown."overview", shown."release_date"
FROM temp."differing_movies" CROSS JOIN temp."read_movies" AS pulled USING (rank)
    CROSS JOIN temp."pulled_movies" AS staged USING (position)
    CROSS JOIN "movies" AS shown ON shown."id" = pulled.key
WHERE NOT (staged.document = shown."document" OR same_json(staged.document, shown."document"));

-- upsert
INSERT INTO "movies" ("id", "title", "original_title", "original_language", "overview", "release_date", "poster_path", "backdrop_path", "genre_ids", "popularity", "vote_average", "vote_count", "adult", "video", "rank", "fetched_at", "document")
SELECT pulled.key, pulled."c_title", pulled."c_original_title", pulled."c_original_language", pulled."c_overview", pulled."c_release_date", pulled."c_poster_path", pulled."c_backdrop_path", pulled."c_genre_ids", pulled."c_popularity", pulled."c_vote_average", pulled."c_vote_count", pulled."c_adult", pulled."c_video", pulled.rank,
    strftime('%Y-%m-%dT%H:%M:%fZ', ?1 / 1000.0, 'unixepoch'), staged.document
FROM temp."differing_movies" CROSS JOIN temp."read_movies" AS pulled USING (rank)
    CROSS JOIN temp."pulled_movies" AS staged USING (position)
WHERE true
ON CONFLICT ("id") DO UPDATE SET
    "title" = excluded."title", "original_title" = excluded."original_title", "original_language" = excluded."original_language", "overview" = excluded."overview", "release_date" = excluded."release_date", "poster_path" = excluded."poster_path", "backdrop_path" = excluded."backdrop_path", "genre_ids" = iif(same_json("genre_ids", excluded."genre_ids"), "genre_ids", excluded."genre_ids"), "popularity" = excluded."popularity", "vote_average" = excluded."vote_average", "vote_count" = excluded."vote_count", "adult" = excluded."adult", "video" = excluded."video", "rank" = excluded."rank",
    "document" = iif(("document" = excluded."document" OR same_json("document", excluded."document")), "document", excluded."document"),
    "fetched_at" = iif(("document" = excluded."document" OR same_json("document", excluded."document")), "fetched_at", excluded."fetched_at");
