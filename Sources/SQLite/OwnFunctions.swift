internal import CSQLite
internal import Text

/// The functions that syncd's own statements may call beside those of SQLite.
///
/// Each gives the same for the same arguments. A trigger, a view or an index may call none of them, because
/// programs have none of them either. SQL from outside may not, for ``ReadableFunctions`` has none of them.
///
/// Source: https://www.sqlite.org/c3ref/create_function.html, https://www.sqlite.org/c3ref/c_deterministic.html
enum OwnFunctions {
    private typealias Function =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

    private static let rules = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY

    /// Makes them known to a connection that has just been opened.
    static func add(to handle: OpaquePointer) throws(SQLiteError) {
        let functions: [(name: String, arguments: Int32, function: Function)] = [
            ("same_json", 2, sameJSON), ("canonical_json", 1, canonicalJSON),
            ("shortest_real", 1, shortestReal),
        ]
        for (name, arguments, function) in functions {
            let code = sqlite3_create_function_v2(
                handle, name, arguments, rules, nil, function, nil, nil, nil)
            guard code == SQLITE_OK else { throw SQLiteError(of: handle, sql: nil) }
        }
    }

    /// `same_json(A, B)`: whether both are the same JSON value, or both NULL. See ``CanonicalJSON``.
    private static let sameJSON: Function = { context, _, arguments in
        guard let one = arguments?[0], let other = arguments?[1] else { return }
        let isSame: Bool
        switch (text(of: one), text(of: other)) {
        case (let one?, let other?): isSame = CanonicalJSON.isSame(one, other)
        case (nil, nil): isSame = true
        case (nil, _?), (_?, nil): isSame = false
        }
        sqlite3_result_int(context, isSame ? 1 : 0)
    }

    /// `canonical_json(A)`: the canonical form of a JSON text, any other text as it is, and NULL for NULL. See ``CanonicalJSON``.
    private static let canonicalJSON: Function = { context, _, arguments in
        guard let argument = arguments?[0], let text = text(of: argument) else { return }
        give(CanonicalJSON.form(of: text) ?? Array(text), to: context)
    }

    /// `shortest_real(A)`: a finite number in the shortest form that reads back as the same 64 bits, always with a
    /// point or an exponent. NULL for any other value. SQLite itself writes fifteen digits.
    private static let shortestReal: Function = { context, _, arguments in
        guard let argument = arguments?[0] else { return }
        let type = sqlite3_value_type(argument)
        guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return }
        let number = sqlite3_value_double(argument)
        guard number.isFinite else { return }
        // Both zeros are one number.
        give(Array((number == 0 ? "0.0" : "\(number)").utf8), to: context)
    }

    /// The bytes of a text, as long as the function runs; nil for NULL. Other values are read as texts.
    private static func text(of value: OpaquePointer) -> UnsafeBufferPointer<UInt8>? {
        guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
        let start = sqlite3_value_text(value)
        return UnsafeBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func give(_ text: [UInt8], to context: OpaquePointer?) {
        text.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                csqlite_result_copied_text(context, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
