internal import Text

extension SharedObjects {
    /// What `invalid_json` says of a text.
    enum JSONFault: Int, CaseIterable {
        case characters = 1
        case depth = 2
        case name = 3
        case members = 4
    }

    /// A table that stays empty, into which triggers insert the JSON of programs, with the depth that it may have.
    /// What could not come back sets `invalid_json`, and then the trigger refuses the statement.
    ///
    /// No function of JSON may stand in a trigger: SQLite calls each of them unsafe where a program does not trust
    /// the schema. Most texts are judged by counting characters. The others are read by their signs: a quotation
    /// mark, a bracket or a colon, and what is not of ASCII, for which a name has a largest size. A pair of
    /// backslashes, and an escaped quotation mark, are none of them.
    static let jsonCheck = [
        SchemaObject(
            name: "checked_json",
            sql: "CREATE TABLE checked_json (text TEXT, room INTEGER) STRICT"),
        SchemaObject(
            name: "check_json",
            sql: """
                CREATE TRIGGER check_json BEFORE INSERT ON checked_json
                BEGIN
                    UPDATE control SET invalid_json = (
                        SELECT CASE
                            WHEN instr(s, '\\u0000') > 0 OR \(hasHalfPair)
                            THEN \(JSONFault.characters.rawValue)
                            WHEN \(count("[")) + \(count("{")) > NEW.room
                                OR \(count(":")) > \(RowLimits.members)
                                OR (\(hasMoreThanASCII("s")) OR instr(s, '\\') > 0) AND s GLOB \(longText)
                            THEN (\(faultOfSigns))
                            ELSE 0 END
                        FROM (SELECT replace(replace(NEW.text, '\\\\', '__'), '\\"', '__') AS s));
                    SELECT RAISE(IGNORE);
                END
                """),
    ]

    private static func count(_ sign: String) -> String {
        "(length(s) - length(replace(s, '\(sign)', '')))"
    }

    /// A text that could be too long a name, if each of its characters takes six bytes.
    private static let longText =
        "'*\"\(String(repeating: "[^\"]", count: RowLimits.nameBytes / 6 + 1))*'"

    /// The first half of a pair without the second one behind it, or the second without the first before it.
    private static var hasHalfPair: String {
        let (first, second) = ("\\u[dD][89abAB]", "\\u[dD][c-fC-F]")
        let behind = ["[^\\]", "\\[^u]", "\\u[^dD]", "\\u[dD][^c-fC-F]"].map {
            "s GLOB '*\(first)??\($0)*'"
        }
        let before = ["[^\\]?????", "[^u]????", "[^dD]???", "[^89abAB]??"].map {
            "'      ' || s GLOB '*\($0)\(second)*'"
        }
        return """
            (instr(s, '\\ud') > 0 OR instr(s, '\\uD') > 0)
                AND (\((behind + before).joined(separator: " OR ")))
            """
    }

    /// Reads the signs of `s` with the depth at each.
    private static var faultOfSigns: String {
        let plain = "char(1) || '-!#-9;-Z\\^-z|~' || char(127)"
        return """
            WITH RECURSIVE \(pieces("s", place: "0")), number(n) AS (
                    SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 32),
                sign(place, c) AS (
                    SELECT place + n, substr(part, n, 1) FROM piece CROSS JOIN number
                    WHERE size <= 32 AND n <= size AND part GLOB '*[^' || \(plain) || ']*'
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
                    max(iif(depth > NEW.room, \(JSONFault.depth.rawValue), 0)),
                    max(iif(size > \(RowLimits.nameBytes), \(JSONFault.name.rawValue), 0)),
                    iif(sum(c = ':') > \(RowLimits.members), \(JSONFault.members.rawValue), 0)) FROM read
            """
    }

    /// The recursive table `piece`: `text` in parts of at most 32 characters, which are those whose `size` is at most
    /// 32; with the place where each begins, if that of the whole is given. A walk from character to character would
    /// take time with the square of the length.
    static func pieces(_ text: String, place: String) -> String {
        """
        piece(part, size, place) AS (
                    SELECT \(text), length(\(text)), \(place)
                    UNION ALL
                    SELECT substr(part, 1, size / 2), size / 2, place FROM piece WHERE size > 32
                    UNION ALL
                    SELECT substr(part, size / 2 + 1), size - size / 2, place + size / 2
                    FROM piece WHERE size > 32)
        """
    }
}
