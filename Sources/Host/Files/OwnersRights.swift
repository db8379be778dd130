internal import CLinux
internal import Glibc

/// Root reads a cache with the rights of its owner: SQLite gives files beside a database to the owner of that, and
/// writes to them. Whoever may write in the directory could put names of other files there.
public enum OwnersRights: Sendable {
    /// Gives up root's rights for good, if the process has them, for those of the user to whom the file at `path` belongs.
    ///
    /// - Throws: ``FileError`` where the file cannot be looked at, or the kernel refuses.
    public static func take(of path: String) throws(FileError) {
        guard geteuid() == 0 else { return }
        var raw = stat()
        guard lstat(path, &raw) == 0 else { throw FileError.last("lstat", path) }
        guard raw.st_uid != 0 else { return }
        var group = raw.st_gid
        guard setgroups(1, &group) == 0, setgid(group) == 0, setuid(raw.st_uid) == 0 else {
            throw FileError.last("setuid", path)
        }
    }
}
