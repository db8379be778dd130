public import Declarations
internal import Text

/// The SQL of a declared list: its table, what stands beside it, and the statements of a pull.
///
/// A pure function of the declaration. `Tests/TablesTests/Golden` has what it gives for some
/// declarations, to be read as SQL.
public struct ListTable: Sendable, Hashable {
    /// The list.
    public let declaration: Declaration
    private let madePull = MadeOnce<PullStatements>()
    let madeWritePull = MadeOnce<WritePull>()
    let madeReconciliation = MadeOnce<WriteReconciliation>()
    let madeRowStatements = MadeOnce<RowStatements>()
    let madeQueueStatements = MadeOnce<QueueStatements>()
    let madeEditStatements = MadeOnce<EditStatements?>()
    let madeSince = MadeOnce<SinceStatements>()
    let madeParts = MadeOnce<PartStatements?>()
    let madeCondition = MadeOnce<ConditionStatements>()
    private let madeText = MadeOnce<String>()

    /// The SQL of `declaration`.
    public init(_ declaration: Declaration) { self.declaration = declaration }

    /// Whether both are of one declaration.
    public static func == (one: ListTable, other: ListTable) -> Bool {
        one.declaration == other.declaration
    }

    /// Of the declaration alone: what is made of it is made once.
    public func hash(into hasher: inout Hasher) { hasher.combine(declaration) }

    /// How the list is pulled into its table.
    public var pull: PullStatements { madePull { pullStatements } }

    /// The declaration as a cache keeps it.
    public var text: String {
        madeText { String(decoding: declaration.json().lines, as: UTF8.self) }
    }

    /// The number of this generator: part of what a table was made from.
    public static let generator = 1

    /// Whether a table that was made from this declaration is one of `other`, too: its objects, and how its
    /// columns are read.
    public func hasShape(of other: ListTable) -> Bool {
        self == other || declaration.hasTable(of: other.declaration)
            || declaration.id == other.declaration.id
                && declaration.condition == other.declaration.condition && schema == other.schema
                && pull.read == other.pull.read
                && writePull?.stage == other.writePull?.stage
    }

    /// The name of the full text. Those of the movies are older than the rule.
    public var searchName: String {
        declaration.name == .movies ? "movie_search" : "\(declaration.name)_search"
    }

    var isWritable: Bool { !declaration.isReadOnly }

    package var table: SQLName { SQLName(declaration.name.text) }
    var search: SQLName { SQLName(searchName) }
    package var staged: SQLName { SQLName("pulled_\(declaration.name)") }
    package var projected: SQLName { SQLName("read_\(declaration.name)") }
    package var differing: SQLName { SQLName("differing_\(declaration.name)") }
    package var missing: SQLName { SQLName("absent_\(declaration.name)") }
    package var touched: SQLName { SQLName("touched_\(declaration.name)") }
    package var listName: SQLText { SQLText(declaration.name.text) }

    func name(of kind: Bookkeeping) -> SQLName {
        SQLName(declaration.column(of: kind)?.name ?? kind.standardName)
    }

    package var id: SQLName { name(of: .id) }
    /// The column that has the server's id: rows of a pull are found by it.
    var key: SQLName { name(of: declaration.ids == .server ? .id : .serverID) }
    var keyType: String { declaration.ids == .server ? "INTEGER" : "TEXT" }

    /// The columns that are fields of the document.
    var fields: [(name: SQLName, type: ColumnType, path: JSONPath, column: Column)] {
        declaration.columns.compactMap { column in
            column.field.map { (SQLName(column.name), $0.type, $0.path, column) }
        }
    }

    /// The column that names a row where it is told of; nil: the row's id does.
    var label: Column? { declaration.labelColumn }

    /// What the change log shows of the row in `row`.
    func title(_ row: String) -> String {
        label.map { "substr(\(row).\(SQLName($0.name)), 1, 500)" } ?? "CAST(\(row).\(id) AS TEXT)"
    }
}

/// An object of the schema.
public struct SchemaObject: Sendable, Hashable {
    /// As `sqlite_schema` has it.
    public let name: String
    /// What makes it, without a semicolon.
    public let sql: String

    /// `table`, `view`, `index` or `trigger`, as `sqlite_schema` has it: a trigger can have a table's name.
    package var kind: String {
        let words = sql.split(separator: " ", maxSplits: 3).dropFirst().prefix(2)
            .map { $0.lowercased() }
        return words.first { $0 != "virtual" && $0 != "unique" } ?? ""
    }

    /// A table with rows, and no full text of another one.
    package var isTable: Bool { sql.hasPrefix("CREATE TABLE ") }

    /// A table that follows from others: it is filled anew when it is made.
    package var isDerived: Bool { isTable && (name.hasPrefix("r_") || name.hasPrefix("touched_")) }

    /// What removes it.
    package var drop: String { "DROP \(kind.uppercased()) IF EXISTS \(SQLName(name))" }
}
