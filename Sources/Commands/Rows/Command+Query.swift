internal import CommandLine
internal import Rendering
internal import SQLite
internal import Store
internal import Text

extension Command {
    static let query = Command(
        "query", "Runs one SQL statement that reads the cache; prints its rows.",
        operands: OperandRule(
            name: "one SQL statement, or - for standard input", usage: "SQL | -", count: 1...1),
        options: RowFormat.options + [
            OptionSpec("timeout", "DURATION", "give up after DURATION of work (default: 1m)")
        ],
        notes: [
            "The views movies, todos, outbox, sync_status and sync_requests are the contract. The",
            "statement cannot write, and cannot attach another file. It can call functions that",
            "compute a value, such as those for dates, JSON, windows and full text. Other",
            "functions, such as load_extension, are refused. A value has at most 16 MiB. Blobs are",
            "shown in hexadecimal. DURATION is in seconds if it has no unit. Printing does not",
            "count. A spreadsheet evaluates a text that begins with =, +, - or @, and titles come",
            "from other people. So add --safe if you open the output in a spreadsheet. A terminal shows",
            "the columns for which it has room, and names the others.",
        ], statuses: [.data, .tryLater, .configuration, .closedPipe],
        examples: [
            "syncd query 'SELECT count(*) FROM movies'",
            "syncd query --csv --safe 'SELECT id, title FROM todos' > todos.csv",
            "syncd query --no-header 'SELECT count(*) FROM todos'",
            "syncd query --timeout 5s 'SELECT count(*) FROM changes'",
        ]
    ) { arguments, composition async throws(CommandError) in
        let format = try RowFormat(arguments)
        let time = WorkingTime(upTo: try arguments.duration("timeout") ?? Self.usualTimeout)
        let sql = try Self.statement(arguments.operands)
        let place = try composition.place(for: arguments)
        // Before SQLite is used at all.
        Connection.limitMemory(to: Self.mostMemory)
        // If the file is not a cache of ours, the store refuses it with a better sentence than SQL
        // would get.
        let store = try composition.openForReading(place)
        let path = store.path
        let connection = try CommandError.trying(
            CommandError.statement, try Self.connection(to: path))
        let tooLong = CommandError.tryLater(
            "the query did not end within \(HumanTime.written(time.limit))",
            hint: "Let it read less, or allow more with --timeout.")
        do throws(CommandError) {
            try time.watch { () throws(CommandError) in
                try connection.interruptible(when: { time.isOver }) { () throws(CommandError) in
                    try Self.print(
                        sql, of: connection, path, time, as: format, composition.console,
                        hasHeader: !arguments.flags.contains("no-header"))
                }
            } orEnd: {
                SyncdProgram.end(failing: tooLong, on: composition.console)
            }
        } catch .statement(let error) where error.code.primary == .interrupted {
            throw tooLong
        } catch .statement(let error) {
            guard let name = UnknownName(error) else { throw .statement(error) }
            throw await name.refusal(of: sql, in: store, at: connection)
        }
        return .ok
    }

    private static func print(
        _ sql: String, of connection: Connection, _ path: String, _ time: WorkingTime,
        as format: RowFormat, _ console: Console, hasHeader: Bool
    ) throws(CommandError) {
        let statement = try CommandError.from(CommandError.statement) {
            () throws(SQLiteError) in
            try time.count { () throws(SQLiteError) in try connection.prepare(sql) }
        }
        guard statement.isReadOnly else {
            throw .data(
                "the statement writes, but `query` only reads",
                hint: "Use `syncd todo`, or the sqlite3 program on \(path).")
        }
        try RowPrinter(statement: statement, time: time, console: console, hasHeader: hasHeader)
            .write(as: format)
    }

    private static let usualTimeout = Duration.seconds(60)
    /// More than any row of the cache, and enough for all of them as one JSON text.
    private static let longestValue = 16 << 20
    /// For all that a query sorts and joins.
    private static let mostMemory: Int64 = 256 << 20

    private static func connection(to path: String) throws(SQLiteError) -> Connection {
        let connection = try Connection(.file(path), access: .readOnly, busyTimeout: .seconds(2))
        // Nothing of a query is written to a temporary file.
        try connection.execute(script: "PRAGMA temp_store = MEMORY")
        connection.limitLength(to: longestValue)
        connection.allowReadingOnly()
        return connection
    }

    private static func statement(_ operands: [String]) throws(CommandError) -> String {
        guard operands == ["-"] else { return operands[0] }
        return try InputLines.read().joined(separator: "\n")
    }
}
