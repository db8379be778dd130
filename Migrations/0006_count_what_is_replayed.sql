-- Why: whoever syncs through the daemon could not tell what that sync had sent.
-- Invariant: the numbers only grow, with each cycle that ends.
-- Check: SELECT resource FROM sync_state WHERE min(sent, done, rejected, in_doubt) < 0;

-- Since the cache was made: requests whose intent was committed, operations that the server has acknowledged
-- or that nobody wanted any more, operations that it refused, and attempts whose answer was lost.
ALTER TABLE sync_state ADD COLUMN sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sync_state ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sync_state ADD COLUMN rejected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sync_state ADD COLUMN in_doubt INTEGER NOT NULL DEFAULT 0;
