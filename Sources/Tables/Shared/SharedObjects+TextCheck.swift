extension SharedObjects {
    /// What the triggers of all lists look at texts with.
    public static let textChecks = textCheck + jsonCheck + spelling

    /// A table that stays empty, into which triggers insert the texts of programs, but for those of ASCII alone.
    /// What is not UTF-8 sets `invalid_text`, and then the trigger refuses the statement.
    ///
    /// A character that does not become itself again through its code point is not UTF-8. A text is halved until
    /// its parts have 32 characters: a walk from character to character would take time with the square of the
    /// length. U+FFFE and U+FFFF are UTF-8, though SQLite's functions make U+FFFD of them.
    private static let textCheck = [
        SchemaObject(
            name: "checked_text",
            sql: "CREATE TABLE checked_text (text TEXT) STRICT"),
        SchemaObject(
            name: "check_text",
            sql: """
                CREATE TRIGGER check_text BEFORE INSERT ON checked_text
                BEGIN
                    UPDATE control SET invalid_text = 1
                    WHERE EXISTS (
                        WITH RECURSIVE \(pieces("NEW.text", place: "0"))
                        SELECT 1 FROM piece
                        WHERE size <= 32 AND \(hasMoreThanASCII("part"))
                            AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT (
                                SELECT group_concat(char(unicode(substr(part, n, 1))), '') FROM (
                                    WITH RECURSIVE character(n) AS (
                                        SELECT 1 UNION ALL
                                        SELECT n + 1 FROM character WHERE n < size)
                                    SELECT n FROM character)));
                    SELECT RAISE(IGNORE);
                END
                """),
    ]

    /// A condition: the text has a character that is not of ASCII.
    static func hasMoreThanASCII(_ text: String) -> String {
        "\(text) GLOB '*[^' || char(1) || '-' || char(127) || ']*'"
    }
}
