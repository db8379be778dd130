CREATE TABLE "notes" (
    "id" INTEGER PRIMARY KEY AUTOINCREMENT,
    "title" TEXT,
    "body" TEXT,
    "done" INTEGER,
    "changed" TEXT,
    "_server_id" TEXT,
    "_state" TEXT DEFAULT 'queued',
    "_error" TEXT,
    "_added_at" TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
) STRICT;

CREATE TABLE "s_notes" (
    id INTEGER PRIMARY KEY,
    server_id TEXT NOT NULL UNIQUE,
    -- As the server showed it; a field whose update is undecided as it was before.
    document TEXT NOT NULL
) STRICT;

CREATE TABLE "d_notes" (
    id INTEGER PRIMARY KEY,
    "c_title" TEXT, "c_body" TEXT, "c_done" INTEGER, "c_changed" TEXT, server_id TEXT, added_at TEXT
) STRICT;

CREATE TRIGGER "notes_insert" AFTER INSERT ON "notes"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'the row of notes with this id is being deleted at the server: insert it without its id')
    WHERE EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt'));
    SELECT RAISE(ABORT, 'this id of notes was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."id" < 1 OR NEW."id" > 4503599627370495
            OR NEW."id" <= (SELECT seq FROM sqlite_sequence WHERE name = 'notes')
            OR NEW."id" < (SELECT max(row_id) FROM operation WHERE resource = 'notes')
            OR NEW."id" < (SELECT max(row_id) FROM withdrawn WHERE resource = 'notes')
            OR NEW."id" <= (SELECT max(known.id) FROM "s_notes" AS known)
            OR NEW."id" <= (SELECT max(hidden.id) FROM "d_notes" AS hidden))
        AND NOT (EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create'));
    SELECT RAISE(ABORT, '_state, _server_id, _error, _added_at, changed of notes are written by syncd alone: leave them out')
    WHERE (NEW."_server_id" IS NOT NULL OR NEW."_error" IS NOT NULL OR NEW."_state" <> 'queued' OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now') OR NEW."changed" IS NOT NULL)
        AND NOT (EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create'));
    SELECT RAISE(ABORT, 'title of notes must be given')
    WHERE NEW."title" IS NULL
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'title of notes must not be longer than 1048576 bytes')
    WHERE length(CAST(NEW."title" AS BLOB)) > 1048576
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'title of notes must not hold a NUL character')
    WHERE instr(CAST(NEW."title" AS BLOB), x'00') > 0
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'title of notes must be valid UTF-8')
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."title" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."title" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."title"))
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
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'body of notes must not be longer than 1048576 bytes')
    WHERE length(CAST(NEW."body" AS BLOB)) > 1048576
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_body" IS NEW."body");
    SELECT RAISE(ABORT, 'body of notes must not hold a NUL character')
    WHERE instr(CAST(NEW."body" AS BLOB), x'00') > 0
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_body" IS NEW."body");
    SELECT RAISE(ABORT, 'body of notes must be valid UTF-8')
    WHERE NEW."body" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."body" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."body" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."body"))
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
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_body" IS NEW."body");
    SELECT RAISE(ABORT, 'done of notes must be 0 or 1')
    WHERE NEW."done" <> 0 AND NEW."done" <> 1
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_done" IS NEW."done");
    UPDATE control SET returning_id = NEW."id" WHERE EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id");
    DELETE FROM operation
    WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW."id"));
    DELETE FROM "d_notes" WHERE id = NEW."id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create';
    DELETE FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create';
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'create', NEW."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'update');
    UPDATE operation SET fields = 7
    WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'update' AND stage = 1;
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'update', NEW."id", 7, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE "notes" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id"
        AND NOT (NEW."_state" IS 'queued' AND NEW."_added_at" IS NOT NULL
        AND EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = NEW."id" AND kind = 'create' AND state = 'queued'))
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id") OR "_added_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'notes', iif(EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = NEW."id") AND (SELECT returning_id FROM control) IS NOT NEW."id", 'changed', 'added'), "id", substr("notes"."title", 1, 500), "_state"
    FROM "notes" WHERE "id" = NEW."id";
    UPDATE control SET returning_id = NULL WHERE returning_id IS NOT NULL;
END;

