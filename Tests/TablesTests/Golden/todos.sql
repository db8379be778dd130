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

CREATE TRIGGER "todos_insert" AFTER INSERT ON "todos"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'the row of todos with this id is being deleted at the server: insert it without its id')
    WHERE EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt'));
    SELECT RAISE(ABORT, 'this id of todos was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."id" < 1 OR NEW."id" > 4503599627370495
            OR NEW."id" <= (SELECT seq FROM sqlite_sequence WHERE name = 'todos')
            OR NEW."id" < (SELECT max(row_id) FROM operation WHERE resource = 'todos')
            OR NEW."id" < (SELECT max(row_id) FROM withdrawn WHERE resource = 'todos')
            OR NEW."id" <= (SELECT max(known.id) FROM "s_todos" AS known)
            OR NEW."id" <= (SELECT max(hidden.id) FROM "d_todos" AS hidden))
        AND NOT (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create'));
    SELECT RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
    WHERE (NEW."server_id" IS NOT NULL OR NEW."error" IS NOT NULL OR NEW."state" <> 'queued' OR NEW."created_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND NOT (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create'));
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt')))
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
            AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must be text')
    WHERE NEW."title" IS NULL
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must not be empty')
    WHERE length(CAST(NEW."title" AS BLOB)) = 0
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must not be blank')
    WHERE trim(NEW."title", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must not be longer than 4096 bytes')
    WHERE length(CAST(NEW."title" AS BLOB)) > 4096
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must not hold a NUL character')
    WHERE instr(CAST(NEW."title" AS BLOB), x'00') > 0
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    SELECT RAISE(ABORT, 'the title of a todo must be valid UTF-8')
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
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    UPDATE control SET returning_id = NEW."id" WHERE EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id");
    DELETE FROM operation
    WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"));
    DELETE FROM "d_todos" WHERE id = NEW."id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create';
    DELETE FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create';
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'todos', 'create', NEW."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create');
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "error" = (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW."id"), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id"
        AND NOT (NEW."state" IS 'queued' AND NEW."created_at" IS NOT NULL
        AND EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create' AND state = 'queued'))
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW."id" ORDER BY kind = 'delete', seq LIMIT 1)
            OR "server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW."id") OR "created_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', iif(EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") AND (SELECT returning_id FROM control) IS NOT NEW."id", 'changed', 'added'), "id", substr("todos"."title", 1, 500), "state"
    FROM "todos" WHERE "id" = NEW."id";
    UPDATE control SET returning_id = NULL WHERE returning_id IS NOT NULL;
END;

CREATE TRIGGER "todos_update" BEFORE UPDATE ON "todos"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE NEW."id" IS NOT OLD."id" OR NEW."title" IS NOT OLD."title"
        OR NEW."created_at" IS NOT OLD."created_at" AND OLD."created_at" IS NOT NULL
        OR NEW."state" IS NOT OLD."state" AND NEW."state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD."id" ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
        OR NEW."error" IS NOT OLD."error" AND NEW."error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD."id" ORDER BY kind = 'delete', seq LIMIT 1)
        OR NEW."server_id" IS NOT OLD."server_id" AND NEW."server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD."id");
END;

CREATE TRIGGER "todos_delete" AFTER DELETE ON "todos"
WHEN (SELECT applying FROM control) = 0
BEGIN
    INSERT INTO "d_todos" (id, "c_title", server_id, added_at)
    SELECT OLD."id", OLD."title", OLD."server_id", OLD."created_at"
    WHERE (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = OLD."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'create')) AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = OLD."id");
    INSERT INTO withdrawn SELECT * FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'create' AND (state = 'queued' OR state = 'rejected');
    DELETE FROM "d_todos"
    WHERE id = OLD."id" AND NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'create');
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'todos', 'delete', OLD."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = OLD."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'delete');
    UPDATE operation SET state = 'queued', attempts = 0, idempotency_key = lower(hex(randomblob(16))), sent = NULL,
        refuted = 0, open_pulls = 0, missed_boot = NULL, missed_ms = NULL,
        wait_boot = NULL, wait_ms = NULL, wait_shown = NULL, wait_asked = 0,
        last_status = NULL, last_error = NULL
    WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'delete' AND state = 'rejected';
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'todos', OLD."id"
    WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'todos');
    UPDATE sqlite_sequence SET seq = OLD."id" WHERE name = 'todos' AND seq < OLD."id";
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('todos', 'removed', OLD."id", substr(OLD."title", 1, 500));
END;

CREATE TRIGGER "todos_followed" AFTER UPDATE OF state, last_error ON operation
WHEN NEW.resource = 'todos' AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error)
BEGIN
    INSERT INTO "todos" ("id", "title", "server_id", "created_at", "state", "error")
    SELECT hidden.id, hidden."c_title", (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1)
    FROM "d_todos" AS hidden WHERE hidden.id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = NEW.row_id);
    DELETE FROM "d_todos" WHERE id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected';
    INSERT INTO "d_todos" (id, "c_title", server_id, added_at)
    SELECT shown."id", shown."title", shown."server_id", shown."created_at"
    FROM "todos" AS shown WHERE shown."id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW.row_id);
    DELETE FROM "todos" WHERE "id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected';
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', 'changed', "id", substr("todos"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "todos" WHERE "id" = NEW.row_id AND (SELECT applying FROM control) = 0
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "error" = (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW.row_id
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id) OR "created_at" IS NULL);
END;

CREATE TRIGGER "todos_freed" AFTER DELETE ON operation
WHEN OLD.resource = 'todos' AND (SELECT leaving FROM control) IS NOT OLD.row_id
BEGIN
    INSERT INTO "todos" ("id", "title", "server_id", "created_at", "state", "error")
    SELECT hidden.id, hidden."c_title", (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1)
    FROM "d_todos" AS hidden WHERE hidden.id = OLD.row_id AND OLD.kind = 'delete'
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = OLD.row_id);
    DELETE FROM "d_todos" WHERE id = OLD.row_id AND OLD.kind = 'delete';
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', 'changed', "id", substr("todos"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
    FROM "todos" WHERE "id" = OLD.row_id AND (SELECT applying FROM control) = 0
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced') OR "error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1));
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced'),
        "error" = (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD.row_id), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = OLD.row_id
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1), 'synced')
            OR "error" IS NOT (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id ORDER BY kind = 'delete', seq LIMIT 1)
            OR "server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD.row_id) OR "created_at" IS NULL);
END;

CREATE TRIGGER "todos_added" AFTER INSERT ON "todos"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'todos'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('todos', 'added', NEW."id", substr(NEW."title", 1, 500), NEW."state");
END;

CREATE TRIGGER "todos_changed" AFTER UPDATE ON "todos"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'todos' AND (NEW."id" IS NOT OLD."id" OR NEW."title" IS NOT OLD."title" OR NEW."state" IS NOT OLD."state" OR NEW."server_id" IS NOT OLD."server_id" OR NEW."error" IS NOT OLD."error" OR NEW."created_at" IS NOT OLD."created_at")
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('todos', 'changed', NEW."id", substr(NEW."title", 1, 500), NEW."state");
END;

CREATE TRIGGER "todos_removed" AFTER DELETE ON "todos"
WHEN (SELECT applying FROM control) = 1 AND (SELECT paused FROM control) IS NOT 'todos'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state)
    VALUES ('todos', 'removed', OLD."id", substr(OLD."title", 1, 500), NULL);
END;
