internal import CLinux
internal import Glibc

/// What the system calls a user.
public enum UserName: Sendable {
    /// The name of the user with this number; nil where the system knows none.
    public static func of(_ user: UInt32) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        // A name, a home and a shell; a directory service may know longer ones, which are not shown.
        var bytes = [CChar](repeating: 0, count: 16_384)
        return bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(user, &entry, base, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return nil }
            return String(cString: name)
        }
    }
}
