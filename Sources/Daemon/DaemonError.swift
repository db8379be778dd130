public import Host
public import Store

/// Why the daemon ended by itself.
public enum DaemonError: Error, Sendable, Hashable {
    /// The cache cannot be used any more. Waiting would not help: what was accepted is safe in the
    /// file, and a new start looks at it again.
    case store(StoreError)
    /// Another file is in the cache's place, and a signal has asked to stop: nobody is to go on with it.
    case replacedWhileStopping(path: String)
    /// The kernel gave no timer or no signals.
    case system(SystemError)
}

extension DaemonError: CustomStringConvertible {
    /// What went wrong.
    public var description: String {
        switch self {
        case .store(let error): error.description
        case .replacedWhileStopping(let path): StoreError.replaced(path: path).description
        case .system(let error): error.description
        }
    }

    /// One imperative sentence: what the person can do.
    public var hint: String {
        switch self {
        case .store(let error): error.hint
        case .replacedWhileStopping(let path): StoreError.replaced(path: path).hint
        case .system(let error): error.hint
        }
    }
}

/// Why the process should end at once, whatever is under way; nothing accepted is lost by it.
public enum ImmediateEnd: Sendable, Hashable {
    /// A second signal to stop came.
    case secondSignal
    /// What was under way did not end in time after the signal to stop, or after `error`.
    case overdue(DaemonError?)
}
