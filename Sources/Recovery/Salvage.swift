internal import Glibc
public import Host
public import Migrations
public import SQLite
public import Store

/// Puts a sound cache in the place of a damaged one, with everything of its queue that SQLite reads.
///
/// SQLite decides: a cache is damaged if SQLite says so, or if its file cannot be a cache. Only the
/// holder of the right to sync the cache (``InstanceLock``) does this, before it opens the cache.
/// The damaged file is closed to writers, if that is possible, and moved aside with its log. At
/// every moment, the damaged file or the new one is in the place of the cache, or the new one has
/// the name `….salvaged` and the place is empty. Then only a salvage makes a cache there.
public struct Salvage: Sendable {
    let path: String
    let migrations: [Migration]
    let wall: WallTime
    private let now: BootTime

    /// Of the cache at `path`, absolute and canonical.
    public init(of path: String, migrations: [Migration], wall: WallTime, now: BootTime) {
        self.path = path
        self.migrations = migrations
        self.wall = wall
        self.now = now
    }

    /// A file of at most this size is looked at wholly each time: in bytes.
    static let quickSize = 16 << 20

    /// What a look at the cache has come to.
    public enum Outcome {
        /// There is no cache yet.
        case missing
        /// It is sound. The connection that looked has read the schema: whoever opens the cache goes on with it.
        case sound(Connection)
        /// It was damaged; a sound one is in its place.
        case replaced(SalvageReport)

        /// What became of a damaged one; nil where none was.
        public var report: SalvageReport? {
            if case .replaced(let report) = self { report } else { nil }
        }
    }

