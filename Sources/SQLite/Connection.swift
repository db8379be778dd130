internal import CSQLite
internal import Glibc

/// One connection to one database. Not shared: its owner, an actor on its own queue, is the only
/// one who touches it and its statements.
///
/// Source: https://www.sqlite.org/c3ref/open.html, https://www.sqlite.org/security.html
public final class Connection {
    let handle: OpaquePointer
    /// 4 MiB are too few for one list that programs edit: docs/decisions/the-process.md.
    private var cache = StatementCache(capacity: 16 << 20)
    /// Who hears that a statement goes on.
    var listener: ProgressListener?
    /// Who decides what SQL from outside may do; nil where all SQL is our own.
    var reading: ReadingRule?

    /// Opens the database file at `path`, which must exist and be no symbolic link, or a database
    /// in memory. Nothing of the file is read before the first statement.
    ///
    /// A path is never read as a URI: one that begins with `file:` is refused, because a build of
    /// SQLite with `SQLITE_USE_URI` would obey it. Every connection of the project is opened here, and
    /// ``harden(_:)`` says what none of them may do.
    public init(_ location: Location, access: Access, busyTimeout: Duration) throws(SQLiteError) {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let path: String
        switch location {
        case .memory:
            path = ":memory:"
            // SQLITE_OPEN_MEMORY would go for every database of the connection, VACUUM INTO's too.
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .file(let name):
            guard name.hasPrefix("/") else {
                throw SQLiteError(
                    code: .cannotOpen, message: "the path is not absolute: \(name)", sql: nil)
            }
            path = name
            flags |= SQLITE_OPEN_NOFOLLOW
            flags |= access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        }
        Self.leaveMemoryUncounted
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else {
            throw SQLiteError(code: .outOfMemory, message: "out of memory", sql: nil)
        }
        guard code == SQLITE_OK else {
            let error = SQLiteError(of: opened, sql: nil)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, Self.milliseconds(busyTimeout))
        try harden(access)
        try OwnFunctions.add(to: handle)
    }

    /// Once in the process, before SQLite does anything: to count memory takes a lock for every allocation,
    /// and nobody asks for the count. ``limitMemory(to:)``, which needs it, has begun with SQLite before.
    ///
    /// Source: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html
    private static let leaveMemoryUncounted: Void = { _ = csqlite_leave_memory_uncounted() }()

    deinit {
        cache.removeAll()
        sqlite3_close_v2(handle)
    }

