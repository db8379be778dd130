internal import CSQLite

/// A prepared statement of one connection. It must not outlive the connection, nor leave the
/// connection's owner.
///
/// Source: https://www.sqlite.org/c3ref/stmt.html
public final class Statement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    /// The text it was prepared from.
    public let sql: String

    init(handle: OpaquePointer, connection: OpaquePointer, sql: String) {
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// How many bytes of memory it has.
    ///
    /// Source: https://www.sqlite.org/c3ref/c_stmtstatus_counter.html
    var memory: Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_MEMUSED, 0)) }

    /// Binds `values` to the parameters 1, 2, …, one for each; text and blobs are copied.
    public func bind(_ values: [Value]) throws(SQLiteError) {
        let expected = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == expected else {
            throw SQLiteError(
                code: .misuse, message: "\(values.count) values for \(expected) parameters",
                sql: sql)
        }
        for (offset, value) in values.enumerated() {
            try bind(value, at: offset + 1)
        }
    }

    /// Binds one value to the parameter `index`, counted from 1; text and blobs are copied.
    public func bind(_ value: Value, at index: Int) throws(SQLiteError) {
        let position = Int32(truncatingIfNeeded: index)
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, position)
            case .integer(let number): sqlite3_bind_int64(handle, position, number)
            case .real(let number): sqlite3_bind_double(handle, position, number)
            case .text(let text): bindCopy(of: text, at: position)
            case .blob(let bytes):
                bytes.withUnsafeBytes {
                    // A null pointer would bind NULL where an empty blob is meant.
                    $0.isEmpty
                        ? sqlite3_bind_zeroblob(handle, position, 0)
                        : csqlite_bind_copied_blob(
                            handle, position, $0.baseAddress, UInt64($0.count))
                }
            }
        try check(code)
    }

    /// Binds text that SQLite reads in place: `bytes` must live until the statement is reset.
    public func bind(borrowedText bytes: UnsafeBufferPointer<UInt8>, at index: Int)
        throws(SQLiteError)
    {
        let position = Int32(truncatingIfNeeded: index)
        guard let start = bytes.baseAddress else { return try bind(.text(""), at: index) }
        try check(
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                csqlite_bind_static_text(handle, position, $0, UInt64(bytes.count))
            })
    }

    /// Goes to the next row; false at the end.
    public func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw SQLiteError(of: connection, sql: sql)
        }
    }

    /// Makes the statement ready for its next run and lets go of what was bound.
    public func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// How many columns a row has; 0 for a statement that returns none.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Whether the statement itself writes to no database file.
    public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// The name of the column `index`, counted from 0.
    public func columnName(_ index: Int) -> String {
        sqlite3_column_name(handle, Int32(truncatingIfNeeded: index)).map { String(cString: $0) }
            ?? ""
    }

    /// The value of the column `index`, counted from 0, in its storage class; text that is not
    /// UTF-8 is repaired.
    public func value(_ index: Int) -> Value {
        switch sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) {
        case SQLITE_INTEGER: .integer(integer(index))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(truncatingIfNeeded: index)))
        case SQLITE_TEXT: .text(text(index))
        case SQLITE_BLOB: .blob(bytes(index))
        default: .null
        }
    }

    /// Whether the column is NULL.
    public func isNull(_ index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL
    }

    /// The column as an integer; 0 for NULL.
    public func integer(_ index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: index))
    }

    /// The column as an integer, nil for NULL.
    public func integerOrNil(_ index: Int) -> Int64? { isNull(index) ? nil : integer(index) }

    /// The column as a floating-point number, nil for NULL.
    public func realOrNil(_ index: Int) -> Double? {
        isNull(index) ? nil : sqlite3_column_double(handle, Int32(truncatingIfNeeded: index))
    }

    /// The column as text, repaired where it is not UTF-8; empty for NULL.
    public func text(_ index: Int) -> String {
        let position = Int32(truncatingIfNeeded: index)
        guard let start = sqlite3_column_text(handle, position) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, position))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column as text, nil for NULL.
    public func textOrNil(_ index: Int) -> String? { isNull(index) ? nil : text(index) }

    /// The column's bytes.
    public func bytes(_ index: Int) -> [UInt8] {
        let position = Int32(truncatingIfNeeded: index)
        guard let start = sqlite3_column_blob(handle, position) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, position))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func bindCopy(of text: String, at position: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                return csqlite_bind_copied_text(handle, position, "", 0)
            }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                csqlite_bind_copied_text(handle, position, $0, UInt64(bytes.count))
            }
        }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw SQLiteError(of: connection, sql: sql) }
    }
}

@available(*, unavailable) extension Statement: Sendable {}
