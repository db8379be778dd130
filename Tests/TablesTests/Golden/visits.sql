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

CREATE TRIGGER "visits_insert" AFTER INSERT ON "visits"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'the row of visits with this id is being deleted at the server: insert it without its id')
    WHERE EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt'));
    SELECT RAISE(ABORT, 'this id of visits was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= (SELECT seq FROM sqlite_sequence WHERE name = 'visits')
            OR NEW."_id" < (SELECT max(row_id) FROM operation WHERE resource = 'visits')
            OR NEW."_id" < (SELECT max(row_id) FROM withdrawn WHERE resource = 'visits')
            OR NEW."_id" <= (SELECT max(known.id) FROM "s_visits" AS known)
            OR NEW."_id" <= (SELECT max(hidden.id) FROM "d_visits" AS hidden))
        AND NOT (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create'));
    SELECT RAISE(ABORT, '_state, _server_id, _error, _added_at of visits are written by syncd alone: leave them out')
    WHERE (NEW."_server_id" IS NOT NULL OR NEW."_error" IS NOT NULL OR NEW."_state" <> 'queued' OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND NOT (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create'));
    SELECT RAISE(ABORT, 'notes of visits cannot be given to a new row: the server takes changes of it alone')
    WHERE (NEW."notes" IS NOT NULL)
        AND NOT (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create'));
    SELECT RAISE(ABORT, 'place of visits cannot be changed, because the server has no call for it')
    WHERE (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt')))
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
            AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must be given')
    WHERE NEW."place" IS NULL
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must not be empty')
    WHERE length(CAST(NEW."place" AS BLOB)) = 0
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must not be blank')
    WHERE trim(NEW."place", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must not be longer than 40 bytes')
    WHERE length(CAST(NEW."place" AS BLOB)) > 40
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must not hold a NUL character')
    WHERE instr(CAST(NEW."place" AS BLOB), x'00') > 0
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'place of visits must be valid UTF-8')
    WHERE NEW."place" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."place" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."place" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."place"))
        SELECT 1 FROM piece
        WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT char(
                unicode(substr(part, 1, 1)), unicode(substr(part, 2, 1)), unicode(substr(part, 3, 1)), unicode(substr(part, 4, 1)),
                unicode(substr(part, 5, 1)), unicode(substr(part, 6, 1)), unicode(substr(part, 7, 1)), unicode(substr(part, 8, 1)),
                unicode(substr(part, 9, 1)), unicode(substr(part, 10, 1)), unicode(substr(part, 11, 1)), unicode(substr(part, 12, 1)),
                unicode(substr(part, 13, 1)), unicode(substr(part, 14, 1)), unicode(substr(part, 15, 1)), unicode(substr(part, 16, 1)),
                unicode(substr(part, 17, 1)), unicode(substr(part, 18, 1)), unicode(substr(part, 19, 1)), unicode(substr(part, 20, 1)),
                unicode(substr(part, 21, 1)), unicode(substr(part, 22, 1)), unicode(substr(part, 23, 1)), unicode(substr(part, 24, 1)),
                unicode(substr(part, 25, 1)), unicode(substr(part, 26, 1)), unicode(substr(part, 27, 1)), unicode(substr(part, 28, 1)),
                unicode(substr(part, 29, 1)), unicode(substr(part, 30, 1)), unicode(substr(part, 31, 1)), unicode(substr(part, 32, 1))))
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT RAISE(ABORT, 'length of visits must be finite')
    WHERE abs(NEW."length") = 9e999
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_length" IS NEW."length");
    UPDATE control SET returning_id = NEW."_id" WHERE EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id");
    DELETE FROM operation
    WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_visits" WHERE id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create';
    DELETE FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create';
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'create', NEW."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the edits of this row of visits were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'update');
    UPDATE operation SET fields = 7
    WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'update', NEW."_id", 7, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id"
        AND NOT (NEW."_state" IS 'queued' AND NEW."_added_at" IS NOT NULL
        AND EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create' AND state = 'queued'))
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id") OR "_added_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', iif(EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") AND (SELECT returning_id FROM control) IS NOT NEW."_id", 'changed', 'added'), "_id", substr("visits"."place", 1, 500), "_state"
    FROM "visits" WHERE "_id" = NEW."_id";
    UPDATE control SET returning_id = NULL WHERE returning_id IS NOT NULL;
END;

CREATE TRIGGER "visits_fixed" BEFORE UPDATE OF "_id", "_server_id", "_state", "_error", "_added_at", "place" ON "visits"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of visits cannot be changed')
    WHERE NEW."_id" IS NOT OLD."_id";
    SELECT RAISE(ABORT, 'place of visits cannot be changed, because the server has no call for it')
    WHERE NEW."place" IS NOT OLD."place";
    SELECT RAISE(ABORT, '_state, _server_id, _error, _added_at of visits are written by syncd alone: leave them out')
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD."_id")
            OR false);
END;

CREATE TRIGGER "visits_mark" BEFORE UPDATE OF "length", "notes", "people" ON "visits"
WHEN (SELECT applying FROM control) = 0 AND (NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people")
BEGIN
    SELECT RAISE(ABORT, 'length of visits must be finite')
    WHERE abs(NEW."length") = 9e999
        AND NEW."length" IS NOT OLD."length";
    SELECT RAISE(ABORT, 'notes of visits must not be longer than 1048576 bytes')
    WHERE length(CAST(NEW."notes" AS BLOB)) > 1048576
        AND NEW."notes" IS NOT OLD."notes";
    SELECT RAISE(ABORT, 'notes of visits must not hold a NUL character')
    WHERE instr(CAST(NEW."notes" AS BLOB), x'00') > 0
        AND NEW."notes" IS NOT OLD."notes";
    SELECT RAISE(ABORT, 'notes of visits must be valid UTF-8')
    WHERE NEW."notes" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."notes" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."notes" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."notes"))
        SELECT 1 FROM piece
        WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT char(
                unicode(substr(part, 1, 1)), unicode(substr(part, 2, 1)), unicode(substr(part, 3, 1)), unicode(substr(part, 4, 1)),
                unicode(substr(part, 5, 1)), unicode(substr(part, 6, 1)), unicode(substr(part, 7, 1)), unicode(substr(part, 8, 1)),
                unicode(substr(part, 9, 1)), unicode(substr(part, 10, 1)), unicode(substr(part, 11, 1)), unicode(substr(part, 12, 1)),
                unicode(substr(part, 13, 1)), unicode(substr(part, 14, 1)), unicode(substr(part, 15, 1)), unicode(substr(part, 16, 1)),
                unicode(substr(part, 17, 1)), unicode(substr(part, 18, 1)), unicode(substr(part, 19, 1)), unicode(substr(part, 20, 1)),
                unicode(substr(part, 21, 1)), unicode(substr(part, 22, 1)), unicode(substr(part, 23, 1)), unicode(substr(part, 24, 1)),
                unicode(substr(part, 25, 1)), unicode(substr(part, 26, 1)), unicode(substr(part, 27, 1)), unicode(substr(part, 28, 1)),
                unicode(substr(part, 29, 1)), unicode(substr(part, 30, 1)), unicode(substr(part, 31, 1)), unicode(substr(part, 32, 1))))
        AND NEW."notes" IS NOT OLD."notes";
    SELECT RAISE(ABORT, 'the edits of this row of visits were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'update');
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'visits', 'update', OLD."_id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE operation SET fields = fields | iif(NEW."length" IS NOT OLD."length", 1, 0) | iif(NEW."notes" IS NOT OLD."notes", 2, 0) | iif(NEW."people" IS NOT OLD."people", 4, 0)
    WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND (fields | iif(NEW."length" IS NOT OLD."length", 1, 0) | iif(NEW."notes" IS NOT OLD."notes", 2, 0) | iif(NEW."people" IS NOT OLD."people", 4, 0)) IS NOT fields;
END;

CREATE TRIGGER "visits_edit" AFTER UPDATE OF "length", "notes", "people" ON "visits"
WHEN (SELECT applying FROM control) = 0 AND (NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people")
BEGIN
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id"
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id") OR "_added_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), "_state"
    FROM "visits" WHERE "_id" = NEW."_id";
END;

CREATE TRIGGER "visits_undeletable" BEFORE DELETE ON "visits"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'a row of visits cannot be deleted, because the server has no call for it')
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
END;

