internal import Declarations

/// What a program may not write into a column, as statements of a trigger.
///
/// What SQLite itself refuses in a STRICT table is not here. There is no function of JSON: a program whose
/// SQLite has none can write all the same.
struct ColumnChecks {
    let column: Column
    let type: ColumnType
    /// How a sentence begins, and how it ends where there is no value.
    let subject: String
    let isMissing: String
    /// A condition: the row does not have the value already.
    let isNew: String

    private var value: String { "NEW.\(SQLName(column.name))" }
    private var bytes: String { "length(CAST(\(value) AS BLOB))" }

    private func refuse(_ complaint: String, where wrong: String) -> String {
        """
        SELECT RAISE(ABORT, \(SQLText("\(subject) \(complaint)")))
        WHERE \(wrong)
            AND \(isNew);
        """
    }

    /// In the order in which they are tried.
    var statements: [String] {
        (column.isRequired ? [refuse(isMissing, where: "\(value) IS NULL")] : [])
            + (type == .text && !column.mayBeEmpty ? contents : []) + checksOfType
    }

    private var contents: [String] {
        [
            refuse("must not be empty", where: "\(bytes) = 0"),
            refuse("must not be blank", where: "trim(\(value), \(Self.blanks)) = ''"),
        ]
    }

    private var checksOfType: [String] {
        switch type {
        case .text, .json:
            [
                refuse(
                    "must not be longer than \(column.byteLimit) bytes",
                    where: "\(bytes) > \(column.byteLimit)"),
                refuse(
                    "must not hold a NUL character",
                    where: "instr(CAST(\(value) AS BLOB), x'00') > 0"
                ), refuse("must be valid UTF-8", where: isNotUTF8),
            ]
        case .boolean: [refuse("must be 0 or 1", where: "\(value) <> 0 AND \(value) <> 1")]
        case .real: [refuse("must be finite", where: "abs(\(value)) = 9e999")]
        case .integer: []
        }
    }

    /// Every character that Unicode calls white space.
    ///
    /// Source: Unicode Character Database, PropList.txt, White_Space.
    private static let blanks = """
        char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
            8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)
        """

    /// A character that does not become itself again through its code point is not UTF-8. Parts of 32
    /// characters are tried at once, those of ASCII alone not at all: a walk from character to character
    /// would take time with the square of the length. The last part is filled up with spaces.
    /// U+FFFE and U+FFFF are UTF-8, though SQLite's functions make U+FFFD of them.
    private var isNotUTF8: String {
        let padded = "\(value) || printf('%31s', '')"
        let codes = (1...32).map { "unicode(substr(part, \($0), 1))" }
        let lines = stride(from: 0, to: codes.count, by: 4).map {
            codes[$0..<$0 + 4].joined(separator: ", ")
        }
        return """
            \(value) GLOB '*[^' || char(1) || '-' || char(127) || ']*'
            AND EXISTS (
                WITH RECURSIVE piece(place, part) AS (
                    SELECT 1, substr(\(padded), 1, 32)
                    UNION ALL
                    SELECT place + 32, substr(\(padded), place + 32, 32)
                    FROM piece WHERE place + 32 <= length(\(value)))
                SELECT 1 FROM piece
                WHERE part GLOB '*[^' || char(1) || '-' || char(127) || ']*'
                    AND replace(replace(part, x'efbfbe', x'efbfbd'), x'efbfbf', x'efbfbd') IS NOT char(
                        \(lines.joined(separator: ",\n            "))))
            """
    }
}
