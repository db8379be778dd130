/// A result code of SQLite, extended codes included. In a `switch` a primary code matches every
/// extended code of its kind.
///
/// Source: https://www.sqlite.org/rescode.html
public struct ResultCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The number as the library returns it.
    public let rawValue: Int32

    /// The code with the number `rawValue`.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The lower eight bits: the kind without the detail.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// Whether `code` is `pattern`, or an extended code of the kind that `pattern` names.
    public static func ~= (pattern: ResultCode, code: ResultCode) -> Bool {
        pattern == code || pattern == code.primary
    }

    /// The number, as SQLite's documentation lists it.
    public var description: String { String(rawValue) }

    /// `SQLITE_ERROR`: the statement itself is wrong.
    public static let error = ResultCode(rawValue: 1)
    /// `SQLITE_PERM`: the file's mode forbids it.
    public static let permission = ResultCode(rawValue: 3)
    /// `SQLITE_ABORT`: a rollback elsewhere ended the statement.
    public static let abort = ResultCode(rawValue: 4)
    /// `SQLITE_BUSY`: another connection holds the lock.
    public static let busy = ResultCode(rawValue: 5)
    /// `SQLITE_LOCKED`: another statement of this connection holds the table.
    public static let locked = ResultCode(rawValue: 6)
    /// `SQLITE_NOMEM`: no memory was left.
    public static let outOfMemory = ResultCode(rawValue: 7)
    /// `SQLITE_READONLY`: the file or the connection may not be written.
    public static let readOnly = ResultCode(rawValue: 8)
    /// `SQLITE_INTERRUPT`: the statement was ended from outside.
    public static let interrupted = ResultCode(rawValue: 9)
    /// `SQLITE_IOERR`: the operating system failed to read, write or sync.
    public static let inputOutput = ResultCode(rawValue: 10)
    /// `SQLITE_IOERR_SHMMAP`: the kernel maps no memory that processes could share.
    public static let sharedMemory = ResultCode(rawValue: 10 | 21 << 8)
    /// `SQLITE_CORRUPT`: the file's content is damaged.
    public static let corrupt = ResultCode(rawValue: 11)
    /// `SQLITE_FULL`: the disk, the quota or `max_page_count` is used up.
    public static let full = ResultCode(rawValue: 13)
    /// `SQLITE_CANTOPEN`: the file cannot be opened, or is a link.
    public static let cannotOpen = ResultCode(rawValue: 14)
    /// `SQLITE_PROTOCOL`: others took the locks of the log again and again.
    public static let lockProtocol = ResultCode(rawValue: 15)
    /// `SQLITE_TOOBIG`: a text, a blob or a row is over the limit.
    public static let tooBig = ResultCode(rawValue: 18)
    /// `SQLITE_CONSTRAINT`: a rule of the schema refuses the change.
    public static let constraint = ResultCode(rawValue: 19)
    /// `SQLITE_MISUSE`: the library was called in a way it forbids.
    public static let misuse = ResultCode(rawValue: 21)
    /// `SQLITE_AUTH`: an authorizer, or defensive mode, refuses the statement.
    public static let authorization = ResultCode(rawValue: 23)
    /// `SQLITE_NOTADB`: the file is no SQLite database.
    public static let notADatabase = ResultCode(rawValue: 26)
    /// `SQLITE_CONSTRAINT_FOREIGNKEY`: a row that another one refers to would go, or the other way round.
    public static let constraintForeignKey = ResultCode(rawValue: 19 | 3 << 8)
    /// `RAISE(ABORT, …)` in a trigger: the message is the trigger's sentence.
    public static let constraintTrigger = ResultCode(rawValue: 19 | 7 << 8)
    /// `SQLITE_IOERR_WRITE`: a page could not be written.
    static let writing = ResultCode(rawValue: 10 | 3 << 8)
    /// `SQLITE_IOERR_SHMSIZE`: the index of the WAL could not be made larger.
    static let growingIndex = ResultCode(rawValue: 10 | 19 << 8)
}
