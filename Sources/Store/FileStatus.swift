internal import Glibc

/// What the file system says of a path, without opening it: a descriptor of the database file that
/// is closed would drop SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
enum FileStatus {
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// In bytes; 0 when there is no file.
    static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Which file a path leads to now; nil when there is none.
    static func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
    }
}

/// A file apart from its name.
struct FileIdentity: Hashable {
    let device: UInt64
    let node: UInt64
}
