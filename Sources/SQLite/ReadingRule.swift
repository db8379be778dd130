internal import CSQLite

/// Lets a statement read and nothing else. SQLite asks while it compiles the statement, and also for the
/// statements that its virtual tables use inside.
///
/// Owned by the connection that asks it.
final class ReadingRule {
    /// The function that was refused last; nil where none was.
    private var refusedFunction: String?

    /// For `sqlite3_set_authorizer`; NULL stands for an absent name.
    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?, UnsafePointer<CChar>?
        ) -> Int32 = { context, action, first, second, third, _ in
            guard let context else { return SQLITE_DENY }
            let rule = Unmanaged<ReadingRule>.fromOpaque(context).takeUnretainedValue()
            return rule.allows(action, first, second, schema: third) ? SQLITE_OK : SQLITE_DENY
        }

    private func allows(
        _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?,
        schema: UnsafePointer<CChar>?
    ) -> Bool {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return true
        case SQLITE_UPDATE:
            // Asked for the declaration of a table-valued function such as json_each, too, which writes
            // nothing; a statement that really updates the schema is refused as one that writes.
            return Self.name(first) == "sqlite_master" && Self.name(schema) == "main"
        case SQLITE_FUNCTION:
            let name = Self.name(second)
            guard !ReadableFunctions.names.contains(name) else { return true }
            refusedFunction = name
            return false
        case SQLITE_PRAGMA:
            let name = Self.name(first)
            return Self.tellingPragmas.contains(name)
                || second == nil && Self.settingPragmas.contains(name)
        default: return false
        }
    }

    /// The error for a function that the statement may not call, with its name; nil where no function was
    /// refused. SQLite's own code for it is that of any wrong statement.
    func refusal(sql: String) -> SQLiteError? {
        guard let name = refusedFunction else { return nil }
        refusedFunction = nil
        return SQLiteError(
            code: .authorization,
            message: "the function \(name)() may not be called here: only those that compute a "
                + "value may",
            sql: sql)
    }

    private static func name(_ text: UnsafePointer<CChar>?) -> String {
        text.map { String(cString: $0).lowercased() } ?? ""
    }

    /// These only tell, with an argument, too.
    private static let tellingPragmas: Set<String> = [
        "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
        "foreign_key_list", "foreign_key_check", "database_list", "function_list", "module_list",
        "pragma_list", "collation_list", "compile_options", "integrity_check", "quick_check",
        "data_version",
    ]
    /// These tell without an argument, and set with one.
    private static let settingPragmas: Set<String> = [
        "application_id", "user_version", "schema_version", "encoding", "page_size", "page_count",
        "freelist_count", "auto_vacuum", "query_only", "busy_timeout",
    ]
}
