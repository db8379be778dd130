internal import Text

/// Why an instance lock was not taken.
public enum LockError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process holds it; who, as far as the file says.
    case held(path: String, by: InstanceLock.Holder?)
    /// The lock file cannot be used.
    case file(FileError)
    /// The task was cancelled while it waited.
    case cancelled

    /// Who holds the lock, or what is wrong with its file.
    public var description: String {
        switch self {
        case .held(let path, let holder?):
            "another syncd (process \(holder.pid), \(holder.role.rawValue)) holds "
                + "\(ForeignText(path))"
        case .held(let path, nil): "another syncd holds \(ForeignText(path))"
        case .file(let error): error.description
        case .cancelled: "waiting for the lock was cancelled"
        }
    }

    /// What to do next, in one imperative sentence.
    public var hint: String {
        switch self {
        case .held(_, let holder?): "Stop process \(holder.pid), or use another database."
        case .held(_, nil): "Stop the other syncd, or use another database."
        case .file(let error): error.hint
        case .cancelled: "Run the command again."
        }
    }
}