    /// Looks whether the cache is damaged, and if it is, salvages it. A large file is looked at wholly only
    /// where `isSuspicious` says so: a process that kept it did not end well.
    ///
    /// Throws what opening the cache throws, for a file that is not ours too, and leaves that
    /// untouched.
    public func run(isSuspicious: Bool) throws(StoreError) -> sending Outcome {
        do {
            try finishInterrupted()
            let hasLog = PathStatus.size(path + "-wal") > 0
            // Looked at after the log: whoever makes a cache writes to the file first.
            guard PathStatus.size(path) > 0 else {
                // SQLite would delete the log of an empty file.
                return hasLog
                    ? .replaced(
                        try replace(nil, "the file is empty, and its write-ahead log is not"))
                    : .missing
            }
            let old = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(2))
            old.keepWALOnClose()
            // A change of `temp_store` would have the schema read again when the look has made temporary tables.
            try old.execute(
                script: "PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY")
            guard let damage = try findDamage(old, isSuspicious: isSuspicious) else {
                // Of a salvage that was cut off, before somebody put a sound file in the place.
                unlink(CacheStore.successor(of: path))
                return .sound(old)
            }
            return .replaced(try replace(old, damage))
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    // MARK: The damage

    /// What is wrong with the file, in SQLite's words; nil where nothing is.
    ///
    /// SQLite tells a page that the disk did not give back (EIO) in the words of damage, too. Damage
    /// counts when it is found again: a disk that failed once has not taken anything away.
    private func findDamage(_ connection: Connection, isSuspicious: Bool) throws -> String? {
        guard try lookForDamage(connection, isSuspicious: isSuspicious) != nil else { return nil }
        return try lookForDamage(connection, isSuspicious: isSuspicious)
    }

    private func lookForDamage(_ connection: Connection, isSuspicious: Bool) throws -> String? {
        var isInspected = false
        do {
            // One view of it: another process may be bringing it to its version just now.
            return try connection.snapshot {
                let finding = try SchemaRunner(path: path, migrations: migrations)
                    .inspect(connection)
                isInspected = true
                if try CacheSeal.isOn(connection) { return "it was to be moved aside before" }
                guard isSuspicious || PathStatus.size(path) <= Self.quickSize else { return nil }
                // One without tables is being made, has lost them, or is another program's.
                let isEmpty = finding == .empty
                if isEmpty, try !isOurs(connection) { return nil }
                return try connection.first(isEmpty ? Self.glance : Self.look) { $0.text(0) }
            }
        } catch let error as SQLiteError {
            // Before the schema is read, no statement of ours is wrong: its format is.
            guard isInspected ? error.isDamage : error.isUnreadable,
                try isInspected || isOurs(connection)
            else { throw error }
            return error.message
        }
    }

    /// The whole file, but the order of entries in indexes.
    private static let glance =
        "SELECT quick_check FROM pragma_quick_check(1) WHERE quick_check <> 'ok'"

    /// The whole file, but the order of entries in indexes only of what holds the queue.
    private static let look = """
        SELECT * FROM (
            SELECT quick_check AS found FROM pragma_quick_check(1)
            UNION ALL SELECT integrity_check
            FROM sqlite_schema AS object, pragma_integrity_check(object.name)
            WHERE object.type = 'table' AND object.name IN (
                WITH list(name) AS (
                    SELECT substr(name, 3) FROM sqlite_schema WHERE name GLOB 'd_*')
                SELECT 'operation' UNION ALL SELECT name FROM list
                UNION ALL SELECT 's_' || name FROM list UNION ALL SELECT 'd_' || name FROM list))
        WHERE found <> 'ok' LIMIT 1
        """

    /// Whether the file bears our number in its header: it is a cache, and not another program's. Where
    /// SQLite cannot read the header, its bytes are looked at; no other connection of this process is
    /// open, for the close of a descriptor drops its locks (https://www.sqlite.org/howtocorrupt.html,
    /// 2.2).
    private func isOurs(_ connection: Connection) throws -> Bool {
        let scan = TableScan(connection: connection)
        if let number = try scan.readable({ try connection.count("PRAGMA application_id") }) {
            return number == SchemaRunner.applicationID
        }
        let file = retryingInterrupts { open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
        guard file >= 0 else {
            throw StoreError.cannotOpen(path: path, reason: "its header cannot be read")
        }
        defer { close(file) }
        var number: UInt32 = 0
        let count = retryingInterrupts {
            withUnsafeMutableBytes(of: &number) { pread(file, $0.baseAddress, $0.count, 68) }
        }
        return count == 4 && Int64(UInt32(bigEndian: number)) == SchemaRunner.applicationID
    }

    // MARK: The new file

    /// Makes the new file of what SQLite reads of `old`, which is nil where it reads nothing.
    private func replace(_ old: Connection?, _ damage: String) throws -> SalvageReport {
        let isLocked = try lock(old)
        defer { old?.rollBack() }
        var losses = ["the whole queue"]
        var operations = 0
        var doubtful = 0
        try makeSuccessor { new in
            if old != nil {
                var transfer = QueueTransfer(from: try reader(), to: new, now: now)
                try new.transaction { try transfer.run() }
                losses = transfer.losses
            }
            operations = Int(try new.count("SELECT count(*) FROM operation"))
            doubtful = Int(
                try new.count(
                    "SELECT count(*) FROM operation WHERE state IN ('sending', 'in doubt')"))
        }
        let aside = freeName("corrupt")
        let report = SalvageReport(
            damage: damage, movedTo: aside, operations: operations, doubtful: doubtful,
            losses: losses, isClosed: try isLocked && closeToWriters(old))
        try SalvageNote(of: aside).write(report)
        try switchFiles(movingTo: aside)
        return report
    }

    /// Makes an empty cache of the newest schema beside the old one, and lets `fill` write to it.
    func makeSuccessor(_ fill: (Connection) throws -> Void) throws {
        try DraftedFile(CacheStore.successor(of: path)).write(
            mode: PathStatus.mode(path), replaces: true
        ) { draft in
            let new = try Connection(.file(draft), access: .readWrite, busyTimeout: .zero)
            try SchemaRunner(path: "", migrations: migrations)
                .migrate(new, from: .empty, wallMilliseconds: wall.milliseconds)
            try fill(new)
        }
    }

    /// Takes the write lock of the damaged file, so that everything committed before is read, and
    /// nothing is committed after it. A file that is too damaged for a lock has none: false.
    private func lock(_ old: Connection?) throws -> Bool {
        guard let old else { return false }
        old.readPastSchemaErrors()
        do throws(SQLiteError) {
            try old.run("BEGIN IMMEDIATE")
            return true
        } catch {
            guard error.isUnreadable else { throw error }
            return false
        }
    }

    /// Reads the damaged file beside the lock. Where a statement finds damage, SQLite commits nothing more of its
    /// transaction, and that of the lock is still to close the file.
    private func reader() throws -> Connection {
        let reader = try Connection(.file(path), access: .readWrite, busyTimeout: .seconds(2))
        reader.keepWALOnClose()
        reader.readPastSchemaErrors()
        return reader
    }

    /// Closes the damaged file to writers, and ends the transaction; false where it is too damaged.
    private func closeToWriters(_ old: Connection?) throws -> Bool {
        guard let old else { return false }
        do throws(SQLiteError) {
            try CacheSeal.put(on: old)
            try old.run("COMMIT")
            return true
        } catch {
            guard error.isUnreadable else { throw error }
            return false
        }
    }

    // MARK: The switch

    /// The old file goes first: from then on nobody can write to the queue, until the new one
    /// has its name.
    func switchFiles(movingTo aside: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] where PathStatus.exists(path + suffix) {
            try DraftedFile(aside + suffix).takeName(of: path + suffix)
        }
        try DraftedFile(path).takeName(of: CacheStore.successor(of: path))
    }

    /// Goes on where a salvage was cut off in the middle of the switch. One that was cut off before
    /// it is begun anew.
    private func finishInterrupted() throws {
        guard PathStatus.exists(CacheStore.successor(of: path)), PathStatus.size(path) == 0 else {
            return
        }
        try switchFiles(movingTo: freeName("corrupt"))
    }

    /// A name beside the cache that nothing has, with `word` for why the file lies there.
    func freeName(_ word: String) -> String {
        let time = wall.description.prefix(19).filter { $0 != ":" }
        let name = "\(path).\(word)-\(time)Z"
        func isFree(_ name: String) -> Bool {
            ["", "-wal", "-shm", "-journal", SalvageNote.suffix].allSatisfy {
                !PathStatus.exists(name + $0)
            }
        }
        let candidates = sequence(first: 2) { $0 + 1 }.lazy.map { "\(name)-\($0)" }
        return isFree(name) ? name : candidates.first(where: isFree) ?? name
    }
}

/// A connection has one owner.
@available(*, unavailable) extension Salvage.Outcome: Sendable {}
