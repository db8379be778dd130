internal import Glibc

/// What the file system says of a path, without opening it: closing a descriptor of the database
/// would drop SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
enum FileFacts {
    /// In bytes; 0 where there is no file.
    static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Permission bits of what the path leads to; those of a private file where there is none.
    static func mode(following path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0o600
    }

    /// Permission bits, owner, and whether it is a symbolic link, of what has this name; nil where nothing has.
    static func access(_ path: String) -> (mode: UInt32, owner: UInt32, isLink: Bool)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return (
            UInt32(status.st_mode) & 0o7777, UInt32(status.st_uid),
            status.st_mode & S_IFMT == S_IFLNK
        )
    }

    /// Lets those read `path` who may read `other`. What fails leaves it to the owner alone, and a command
    /// that needs it says so.
    static func share(_ path: String, as other: String, mode: UInt32) {
        var status = stat()
        guard stat(other, &status) == 0 else { return }
        _ = lchown(path, uid_t.max, status.st_gid)
        _ = chmod(path, mode)
    }
}
