internal import Host
internal import SQLite
public import Store

/// How a cache was set aside, or why it was not.
public enum ResetOutcome: Sendable, Hashable {
    /// It lies at `movedTo`, absolute, with `operations` in its queue; an empty one is in its place.
    case done(movedTo: String, operations: Int)
    /// Nothing was changed: so many operations wait in its queue.
    case refused(operations: Int)
}

extension Salvage {
    /// Moves a sound cache aside, and puts an empty one in its place that belongs to nobody yet. It is
    /// refused while operations wait, but with `leavingQueue`: then they stay in the old file, and
    /// nobody sends them.
    ///
    /// For the holder of the lock (``InstanceLock``), after ``run(isSuspicious:)``. Throws what opening
    /// the cache throws, and leaves the file as it was.
    public func reset(leavingQueue: Bool) throws(StoreError) -> ResetOutcome {
        do {
            let runner = SchemaRunner(path: path, migrations: migrations)
            let old = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(10))
            old.keepWALOnClose()
            try old.execute(script: "PRAGMA wal_autocheckpoint = 0")
            try runner.migrate(
                old, from: try runner.inspect(old), wallMilliseconds: wall.milliseconds)
            // Nothing is queued between the count and the seal.
            try old.run("BEGIN IMMEDIATE")
            defer { old.rollBack() }
            let operations = Int(try old.count("SELECT count(*) FROM operation"))
            guard leavingQueue || operations == 0 else { return .refused(operations: operations) }
            let aside = freeName("reset")
            try makeSuccessor { _ in }
            try CacheSeal.put(on: old)
            try old.run("COMMIT")
            try switchFiles(movingTo: aside)
            return .done(movedTo: aside, operations: operations)
        } catch {
            throw .wrapping(error, path: path)
        }
    }
}
