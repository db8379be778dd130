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
    var resource: SQLText { list.resource }

    var id: SQLName { list.id }
    var state: SQLName { list.name(of: .state) }
    var error: SQLName { list.name(of: .error) }
    var serverID: SQLName { list.name(of: .serverID) }
    var added: SQLName { list.name(of: .added) }

    var sentences: Sentences { Sentences(self) }

    var creates: Bool { list.declaration.calls[.create] != nil }
    var updates: Bool { list.declaration.calls[.update] != nil }
    var deletes: Bool { list.declaration.calls[.delete] != nil }

    /// The columns that are fields.
    var fields: [Column] { list.declaration.columns.filter { $0.field != nil } }
    /// Those that a row can be given another value for. The first has bit 1 in `operation.fields`.
    var updatable: [Column] { updates ? fields.filter(\.writing.isForUpdates) : [] }
    /// Those that a new row can be given.
    var creatable: [Column] { creates ? fields.filter(\.writing.isForCreates) : [] }
    /// Those that a new row alone can be given.
    var givenOnce: [Column] { creatable.filter { !updatable.contains($0) } }
    /// Those that a row of the server alone can be given.
    var givenLater: [Column] { updatable.filter { !creatable.contains($0) } }
    /// Those that no program gives.
    var readOnly: [Column] {
        fields.filter { !updatable.contains($0) && !creatable.contains($0) }
    }

    func column(_ column: Column, of row: String) -> String { "\(row).\(SQLName(column.name))" }
    /// A column of ``hidden``.
    func part(_ column: Column) -> SQLName { list.part(column.name) }

    /// The bits of every field.
    var allFields: UInt64 { (1 << UInt64(updatable.count)) - 1 }

    /// The three tables.
    var tables: [SchemaObject] {
        let columns = fields.compactMap { column in
            column.field.map { "\(part(column)) \($0.type.sqlType), " }
        }
        return [
            SchemaObject(name: table.name, sql: list.createTable(as: table)),
            SchemaObject(
                name: known.name,
                sql: """
                    CREATE TABLE \(known) (
                        id INTEGER PRIMARY KEY,
                        server_id TEXT NOT NULL UNIQUE,
                        -- As the server showed it; a field whose update is undecided as it was before.
                        document TEXT NOT NULL
                    ) STRICT
                    """),
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

    /// Everything that stands on the tables, in the order in which it can be made.
    var triggers: [SchemaObject] {
        [inserted] + updateTriggers + deleteTriggers + [queued, followed, freed]
    }

    /// A trigger of the list.
    func trigger(
        _ suffix: String, _ event: String, when condition: String, _ body: [String]
    ) -> SchemaObject {
        let name = "\(list.declaration.name)_\(suffix)"
        let lines = body.joined(separator: "\n").split(separator: "\n").map { "    " + $0 }
        return SchemaObject(
            name: name,
            sql: """
                CREATE TRIGGER \(SQLName(name)) \(event)
                WHEN \(condition)
                BEGIN
                \(lines.joined(separator: "\n"))
                END
                """)
    }

    /// A program writes, and not syncd.
    static let isProgram = "(SELECT applying FROM control) = 0"

    func refuse(_ sentence: String, where wrong: String) -> String {
        "SELECT RAISE(ABORT, \(SQLText(sentence)))\nWHERE \(wrong);"
    }
}
