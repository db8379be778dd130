internal import SQLite

/// Takes the rows of a pulled body into a staging table, inside SQLite: the bytes never become
/// Swift objects. SQL that reads JSON stands only here, never in the schema, where programs that
/// set `trusted_schema=OFF` could not use it.
///
/// Source: https://www.sqlite.org/json1.html
struct JSONStaging {
    let connection: Connection
    /// The body; checked for UTF-8, NUL and depth before.
    let body: [UInt8]

    func single<Row>(_ sql: String, row: (Statement) -> Row) throws -> Row {
        let rows = try all(sql, row: row)
        guard let first = rows.first else { throw StoreError.unusableBody("the body is empty") }
        return first
    }

    /// The rows of a statement over the body, which is `?1`; `values` follow it.
    func all<Row>(
        _ sql: String, _ values: Value..., row: (Statement) -> Row
    ) throws -> [Row] {
        try all(sql, values: values, row: row)
    }

    func all<Row>(
        _ sql: String, values: [Value], row: (Statement) -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try step(sql, values) { rows.append(row($0)) }
        return rows
    }

    /// Runs a statement over the body that writes, and returns how many rows it wrote.
    func run(_ sql: String, _ values: Value...) throws -> Int64 {
        let before = connection.totalChanges
        try step(sql, values) { _ in }
        return connection.totalChanges - before
    }

    private func step(_ sql: String, _ values: [Value], row: (Statement) -> Void) throws {
        let statement = try connection.statement(sql)
        try body.withUnsafeBufferPointer { bytes in
            // SQLite does not copy the bytes, so they are its no longer than this.
            defer { statement.reset() }
            try statement.bind(borrowedText: bytes, at: 1)
            for (index, value) in values.enumerated() { try statement.bind(value, at: index + 2) }
            while try statement.step() { row(statement) }
        }
    }
}
