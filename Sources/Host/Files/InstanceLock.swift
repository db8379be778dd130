internal import CLinux
@preconcurrency public import Dispatch
internal import Glibc

/// The right to sync one database: at most one process of the machine has it.
///
/// It is a kernel lock (flock(2)) on a file beside the database, never on the database, whose locks
/// are SQLite's. The kernel frees it when its holder dies, in whatever way; the file stays and its
/// content (pid and role of the last holder) is a hint for people, never a decision about safety.
///
/// The holder also marks the file with an open-file-description lock, which others can look at
/// without taking it: a look by flock(2) would for a moment stand in a starting daemon's way.
///
/// Who may open the file can take the lock, so its mode is 0600 whatever readers the database has. Those see
/// the holder in the kernel's own list (``KernelLocks``); the mark of a daemon has another length there.
public final class InstanceLock: Sendable {
    /// What a holder does with the lock.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// It keeps it for its whole life.
        case daemon
        /// It keeps it for one cycle.
        case once = "one-shot sync"
    }

    /// Who holds a lock, as its file says.
    public struct Holder: Sendable, Hashable {
        /// The process id, in the holder's own pid namespace.
        public let pid: Int32
        /// What it does.
        public let role: Role

        /// A holder; `pid` is greater than zero.
        public init(pid: Int32, role: Role) {
            self.pid = pid
            self.role = role
        }
    }

    private let file: Descriptor
    /// Whether the holder before this one did not say that it ended well: it was killed, the machine
    /// stopped, or its work failed. A hint, and no more: whoever relies on it only looks closer.
    public let wasLeftUnclean: Bool

    private init(_ file: consuming Descriptor, wasLeftUnclean: Bool) {
        self.file = file
        self.wasLeftUnclean = wasLeftUnclean
    }

    /// Says that the holder's work ended well; to be called last, before the lock is let go.
    public func endCleanly() {
        // Where it cannot be said, the next holder looks closer.
        _ = ftruncate(file.number, 0)
    }

    /// A child that is being started holds a copy of the descriptor until it runs its program. So
    /// closing is not enough: both locks are released one by one. The mark goes first: otherwise
    /// the next holder of the lock could not set its own mark.
    deinit {
        _ = syncd_unmark(file.number)
        flock(file.number, LOCK_UN)
    }

    /// Takes the lock on `name` at once, or says who holds it.
    ///
    /// It is held until the value goes or the process ends: store it in what lives as long as the
    /// work, or Swift may let it go after its last use.
    ///
    /// - Parameters:
    ///   - name: The lock file's name in `directory`; it is made where it is missing.
    ///   - directory: The directory of the database.
    ///   - role: What others are told about this process.
    /// - Returns: The lock.
    /// - Throws: ``LockError/held(path:by:)``, or ``LockError/file(_:)`` when the file cannot be
    ///   used.
    public static func acquire(
        _ name: String, in directory: StateDirectory, as role: Role
    ) throws(LockError) -> InstanceLock {
        let path = directory.path(of: name)
        let file = try open(name, in: directory)
        guard retryingInterrupts({ flock(file.number, LOCK_EX | LOCK_NB) }) == 0 else {
            guard errno == EWOULDBLOCK else { throw .file(.last("flock", path)) }
            throw .held(path: path, by: readHolder(file))
        }
        var status = stat()
        let wasLeftUnclean = fstat(file.number, &status) == 0 && status.st_size > 0
        // Both are for others to look at. If the mark or the hint cannot be written (a full disk),
        // the lock still holds, so this is no reason to stop.
        _ = syncd_mark_locked(file.number, role.markLength)
        _ = ftruncate(file.number, 0)
        let line = Array("\(getpid()) \(role.rawValue)\n".utf8)
        _ = line.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
        return InstanceLock(file, wasLeftUnclean: wasLeftUnclean)
    }

    /// Takes the lock. If a one-shot sync holds it, or a process that has not yet said what it is,
    /// this waits up to `limit`. It does not wait for a daemon, which keeps the lock for good.
    ///
    /// The lock is tried again every 50 ms by a timer on `queue`: no thread is blocked, and a holder
    /// that dies is noticed as soon as one that is done.
    ///
    /// - Parameters:
    ///   - name: The lock file's name in `directory`; it is made where it is missing.
    ///   - directory: The directory of the database.
    ///   - role: What others are told about this process.
    ///   - limit: How long to wait at most; time asleep does not count.
    ///   - queue: Where the timer fires.
    /// - Returns: The lock.
    /// - Throws: As the other method, and ``LockError/cancelled``.
    public static func acquire(
        _ name: String, in directory: StateDirectory, as role: Role, waitingUpTo limit: Duration,
        on queue: DispatchQueue
    ) async throws(LockError) -> InstanceLock {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            do throws(LockError) {
                return try acquire(name, in: directory, as: role)
            } catch .held(let path, let holder) {
                guard holder?.role != .daemon, ContinuousClock.now < deadline else {
                    throw .held(path: path, by: holder)
                }
            } catch {
                throw error
            }
            do throws(CancellationError) {
                try await wait(for: .milliseconds(50), on: queue)
            } catch {
                throw .cancelled
            }
        }
    }

    /// Whether a process holds the lock on `name` now, without taking it; the answer can be out of
    /// date when it arrives.
    ///
    /// - Parameters:
    ///   - name: The lock file's name in `directory`.
    ///   - directory: The canonical path of the database's directory, which need not be ours.
    /// - Returns: The holder, or `nil` if nobody holds the lock, or the holder has not yet named
    ///   itself. Who may not read the file gets `nil`, too, if the kernel does not list the lock,
    ///   as in another pid namespace.
    /// - Throws: ``FileError`` when the lock file is there and cannot be looked at.
    public static func holder(
        of name: String, inDirectoryAt directory: String
    ) throws(FileError) -> Holder? {
        let path = directory == "/" ? "/" + name : directory + "/" + name
        guard let status = try FileStatus(of: path, in: AT_FDCWD, path: path) else { return nil }
        let opened: Descriptor
        do throws(FileError) {
            opened = try Descriptor(opening: path, in: AT_FDCWD, path: path, flags: O_RDONLY)
        } catch .system(_, let error) where error.code == EACCES {
            return KernelLocks.current().holder(of: status)
        } catch {
            throw error
        }
        let file = consume opened
        try file.status(path: path).requireRegularFile(path: path)
        let marked = syncd_is_marked_locked(file.number)
        guard marked >= 0 else { throw FileError.last("fcntl", path) }
        return marked == 1 ? readHolder(file) : nil
    }

    /// Of the lock file.
    public static let mode: UInt32 = 0o600

    private static func open(
        _ name: String, in directory: StateDirectory
    ) throws(LockError) -> Descriptor {
        do throws(FileError) {
            let path = try directory.checkedPath(of: name)
            return try directory.withDescriptor { (opened) throws(FileError) in
                let file = try Descriptor(
                    opening: name, in: opened.number, path: path, flags: O_RDWR | O_CREAT,
                    mode: mode)
                try file.status(path: path).requirePrivate(to: directory.user, path: path)
                // One that an earlier version has made may be wider.
                try file.setMode(mode, path: path)
                return file
            }
        } catch {
            throw .file(error)
        }
    }

    private static func readHolder(_ file: borrowing Descriptor) -> Holder? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return nil }
        let line = String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let pid = Int32(parts[0]), pid > 0,
            let role = Role(rawValue: String(parts[1]))
        else { return nil }
        return Holder(pid: pid, role: role)
    }
}
