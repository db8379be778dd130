@preconcurrency public import Dispatch
public import Host
internal import Synchronization
internal import Text

/// Tells when the cache is written to by anybody, or its files are deleted, renamed or replaced.
///
/// Without it the daemon still works: it finds what was written when a cycle is due, or asked for by
/// a signal. So a kernel that gives no watch is told in the log once and is no failure; it is asked
/// again by ``retry()``.
public final class CacheWatch: WakeSource {
    private enum State {
        case idle
        case watching(FileWatch)
        /// The kernel gave no watch.
        case refused(@Sendable (Wake) -> Void)
    }

    private let database: String
    private let queue: DispatchQueue
    private let log: Log
    private let state = Mutex(State.idle)

    /// A watch of the open cache at `database`, absolute and canonical.
    public init(database: String, on queue: DispatchQueue, log: Log) {
        self.database = database
        self.queue = queue
        self.log = log
    }

    /// Watches the WAL, which every commit is written to, and the names of both files.
    public func begin(_ wake: @escaping @Sendable (Wake) -> Void) {
        state.withLock { state in
            do throws(SystemError) {
                state = .watching(try watch(wake))
            } catch {
                state = .refused(wake)
                log(
                    .warning,
                    Sentence.joined(
                        "writes of other programs are found only when a sync is due: "
                            + error.description,
                        "Raise fs.inotify.max_user_watches and fs.inotify.max_user_instances."))
            }
        }
    }

    /// Asks the kernel again where it has given no watch: to be called now and then, at each cycle.
    /// What was written meanwhile is looked for.
    public func retry() {
        state.withLock { state in
            // Refused again is no news.
            guard case .refused(let wake) = state, let made = try? watch(wake) else { return }
            state = .watching(made)
            log(.info, "writes of other programs are found at once again")
            wake(.cacheTouched)
        }
    }

    private func watch(_ wake: @escaping @Sendable (Wake) -> Void) throws(SystemError) -> FileWatch
    {
        let name = String(database.split(separator: "/").last ?? "")
        let names: Set = [name, name + "-wal"]
        let touched = { @Sendable (_: FileWatch.Event) in wake(.cacheTouched) }
        do throws(SystemError) {
            return try FileWatch(database + "-wal", names: names, on: queue, handler: touched)
        } catch {
            // On a file system without shared memory commits go to the database itself.
            guard error.isMissing else { throw error }
            return try FileWatch(database, names: names, on: queue, handler: touched)
        }
    }

    /// Ends it.
    public func end() {
        state.withLock { state in
            if case .watching(let watch) = state { watch.cancel() }
            state = .idle
        }
    }
}
