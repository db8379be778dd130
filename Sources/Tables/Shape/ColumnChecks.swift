internal import Declarations
internal import Text

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
    /// How many objects and lists may stand within each other in a value of JSON.
    let depth: Int
    /// The only texts that it may have; empty: any.
    var words: [String] = []

    private var value: String { "NEW.\(SQLName(column.name))" }
    private var bytes: String { "length(CAST(\(value) AS BLOB))" }

    private func refuse(_ complaint: String, when wrong: String) -> String {
        "WHEN \(wrong)\n        THEN RAISE(ABORT, \(SQLText("\(subject) \(complaint)")))"
    }

    /// None where SQLite refuses all that is wrong.
    var statements: [String] {
        let cases =
            (column.isRequired ? [refuse(isMissing, when: "\(value) IS NULL")] : [])
            + (type == .text && !column.mayBeEmpty ? contents : []) + checksOfType
        guard !cases.isEmpty else { return [] }
        let refusal = """
            SELECT CASE
                \(cases.joined(separator: "\n    "))
                END
            WHERE \(isNew);
            """
        return switch type {
        case .text: [look, refusal]
        case .json: [look, lookAtJSON, refusal]
        case .integer, .real, .boolean, .integerText, .realText, .row, .rowText: [refusal]
        }
    }

    /// The same for what is JSON.
    private var lookAtJSON: String {
        """
        INSERT INTO checked_json
        SELECT \(value), \(depth)
        WHERE \(bytes) <= \(column.byteLimit) AND (\(isNew));
        """
    }

    private var faults: [String] {
        guard type == .json else { return [] }
        // What its members are is found out before it is sent.
        let bare = "trim(\(value), char(9, 10, 13, 32))"
        let isOther = "substr(\(bare), 1, 1) || substr(\(bare), -1) NOT IN ('[]', '{}')"
        return [refuse("must be an object or a list of JSON", when: isOther)]
            + SharedObjects.JSONFault.allCases.map { fault in
                let complaint =
                    switch fault {
                    case .characters: "must not hold U+0000, or half a pair of surrogates"
                    case .depth:
                        "must not have more than \(depth) objects and lists within each other"
                    case .name: "must not have a name longer than \(RowLimits.nameBytes) bytes"
                    case .members: "must not have more than \(RowLimits.members) members"
                    }
                return refuse(
                    complaint, when: "(SELECT invalid_json FROM control) = \(fault.rawValue)")
            }
    }

    /// Has the trigger of `checked_text` look at the characters: the same for every column, and long.
    private var look: String {
        """
        INSERT INTO checked_text
        SELECT \(value)
        WHERE \(SharedObjects.hasMoreThanASCII(value)) AND \(bytes) <= \(column.byteLimit)
            AND (\(isNew));
        """
    }

    private var contents: [String] {
        [
            refuse("must not be empty", when: "\(bytes) = 0"),
            refuse("must not be blank", when: "trim(\(value), \(Self.blanks)) = ''"),
        ]
    }

    private var checksOfType: [String] {
        switch type {
        case .text, .json:
            [
                refuse(
                    "must not be longer than \(column.byteLimit) bytes",
                    when: "\(bytes) > \(column.byteLimit)"),
                refuse(
                    "must not hold a NUL character",
                    when: "instr(CAST(\(value) AS BLOB), x'00') > 0"
                ),
                refuse("must be valid UTF-8", when: "(SELECT invalid_text FROM control)"),
            ] + isOneOfWords + faults
        case .boolean: [refuse("must be 0 or 1", when: "\(value) <> 0 AND \(value) <> 1")]
        case .real, .realText: [refuse("must be finite", when: "abs(\(value)) = 9e999")]
        case .row, .rowText: isHere
        case .integer, .integerText: []
        }
    }

    private var isOneOfWords: [String] {
        guard !words.isEmpty else { return [] }
        let allowed =
            words.count > 1
            ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1] : words[0]
        let texts = words.map { "\(SQLText($0))" }.joined(separator: ", ")
        return [refuse("must be \(allowed)", when: "\(value) NOT IN (\(texts))")]
    }

    /// No foreign key says so: a program may remove a row before those that refer to it, and what a foreign key does
    /// then would be queued as changes.
    private var isHere: [String] {
        guard let list = ReferredList(column) else { return [] }
        return [
            refuse(
                "must be the \(list.id.name) of a row of \(list.name) that is here",
                when: """
                    \(value) IS NOT NULL
                            AND NOT EXISTS (SELECT 1 FROM \(list.table) AS parent WHERE parent.\(list.id) = \(value))
                    """)
        ]
    }

    /// Every character that Unicode calls white space.
    ///
    /// Source: Unicode Character Database, PropList.txt, White_Space.
    private static let blanks = """
        char(9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199,
            8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)
        """
}
