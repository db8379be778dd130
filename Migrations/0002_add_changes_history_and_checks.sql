-- Why: the log of changes as programs see it, the history of lists, and laws to check.
-- Invariant: what the views invariant_* say; the change log is neither paused nor busy after a commit.
-- Check: SELECT * FROM invariant_change_log;

-- Which rows of a list came, changed in the column that its history watches, or went: written by the pull,
-- never by the first one.
CREATE TABLE row_change (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    list TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    title TEXT,
    change TEXT NOT NULL CHECK (change = 'appeared' OR change = 'changed' OR change = 'vanished'),
    old_value ANY,
    new_value ANY
) STRICT;

CREATE INDEX row_change_of_list ON row_change (list, seq);

-- The public contract goes on here.

CREATE VIEW changes AS
SELECT rev, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    list, change, row_id AS id, title, state, op
FROM change;

-- A row is deleted by whoever has seen it.
CREATE VIEW conflicts AS
SELECT seq, strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch') AS at,
    list, row_id, field, why, mine, theirs
FROM conflict;

CREATE TRIGGER conflicts_delete INSTEAD OF DELETE ON conflicts
BEGIN
    DELETE FROM conflict WHERE seq = OLD.seq;
END;

CREATE TRIGGER conflicts_insert INSTEAD OF INSERT ON conflicts
BEGIN
    SELECT RAISE(ABORT, 'syncd alone writes conflicts: read them, and delete those that you have seen');
END;

CREATE TRIGGER conflicts_update INSTEAD OF UPDATE ON conflicts
BEGIN
    SELECT RAISE(ABORT, 'syncd alone writes conflicts: read them, and delete those that you have seen');
END;

-- Deletes that wait for a person, one row each.
CREATE VIEW held_deletes AS
SELECT seq, list, row_id,
    strftime('%Y-%m-%dT%H:%M:%fZ', held_at / 1000.0, 'unixepoch') AS held_at, of_rows, accepted
FROM held_delete JOIN operation USING (seq, list)
WHERE accepted = 0;

CREATE TRIGGER held_deletes_update INSTEAD OF UPDATE ON held_deletes
BEGIN
    SELECT RAISE(ABORT, 'a held delete can only be accepted: UPDATE held_deletes SET accepted = 1')
    WHERE NEW.accepted IS NOT 1 OR NEW.seq IS NOT OLD.seq OR NEW.list IS NOT OLD.list
        OR NEW.row_id IS NOT OLD.row_id OR NEW.held_at IS NOT OLD.held_at
        OR NEW.of_rows IS NOT OLD.of_rows;

    UPDATE held_delete SET accepted = 1 WHERE seq = OLD.seq;
END;

CREATE TRIGGER held_deletes_delete INSTEAD OF DELETE ON held_deletes
BEGIN
    SELECT RAISE(ABORT, 'take held deletes back with DELETE FROM outbox WHERE seq IN (SELECT seq FROM held_deletes), or accept them with UPDATE held_deletes SET accepted = 1');
END;

CREATE TRIGGER held_deletes_insert INSTEAD OF INSERT ON held_deletes
BEGIN
    SELECT RAISE(ABORT, 'syncd alone holds deletes: accept them with UPDATE held_deletes SET accepted = 1');
END;

-- Laws of the cache, for syncd check and for the tests: each view must be empty.

CREATE VIEW invariant_delete_waits AS
SELECT 'a delete waits behind a create only while that is sending or in doubt' AS law,
    deletion.seq AS offender
FROM operation AS deletion
JOIN operation AS creation ON creation.list = deletion.list
    AND creation.row_id = deletion.row_id AND creation.kind = 'create'
WHERE deletion.kind = 'delete'
    AND (creation.state IN ('queued', 'rejected') OR deletion.state <> 'queued');

CREATE VIEW invariant_undecided AS
SELECT 'an operation in doubt is undecided, a queued or rejected one is not' AS law, seq AS offender
FROM operation
WHERE state = 'in doubt' AND undecided = 0 OR state IN ('queued', 'rejected') AND undecided = 1;

