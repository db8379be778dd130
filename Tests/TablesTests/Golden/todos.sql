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
    UPDATE control SET rewriting = NEW."id",
        returning_row = EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id") OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create')
    WHERE EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create')
        OR EXISTS (SELECT 1 FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create');
    SELECT RAISE(ABORT, 'the row of todos with this id is being deleted at the server: insert it without its id')
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'delete' AND (state = 'sending' OR state = 'in doubt'));
    SELECT RAISE(ABORT, 'this id of todos was used before, or is too large: leave it out, and the row gets the next one')
    WHERE     (NEW."id" < 1 OR NEW."id" > 4503599627370495
            OR NEW."id" <= (SELECT seq FROM sqlite_sequence WHERE name = 'todos')
            OR NEW."id" < (SELECT max(row_id) FROM operation WHERE resource = 'todos')
            OR NEW."id" < (SELECT max(row_id) FROM withdrawn WHERE resource = 'todos')
            OR NEW."id" <= (SELECT max(known.id) FROM "s_todos" AS known)
            OR NEW."id" <= (SELECT max(hidden.id) FROM "d_todos" AS hidden))
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    SELECT RAISE(ABORT, 'only the title of a new todo can be given: INSERT INTO todos(title) VALUES (...)')
    WHERE (NEW."server_id" IS NOT NULL OR NEW."error" IS NOT NULL OR NEW."state" <> 'queued' OR NEW."created_at" <> strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
        AND (SELECT rewriting FROM control) IS NOT NEW."id";
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE (EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") OR EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create' AND (state = 'sending' OR state = 'in doubt')))
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
            AND hidden."c_title" IS NEW."title");
    SELECT CASE
        WHEN NEW."title" IS NULL
            THEN RAISE(ABORT, 'the title of a todo must be text')
        WHEN length(CAST(NEW."title" AS BLOB)) = 0
            THEN RAISE(ABORT, 'the title of a todo must not be empty')
        WHEN trim(NEW."title", char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
        8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) = ''
            THEN RAISE(ABORT, 'the title of a todo must not be blank')
        WHEN length(CAST(NEW."title" AS BLOB)) > 4096
            THEN RAISE(ABORT, 'the title of a todo must not be longer than 4096 bytes')
        WHEN instr(CAST(NEW."title" AS BLOB), x'00') > 0
            THEN RAISE(ABORT, 'the title of a todo must not hold a NUL character')
        WHEN NEW."title" GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND EXISTS (
                WITH RECURSIVE piece(place, part) AS (
                    SELECT 1, substr(NEW."title", 1, 32)
                    UNION ALL
                    SELECT place + 32, substr(NEW."title", place + 32, 32)
                    FROM piece WHERE place + 32 <= length(NEW."title"))
                SELECT 1 FROM piece
                WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                    AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT (
                        SELECT group_concat(char(unicode(substr(part, n, 1))), '') FROM (
                            WITH RECURSIVE character(n) AS (SELECT 1 UNION ALL
                                SELECT n + 1 FROM character WHERE n < length(part))
                            SELECT n FROM character)))
            THEN RAISE(ABORT, 'the title of a todo must be valid UTF-8')
        END
    WHERE (SELECT returning_row FROM control) IS NOT 1 OR NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"
        AND hidden."c_title" IS NEW."title");
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', 'added', NEW."id", substr(NEW."title", 1, 500), 'queued'
    WHERE (SELECT rewriting FROM control) IS NOT NEW."id";
    DELETE FROM operation
    WHERE (SELECT rewriting FROM control) IS NEW."id" AND resource = 'todos' AND row_id = NEW."id" AND kind = 'delete'
        AND NOT (state = 'rejected' AND EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW."id"));
    DELETE FROM "d_todos" WHERE (SELECT rewriting FROM control) IS NEW."id" AND id = NEW."id";
    INSERT INTO operation SELECT * FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create'
        AND (SELECT rewriting FROM control) IS NEW."id"
        AND NOT EXISTS (SELECT 1 FROM operation AS other WHERE other.seq = withdrawn.seq);
    DELETE FROM withdrawn WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create' AND (SELECT rewriting FROM control) IS NEW."id";
    INSERT INTO operation (resource, kind, row_id, fields, idempotency_key, queued_at)
    SELECT 'todos', 'create', NEW."id", 0, lower(hex(randomblob(16))),
        CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)
    WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = NEW."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'create');
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'delete'), 'synced'),
        "error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW."id" AND kind = 'delete')),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW."id"), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW."id" AND ((SELECT rewriting FROM control) IS NEW."id" OR NEW."state" IS NULL OR NEW."created_at" IS NULL);
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', iif((SELECT returning_row FROM control) = 1, 'added', 'changed'), "id", substr("todos"."title", 1, 500), "state"
    FROM "todos" WHERE "id" = NEW."id" AND (SELECT rewriting FROM control) IS NEW."id";
    UPDATE control SET rewriting = NULL, returning_row = NULL WHERE rewriting IS NOT NULL;
