internal import APIClient
internal import CommandLine
internal import Configuration
internal import Declarations
internal import Rendering
internal import Store
internal import Tables
internal import Text

extension Command {
    static let listsShow = Command(
        "lists show", "Shows a list: its declaration, columns, promises and SQL.",
        operands: OperandRule(name: "the name of a list", usage: "NAME", count: 1...1),
        options: [
            .json, OptionSpec("sql", "print the SQL of its table instead"),
        ],
        notes: [
            "--json prints the declaration alone. Saved as lists/OTHER.json beside the configuration,",
            "it makes a table OTHER with equal rows.",
        ],
        statuses: [.configuration, .closedPipe],
        examples: [
            "syncd lists show movies", "syncd lists show movies --json > popular.json",
        ]
    ) { arguments, composition async throws(CommandError) in
        let place = try composition.place(for: arguments)
        let store = try composition.openForReading(place)
        let table = try await composition.table(arguments.operands[0], arguments, in: store)
        let console = composition.console
        if arguments.flags.contains("sql") {
            // The triggers of a list that programs write to need what checks their texts.
            let checks = table.queueStatements == nil ? [] : SharedObjects.textChecks
            let schema = table.schema + checks
            try console.write(text: schema.map { "\($0.sql);\n" }.joined(separator: "\n"))
            return .ok
        }
        let declared = place.settings.flatMap { settings in
            ([settings.movies.list] + settings.lists).first {
                $0.declaration.name == table.declaration.name
            }
        }
        let declaration = declared?.declaration ?? table.declaration
        let json = declaration.json(server: declaration.server == nil ? declared?.server.json : nil)
        let text = String(decoding: json.lines, as: UTF8.self)
        guard !arguments.wantsJSON else {
            try console.write(text: text)
            return .ok
        }
        // As it is declared now, also before the next sync makes its table so.
        let shown = declared.map { ListTable($0.declaration) } ?? table
        try console.write(text: text + "\n")
        try console.write(shown.columnTable)
        let promises = shown.declaration.promises.map { "- \($0)\n" }.joined()
        try console.write(text: "\nWhat is promised:\n\(promises)\n")
        let examples = shown.examples.map { "    \($0);\n" }.joined()
        try console.write(text: "Statements that are allowed:\n\(examples)")
        return .ok
    }
}

extension ListTable {
    /// The columns, their types, and where their values come from.
    fileprivate var columnTable: Table {
        Table(
            columns: [.init("COLUMN"), .init("TYPE"), .init("FROM", isFlexible: true)],
            rows: declaration.columns.map { column in
                switch column.source {
                case .field(let type, let path):
                    [.init(column.name), .init(type.rawValue), .init("\(path)")]
                case .bookkeeping(let kind):
                    [.init(column.name), .init(kind.typeName), .init(kind.meaning)]
                }
            })
    }
}

extension Bookkeeping {
    fileprivate var typeName: String {
        switch self {
        case .id, .rank: "integer"
        case .serverID, .state, .error, .added, .fetched: "text"
        case .document: "json"
        }
    }

    fileprivate var meaning: String {
        switch self {
        case .id: "the row's number here"
        case .serverID: "the id at the server"
        case .state: "synced, or the state of the operation that waits"
        case .error: "why an operation failed"
        case .added: "when the row was added here"
        case .fetched: "when its document last changed"
        case .rank: "its place in the list"
        case .document: "the server's object, whole"
        }
    }
}
