CREATE TABLE checked_text (text TEXT) STRICT;

CREATE TRIGGER check_text BEFORE INSERT ON checked_text
BEGIN
    UPDATE control SET invalid_text = 1
    WHERE EXISTS (
        WITH RECURSIVE piece(part, size, place) AS (
            SELECT NEW.text, length(NEW.text), 0
            UNION ALL
            SELECT substr(part, 1, size / 2), size / 2, place FROM piece WHERE size > 32
            UNION ALL
            SELECT substr(part, size / 2 + 1), size - size / 2, place + size / 2
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

CREATE TABLE checked_json (text TEXT, room INTEGER) STRICT;

CREATE TRIGGER check_json BEFORE INSERT ON checked_json
BEGIN
    UPDATE control SET invalid_json = (
        SELECT CASE
            WHEN instr(s, '\u0000') > 0 OR (instr(s, '\ud') > 0 OR instr(s, '\uD') > 0)
    AND (s GLOB '*\u[dD][89abAB]??[^\]*' OR s GLOB '*\u[dD][89abAB]??\[^u]*' OR s GLOB '*\u[dD][89abAB]??\u[^dD]*' OR s GLOB '*\u[dD][89abAB]??\u[dD][^c-fC-F]*' OR '      ' || s GLOB '*[^\]?????\u[dD][c-fC-F]*' OR '      ' || s GLOB '*[^u]????\u[dD][c-fC-F]*' OR '      ' || s GLOB '*[^dD]???\u[dD][c-fC-F]*' OR '      ' || s GLOB '*[^89abAB]??\u[dD][c-fC-F]*')
            THEN 1
            WHEN (length(s) - length(replace(s, '[', ''))) + (length(s) - length(replace(s, '{', ''))) > NEW.room
                OR (length(s) - length(replace(s, ':', ''))) > 65536
                OR (s GLOB '*[^' || char(1) || '-' || char(127) || ']*' OR instr(s, '\') > 0) AND s GLOB '*"[^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"][^"]*'
            THEN (WITH RECURSIVE piece(part, size, place) AS (
            SELECT s, length(s), 0
            UNION ALL
            SELECT substr(part, 1, size / 2), size / 2, place FROM piece WHERE size > 32
            UNION ALL
            SELECT substr(part, size / 2 + 1), size - size / 2, place + size / 2
            FROM piece WHERE size > 32), number(n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 32),
    sign(place, c) AS (
        SELECT place + n, substr(part, n, 1) FROM piece CROSS JOIN number
        WHERE size <= 32 AND n <= size AND part GLOB '*[^' || char(1) || '-!#-9;-Z\^-z|~' || char(127) || ']*'
            AND (instr('"[]{}:', substr(part, n, 1)) > 0 OR substr(part, n, 1) > char(127))),
    counted(place, c, quotes, more) AS (
        SELECT place, c, sum(c = '"') OVER before, sum(CASE WHEN c <= char(127) THEN 0
            WHEN unicode(c) > 65535 THEN 11 ELSE 5 END) OVER before
        FROM sign WINDOW before AS (ORDER BY place ROWS UNBOUNDED PRECEDING)),
    outer(c, quotes, place, step) AS (
        SELECT c, quotes, place + more, (c IN ('[', '{')) - (c IN (']', '}')) FROM counted
        WHERE c = '"' OR quotes % 2 = 0 AND c <= char(127)),
    read(c, depth, size) AS (
        SELECT c, sum(step) OVER (ORDER BY place ROWS UNBOUNDED PRECEDING),
            iif(c = '"' AND quotes % 2 = 0 AND lead(c) OVER (ORDER BY place) = ':',
                place - 1 - lag(place) OVER (ORDER BY place), 0)
        FROM outer)
    SELECT max(
        max(iif(depth > NEW.room, 2, 0)),
        max(iif(size > 128, 3, 0)),
        iif(sum(c = ':') > 65536, 4, 0)) FROM read)
            ELSE 0 END
        FROM (SELECT replace(replace(NEW.text, '\\', '__'), '\"', '__') AS s));
    SELECT RAISE(IGNORE);
END;

CREATE TABLE spelled_text (text TEXT, is_json INTEGER) STRICT;

CREATE TRIGGER spell_text BEFORE INSERT ON spelled_text
BEGIN
    UPDATE control SET spelled_bytes = spelled_bytes + length(NEW.text)
        + iif(NEW.is_json, 0, 5 * (length(NEW.text) - length(replace(NEW.text, char(1), '')) + length(NEW.text) - length(replace(NEW.text, char(2), '')) + length(NEW.text) - length(replace(NEW.text, char(3), '')) + length(NEW.text) - length(replace(NEW.text, char(4), '')) + length(NEW.text) - length(replace(NEW.text, char(5), '')) + length(NEW.text) - length(replace(NEW.text, char(6), '')) + length(NEW.text) - length(replace(NEW.text, char(7), '')) + length(NEW.text) - length(replace(NEW.text, char(8), '')) + length(NEW.text) - length(replace(NEW.text, char(9), '')) + length(NEW.text) - length(replace(NEW.text, char(10), '')) + length(NEW.text) - length(replace(NEW.text, char(11), '')) + length(NEW.text) - length(replace(NEW.text, char(12), '')) + length(NEW.text) - length(replace(NEW.text, char(13), '')) + length(NEW.text) - length(replace(NEW.text, char(14), '')) + length(NEW.text) - length(replace(NEW.text, char(15), '')) + length(NEW.text) - length(replace(NEW.text, char(16), '')) + length(NEW.text) - length(replace(NEW.text, char(17), '')) + length(NEW.text) - length(replace(NEW.text, char(18), '')) + length(NEW.text) - length(replace(NEW.text, char(19), '')) + length(NEW.text) - length(replace(NEW.text, char(20), '')) + length(NEW.text) - length(replace(NEW.text, char(21), '')) + length(NEW.text) - length(replace(NEW.text, char(22), '')) + length(NEW.text) - length(replace(NEW.text, char(23), '')) + length(NEW.text) - length(replace(NEW.text, char(24), '')) + length(NEW.text) - length(replace(NEW.text, char(25), '')) + length(NEW.text) - length(replace(NEW.text, char(26), '')) + length(NEW.text) - length(replace(NEW.text, char(27), '')) + length(NEW.text) - length(replace(NEW.text, char(28), '')) + length(NEW.text) - length(replace(NEW.text, char(29), '')) + length(NEW.text) - length(replace(NEW.text, char(30), '')) + length(NEW.text) - length(replace(NEW.text, char(31), '')) + length(NEW.text) - length(replace(NEW.text, char(34), '')) + length(NEW.text) - length(replace(NEW.text, char(38), '')) + length(NEW.text) - length(replace(NEW.text, char(39), '')) + length(NEW.text) - length(replace(NEW.text, char(47), '')) + length(NEW.text) - length(replace(NEW.text, char(60), '')) + length(NEW.text) - length(replace(NEW.text, char(62), '')) + length(NEW.text) - length(replace(NEW.text, char(92), '')) + length(NEW.text) - length(replace(NEW.text, char(127), ''))))
        + iif(NEW.text GLOB '*[^' || char(1) || '-' || char(127) || ']*', (
            WITH RECURSIVE piece(part, size, place) AS (
            SELECT NEW.text, length(NEW.text), 0
            UNION ALL
            SELECT substr(part, 1, size / 2), size / 2, place FROM piece WHERE size > 32
            UNION ALL
            SELECT substr(part, size / 2 + 1), size - size / 2, place + size / 2
            FROM piece WHERE size > 32), number(n) AS (
                SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 32)
            SELECT sum(iif(unicode(substr(part, n, 1)) > 65535, 11, 5))
            FROM piece CROSS JOIN number
            WHERE size <= 32 AND n <= size AND part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                AND substr(part, n, 1) > char(127)), 0);
    SELECT RAISE(IGNORE);
END;
