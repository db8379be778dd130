internal import Rendering
internal import SQLite

extension Command {
    static let query = Command(
        "query", "Runs one SQL statement that reads the cache, and prints its rows.",
        operands: OperandRule(
            name: "one SQL statement, or - for standard input", usage: "SQL | -", count: 1...1),
        options: [
            .json, OptionSpec("csv", "print comma-separated values (RFC 4180)"),
            OptionSpec("safe", "with --csv: put an apostrophe before formulas, for spreadsheets"),
        ],
        notes: [
            "The views movies, todos, outbox, sync_status and sync_requests are the contract. Nothing",
            "can be written, and no other file attached. Blobs are shown in hexadecimal.",
            "A spreadsheet evaluates a text that begins with =, +, - or @. Titles come from elsewhere, so",
            "add --safe to what you open in one.",
        ], statuses: [.data, .tryLater, .configuration, .closedPipe],
        examples: [
            "syncd query 'SELECT count(*) FROM movies'",
            "syncd query --csv --safe 'SELECT id, title FROM todos' > todos.csv",
        ]
    ) { arguments, composition async throws(CommandError) in
        guard !(arguments.wantsJSON && arguments.flags.contains("csv")) else {
            throw arguments.usage("--json and --csv exclude each other")
        }
        guard arguments.flags.contains("csv") || !arguments.flags.contains("safe") else {
            throw arguments.usage("--safe goes with --csv")
        }
        let sql = try Self.statement(arguments.operands)
        let place = try composition.place(for: arguments)
        // The store refuses what is no cache of ours, with a better sentence than SQL would get.
        _ = try composition.openForReading(place)
        let path = try composition.find(place)
        let statement: Statement
        let connection: Connection
        do throws(SQLiteError) {
            connection = try Connection(.file(path), access: .readOnly, busyTimeout: .seconds(2))
            connection.forbidAttaching()
            try connection.execute(script: "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;")
            connection.allowReadingOnly()
            statement = try connection.prepare(sql)
        } catch {
            throw .statement(error)
        }
        guard statement.isReadOnly else {
            throw .data(
                "the statement writes, and `query` only reads",
                hint: "Use `syncd todo`, or the sqlite3 program on \(path).")
        }
        let format = Self.format(arguments)
        try withExtendedLifetime(connection) { () throws(CommandError) in
            try RowPrinter(statement: statement, console: composition.console).write(as: format)
        }
        return .ok
    }

    private static func format(_ arguments: Arguments) -> RowFormat {
        guard arguments.flags.contains("csv") else { return arguments.wantsJSON ? .json : .table }
        return arguments.flags.contains("safe") ? .safeCSV : .csv
    }

    private static func statement(_ operands: [String]) throws(CommandError) -> String {
        guard operands == ["-"] else { return operands[0] }
        return try InputLines.read().joined(separator: "\n")
    }
}
