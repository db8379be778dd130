extension Connection {
    /// Runs a statement that returns no row, and returns how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: Value...) throws(SQLiteError) -> Int64 {
        try run(sql, values)
    }

    /// Runs a statement that returns no row, and returns how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: [Value]) throws(SQLiteError) -> Int64 {
        let before = totalChanges
        try each(sql, values) { _ in }
        return totalChanges == before ? 0 : changes
    }

    /// Calls `body` for each row, in order.
    public func each(
        _ sql: String, _ values: [Value], _ body: (Statement) -> Void
    ) throws(SQLiteError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        while try statement.step() { body(statement) }
    }

    /// All rows, each made into a value.
    public func all<Row>(
        _ sql: String, _ values: Value..., row: (Statement) -> Row
    ) throws(SQLiteError) -> [Row] {
        var rows: [Row] = []
        try each(sql, values) { rows.append(row($0)) }
        return rows
    }

    /// The first row, made into a value; nil if there is no row.
    public func first<Row>(
        _ sql: String, _ values: Value..., row: (Statement) -> Row
    ) throws(SQLiteError) -> Row? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? row(statement) : nil
    }

    /// The integer in the first column of the first row; 0 if there is no row.
    public func count(_ sql: String, _ values: Value...) throws(SQLiteError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs `body` in a transaction that holds the write lock from its begin, and commits; any
    /// error rolls back and is thrown on.
    ///
    /// A transaction that began by reading could fail as busy without waiting when it comes to
    /// write (`SQLITE_BUSY_SNAPSHOT`).
    /// Source: https://www.sqlite.org/lang_transaction.html
    @discardableResult
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` with one consistent view of the database, and writes nothing.
    public func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        defer { rollBack() }
        return try body()
    }

    /// Runs `body` in a transaction that takes no lock before it writes: for temporary tables,
    /// which no other connection sees. Any error rolls back and is thrown on.
    @discardableResult
    public func staging<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            rollBack()
            throw error
        }
    }

    /// Undoes the open transaction, if there is one.
    public func rollBack() {
        guard isInTransaction else { return }
        // A rollback that fails has been done by SQLite already, or the connection is lost: the
        // error that led here says why.
        _ = try? run("ROLLBACK")
    }
}
