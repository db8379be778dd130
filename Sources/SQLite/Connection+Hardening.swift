internal import CSQLite

/// What no connection may do, and what SQL from outside may not do either.
///
/// A file is data: what its schema says may not load code, reach functions with side effects, or write
/// to the schema tables. Source: https://www.sqlite.org/security.html
extension Connection {
    /// The most that a connection takes, by the numbers of
    /// https://www.sqlite.org/c3ref/c_limit_attached.html: the project's own schema and statements stay
    /// far below each of them.
    private static let limits: [(limit: Int32, most: Int32)] = [
        (SQLITE_LIMIT_LENGTH, 1 << 28), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
        (SQLITE_LIMIT_COLUMN, 200), (SQLITE_LIMIT_EXPR_DEPTH, 500),
        (SQLITE_LIMIT_COMPOUND_SELECT, 100), (SQLITE_LIMIT_VDBE_OP, 250_000),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10_000), (SQLITE_LIMIT_VARIABLE_NUMBER, 250),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 32),
        // VACUUM INTO counts as one, for a backup.
        (SQLITE_LIMIT_ATTACHED, 1),
    ]

    /// Binds a connection that has just been opened, before its first statement. A library that does not
    /// know one of the switches is refused.
    func harden(_ access: Access) throws(SQLiteError) {
        // A close leaves the WAL as it is.
        for (option, isOn) in [
            (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
            (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false), (SQLITE_DBCONFIG_DQS_DML, false),
            (SQLITE_DBCONFIG_DQS_DDL, false), (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
        ] {
            let code = csqlite_db_config_flag(handle, option, isOn ? 1 : 0, nil)
            guard code == SQLITE_OK else {
                throw SQLiteError(
                    code: ResultCode(rawValue: code),
                    message: "SQLite \(Self.libraryVersion) does not know the switch \(option)",
                    sql: nil)
            }
        }
        for (limit, most) in Self.limits { sqlite3_limit(handle, limit, most) }
        if access == .readOnly { try execute(script: "PRAGMA query_only = ON") }
    }

    /// The longest text or blob accepted, in bytes.
    public func limitLength(to bytes: Int) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    }

    /// The most memory that SQLite takes in the whole process, in bytes; a statement that needs more
    /// fails as ``ResultCode/outOfMemory``. To be called before the first connection of the process: later
    /// SQLite does not count what it takes, and the limit binds nobody.
    ///
    /// Source: https://www.sqlite.org/c3ref/hard_heap_limit64.html
    public static func limitMemory(to bytes: Int64) {
        sqlite3_hard_heap_limit64(bytes)
    }

    /// Lets every statement prepared from now on read and do nothing else, whatever it says: no
    /// write, no temporary table, no transaction, no other database (`ATTACH`, `VACUUM INTO`), no PRAGMA
    /// that sets something, and no function but ``ReadableFunctions``. For SQL from
    /// outside, after the connection's own settings.
    ///
    /// Source: https://www.sqlite.org/c3ref/set_authorizer.html
    public func allowReadingOnly() {
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        let rule = ReadingRule()
        reading = rule
        // Fails only for an invalid handle.
        sqlite3_set_authorizer(
            handle, ReadingRule.callback, Unmanaged.passUnretained(rule).toOpaque())
    }
}
