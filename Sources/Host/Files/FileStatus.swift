internal import CLinux
internal import Glibc

/// What the kernel says about a file, as far as safety needs it.
struct FileStatus: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    let owner: UInt32
    /// The kind of file (`S_IFMT`).
    let kind: UInt32
    /// The permission bits.
    let permissions: UInt32
    let links: Int
    let size: Int64

    init(_ raw: stat) {
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        owner = raw.st_uid
        kind = raw.st_mode & S_IFMT
        permissions = raw.st_mode & 0o7777
        links = Int(raw.st_nlink)
        size = Int64(raw.st_size)
    }

    /// The status of `name` in the directory `base`, of a link itself; `nil` when nothing is there.
    ///
    /// It opens nothing: closing a descriptor of a database file would drop the locks that SQLite
    /// holds on it in this process (sqlite.org/howtocorrupt.html §2.2).
    init?(of name: String, in base: Int32, path: String) throws(FileError) {
        var raw = stat()
        guard fstatat(base, name, &raw, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError.last("fstatat", path)
        }
        self.init(raw)
    }

    var isDirectory: Bool { kind == S_IFDIR }
    var isWritableByOthers: Bool { permissions & 0o022 != 0 }
    var isOpenToOthers: Bool { permissions & 0o077 != 0 }

    /// Refuses everything but a regular file.
    func requireRegularFile(path: String) throws(FileError) {
        let name: String
        switch kind {
        case S_IFREG: return
        case S_IFLNK: throw .symbolicLink(path)
        case S_IFDIR: name = "a directory"
        case S_IFIFO: name = "a FIFO"
        case S_IFSOCK: name = "a socket"
        case S_IFCHR, S_IFBLK: name = "a device"
        default: name = "of an unknown kind"
        }
        throw .notARegularFile(path, kind: name)
    }

    /// Refuses a file that somebody else could have put here.
    func requireSole(of user: UInt32, path: String) throws(FileError) {
        try requireRegularFile(path: path)
        guard links <= 1 else { throw .hardLinked(path, links: links) }
        guard owner == user else { throw .foreignOwner(path, owner: owner, expected: user) }
    }

    /// Refuses a file that somebody else could have put here, or could change.
    func requirePrivate(to user: UInt32, path: String) throws(FileError) {
        try requireSole(of: user, path: path)
        guard !isWritableByOthers else { throw .writableByOthers(path, isDirectory: false) }
    }
}
