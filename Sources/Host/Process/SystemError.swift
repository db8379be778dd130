internal import CLinux
internal import Glibc

/// A call to the kernel that failed, with the error number it left.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The call, by its name in section 2 of the manual.
    public let operation: String
    /// The error number (errno(3)).
    public let code: Int32

    /// A failure of `operation` with error number `code`.
    public init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Whether there was nothing at the path.
    public var isMissing: Bool { code == ENOENT }

    /// The failure of a call that has just returned -1.
    static func last(_ operation: String) -> SystemError {
        SystemError(operation: operation, code: errno)
    }

    /// What the kernel said, with the call: `No space left on device (ENOSPC in write)`.
    public var description: String {
        guard let text = strerrordesc_np(code), let name = strerrorname_np(code) else {
            return "unknown error \(code) in \(operation)"
        }
        return "\(String(cString: text)) (\(String(cString: name)) in \(operation))"
    }

    /// What to do about it.
    public var hint: String {
        switch code {
        case ENOSPC: "Free space on the disk, then try again."
        case EDQUOT: "Free some of your disk quota, then try again."
        case EACCES, EPERM: "Check the owner and the permissions of the path."
        case EROFS: "Mount the file system for writing, or use a path on another one."
        case EMFILE, ENFILE: "Raise the limit of open files (ulimit -n), then try again."
        case ENOENT: "Check that the path exists."
        case EIO: "Check the disk: the kernel reports that it failed (dmesg)."
        default: "Look the error up with: man 3 errno"
        }
    }
}

/// Opens a directory to be read, again while a signal interrupts that; nil where it cannot be opened.
func openedDirectory(_ path: String) -> OpaquePointer? {
    while true {
        if let stream = opendir(path) { return stream }
        guard errno == EINTR else { return nil }
    }
}

/// Calls `body` again while a signal interrupts it, as it can on a slow file system; returns what it
/// returned last.
package func retryingInterrupts<Value: FixedWidthInteger & SignedInteger>(
    _ body: () -> Value
) -> Value {
    while true {
        let result = body()
        if result == -1 && errno == EINTR { continue }
        return result
    }
}
