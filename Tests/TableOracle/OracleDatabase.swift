import SQLite

/// The cache that the runs of one setting write to: made once, and emptied between them.
///
/// To make the schema and to prepare each statement anew costs more than a run itself. So the
/// connection and its statements stay, and ``isEmptied()`` says whether the next run can begin with them.
final class OracleDatabase {
    let connection: Connection
    private var statements: [String: Kept] = [:]
    private let tables: [String]
    private let control: [Value]

    /// To prepare a statement with all triggers that it runs takes a millisecond, and it takes 0.1 MB. Runs
    /// that have the same setting make up to 5000.
    private static let mostStatements = 6000

    private struct Kept {
        let statement: Statement
        /// Of ``uses``, when it was last asked for.
        var lastUse: Int
    }

    private var uses = 0

    /// Makes the tables of the schema, and what the setting has beside them.
    init(_ schema: TableSchema, _ setting: Setting) throws {
        connection = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        try connection.execute(script: schema.script)
        try connection.execute(script: setting.script)
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
        uses += 1
        if let place = statements.index(forKey: sql) {
            statements.values[place].lastUse = uses
            return statements.values[place].statement
        }
        let prepared = try connection.prepare(sql)
        if statements.count >= Self.mostStatements { letHalfGo() }
        statements[sql] = Kept(statement: prepared, lastUse: uses)
        return prepared
    }

    /// Keeps the statements that were asked for last.
    private func letHalfGo() {
        let middle = statements.values.map(\.lastUse).sorted()[statements.count / 2]
        statements = statements.filter { $0.value.lastUse >= middle }
    }

    /// Takes back what a run has left, and looks whether every table is as it was when it was made.
    ///
    /// No run writes to the schema, and nothing in the schema asks for what a connection remembers beside
    /// its tables, such as the last rowid. So a run cannot tell this database from a new one.
    func isEmptied() throws -> Bool {
        connection.rollBack()
        try connection.transaction {
            try connection.run("UPDATE control SET applying = 'books'")
            for table in ["books", "d_books", "s_books"] {
                try connection.run("DELETE FROM \(table)")
            }
            try connection.run("UPDATE control SET applying = 'notes'")
            // Triggers write to other tables: the second time there is nothing that they could write of.
            for table in tables + tables { try connection.run("DELETE FROM \"\(table)\"") }
            try connection.run(
                """
                UPDATE control SET applying = NULL, paused = NULL, rewriting = NULL,
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
