internal import Host
internal import SQLite

extension CacheStore {
    /// Copies the cache, as it is at one moment, into the new file `path`, which nobody but its owner
    /// can read. Others read and write meanwhile, and wait for nothing.
    ///
    /// The file is whole and on the disk when it returns, or not there. `path` is absolute; where
    /// there is a file already, it throws ``StoreError/occupied(path:)`` and leaves that alone; where
    /// none can be made, ``StoreError/cannotOpen(path:reason:)`` with `path`.
    /// Source: https://www.sqlite.org/lang_vacuum.html#vacuuminto
    public func backup(to path: String) throws(StoreError) {
        guard path.hasPrefix("/") else {
            throw .cannotOpen(path: path, reason: "the path is not absolute")
        }
        let copy = DraftedFile(path)
        guard !copy.exists else { throw .occupied(path: path) }
        do {
            try copy.write(mode: 0o600, replaces: false) { draft in
                // A connection that only reads would refuse to write to the copy, too.
                if isReadOnly { try connection.execute(script: "PRAGMA query_only = OFF") }
                // The file itself is opened for reading alone, whatever becomes of this.
                defer { if isReadOnly { _ = try? connection.run("PRAGMA query_only = ON") } }
                try connection.run("VACUUM INTO ?", .text(draft))
            }
        } catch {
            throw .wrapping(error, path: self.path)
        }
    }
}
