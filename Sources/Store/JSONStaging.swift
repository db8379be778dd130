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

    /// Names the first thing that is wrong with a row of `list`: `row` holds its index, its type,
    /// those of its id and title, and whether the id is usable.
    static func skippedRow(
        _ row: Statement, of list: String, expectedID: String
    ) -> SkippedRow {
        let place = "\(list)[\(row.integer(0))]"
        guard row.text(1) == "object" else {
            return SkippedRow(place: place, problem: "expected an object, found \(row.text(1))")
        }
        guard row.integer(4) == 1 else {
            let type = row.textOrNil(2) ?? "nothing"
            // An integer or a text of the wrong size.
            let found = expectedID.contains(type) ? "an unusable \(type)" : type
            return SkippedRow(
                place: "\(place).id", problem: "expected \(expectedID), found \(found)")
        }
        let type = row.textOrNil(3) ?? "nothing"
        return SkippedRow(
            place: "\(place).title",
            problem: type == "text" ? "longer than 1 MiB" : "expected a text, found \(type)")
    }

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

extension CacheStore {
    /// A door for tests: the statements that are put together from parts.
    package static let pullStatements = [
        TodosStaging.noteRows, TodosStaging.noteTodos, JSONStaging.insertTodos,
        JSONStaging.countUsableTodos, JSONStaging.nameSkippedTodos,
        ListHistory.prune,
    ]
}
