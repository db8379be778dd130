internal import CLinux
internal import Glibc

/// The place of a database: a file that is safe to hand to SQLite by its path.
///
/// **Nothing here opens an existing database file.** Closing any descriptor of it would drop the
/// locks that SQLite holds on it in this process. Source: sqlite.org/howtocorrupt.html §2.2.
public struct DatabaseFile: Sendable, Hashable {
    /// The directory, ours and not writable by others.
    public let directory: StateDirectory
    /// The file's name in it.
    public let name: String

    /// Canonical and absolute; the last part is no link.
    public var path: String { directory.path(of: name) }

    /// The lock file's name, beside the database and never the database itself.
    public var lockName: String { name + ".lock" }

    /// The files that SQLite keeps beside the database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// Names the database at `path` and makes its directory where that is missing; the file itself is
    /// neither made nor looked at.
    ///
    /// - Parameters:
    ///   - path: Absolute. A path, never a URI: `file:` has no meaning here.
    ///   - user: The effective user id, which must own the directory.
    /// - Throws: ``FileError``, as ``StateDirectory/init(preparing:user:)``, and for a path that ends
    ///   in no name.
    public init(at path: String, user: UInt32) throws(FileError) {
        let (parent, name) = try splitPath(path)
        directory = try StateDirectory(preparing: parent, user: user)
        self.name = name
        _ = try directory.checkedPath(of: name)
    }

    /// Makes the file, empty and with the directory's ``StateDirectory/fileMode`` from the first
    /// moment whatever the umask, or checks the one that is there. SQLite gives its companions the
    /// mode of the database.
    ///
    /// - Returns: Whether the file is new.
    /// - Throws: ``FileError`` when the file or one of its companions (`-wal`, `-shm`, `-journal`)
    ///   is a link, has several names, is not a regular file, belongs to another user or can be
    ///   written by others. Nothing is changed then.
    @discardableResult
    public func prepare() throws(FileError) -> Bool {
        try directory.withDescriptor { (opened) throws(FileError) in
            for suffix in Self.companions {
                let path = path + suffix
                let status = try FileStatus(of: name + suffix, in: opened.number, path: path)
                try status?.requirePrivate(to: directory.user, path: path)
            }
            if let status = try FileStatus(of: name, in: opened.number, path: path) {
                try status.requirePrivate(to: directory.user, path: path)
                return false
            }
            return try make(in: opened)
        }
    }

    private func make(in opened: borrowing Descriptor) throws(FileError) -> Bool {
        let mode = directory.fileMode
        let made = retryingInterrupts {
            openat(opened.number, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        }
        if made < 0 && errno == EEXIST {
            // Another process made it in between, by the same rules; what it made is checked.
            let status = try FileStatus(of: name, in: opened.number, path: path)
            try status?.requirePrivate(to: directory.user, path: path)
            return false
        }
        guard made >= 0 else { throw FileError.last("open", path) }
        // A new file, which no connection of this process can have open: to close it drops no lock.
        try Descriptor(made).setMode(mode, path: path)
        try opened.sync(path: directory.path)
        return true
    }

    /// Finds the database at `path` for a reader, who need not own it. Makes nothing.
    ///
    /// - Parameter path: Absolute; links in its directories are followed.
    /// - Returns: The canonical path, or `nil` when there is no such file.
    /// - Throws: ``FileError`` when the file itself is a link or no regular file, or its directory
    ///   cannot be entered. The same holds for its companions: SQLite writes to them, also when it
    ///   only reads. So they have one name each, and belong to the same user.
    public static func find(at path: String) throws(FileError) -> String? {
        guard let found = try locate(path) else { return nil }
        for suffix in companions {
            let path = found.path + suffix
            let companion = try FileStatus(of: path, in: AT_FDCWD, path: path)
            try companion?.requireSole(of: found.owner, path: path)
        }
        return found.path
    }

    private static func locate(_ path: String) throws(FileError) -> (path: String, owner: UInt32)? {
        let (parent, name) = try splitPath(path)
        let directory: String
        do throws(FileError) {
            directory = try canonicalPath(of: parent)
        } catch .missing {
            return nil
        } catch {
            throw error
        }
        let found = directory == "/" ? "/" + name : directory + "/" + name
        guard let status = try FileStatus(of: found, in: AT_FDCWD, path: found) else { return nil }
        try status.requireRegularFile(path: found)
        return (found, status.owner)
    }
}

extension DatabaseFile {
    /// Refuses a path that can never be a database's, without making or changing anything: a relative
    /// one, one without a name, and one that leads to a link, a directory, a FIFO or a device.
    ///
    /// A missing file or directory is not an error, nor is one that may not be looked at: who may is
    /// found out when the database is opened.
    ///
    /// - Parameter path: As a person wrote it.
    /// - Throws: ``FileError``.
    public static func requireDatabasePath(_ path: String) throws(FileError) {
        do throws(FileError) {
            _ = try locate(path)
        } catch .system {
            return
        } catch {
            throw error
        }
    }
}

/// The directory and the name of what an absolute path leads to.
func splitPath(_ path: String) throws(FileError) -> (parent: String, name: String) {
    try FileError.checkPath(path)
    guard let slash = path.lastIndex(of: "/") else { throw .relativePath(path) }
    let name = String(path[path.index(after: slash)...])
    guard !name.isEmpty, name != ".", name != ".." else { throw .unusablePath(path) }
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
}
