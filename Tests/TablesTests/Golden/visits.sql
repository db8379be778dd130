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
    UPDATE control SET rewriting = NEW."_id",
        returning_row = EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id") OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of visits with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt'));
    SELECT RAISE(ABORT, 'this id of visits was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."_id" < 1 OR NEW."_id" > 4503599627370495
            OR NEW."_id" <= (SELECT seq FROM sqlite_sequence WHERE name = 'visits')
            OR NEW."_id" < (SELECT max(row_id) FROM operation WHERE resource = 'visits')
            OR NEW."_id" < (SELECT max(row_id) FROM withdrawn WHERE resource = 'visits')
            OR NEW."_id" <= (SELECT max(known.id) FROM "s_visits" AS known)
            OR NEW."_id" <= (SELECT max(hidden.id) FROM "d_visits" AS hidden))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, '_state, _server_id, _error, _added_at of visits are written by syncd alone: leave them out')
    WHERE (NEW."_server_id" IS NOT NULL OR NEW."_error" IS NOT NULL OR NEW."_state" <> 'queued' OR NEW."_added_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'notes of visits cannot be given to a new row: the server takes changes of it alone')
    WHERE (NEW."notes" IS NOT NULL)
        AND (SELECT rewriting FROM control) IS NOT NEW."_id";
    SELECT RAISE(ABORT, 'place of visits cannot be changed, because the server has no call for it')
    WHERE (EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = NEW."_id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt')))
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
            AND hidden."c_place" IS NEW."place");
    SELECT CASE
        WHEN NEW."place" IS NULL
            THEN RAISE(ABORT, 'place of visits must be given')
        WHEN length(CAST(NEW."place" AS BLOB)) = 0
            THEN RAISE(ABORT, 'place of visits must not be empty')
        WHEN trim(NEW."place", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
            THEN RAISE(ABORT, 'place of visits must not be blank')
        WHEN length(CAST(NEW."place" AS BLOB)) > 40
            THEN RAISE(ABORT, 'place of visits must not be longer than 40 bytes')
        WHEN instr(CAST(NEW."place" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'place of visits must not hold a NUL character')
        WHEN NEW."place" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND EXISTS (
                WITH RECURSIVE piece(place, part) AS (
                    SELECT 1, substr(NEW."place", 1, 32)
                    UNION ALL
                    SELECT place + 32, substr(NEW."place", place + 32, 32)
                    FROM piece WHERE place + 32 <= length(NEW."place"))
                SELECT 1 FROM piece
                WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                    AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT (
                        SELECT group_concat(char(unicode(substr(part, n, 1))), '') FROM (
                            WITH RECURSIVE character(n) AS (SELECT 1 UNION ALL
                                SELECT n + 1 FROM character WHERE n < length(part))
                            SELECT n FROM character)))
            THEN RAISE(ABORT, 'place of visits must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_place" IS NEW."place");
    SELECT CASE
        WHEN abs(NEW."length") = 9e999
            THEN RAISE(ABORT, 'length of visits must be finite')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"
        AND hidden."c_length" IS NEW."length");
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'added', NEW."_id", substr(NEW."place", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."_id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."_id" AND resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = NEW."_id"));
    DELETE FROM "d_visits" WHERE (SELECT rewriting FROM control) IS NEW."_id" AND id = NEW."_id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."_id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."_id";
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
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete'), 'synced'),
        "_error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete')),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id" AND ((SELECT rewriting FROM control) IS NEW."_id" OR NEW."_state" IS NULL OR NEW."_added_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "_id", substr("visits"."place", 1, 500), "_state"
    FROM "visits" WHERE "_id" = NEW."_id" AND (SELECT rewriting FROM control) IS NEW."_id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
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
        OR NOT (NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people") AND (NEW."_state" IS NOT OLD."_state" AND NEW."_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'delete'), 'synced')
            OR NEW."_error" IS NOT OLD."_error" AND NEW."_error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'delete'))
            OR NEW."_server_id" IS NOT OLD."_server_id" AND NEW."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD."_id")
            OR false);
END;

CREATE TRIGGER "visits_mark" BEFORE UPDATE OF "length", "notes", "people" ON "visits"
WHEN (SELECT applying FROM control) = 0 AND (NEW."length" IS NOT OLD."length" OR NEW."notes" IS NOT OLD."notes" OR NEW."people" IS NOT OLD."people")
BEGIN
    SELECT CASE
        WHEN abs(NEW."length") = 9e999
            THEN RAISE(ABORT, 'length of visits must be finite')
        END
    WHERE NEW."length" IS NOT OLD."length";
    SELECT CASE
        WHEN length(CAST(NEW."notes" AS BLOB)) > 1048576
            THEN RAISE(ABORT, 'notes of visits must not be longer than 1048576 bytes')
        WHEN instr(CAST(NEW."notes" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'notes of visits must not hold a NUL character')
        WHEN NEW."notes" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND EXISTS (
                WITH RECURSIVE piece(place, part) AS (
                    SELECT 1, substr(NEW."notes", 1, 32)
                    UNION ALL
                    SELECT place + 32, substr(NEW."notes", place + 32, 32)
                    FROM piece WHERE place + 32 <= length(NEW."notes"))
                SELECT 1 FROM piece
                WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                    AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT (
                        SELECT group_concat(char(unicode(substr(part, n, 1))), '') FROM (
                            WITH RECURSIVE character(n) AS (SELECT 1 UNION ALL
                                SELECT n + 1 FROM character WHERE n < length(part))
                            SELECT n FROM character)))
            THEN RAISE(ABORT, 'notes of visits must be valid UTF-8')
        END
    WHERE NEW."notes" IS NOT OLD."notes";
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
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete'), 'synced'),
        "_error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW."_id" AND kind = 'delete')),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW."_id"), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW."_id";
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
    DELETE FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'update' AND stage = 1 AND EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected'));
    DELETE FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_visits"
    WHERE id = OLD."_id" AND NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = OLD."_id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD."_id" AND kind = 'create');
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('visits', 'removed', OLD."_id", substr(OLD."place", 1, 500));
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'visits', OLD."_id"
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'visits');
    UPDATE sqlite_sequence SET seq = OLD."_id" WHERE name = 'visits' AND seq < OLD."_id";
END;

CREATE TRIGGER "visits_queued" AFTER INSERT ON operation
WHEN NEW.resource = 'visits'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'added', NEW.seq,
        substr(coalesce(
            (SELECT shown."place" FROM "visits" AS shown
                WHERE shown."_id" = NEW.row_id),
            (SELECT hidden."c_place" FROM "d_visits" AS hidden
                WHERE hidden.id = NEW.row_id)), 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER "visits_followed" AFTER UPDATE ON operation
WHEN NEW.resource = 'visits' AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error OR NEW.attempts IS NOT OLD.attempts
    OR NEW.wait_shown IS NOT OLD.wait_shown OR NEW.last_status IS NOT OLD.last_status
    OR NEW.idempotency_key IS NOT OLD.idempotency_key)
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind = 'delete'), 'synced')
    FROM "visits" WHERE "_id" = NEW.row_id AND (SELECT applying FROM control) = 0
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind = 'delete'), 'synced') OR "_error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind = 'delete')));
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind = 'delete'), 'synced'),
        "_error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = NEW.row_id AND kind = 'delete')),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = NEW.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = NEW.row_id;
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'changed', NEW.seq,
        substr(coalesce(
            (SELECT shown."place" FROM "visits" AS shown
                WHERE shown."_id" = NEW.row_id),
            (SELECT hidden."c_place" FROM "d_visits" AS hidden
                WHERE hidden.id = NEW.row_id)), 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER "visits_freed" AFTER DELETE ON operation
WHEN OLD.resource = 'visits'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'visits', 'changed', "_id", substr("visits"."place", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind = 'delete'), 'synced')
    FROM "visits" WHERE "_id" = OLD.row_id AND (SELECT applying FROM control) = 0 AND (SELECT leaving FROM control) IS NOT OLD.row_id
        AND ("_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind = 'delete'), 'synced') OR "_error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind = 'delete')));
    UPDATE "visits" SET "_state" = coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind = 'delete'), 'synced'),
        "_error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = OLD.row_id AND kind = 'delete')),
        "_server_id" = (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = OLD.row_id), "_added_at" = coalesce("_added_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "_id" = OLD.row_id AND ((SELECT leaving FROM control) IS NOT OLD.row_id);
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'removed', OLD.seq,
        substr(coalesce(
            (SELECT shown."place" FROM "visits" AS shown
                WHERE shown."_id" = OLD.row_id),
            (SELECT hidden."c_place" FROM "d_visits" AS hidden
                WHERE hidden.id = OLD.row_id)), 1, 500), NULL, OLD.kind);
END;

CREATE VIEW "invariant_visits_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."_id" FROM "visits" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = shown."_id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind = 'create'));

CREATE VIEW "invariant_visits_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE resource = 'visits' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_visits" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_visits_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE resource = 'visits' AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = row_id));

CREATE VIEW "invariant_visits_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_visits" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = known.id));

CREATE VIEW "invariant_visits_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_visits" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "visits" AS shown WHERE shown."_id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE resource = 'visits' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_visits" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_visits_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."_id" FROM "visits" AS shown
    WHERE shown."_state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind = 'delete'), 'synced')
        OR shown."_error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'visits' AND row_id = shown."_id" AND kind = 'delete'))
        OR shown."_server_id" IS NOT (SELECT known.server_id FROM "s_visits" AS known WHERE known.id = shown."_id") OR shown."_added_at" IS NULL);

CREATE VIEW "invariant_visits_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT max(shown."_id") FROM "visits" AS shown
    HAVING max(shown."_id") > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'visits'), 0));
