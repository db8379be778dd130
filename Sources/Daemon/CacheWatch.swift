@preconcurrency public import Dispatch
public import Host
internal import Synchronization

/// Tells when the cache is written to by anybody, or its files are deleted, renamed or replaced.
///
/// Without it the daemon still works: it finds what was written when a cycle is due, or asked for by
/// a signal. So a kernel that gives no watch is told in the log and is no failure.
public final class CacheWatch: WakeSource {
    private let database: String
    private let queue: DispatchQueue
    private let log: Log
    private let watch = Mutex<FileWatch?>(nil)

    /// A watch of the open cache at `database`, absolute and canonical.
    public init(database: String, on queue: DispatchQueue, log: Log) {
        self.database = database
        self.queue = queue
        self.log = log
    }

    /// Watches the WAL, which every commit is written to, and the names of both files.
    public func begin(_ wake: @escaping @Sendable (Wake) -> Void) {
        let name = String(database.split(separator: "/").last ?? "")
        do throws(SystemError) {
            let made = try FileWatch(
                database + "-wal", names: [name, name + "-wal"], on: queue
            ) { _ in wake(.cacheTouched) }
            watch.withLock { $0 = made }
        } catch {
            log(
                .warning,
                "writes of other programs are found only when a sync is due: \(error.description)."
                    + " Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances.")
        }
    }

    /// Ends it.
    public func end() { watch.withLock { $0 }?.cancel() }
}
