internal import CLinux
internal import Glibc

/// What the file system says of a path, without opening it: a descriptor of the database file that
/// is closed would drop SQLite's locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
package enum PathStatus: Sendable {
    /// Whether something has that name, a link too.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// The permission bits; those of a private file when there is none.
    package static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0o600
    }

    /// In bytes; 0 when there is no file.
    package static func size(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// A database file and its WAL, apart from their names: what SQLite goes on to write to when others
/// delete, rename or replace them.
package struct FileIdentity: Sendable, Hashable {
    /// The database itself.
    package let database: Node
    /// A WAL is neither deleted nor made anew while a connection is open.
    private let wal: Node?

    /// A file apart from its name.
    package struct Node: Sendable, Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// What the path leads to now; nil for a missing file and for a database in memory.
    package static func of(_ path: String) -> FileIdentity? {
        guard !path.isEmpty, let database = Node(path) else { return nil }
        return FileIdentity(database: database, wal: Node(path + "-wal"))
    }
}