END;

CREATE TRIGGER "todos_update" BEFORE UPDATE ON "todos"
WHEN (SELECT applying FROM control) = 0
BEGIN
    SELECT RAISE(ABORT, 'a todo cannot be changed, because the server has no call for it: delete it and insert a new one')
    WHERE NEW."id" IS NOT OLD."id" OR NEW."title" IS NOT OLD."title"
        OR NEW."created_at" IS NOT OLD."created_at" AND OLD."created_at" IS NOT NULL
        OR NEW."state" IS NOT OLD."state" AND NEW."state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'delete'), 'synced')
        OR NEW."error" IS NOT OLD."error" AND NEW."error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD."id" AND kind = 'delete'))
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
    INSERT INTO change (resource, change, row_id, title)
    VALUES ('todos', 'removed', OLD."id", substr(OLD."title", 1, 500));
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
END;

CREATE TRIGGER "todos_queued" AFTER INSERT ON operation
WHEN NEW.resource = 'todos'
BEGIN
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'added', NEW.seq,
        substr(coalesce(
            (SELECT shown."title" FROM "todos" AS shown
                WHERE shown."id" = NEW.row_id),
            (SELECT hidden."c_title" FROM "d_todos" AS hidden
                WHERE hidden.id = NEW.row_id)), 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER "todos_followed" AFTER UPDATE ON operation
WHEN NEW.resource = 'todos' AND (NEW.state IS NOT OLD.state OR NEW.last_error IS NOT OLD.last_error OR NEW.attempts IS NOT OLD.attempts
    OR NEW.wait_shown IS NOT OLD.wait_shown OR NEW.last_status IS NOT OLD.last_status
    OR NEW.idempotency_key IS NOT OLD.idempotency_key)
BEGIN
    INSERT INTO "todos" ("id", "title", "server_id", "created_at", "state", "error")
    SELECT hidden.id, hidden."c_title", (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete'), 'synced'), iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete'))
    FROM "d_todos" AS hidden WHERE hidden.id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = NEW.row_id);
    DELETE FROM "d_todos" WHERE id = NEW.row_id AND NEW.kind = 'delete' AND OLD.state <> 'rejected' AND NEW.state = 'rejected';
    INSERT INTO "d_todos" (id, "c_title", server_id, added_at)
    SELECT shown."id", shown."title", shown."server_id", shown."created_at"
    FROM "todos" AS shown WHERE shown."id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = NEW.row_id);
    DELETE FROM "todos" WHERE "id" = NEW.row_id AND NEW.kind = 'delete' AND OLD.state = 'rejected' AND NEW.state <> 'rejected';
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', 'changed', "id", substr("todos"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete'), 'synced')
    FROM "todos" WHERE "id" = NEW.row_id AND (SELECT applying FROM control) = 0
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete'), 'synced') OR "error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete')));
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete'), 'synced'),
        "error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = NEW.row_id AND kind = 'delete')),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = NEW.row_id), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = NEW.row_id;
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'changed', NEW.seq,
        substr(coalesce(
            (SELECT shown."title" FROM "todos" AS shown
                WHERE shown."id" = NEW.row_id),
            (SELECT hidden."c_title" FROM "d_todos" AS hidden
                WHERE hidden.id = NEW.row_id)), 1, 500), NEW.state, NEW.kind);
END;