CREATE TRIGGER "notes_fixed" BEFORE UPDATE OF "id", "_server_id", "_state", "_error", "_added_at", "changed" ON "notes"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'the id of a row of notes cannot be changed')
    WHERE NEW."id" IS NOT OLD."id";
    SELECT RAISE(ABORT, '_state, _server_id, _error, _added_at, changed of notes are written by syncd alone: leave them out')
    WHERE NEW."_added_at" IS NOT OLD."_added_at" AND OLD."_added_at" IS NOT NULL
        OR NOT (NEW."title" IS NOT OLD."title" OR NEW."body" IS NOT OLD."body" OR NEW."done" IS NOT OLD."done") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = OLD."id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD."id")
            OR NEW."changed" IS NOT OLD."changed");
END;

CREATE TRIGGER "notes_mark" BEFORE UPDATE OF "title", "body", "done" ON "notes"
WHEN (SELECT applying FROM control) = 0 AND (NEW."title" IS NOT OLD."title" OR NEW."body" IS NOT OLD."body" OR NEW."done" IS NOT OLD."done")
BEGIN
    SELECT RAISE(ABORT, 'title of notes must be given')
    WHERE NEW."title" IS NULL
        AND NEW."title" IS NOT OLD."title";
    SELECT RAISE(ABORT, 'title of notes must not be longer than 1048576 bytes')
    WHERE length(CAST(NEW."title" AS BLOB)) > 1048576
        AND NEW."title" IS NOT OLD."title";
    SELECT RAISE(ABORT, 'title of notes must not hold a NUL character')
    WHERE instr(CAST(NEW."title" AS BLOB), x'00') > 0
        AND NEW."title" IS NOT OLD."title";
    SELECT RAISE(ABORT, 'title of notes must be valid UTF-8')
    WHERE NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."title" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."title" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."title"))
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
        AND NEW."title" IS NOT OLD."title";
    SELECT RAISE(ABORT, 'body of notes must not be longer than 1048576 bytes')
    WHERE length(CAST(NEW."body" AS BLOB)) > 1048576
        AND NEW."body" IS NOT OLD."body";
    SELECT RAISE(ABORT, 'body of notes must not hold a NUL character')
    WHERE instr(CAST(NEW."body" AS BLOB), x'00') > 0
        AND NEW."body" IS NOT OLD."body";
    SELECT RAISE(ABORT, 'body of notes must be valid UTF-8')
    WHERE NEW."body" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
    AND EXISTS (
        WITH RECURSIVE piece(place, part) AS (
            SELECT 1, substr(NEW."body" || printf('%31s', ''), 1, 32)
            UNION ALL
            SELECT place + 32, substr(NEW."body" || printf('%31s', ''), place + 32, 32)
            FROM piece WHERE place + 32 <= length(NEW."body"))
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
        AND NEW."body" IS NOT OLD."body";
    SELECT RAISE(ABORT, 'done of notes must be 0 or 1')
    WHERE NEW."done" <> 0 AND NEW."done" <> 1
        AND NEW."done" IS NOT OLD."done";
    SELECT RAISE(ABORT, 'the edits of this row of notes were dropped a moment ago: try again when syncd has taken them back')
    WHERE EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'update');
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'update', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND (kind = 'create' AND (state = 'queued' OR state = 'rejected') OR kind = 'update' AND stage = 1));
    UPDATE operation SET fields = fields | iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."body" IS NOT OLD."body", 2, 0) | iif(NEW."done" IS NOT OLD."done", 4, 0)
    WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'update' AND stage = 1 AND (fields | iif(NEW."title" IS NOT OLD."title", 1, 0) | iif(NEW."body" IS NOT OLD."body", 2, 0) | iif(NEW."done" IS NOT OLD."done", 4, 0)) IS NOT fields;
END;

CREATE TRIGGER "notes_edit" AFTER UPDATE OF "title", "body", "done" ON "notes"
WHEN (SELECT applying FROM control) = 0 AND (NEW."title" IS NOT OLD."title" OR NEW."body" IS NOT OLD."body" OR NEW."done" IS NOT OLD."done")
BEGIN
    UPDATE "notes" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id"
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW."id") OR "_added_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'notes', 'changed', "id", substr("notes"."title", 1, 500), "_state"
    FROM "notes" WHERE "id" = NEW."id";
END;

