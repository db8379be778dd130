-- Why: a person skips our own backoff, but not what the server asked for, which can end long before it.
-- Invariant: what a server asked for ends no later than the wait that it is a part of.
-- Check: SELECT seq FROM operation WHERE wait_asked = 1 AND wait_asked_ms > wait_ms;

-- Boot-time milliseconds, of the boot of the wait. NULL beside a wait that a server asked for: written
-- before this step, the whole wait counts as asked for.
ALTER TABLE operation ADD COLUMN wait_asked_ms INTEGER;
ALTER TABLE sync_state ADD COLUMN due_asked_ms INTEGER;
ALTER TABLE sync_state ADD COLUMN pause_asked_ms INTEGER;
