internal import Declarations

/// The SQL of a list that programs write to: its tables, and the triggers that queue what they write.
///
/// Three tables hold a row. The list's own shows it. `s_NAME` holds what the server has: its document, from
/// which every field's base is read. `d_NAME` holds a row whole while a delete hides it. The triggers say
/// which rows syncd has to look at, and which fields a program wrote; values are compared by syncd.
///
/// A trigger names no function of JSON, so that every program can write, also one that does not trust the
/// schema. It holds no statement that can conflict: the clause of the program's statement, such as
/// `OR REPLACE`, would decide what becomes of it.
/// Source: https://www.sqlite.org/lang_createtrigger.html
struct WritableTable {
    let list: ListTable

    /// The largest id. The next but one would be the last that SQLite can count to.
    static let largestID: Int64 = (1 << 52) - 1

    var table: SQLName { list.table }
    /// What the server has.
    var known: SQLName { SQLName("s_\(list.declaration.name)") }
    /// Rows that a delete hides.
    var hidden: SQLName { SQLName("d_\(list.declaration.name)") }
    var listName: SQLText { list.listName }

    var id: SQLName { list.id }
    var state: SQLName { list.name(of: .state) }
    var error: SQLName { list.name(of: .error) }
    var serverID: SQLName { list.name(of: .serverID) }
    var added: SQLName { list.name(of: .added) }

    var sentences: Sentences { Sentences(self) }

    var creates: Bool { list.declaration.calls[.create] != nil }
    var updates: Bool { !list.declaration.updates.isEmpty }
    var deletes: Bool { list.declaration.calls[.delete] != nil }

    /// The columns that are fields.
    var fields: [Column] { list.declaration.columns.filter { $0.field != nil } }
    /// Those that a row can be given another value for. The first has bit 1 in `operation.fields`.
    var updatable: [Column] { updates ? fields.filter(\.writing.isForUpdates) : [] }
    /// Those that a new row can be given.
    var creatable: [Column] { creates ? fields.filter(\.writing.isForCreates) : [] }
    /// Those that a new row alone can be given.
    var givenOnce: [Column] { creatable.filter { !updatable.contains($0) } }
    /// Those that a create cannot give: an update gives them, right after it.
    var givenLater: [Column] { updatable.filter { !creatable.contains($0) } }
    /// Those that a program can give to a new row.
    var givable: [Column] { creates ? creatable + givenLater : [] }
    /// Those that no program gives.
    var readOnly: [Column] {
        fields.filter { !updatable.contains($0) && !creatable.contains($0) }
    }

    func column(_ column: Column, of row: String) -> String { "\(row).\(SQLName(column.name))" }
    /// A column of ``hidden``.
    func part(_ column: Column) -> SQLName { list.part(column.name) }

    /// The bits of every field.
    var allFields: UInt64 { (1 << UInt64(updatable.count)) - 1 }

    /// The bits of the fields that a create cannot give.
    var laterFields: UInt64 {
        guard creates else { return 0 }
        return updatable.enumerated().filter { givenLater.contains($0.element) }
            .reduce(0) { $0 | 1 << UInt64($1.offset) }
    }

    /// The column by whose value a create is known again; nil where there is none.
    var markColumn: Column? {
        guard creates, case .column(let name, _) = list.declaration.once else { return nil }
        return list.declaration.column(name)
    }

    /// What a new row gets in the column `name` if a program leaves it out: nothing, or a mark that nobody else makes.
    func mark(for name: SQLName) -> String {
        newMark(for: name).map { " DEFAULT (\($0))" } ?? ""
    }

    /// An expression that makes a mark, if the column `name` is that of the marks.
    func newMark(for name: SQLName) -> String? {
        guard case .column(_, let form) = list.declaration.once,
            markColumn.map({ SQLName($0.name) }) == name
        else { return nil }
        let digits = "lower(hex(randomblob(2)))"
        switch form {
        case .hex: return "lower(hex(randomblob(16)))"
        // RFC 9562 §5.4: the version and the variant stand at fixed places.
        case .uuid:
            let parts = [
                "lower(hex(randomblob(4)))", digits, "'4' || substr(\(digits), 2)",
                "substr('89ab', 1 + (random() & 3), 1) || substr(\(digits), 2)",
                "lower(hex(randomblob(6)))",
            ]
            return parts.joined(separator: " || '-' || ")
        case .base36(let length):
            let digit =
                "substr('0123456789abcdefghijklmnopqrstuvwxyz', 1 + (random() & 1073741823) % 36, 1)"
            return Array(repeating: digit, count: length).joined(separator: " || ")
        }
    }

    /// The three tables.
    var tables: [SchemaObject] {
        let columns = fields.compactMap { column in
            column.field.map { "\(part(column)) \($0.type.sqlType), " }
        }
        return [
            SchemaObject(name: table.name, sql: list.createTable(as: table)),
            SchemaObject(name: known.name, sql: createKnown(as: known)),
            SchemaObject(
                name: hidden.name,
                sql: """
                    CREATE TABLE \(hidden) (
                        id INTEGER PRIMARY KEY,
                        \(columns.joined())server_id TEXT, added_at TEXT
                    ) STRICT
                    """),
        ]
    }

    func createKnown(as name: SQLName) -> String {
        """
        CREATE TABLE \(name) (
            id INTEGER PRIMARY KEY,
            server_id TEXT NOT NULL UNIQUE,
            -- As the server showed it; a field whose update is undecided as it was before.
            document TEXT NOT NULL\(rank == nil ? "" : ",\n    -- Its place in the last whole list.\n    rank INTEGER")
        ) STRICT
        """
    }

    /// Everything that stands on the tables, in the order in which it can be made.
    var triggers: [SchemaObject] {
        [list.counting, inserted] + updateTriggers + deleteTriggers + list.left
    }

    /// A trigger of the list.
    func trigger(
        _ suffix: String, _ event: String, when condition: String? = nil, _ body: [String]
    ) -> SchemaObject {
        let name = "\(list.declaration.name)_\(suffix)"
        return SchemaObject(
            name: name,
            sql: """
                CREATE TRIGGER \(SQLName(name)) \(event)\(condition.map { "\nWHEN \($0)" } ?? "")
                BEGIN
                \(body.joined(separator: "\n").indented)
                END
                """)
    }

    /// Refuses with the sentence of the first thing that is wrong, if `isJudged`.
    func refuse(
        firstOf wrong: [(condition: String, sentence: String)], where isJudged: String
    ) -> String {
        let cases = wrong.map {
            "    WHEN \($0.condition) THEN RAISE(ABORT, \(SQLText($0.sentence)))"
        }
        return """
            SELECT CASE
            \(cases.joined(separator: "\n"))
            END
            WHERE \(isJudged);
            """
    }

    func refuse(_ sentence: String, where wrong: String) -> String {
        "SELECT RAISE(ABORT, \(SQLText(sentence)))\nWHERE \(wrong);"
    }
}