CREATE TRIGGER "notes_delete" AFTER DELETE ON "notes"
WHEN (SELECT applying FROM control) = 0
BEGIN
    INSERT INTO "d_notes" (id, "c_title", "c_body", "c_done", "c_changed", server_id, added_at)
    SELECT OLD."id", OLD."title", OLD."body", OLD."done", OLD."changed", OLD."_server_id", OLD."_added_at"
    WHERE (EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = OLD."id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_notes"
    WHERE id = OLD."id" AND NOT EXISTS (SELECT 1 FROM "s_notes" AS known WHERE known.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'create');
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'notes', 'delete', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL
    WHERE resource = 'notes' AND row_id = OLD."id" AND kind = 'delete' AND state = 'rejected';
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'notes', OLD."id"
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'notes');
    UPDATE sqlite_sequence SET seq = OLD."id" WHERE name = 'notes' AND seq < OLD."id";
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('notes', 'removed', OLD."id", substr(OLD."title", 1, 500));
END;

CREATE TRIGGER "notes_followed" AFTER UPDATE OF state, last_error ON operation
WHEN NEW.resource = 'notes' AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error)
BEGIN
    INSERT INTO "notes" ("id", "title", "body", "done", "changed", "_server_id", "_added_at", "_state", "_error")
    SELECT hidden.id, hidden."c_title", hidden."c_body", hidden."c_done", hidden."c_changed", (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'), (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1)
    FROM "d_notes" AS hidden WHERE hidden.id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = NEW.row_id);
    DELETE FROM "d_notes" WHERE id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected';
    INSERT INTO "d_notes" (id, "c_title", "c_body", "c_done", "c_changed", server_id, added_at)
    SELECT shown."id", shown."title", shown."body", shown."done", shown."changed", shown."_server_id", shown."_added_at"
    FROM "notes" AS shown WHERE shown."id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_notes" AS hidden WHERE hidden.id = NEW.row_id);
    DELETE FROM "notes" WHERE "id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected';
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'notes', 'changed', "id", substr("notes"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "notes" WHERE "id" = NEW.row_id AND (SELECT applying FROM control) = 0
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "notes" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW.row_id
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = NEW.row_id) OR "_added_at" IS NULL);
END;

CREATE TRIGGER "notes_freed" AFTER DELETE ON operation
WHEN OLD.resource = 'notes' AND (SELECT leaving FROM control) IS NOT OLD.row_id
BEGIN
    INSERT INTO "notes" ("id", "title", "body", "done", "changed", "_server_id", "_added_at", "_state", "_error")
    SELECT hidden.id, hidden."c_title", hidden."c_body", hidden."c_done", hidden."c_changed", (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'), (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1)
    FROM "d_notes" AS hidden WHERE hidden.id = OLD.row_id AND OLD.kind = 'delete'
        AND NOT EXISTS (SELECT 1 FROM "notes" AS shown WHERE shown."id" = OLD.row_id);
    DELETE FROM "d_notes" WHERE id = OLD.row_id AND OLD.kind = 'delete';
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'notes', 'changed', "id", substr("notes"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "notes" WHERE "id" = OLD.row_id AND (SELECT applying FROM control) = 0
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "notes" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "_error" = (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "_server_id" = (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = OLD.row_id
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "_error" IS NOT (SELECT last_error FROM operation WHERE resource = 'notes' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "_server_id" IS NOT (SELECT known.server_id FROM "s_notes" AS known WHERE known.id = OLD.row_id) OR "_added_at" IS NULL);
END;

CREATE TRIGGER "notes_added" AFTER INSERT ON "notes"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'notes'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('notes', 'added', NEW."id", substr(NEW."title", 1, 500), NEW."_state");
END;

CREATE TRIGGER "notes_changed" AFTER UPDATE ON "notes"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'notes' AND (NEW."id" IS NOT OLD."id" OR NEW."title" IS NOT OLD."title" OR NEW."body" IS NOT OLD."body" OR NEW."done" IS NOT OLD."done" OR NEW."changed" IS NOT OLD."changed" OR NEW."_state" IS NOT OLD."_state" OR NEW."_server_id" IS NOT OLD."_server_id" OR NEW."_error" IS NOT OLD."_error" OR NEW."_added_at" IS NOT OLD."_added_at")
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('notes', 'changed', NEW."id", substr(NEW."title", 1, 500), NEW."_state");
END;

CREATE TRIGGER "notes_removed" AFTER DELETE ON "notes"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'notes'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('notes', 'removed', OLD."id", substr(OLD."title", 1, 500), NULL);
END;