CREATE TRIGGER "todos_freed" AFTER DELETE ON operation
WHEN OLD.resource = 'todos'
BEGIN
    INSERT INTO "todos" ("id", "title", "server_id", "created_at", "state", "error")
    SELECT hidden.id, hidden."c_title", (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD.row_id), hidden.added_at,
        coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete'), 'synced'), iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete'))
    FROM "d_todos" AS hidden WHERE hidden.id = OLD.row_id AND OLD.kind = 'delete' AND (SELECT leaving FROM control) IS NOT OLD.row_id
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = OLD.row_id);
    DELETE FROM "d_todos" WHERE id = OLD.row_id AND OLD.kind = 'delete' AND (SELECT leaving FROM control) IS NOT OLD.row_id;
    INSERT INTO change (resource, change, row_id, title, state)
    SELECT 'todos', 'changed', "id", substr("todos"."title", 1, 500), coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete'), 'synced')
    FROM "todos" WHERE "id" = OLD.row_id AND (SELECT applying FROM control) = 0 AND (SELECT leaving FROM control) IS NOT OLD.row_id
        AND ("state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete'), 'synced') OR "error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete')));
    UPDATE "todos" SET "state" = coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete'), 'synced'),
        "error" = iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = OLD.row_id AND kind = 'delete')),
        "server_id" = (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = OLD.row_id), "created_at" = coalesce("created_at", strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
    WHERE "id" = OLD.row_id AND ((SELECT leaving FROM control) IS NOT OLD.row_id);
    INSERT INTO change (resource, change, row_id, title, state, op)
    VALUES ('outbox', 'removed', OLD.seq,
        substr(coalesce(
            (SELECT shown."title" FROM "todos" AS shown
                WHERE shown."id" = OLD.row_id),
            (SELECT hidden."c_title" FROM "d_todos" AS hidden
                WHERE hidden.id = OLD.row_id)), 1, 500), NULL, OLD.kind);
END;

CREATE VIEW "invariant_todos_create" (law, offender) AS
SELECT 'a row without an id at the server has a create', * FROM (
    SELECT shown."id" FROM "todos" AS shown
    WHERE NOT EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = shown."id") AND NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind = 'create'));

CREATE VIEW "invariant_todos_synced" (law, offender) AS
SELECT 'a row with an id at the server has no create', * FROM (
    SELECT row_id FROM operation
    WHERE resource = 'todos' AND kind = 'create' AND EXISTS (SELECT 1 FROM "s_todos" AS known WHERE known.id = row_id));

CREATE VIEW "invariant_todos_row" (law, offender) AS
SELECT 'an operation has its row', * FROM (
    SELECT seq FROM operation
    WHERE resource = 'todos' AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = row_id)
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = row_id));

CREATE VIEW "invariant_todos_kept" (law, offender) AS
SELECT 'a row of the server is shown, or a delete hides it', * FROM (
    SELECT known.id FROM "s_todos" AS known
    WHERE NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = known.id)
        AND NOT EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = known.id));

CREATE VIEW "invariant_todos_hidden" (law, offender) AS
SELECT 'a row is hidden as long as its delete waits, and not longer', * FROM (
    SELECT hidden.id FROM "d_todos" AS hidden
    WHERE NOT EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = hidden.id AND kind = 'delete' AND state <> 'rejected')
        OR EXISTS (SELECT 1 FROM "todos" AS shown WHERE shown."id" = hidden.id)
    UNION ALL
    SELECT row_id FROM operation
    WHERE resource = 'todos' AND kind = 'delete' AND state <> 'rejected'
        AND NOT EXISTS (SELECT 1 FROM "d_todos" AS hidden WHERE hidden.id = row_id));

CREATE VIEW "invariant_todos_state" (law, offender) AS
SELECT 'a row shows what its operations say', * FROM (
    SELECT shown."id" FROM "todos" AS shown
    WHERE shown."state" IS NOT coalesce((SELECT state FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1), (SELECT state FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind = 'delete'), 'synced')
        OR shown."error" IS NOT iif(EXISTS (SELECT 1 FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind <> 'delete'), (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind <> 'delete'
        ORDER BY kind, stage LIMIT 1),
        (SELECT last_error FROM operation WHERE resource = 'todos' AND row_id = shown."id" AND kind = 'delete'))
        OR shown."server_id" IS NOT (SELECT known.server_id FROM "s_todos" AS known WHERE known.id = shown."id") OR shown."created_at" IS NULL);

CREATE VIEW "invariant_todos_ids" (law, offender) AS
SELECT 'a local id is never used again', * FROM (
    SELECT max(shown."id") FROM "todos" AS shown
    HAVING max(shown."id") > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'todos'), 0));
