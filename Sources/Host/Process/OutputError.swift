internal import CLinux
internal import Glibc

/// Why output could not be written.
public enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No space is left, or no quota.
    case diskFull(SystemError)
    /// Nobody reads the pipe any more.
    case closedPipe
    /// The kernel refused for another reason.
    case other(SystemError)

    init(code: Int32) {
        let error = SystemError(operation: "write", code: code)
        switch code {
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull(error)
        case EPIPE: self = .closedPipe
        default: self = .other(error)
        }
    }

    /// What went wrong.
    public var description: String {
        switch self {
        case .diskFull(let error), .other(let error): "the output was not written: \(error)"
        case .closedPipe: "the output was not written: nobody reads the pipe"
        }
    }

    /// What to do next, in one imperative sentence.
    public var hint: String {
        switch self {
        case .diskFull(let error), .other(let error): error.hint
        case .closedPipe: "Run the command again with a reader that takes all of it."
        }
    }
}