    /// The statement for `sql`, prepared and kept for the next time.
    public func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let kept = cache.statement(for: sql) { return kept }
        let prepared = try prepare(sql)
        cache.keep(prepared)
        return prepared
    }

    /// A statement that is used once, for SQL from outside. Exactly one statement must be in it,
    /// with comments and semicolons around it.
    public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        // SQLite would take the text to end there.
        guard !sql.utf8.contains(0) else {
            throw SQLiteError(
                code: .error, message: "there is a NUL character in the text", sql: sql)
        }
        let first = try compile(sql[...], of: sql)
        guard let statement = first.statement else {
            throw SQLiteError(code: .error, message: "there is no statement in the text", sql: sql)
        }
        var rest = first.rest
        while !rest.isEmpty {
            // A rest that is wrong in itself is more than one statement all the same.
            guard let next = try? compile(rest, of: sql), next.statement == nil else {
                throw SQLiteError(
                    code: .error, message: "there is more than one statement in the text", sql: sql)
            }
            rest = next.rest
        }
        return statement
    }

    /// The first statement of `text`, nil where there are only comments and white space before the
    /// next semicolon, and what follows it.
    private func compile(
        _ text: Substring, of sql: String
    ) throws(SQLiteError) -> (statement: Statement?, rest: Substring) {
        var prepared: OpaquePointer?
        var consumed = text.utf8.count
        var copy = text
        let code = copy.withUTF8 { bytes -> Int32 in
            guard let start = bytes.baseAddress else { return SQLITE_OK }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    handle, start, Int32(clamping: bytes.count), 0, &prepared, &tail)
                if let tail { consumed = tail - start }
                return code
            }
        }
        guard code == SQLITE_OK else {
            throw reading?.refusal(sql: sql) ?? SQLiteError(of: handle, sql: sql)
        }
        let rest = text[text.utf8.index(text.startIndex, offsetBy: consumed)...]
        return (prepared.map { Statement(handle: $0, connection: handle, sql: sql) }, rest)
    }

    /// Runs every statement of a script, such as a migration, in order.
    public func execute(script: String) throws(SQLiteError) {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
            throw SQLiteError(of: handle, sql: nil)
        }
    }

    /// Rows changed by the last statement itself, without those of triggers.
    var changes: Int64 { sqlite3_changes64(handle) }

    /// All rows changed since the connection was opened, those of triggers included.
    public var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The rowid of the last row inserted by this connection.
    public var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The version of the SQLite library in use, such as `3.40.1`.
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    /// Waits so long for another connection's lock before a statement fails as busy.
    public func setBusyTimeout(_ timeout: Duration) {
        sqlite3_busy_timeout(handle, Self.milliseconds(timeout))
    }

    private static func milliseconds(_ timeout: Duration) -> Int32 {
        let (seconds, attoseconds) = timeout.components
        return Int32(clamping: min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    /// Copies as much of the WAL into the database as can be without waiting for anybody, and
    /// returns whether that was all of it.
    ///
    /// Unlike `PRAGMA wal_checkpoint` it does not read the schema, which a connection that was
    /// opened for this alone would do for nothing.
    /// Source: https://www.sqlite.org/c3ref/wal_checkpoint_v2.html
    public func checkpoint() throws(SQLiteError) -> Bool {
        // A connection knows of the WAL when it has read the file's header.
        _ = try count("PRAGMA schema_version")
        var inWAL: Int32 = -1
        var copied: Int32 = -1
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", SQLITE_CHECKPOINT_PASSIVE, &inWAL, &copied)
        guard code == SQLITE_OK else { throw SQLiteError(of: handle, sql: nil) }
        return inWAL >= 0 && inWAL == copied
    }

    /// Lets go of the memory that is not in use, above all of pages that were read: what is asked for
    /// next is read again. Of the statements, 1 MiB stays: more than a cycle needs that finds nothing new.
    ///
    /// Source: https://www.sqlite.org/c3ref/db_release_memory.html
    public func releaseMemory() {
        cache.shrink(to: 1 << 20)
        // There is nothing that it could fail with.
        _ = sqlite3_db_release_memory(handle)
    }

    /// Lets a schema that is damaged in part be read as far as it goes, with every table that is still
    /// described there. The schema itself cannot be written: the connection is a defensive one.
    ///
    /// Source: https://www.sqlite.org/pragma.html#pragma_writable_schema
    public func readPastSchemaErrors() {
        csqlite_db_config_flag(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, nil)
    }

    /// Keeps the WAL and its index when the last connection closes, so that the file's mode and
    /// the readers' right to it stay.
    public func keepWALOnClose() {
        csqlite_persist_wal(handle, "main", 1)
    }

    /// Whether the path leads to another file than the one that is open, or to none.
    ///
    /// Source: https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_HAS_MOVED.
    public var hasMoved: Bool { csqlite_has_moved(handle, "main") != 0 }

    /// Whether another connection writes, nil where that cannot be told; `hasWAL` says how it would lock.
    ///
    /// For a write-ahead log its write lock is taken shared, for an instant: that needs no right to
    /// write. A writer that does not wait for locks at all can meet it.
    /// Source: https://www.sqlite.org/c3ref/io_methods.html, https://www.sqlite.org/walformat.html#wal_locks
    public func isWriterActive(hasWAL: Bool) -> Bool? {
        let answer = csqlite_is_writer_active(handle, hasWAL ? 1 : 0)
        return answer < 0 ? nil : answer > 0
    }

    /// Where a database is.
    public enum Location: Sendable, Hashable {
        case memory
        /// An absolute path.
        case file(String)
    }

    /// What a connection may do.
    public enum Access: Sendable, Hashable {
        case readOnly
        case readWrite
    }
}

@available(*, unavailable) extension Connection: Sendable {}

extension SQLiteError {
    /// What the call on `handle` failed with that has just returned.
    ///
    /// SQLite tells a full disk (`SQLITE_FULL`) by ENOSPC in a write of a page alone. A quota, a limit
    /// on a file's size, and an index of the WAL that cannot grow are the same to a person: they
    /// become ``ResultCode/full`` here. A failed sync does not, whatever its cause: nobody knows what
    /// of it is on the disk.
    init(of handle: OpaquePointer, sql: String?) {
        // `sqlite3_system_errno` is not set by a COMMIT that fails; the system's own still stands.
        let cause = errno
        let code = ResultCode(rawValue: sqlite3_extended_errcode(handle))
        let isLackOfSpace =
            [.writing, .growingIndex].contains(code) && [ENOSPC, EDQUOT, EFBIG].contains(cause)
        self.init(
            code: isLackOfSpace ? .full : code,
            message: String(
                cString: isLackOfSpace ? sqlite3_errstr(SQLITE_FULL) : sqlite3_errmsg(handle)),
            sql: sql)
    }
}