CREATE VIEW invariant_first_attempt AS
SELECT 'an undecided operation knows its first attempt, a queued one has none' AS law,
    seq AS offender
FROM operation
WHERE undecided = 1 AND first_sent_boot IS NULL
    OR state IN ('queued', 'rejected') AND first_sent_boot IS NOT NULL;

CREATE VIEW invariant_attempts AS
SELECT 'an operation that was sent has attempts' AS law, seq AS offender
FROM operation WHERE state IN ('sending', 'in doubt') AND attempts = 0;

CREATE VIEW invariant_wait AS
SELECT 'what is being sent or rejected waits for no moment' AS law, seq AS offender
FROM operation WHERE state IN ('sending', 'rejected') AND wait_boot IS NOT NULL;

CREATE VIEW invariant_reason AS
SELECT 'a rejected operation says why' AS law, seq AS offender
FROM operation WHERE state = 'rejected' AND last_error IS NULL;

CREATE VIEW invariant_operation_moments AS
SELECT 'the moments of an operation are whole' AS law, seq AS offender
FROM operation
WHERE (sent_boot IS NULL) <> (sent_ms IS NULL)
    OR (first_sent_boot IS NULL) <> (first_sent_ms IS NULL)
    OR (wait_boot IS NULL) <> (wait_ms IS NULL)
    OR (wait_boot IS NULL) <> (wait_shown IS NULL)
    OR state IN ('sending', 'in doubt') AND sent_boot IS NULL
    OR wait_asked = 1 AND wait_boot IS NULL;

CREATE VIEW invariant_list_moments AS
SELECT 'the moments of a list are whole' AS law, list AS offender
FROM sync_state
WHERE (pulled_boot IS NULL) <> (pulled_ms IS NULL)
    OR (due_boot IS NULL) <> (due_ms IS NULL)
    OR (due_boot IS NULL) <> (due_shown IS NULL)
    OR (pause_boot IS NULL) <> (pause_ms IS NULL)
    OR (whole_boot IS NULL) <> (whole_ms IS NULL)
    OR (counted_boot IS NULL) <> (counted_ms IS NULL)
    OR (candidate IS NULL) <> (candidate_boot IS NULL)
    OR (candidate IS NULL) <> (candidate_ms IS NULL);

CREATE VIEW invariant_lists AS
SELECT 'every list has its status' AS law, name AS offender
FROM declared_list WHERE name NOT IN (SELECT list FROM sync_state);

CREATE VIEW invariant_hold AS
SELECT 'held rows belong to a hold, and a hold holds rows' AS law, list AS offender
FROM held_row WHERE list NOT IN (SELECT list FROM hold)
UNION
SELECT 'held rows belong to a hold, and a hold holds rows', list
FROM hold WHERE list NOT IN (SELECT list FROM held_row);

CREATE VIEW invariant_held_deletes AS
SELECT 'a held delete waits in the queue' AS law, seq AS offender
FROM held_delete
WHERE NOT EXISTS (SELECT 1 FROM operation
    WHERE operation.seq = held_delete.seq AND operation.kind = 'delete'
        AND (operation.state = 'queued' OR held_delete.accepted = 1));

CREATE VIEW invariant_validators AS
SELECT 'kept validators validate something' AS law, url AS offender
FROM validator
WHERE entity_tag IS NULL AND last_modified IS NULL OR keys IS NULL
    AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 's_' || list);

CREATE VIEW invariant_change_log AS
SELECT 'the change log is at rest, and bounded' AS law, 'control' AS offender
FROM control
WHERE applying IS NOT NULL OR paused IS NOT NULL OR rewriting IS NOT NULL OR invalid_text <> 0
    OR invalid_json <> 0 OR spelled_bytes <> 0
UNION ALL
SELECT 'the change log is at rest, and bounded', 'rows'
WHERE (SELECT count(*) FROM change) > 21000
UNION ALL
SELECT 'the change log is at rest, and bounded', 'missing row'
WHERE NOT EXISTS (SELECT 1 FROM control);
