internal import Host
internal import SQLite

// Copying the write-ahead log back into the database.
extension CacheStore {
    /// Says that pages were written which are worth a checkpoint when there is time.
    func noteDataWritten() { writesToCheckpoint = true }

    /// Copies the WAL back into the database if that is due: data was written since the last time,
    /// or the WAL has more than 256 pages.
    ///
    /// Runs under the write lock, so that no other connection commits meanwhile. If a script holds
    /// the lock, the next time does it. A long reader stops it half-way, not the writers. On a full
    /// disk the database may be unable to grow. Nothing is lost, because the log has it all, and
    /// the next write reports the disk. Source:
    /// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
    public func checkpointIfDue() throws(StoreError) {
        guard !path.isEmpty, writesToCheckpoint || isWALLong else { return }
        _ = try tryCheckpoint()
    }

    /// Empties a WAL that others have let grow beyond ``longestWAL``. Not each time that somebody looks
    /// at the cache, only after a commit: a reader may keep it from being emptied for as long as it likes.
    func emptyLongWAL() throws(StoreError) {
        guard walBytes() > Self.longestWAL, try tryCheckpoint() else { return }
        do {
            // A write lets SQLite begin the log anew, and cut it off.
            try write(.normal) { try ChangeLog(connection: connection).rest() }
        } catch {
            guard error == .busy || error == .diskFull else { throw error }
        }
    }

    /// Whether everything was copied. A writer at work or a full disk is no failure: it is tried again.
    private func tryCheckpoint() throws(StoreError) -> Bool {
        do {
            try checkpoint()
            return !writesToCheckpoint
        } catch {
            let failure = StoreError.wrapping(error, path: path)
            guard failure == .busy || failure == .diskFull else { throw failure }
            return false
        }
    }

    /// Whether the WAL has more than 256 pages of 4 KiB.
    private var isWALLong: Bool { walBytes() > 256 * 4120 }

    /// The size of the WAL; 0 if there is no WAL.
    public func walBytes() -> Int { path.isEmpty ? 0 : PathStatus.size(path + "-wal") }

    /// The size from which on a WAL is emptied at the next commit that is seen, whether or not a cycle
    /// runs, in bytes.
    public static let longestWAL = 8 << 20

    /// The size from which on somebody should look who keeps the WAL from being emptied, in bytes.
    public static let excessiveWAL = 64 << 20

    func checkpoint() throws {
        try requireSameFile()
        connection.setBusyTimeout(.zero)
        defer { connection.setBusyTimeout(patience) }
        try connection.run("BEGIN IMMEDIATE")
        defer { connection.rollBack() }
        let helper = try Connection(.file(path), access: .readWrite, busyTimeout: .zero)
        helper.keepWALOnClose()
        // A long reader keeps what is newer than its view out of the file: another time.
        writesToCheckpoint = try !helper.checkpoint()
    }
}
