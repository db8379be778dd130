extension SharedObjects {
    /// A table that stays empty, into which triggers insert the texts of large rows: `spelled_bytes` grows by their
    /// size in the longest spelling that JSON has for them. A server writes `\u000a` for a line's end, or `\n`; and
    /// what is not of ASCII as it is, or as one escape of six bytes or two.
    static let spelling = [
        SchemaObject(
            name: "spelled_text",
            sql: "CREATE TABLE spelled_text (text TEXT, is_json INTEGER) STRICT"),
        SchemaObject(
            name: "spell_text",
            sql: """
                CREATE TRIGGER spell_text BEFORE INSERT ON spelled_text
                BEGIN
                    UPDATE control SET spelled_bytes = spelled_bytes + length(NEW.text)
                        + iif(NEW.is_json, 0, 5 * (\(escaped)))
                        + iif(\(hasMoreThanASCII("NEW.text")), (
                            WITH RECURSIVE \(pieces("NEW.text", place: "0")), number(n) AS (
                                SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 32)
                            SELECT sum(iif(unicode(substr(part, n, 1)) > 65535, 11, 5))
                            FROM piece CROSS JOIN number
                            WHERE size <= 32 AND n <= size AND \(hasMoreThanASCII("part"))
                                AND substr(part, n, 1) > char(127)), 0);
                    SELECT RAISE(IGNORE);
                END
                """),
    ]

    /// How many characters of ASCII the text has that some servers escape.
    private static let escaped = (Array(1...31) + [34, 38, 39, 47, 60, 62, 92, 127]).map {
        "length(NEW.text) - length(replace(NEW.text, char(\($0)), ''))"
    }.joined(separator: " + ")
}
