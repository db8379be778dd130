internal import CommandLine
internal import Declarations
internal import Rendering
internal import SQLite
internal import Store
internal import Tables
internal import Text

extension Command {
    static let list = Command(
        "list", "Lists the rows of a declared list, in the server's order.",
        operands: OperandRule(name: "the name of a list", usage: "NAME", count: 1...1),
        options: RowFormat.options + [
            OptionSpec("search", "TEXT", "only rows with every word of TEXT, best first"),
            OptionSpec("limit", "N", "at most N rows"),
        ],
        notes: [
            "A table leaves out columns of JSON and the server's own object; --json and --csv have all",
            "columns. A terminal shows the columns for which it has room, and names the others.",
            "`syncd lists` names the lists.",
        ],
        statuses: [.configuration, .closedPipe],
        examples: ["syncd list issues --search 'crash' --limit 10", "syncd list notes --csv"]
    ) { arguments, composition async throws(CommandError) in
        let format = try RowFormat(arguments)
        let limit = try arguments.positiveInteger("limit").map { Int(clamping: $0) }
        let place = try composition.place(for: arguments)
        let store = try composition.openForReading(place)
        let table = try await composition.table(arguments.operands[0], arguments, in: store)
        var expression: String?
        if let text = arguments.values["search"] {
            guard !table.declaration.search.isEmpty else {
                throw arguments.usage(
                    "\(table.declaration.name) has no full text: its declaration names no columns under search"
                )
            }
            // A text without a word finds nothing.
            expression = SearchQuery(text)?.expression ?? "\"\""
        }
        let connection = try CommandError.from(CommandError.statement) {
            () throws(SQLiteError) in
            try Connection(.file(store.path), access: .readOnly, busyTimeout: .seconds(2))
        }
        let statement = try CommandError.from(CommandError.statement) {
            () throws(SQLiteError) in
            let statement = try connection.prepare(
                table.listing(isWhole: format != .table, isSearched: expression != nil))
            if let expression { try statement.bind(.text(expression), at: 1) }
            try statement.bind(.integer(limit ?? -1), at: 2)
            return statement
        }
        try RowPrinter(
            statement: statement, time: WorkingTime(upTo: .seconds(60)),
            console: composition.console, hasHeader: !arguments.flags.contains("no-header"),
            first: table.telling
        ).write(as: format)
        return .ok
    }
}

extension Composition {
    /// The list with a table that a person names; `others` have none, and may be what was meant.
    func table(
        _ word: String, _ arguments: Arguments, in store: CacheStore,
        beside others: [ListTable] = []
    ) async throws(CommandError) -> ListTable {
        let tables = try await CommandError.awaiting(
            CommandError.store, try await store.tables())
        guard let table = tables.first(where: { $0.declaration.name.text == word }) else {
            throw arguments.unknownList(
                word, among: (tables + others).map(\.declaration.name.text))
        }
        return table
    }
}

extension ListTable {
    /// The names of the columns that say which row it is, what it is called, and how it is.
    fileprivate var telling: [String] {
        let columns = declaration.columns
        return [
            columns.first { $0.bookkeeping == .id }, declaration.labelColumn,
            columns.first { $0.bookkeeping == .state },
        ].compactMap { $0?.name }
    }
}
