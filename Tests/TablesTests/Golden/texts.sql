CREATE TABLE checked_text (text TEXT) STRICT;

CREATE TRIGGER check_text BEFORE INSERT ON checked_text
BEGIN
    UPDATE control SET invalid_text = 1
    WHERE EXISTS (
        WITH RECURSIVE piece(part, size) AS (
            SELECT NEW.text, length(NEW.text)
            UNION ALL
            SELECT substr(part, 1, size / 2), size / 2 FROM piece WHERE size > 32
            UNION ALL
            SELECT substr(part, size / 2 + 1), size - size / 2
            FROM piece WHERE size > 32)
        SELECT 1 FROM piece
        WHERE size <= 32 AND part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT (
                SELECT group_concat(char(unicode(substr(part, n, 1))), '') FROM (
                    WITH RECURSIVE character(n) AS (
                        SELECT 1 UNION ALL
                        SELECT n + 1 FROM character WHERE n < size)
                    SELECT n FROM character)));
    SELECT RAISE(IGNORE);
END;
