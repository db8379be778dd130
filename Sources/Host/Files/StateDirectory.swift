internal import CLinux
internal import Glibc

/// A directory that is ours and that nobody else may write to; where a database, its lock file and
/// the token live.
///
/// It is a checked path and no open descriptor. Every operation opens the directory anew and refuses
/// it when another one has taken its place. Files in it are reached from that descriptor, without
/// following links.
public struct StateDirectory: Sendable, Hashable {
    /// Canonical and absolute: no link, no `.`, no `..`.
    public let path: String
    /// The user it belongs to.
    public let user: UInt32
    private let identity: [UInt64]
    private let permissions: UInt32

    /// The mode of a cache file in it: the owner may read and write, and those who may read the
    /// directory may read (0700 gives 0600, 0750 gives 0640, 0755 gives 0644).
    public var fileMode: UInt32 { 0o600 | permissions & 0o044 }

    /// Resolves the directory at `path`, and first makes it, with its parents, for the owner alone
    /// (0700, whatever the umask) where it is missing.
    ///
    /// - Parameters:
    ///   - path: Absolute; links in it are followed, once and now.
    ///   - user: The effective user id, which must own the directory.
    /// - Throws: ``FileError`` for a relative path, what is no directory, another owner, or a
    ///   directory that its group or others may write to. Nothing is changed then.
    public init(preparing path: String, user: UInt32) throws(FileError) {
        try FileError.checkPath(path)
        try Self.make(path)
        try self.init(existing: path, user: user)
    }

    /// Resolves the directory at `path` without making it.
    ///
    /// - Parameters:
    ///   - path: Absolute; links in it are followed, once and now.
    ///   - user: The effective user id, which must own the directory.
    /// - Throws: ``FileError``, as the other initializer, and ``FileError/missing(_:)``.
    public init(existing path: String, user: UInt32) throws(FileError) {
        self.path = try canonicalPath(of: path)
        self.user = user
        let opened = try Self.open(self.path)
        let status = try opened.status(path: self.path)
        guard status.owner == user else {
            throw .foreignOwner(self.path, owner: status.owner, expected: user)
        }
        guard !status.isWritableByOthers else {
            throw .writableByOthers(self.path, isDirectory: true)
        }
        identity = [status.device, status.inode]
        permissions = status.permissions
    }

    /// The absolute path of `name` in the directory.
    public func path(of name: String) -> String {
        path == "/" ? "/" + name : path + "/" + name
    }

    /// Hands a descriptor of the directory to `body`, after it was found to be the same one still.
    func withDescriptor<Value: ~Copyable>(
        _ body: (borrowing Descriptor) throws(FileError) -> Value
    ) throws(FileError) -> Value {
        let opened = try Self.open(path)
        let status = try opened.status(path: path)
        guard [status.device, status.inode] == identity else { throw .replaced(path) }
        return try body(opened)
    }

    private static func open(_ path: String) throws(FileError) -> Descriptor {
        try Descriptor(opening: path, in: AT_FDCWD, path: path, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Makes every directory on the way to `path` that is missing, for the owner alone, and puts
    /// each new name on the disk.
    private static func make(_ path: String) throws(FileError) {
        var parent = "/"
        for name in path.unicodeScalars.split(separator: "/").map(String.init) {
            let child = parent == "/" ? "/" + name : parent + "/" + name
            if mkdir(child, 0o700) == 0 {
                // A umask may have taken the owner's bits away, too; then it cannot be opened yet.
                let made = try FileStatus(of: child, in: AT_FDCWD, path: child)
                if made?.permissions != 0o700, chmod(child, 0o700) != 0 {
                    throw FileError.last("chmod", child)
                }
                try open(parent).sync(path: parent)
            } else if errno != EEXIST {
                // A parent that may be neither written nor made, as / is for most users, is no
                // error while it exists.
                let failure = FileError.last("mkdir", child)
                guard access(child, F_OK) == 0 else { throw failure }
            }
            parent = child
        }
    }
}

/// The path without links, `.` and `..`; everything on the way must exist.
func canonicalPath(of path: String) throws(FileError) -> String {
    try FileError.checkPath(path)
    guard let resolved = realpath(path, nil) else { throw FileError.last("realpath", path) }
    defer { free(resolved) }
    return String(cString: resolved)
}
