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

    /// The rows of a list of todos, and those that were skipped.
    func stageTodos() throws -> (rows: Int64, skipped: SkippedRows) {
        // One statement, so that SQLite parses the body once for all its functions.
        let (kind, rows) = try single(
            """
            SELECT iif(json_valid(?1), json_type(?1), 'malformed JSON'),
                iif(json_valid(?1), json_array_length(?1), 0)
            """
        ) { ($0.text(0), $0.integer(1)) }
        guard kind == "array" else {
            throw StoreError.unusableBody("expected a list of todos, found \(kind)")
        }
        guard rows <= CacheStore.maxRows else {
            throw StoreError.unusableBody(
                "the list has \(rows) rows, the limit is \(CacheStore.maxRows)")
        }
        try run(Self.insertTodos)
        let taken = try connection.count("SELECT count(*) FROM pulled_todo")
        let usable = try taken == rows ? rows : single(Self.countUsableTodos) { $0.integer(0) }
        guard taken == usable else {
            throw StoreError.unusableBody("the list holds an id twice")
        }
        guard taken < rows else { return (rows, SkippedRows(count: 0, named: [])) }
        let named = try all(Self.nameSkippedTodos) {
            Self.skippedRow($0, of: "", expectedID: "an integer or a text")
        }
        return (taken, SkippedRows(count: rows - taken, named: named))
    }

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

    /// A value that is no object has no fields: a path into it would be an error.
    private static let todoFields = """
        SELECT key, value, type, json_type(value, '$.id') AS id_type, value ->> '$.id' AS id,
            json_type(value, '$.title') AS title_type, value ->> '$.title' AS title
        FROM json_each(?1) WHERE type = 'object'
        """

    static let usableID = """
        (id_type = 'integer' AND typeof(id) = 'integer' OR id_type = 'text'
            AND length(CAST(id AS BLOB)) BETWEEN 1 AND 200 AND id NOT IN ('.', '..'))
        """

    static let usableTitle =
        "(title_type = 'text' AND length(CAST(title AS BLOB)) <= 1048576)"

    static let insertTodos = """
        INSERT OR IGNORE INTO pulled_todo (position, id, title, document)
        SELECT key, CAST(id AS TEXT), title, value FROM (\(todoFields))
        WHERE \(usableID) AND \(usableTitle)
        """

    static let countUsableTodos = """
        SELECT count(*) FROM (\(todoFields)) WHERE \(usableID) AND \(usableTitle)
        """

    static let nameSkippedTodos = """
        SELECT key, type, id_type, title_type, \(usableID) FROM (
            \(todoFields)
            UNION ALL SELECT key, NULL, type, NULL, NULL, NULL, NULL FROM json_each(?1)
            WHERE type <> 'object')
        WHERE NOT coalesce(\(usableID) AND \(usableTitle), 0)
        ORDER BY key LIMIT \(SkippedRows.namedAtMost)
        """

    func run(_ sql: String) throws {
        _ = try all(sql) { _ in () }
    }

    func single<Row>(_ sql: String, row: (Statement) -> Row) throws -> Row {
        let rows = try all(sql, row: row)
        guard let first = rows.first else { throw StoreError.unusableBody("the body is empty") }
        return first
    }

    func all<Row>(_ sql: String, row: (Statement) -> Row) throws -> [Row] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind(borrowedText: body, at: 1)
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }
}

extension CacheStore {
    /// A door for tests: the statements that are put together from parts.
    package static let pullStatements = [
        JSONStaging.insertTodos, JSONStaging.countUsableTodos, JSONStaging.nameSkippedTodos,
        MovieSQL.stage, MovieSQL.nameSkipped, MovieSQL.upsert, MovieSQL.noteNew,
        MovieSQL.noteChanged, MovieIndex.takeOut, MovieIndex.putIn, MovieHistory.insert,
        MovieHistory.prune,
    ]
}
