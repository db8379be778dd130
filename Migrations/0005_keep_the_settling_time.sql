-- Why: with a lower http.timeout a create in doubt was looked for while its request could still take effect.
-- Invariant: a request can take effect for some time, or for as long as the configuration says.
-- Check: SELECT seq FROM operation WHERE settling_ms < 0;

-- For how many milliseconds after sent_ms the last attempt may still take effect. NULL: written before this
-- step, or not sent.
ALTER TABLE operation ADD COLUMN settling_ms INTEGER;
