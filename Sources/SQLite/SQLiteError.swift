/// What SQLite refused, in its own words. Bound values are never in it.
public struct SQLiteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The extended result code.
    public let code: ResultCode
    /// SQLite's message, or the sentence of a trigger.
    public let message: String
    /// The text of the statement, with its parameters still `?`; nil outside a statement.
    public let sql: String?

    /// An error with its code and message.
    public init(code: ResultCode, message: String, sql: String?) {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// The message and the code.
    public var description: String { "\(message) (SQLite \(code))" }

    /// One imperative sentence for the person.
    public var hint: String {
        switch code {
        case .busy, .locked, .lockProtocol: "Try again when the other program has finished writing."
        case .full: "Free some space on the disk and try again."
        case .readOnly, .permission, .cannotOpen:
            "Check the owner and the mode of the file and its directory."
        case .tooBig, .outOfMemory: "Ask for less at once."
        case .corrupt, .notADatabase: "Restore the file from a backup, or move it aside."
        default: "Check the statement."
        }
    }
}
