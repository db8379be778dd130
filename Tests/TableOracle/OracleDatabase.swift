import SQLite

/// The cache that the runs of one setting write to: made once, and emptied between them.
///
/// To make the schema and to prepare each statement anew costs more than a run itself. So the
/// connection and its statements stay, and ``isEmptied()`` says whether the next run can begin with them.
final class OracleDatabase {
    let connection: Connection
    private var statements: [String: Statement] = [:]
    private let tables: [String]
    private let control: [Value]

    /// A statement with all triggers that it runs takes 0.2 MB.
    private static let mostStatements = 1000

    /// - Parameter setting: ``Setting/script`` of the runs.
    init(_ schema: TableSchema, setting: String) throws {
        connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        try connection.execute(script: schema.script)
        try connection.execute(script: setting)
        try connection.execute(script: SyncSteps.tables)
        tables = try connection.all(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'control'
            UNION ALL SELECT name FROM sqlite_temp_schema WHERE type = 'table'
            """
        ) { $0.text(0) }
        control = try Self.control(of: connection)
        guard try countRows() == 0 else {
            throw OracleRun.Problem(description: "a table of the schema has rows to begin with")
        }
    }

    /// Runs a statement of a program.
    func run(_ sql: String, _ values: [Value]) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() {}
    }

    private func statement(_ sql: String) throws -> Statement {
        if let kept = statements[sql] { return kept }
        let prepared = try connection.prepare(sql)
        if statements.count == Self.mostStatements { statements = [:] }
        statements[sql] = prepared
        return prepared
    }

    /// Takes back what a run has left, and looks whether every table is as it was when it was made.
    ///
    /// No run writes to the schema, and nothing in the schema asks for what a connection remembers beside
    /// its tables, such as the last rowid. So a run cannot tell this database from a new one.
    func isEmptied() throws -> Bool {
        connection.rollBack()
        try connection.transaction {
            try connection.run("UPDATE control SET applying = 1")
            // Triggers write to other tables: the second time there is nothing that they could write of.
            for table in tables + tables { try connection.run("DELETE FROM \"\(table)\"") }
            try connection.run(
                """
                UPDATE control SET applying = 0, paused = NULL, leaving = NULL, rewriting = NULL,
                    returning_row = NULL
                """)
            // Triggers that were left to run have counted.
            try connection.run("DELETE FROM sqlite_sequence")
        }
        return try countRows() == 0 && Self.control(of: connection) == control
    }

    private func countRows() throws -> Int64 {
        let counts = tables.map { "(SELECT count(*) FROM \"\($0)\")" }
        return try connection.count("SELECT \(counts.joined(separator: " + "))")
    }

    private static func control(of connection: Connection) throws -> [Value] {
        try connection.all("SELECT * FROM control") { row in
            (0..<row.columnCount).map(row.value)
        }.flatMap(\.self)
    }
}
