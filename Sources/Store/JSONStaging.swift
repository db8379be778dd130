internal import SQLite

/// Takes the rows of a pulled body into a staging table, inside SQLite: the bytes never become
/// Swift objects. SQL that reads JSON stands only here, never in the schema, where programs that
/// set `trusted_schema=OFF` could not use it.
///
/// Source: https://www.sqlite.org/json1.html
struct JSONStaging {
    let connection: Connection
    /// The body; checked for UTF-8, NUL and depth before.
    let body: UnsafeBufferPointer<UInt8>

    func single<Row>(_ sql: String, row: (Statement) -> Row) throws -> Row {
        let rows = try all(sql, row: row)
        guard let first = rows.first else { throw StoreError.unusableBody("the body is empty") }
        return first
    }

    /// The rows of a statement over the body, which is `?1`; `values` follow it.
    func all<Row>(
        _ sql: String, _ values: Value..., row: (Statement) -> Row
    ) throws -> [Row] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(borrowedText: body, at: 1)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 2) }
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }

    /// Runs a statement over the body that writes, and returns how many rows it wrote.
    func run(_ sql: String, _ values: Value...) throws -> Int64 {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(borrowedText: body, at: 1)
        for (index, value) in values.enumerated() { try statement.bind(value, at: index + 2) }
        let before = connection.totalChanges
        while try statement.step() {}
        return connection.totalChanges - before
    }

    /// Hands each piece in brackets to `work`.
    func each(_ pieces: [Range<Int>], _ work: (JSONStaging) throws -> Void) throws {
        var text: [UInt8] = []
        for piece in pieces {
            text.removeAll(keepingCapacity: true)
            text.append(UInt8(ascii: "["))
            text.append(contentsOf: UnsafeBufferPointer(rebasing: body[piece]))
            text.append(UInt8(ascii: "]"))
            try text.withUnsafeBufferPointer {
                try work(JSONStaging(connection: connection, body: $0))
            }
        }
    }
}
