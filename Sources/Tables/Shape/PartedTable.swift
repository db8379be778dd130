internal import Declarations

/// The SQL of a list in parts.
struct PartedTable {
    let list: ListTable
    let each: Each
    let column: Column
    let parent: ReferredList?

    /// Nil for a list that is one, and where the list above it is not known.
    init?(_ list: ListTable) {
        guard let each = list.declaration.each, let column = list.declaration.partColumn else {
            return nil
        }
        parent = ReferredList(column)
        guard each.list == nil || parent != nil else { return nil }
        (self.list, self.each, self.column) = (list, each, column)
    }

    private var name: ListName { list.declaration.name }
    /// The part of what is being staged.
    private var here: SQLName { SQLName("part_of_\(name)") }
    /// The parts that the pull has read to their end.
    var taken: SQLName { SQLName("parts_of_\(name)") }
    /// Rows of those parts that the pull does not show.
    var lacking: SQLName { SQLName("lacking_\(name)") }
    /// Rows that leave.
    var leaving: SQLName { SQLName("leaving_\(name)") }
    /// Parts that are to be read with the next pull.
    var wanted: SQLName { SQLName("wanted_\(name)") }

    var temporary: [SQLName] { [here, taken, lacking, leaving, wanted] }

    var prepare: [String] {
        [
            "CREATE TEMP TABLE IF NOT EXISTS \(here) (part TEXT NOT NULL) STRICT",
            """
            CREATE TEMP TABLE IF NOT EXISTS \(taken) (
                part TEXT PRIMARY KEY,
                -- The count of a row that is missed for the first time.
                first INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TEMP TABLE IF NOT EXISTS \(lacking) (
                row_id INTEGER PRIMARY KEY, first INTEGER NOT NULL) STRICT
            """,
            "CREATE TEMP TABLE IF NOT EXISTS \(leaving) (row_id INTEGER PRIMARY KEY) STRICT",
            "CREATE TEMP TABLE IF NOT EXISTS \(wanted) (part TEXT PRIMARY KEY) STRICT",
        ]
    }

    var place: SQLText { SQLText(each.path.sqliteText) }

    /// `value`, a row as an answer has it, with the part that is being staged.
    func placed(_ value: String) -> String {
        placed(value, in: "(SELECT part FROM temp.\(here))")
    }

    /// The same with `part`.
    func placed(_ value: String, in part: String) -> String {
        "json_set(\(value), \(place), \(part))"
    }

    /// Whether a known row is in the part that is being staged, behind `word`.
    func isHere(_ row: String, behind word: String) -> String {
        "\(word)\(part(of: row)) IS (SELECT part FROM temp.\(here))"
    }

    // MARK: Rows as they are known

    var writable: WritableTable? { list.isWritable ? WritableTable(list: list) : nil }
    var known: (table: SQLName, id: SQLName, key: SQLName, document: SQLName) {
        writable.map { ($0.known, SQLName("id"), SQLName("server_id"), SQLName("document")) }
            ?? (list.table, list.id, list.key, list.name(of: .document))
    }
    var refers: SQLName { SQLName("r_\(name)") }

    /// What a known row is in.
    func part(of row: String) -> String {
        parent == nil
            ? "(\(row).\(known.document) ->> \(place))"
            : "(SELECT refers.\(list.part(column.name)) FROM \(refers) AS refers WHERE refers.row_id = \(row).\(known.id))"
    }

    var pulled: SQLName { writable?.pulled ?? list.projected }
    func pulledPart(_ row: String) -> String { "\(row).\(list.part(column.name))" }

    /// The known rows of the parts that were read.
    var rowsOfTaken: String {
        parent == nil
            ? """
            \(known.table) AS known CROSS JOIN temp.\(taken) AS taken
                ON taken.part = known.\(known.document) ->> \(place)
            """
            : """
            temp.\(taken) AS taken CROSS JOIN \(refers) AS refers
                ON refers.\(list.part(column.name)) = taken.part
                CROSS JOIN \(known.table) AS known ON known.\(known.id) = refers.row_id
            """
    }

