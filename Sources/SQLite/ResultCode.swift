/// A result code of SQLite, extended codes included; matches in a `catch` by ``primary``.
///
/// Source: https://www.sqlite.org/rescode.html
public struct ResultCode: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int32

    /// The code with the number `rawValue`.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The lower eight bits: the kind without the detail.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xff) }

    /// The number, as SQLite's documentation lists it.
    public var description: String { String(rawValue) }

    public static let error = ResultCode(rawValue: 1)
    public static let permission = ResultCode(rawValue: 3)
    public static let abort = ResultCode(rawValue: 4)
    public static let busy = ResultCode(rawValue: 5)
    public static let locked = ResultCode(rawValue: 6)
    public static let outOfMemory = ResultCode(rawValue: 7)
    public static let readOnly = ResultCode(rawValue: 8)
    public static let interrupted = ResultCode(rawValue: 9)
    public static let inputOutput = ResultCode(rawValue: 10)
    public static let corrupt = ResultCode(rawValue: 11)
    public static let full = ResultCode(rawValue: 13)
    public static let cannotOpen = ResultCode(rawValue: 14)
    public static let schemaChanged = ResultCode(rawValue: 17)
    public static let tooBig = ResultCode(rawValue: 18)
    public static let constraint = ResultCode(rawValue: 19)
    public static let misuse = ResultCode(rawValue: 21)
    public static let authorization = ResultCode(rawValue: 23)
    public static let notADatabase = ResultCode(rawValue: 26)
    /// `RAISE(ABORT, …)` in a trigger: the message is the trigger's sentence.
    public static let constraintTrigger = ResultCode(rawValue: 19 | 7 << 8)
}
