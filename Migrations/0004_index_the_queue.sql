-- Why: counting a long queue by state read every row of it: 31 ms of `syncd status` with 100 000 operations.
-- Invariant: none; a plain queue of creates has no entry in the index until one is sent.
-- Check: SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'operation_exception');

-- For queries whose WHERE has one of the two conditions as it stands here.
CREATE INDEX operation_exception ON operation (kind, state) WHERE state <> 'queued' OR kind = 'delete';