    var isShown: String {
        "EXISTS (SELECT 1 FROM temp.\(pulled) AS pulled WHERE pulled.key = known.\(known.key))"
    }

    // MARK: Parts

    /// What is called `part` still has a part.
    func isThere(_ part: String) -> String {
        parent.map { "\($0.row(called: part)) IS NOT NULL" }
            ?? "\(part) IN (\(each.words.map { "\(SQLText($0))" }.joined(separator: ", ")))"
    }

    private var isDue: String {
        let hasChanged =
            each.changed.isEmpty ? "" : " OR part.changed IS NOT source.changed"
        return """
            SELECT EXISTS (SELECT 1 FROM (\(source(naming: []))) AS source
                LEFT JOIN part ON part.list = \(list.listName) AND part.part = source.key
                WHERE part.error IS NULL AND (part.read_ms IS NULL\(hasChanged)))
            """
    }

    private var source: String { source(naming: list.declaration.partNames.map(\.name)) }

    func source(naming names: [String]) -> String {
        parent.map { $0.parts(naming: names, watching: each.changed) } ?? """
            SELECT column1 AS key, '[]' AS names, NULL AS changed
            FROM (VALUES \(each.words.map { "(\(SQLText($0)))" }.joined(separator: ", ")))
            """
    }

    var statements: PartStatements {
        PartStatements(
            place: ["DELETE FROM temp.\(here)", "INSERT INTO temp.\(here) VALUES (?1)"],
            parts: """
                SELECT source.key, source.names, source.changed,
                    part.read_boot, part.read_ms, part.changed, part.round, ifnull(part.wanted, 0),
                    part.error IS NOT NULL
                FROM (\(source)) AS source LEFT JOIN part ON part.list = \(list.listName) AND part.part = source.key
                ORDER BY part.read_ms IS NOT NULL, iif(part.read_boot = ?1, part.read_ms, 0), source.key
                """, isDue: isDue, doubtful: doubtful,
            beginNoting: "DELETE FROM temp.\(taken)",
            noteRead: "INSERT OR REPLACE INTO temp.\(taken) (part, first) VALUES (?1, ?2)",
            noteLost: """
                INSERT OR IGNORE INTO temp.\(taken) (part, first)
                SELECT part.part, ?1 FROM part WHERE part.list = \(list.listName) AND NOT \(isThere("part.part"))
                """, compare: compare, absent: absent,
            countLacking: """
                SELECT count(*) FROM \(rowsOfTaken)
                WHERE NOT EXISTS (SELECT 1 FROM temp.\(list.staged) AS staged WHERE staged.key = known.\(known.key))
                """,
            unknown: unknown,
            noteLeaving: noteLeaving,
            addLeaving: "INSERT OR IGNORE INTO temp.\(leaving) (row_id) VALUES (?1)",
            isLeaving: "SELECT EXISTS (SELECT 1 FROM temp.\(leaving) WHERE row_id = ?1)",
            leaves: "\(known.table).\(known.id) IN (SELECT row_id FROM temp.\(leaving))",
            forgetMisses: forgetMisses, countMisses: countMisses,
            wanted: "SELECT part FROM temp.\(wanted)",
            countEmptied: countEmptied, partOfOperation: partOfOperation,
            partOfRow: """
                SELECT \(part(of: "known")) FROM \(known.table) AS known WHERE known.\(known.id) = ?1
                """,
            lostRows: lostRows, lostCreates: lostCreates, forgetLeft: forgetLeft,
            forgetLost:
                "DELETE FROM part WHERE list = \(list.listName) AND NOT \(isThere("part.part"))",
            upsert: list.isWritable ? nil : list.upsert(isWhole: false),
            count: "SELECT count(*) FROM (\(source))")
    }
}

extension ListTable {
    /// Nil for a list that is one.
    public var parts: PartStatements? {
        declaration.each == nil ? nil : madeParts { PartedTable(self)?.statements }
    }

    /// `value`, a row as an answer of the list has it, as its document.
    func placed(_ value: String) -> String {
        PartedTable(self)?.placed(value) ?? value
    }
}