CREATE TRIGGER "visits_delete" AFTER DELETE ON "visits"
WHEN (SELECT applying FROM control) = 0
BEGIN
    INSERT INTO "d_visits" (id, "c_place", "c_length", "c_notes", "c_people", server_id, added_at)
    SELECT OLD."_id", OLD."place", OLD."length", OLD."notes", OLD."people", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = OLD."_id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_visits"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create');
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'visits', OLD."_id"
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'visits');
    UPDATE sqlite_sequence SET seq = OLD."_id" WHERE name = 'visits' AND seq < OLD."_id";
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('visits', 'removed', OLD."_id", substr(OLD."place", 1, 500));
END;

CREATE TRIGGER "visits_followed" AFTER UPDATE OF state, last_error ON operation
WHEN NEW.resource = 'visits' AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error)
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "visits" WHERE "_id" = NEW.row_id AND (SELECT applying FROM control) = 0
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW.row_id
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW.row_id) OR "_added_at" IS NULL);
END;

CREATE TRIGGER "visits_freed" AFTER DELETE ON operation
WHEN OLD.resource = 'visits' AND (SELECT leaving FROM control) IS NOT OLD.row_id
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "visits" WHERE "_id" = OLD.row_id AND (SELECT applying FROM control) = 0
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = OLD.row_id
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD.row_id) OR "_added_at" IS NULL);
END;

CREATE TRIGGER "visits_added" AFTER INSERT ON "visits"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'visits'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('visits', 'added', NEW."_id", substr(NEW."place", 1, 500), NEW."_state");
END;

CREATE TRIGGER "visits_changed" AFTER UPDATE ON "visits"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'visits' AND (NEW."_id" IS NOT OLD."_id" OR NEW."place" IS NOT OLD."place" OR NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people" OR NEW."_state" IS NOT OLD."_state" OR NEW."_server_id" IS NOT OLD."_server_id" OR NEW."_error" IS NOT OLD."_error" OR NEW."_added_at" IS NOT OLD."_added_at")
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('visits', 'changed', NEW."_id", substr(NEW."place", 1, 500), NEW."_state");
END;

CREATE TRIGGER "visits_removed" AFTER DELETE ON "visits"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'visits'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('visits', 'removed', OLD."_id", substr(OLD."place", 1, 500), NULL);
END;
