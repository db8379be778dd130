internal import Glibc
public import Host
public import Migrations
internal import SQLite

/// Puts a sound cache in the place of a damaged one, with everything of its queue that can be read.
///
/// For whoever holds the right to sync the cache (``InstanceLock``), before it is opened. The damaged
/// file is moved aside with its log and never changed. At every moment there is either the damaged
/// file in its place, or the new one, or the new one under the name `….salvaged` and none in its
/// place: then nobody but a salvage makes one there.
public struct Salvage: Sendable {
    private let path: String
    private let migrations: [Migration]
    private let wall: WallTime
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

    static func draft(of path: String) -> String { path + ".salvaged" }

    /// Looks whether the cache is damaged, and if it is, salvages it; nil where it is sound, or none
    /// is there. A large file is looked at wholly only where `isSuspicious` says so: a process that
    /// kept it did not end well.
    ///
    /// Throws what opening the cache throws, for a file that is not ours too, and leaves that
    /// untouched.
    public func run(isSuspicious: Bool) throws(StoreError) -> SalvageReport? {
        do {
            try finishInterrupted()
            let connection = try Connection(
                .file(path), access: .readWrite, busyTimeout: .seconds(2))
            connection.keepWALOnClose()
            guard let damage = try findDamage(connection, isSuspicious: isSuspicious) else {
                return nil
            }
            // Who waits for the lock writes to the damaged file if he gets it: nobody else may. A
            // file too damaged for a lock is too damaged for everybody.
            do throws(SQLiteError) {
                try connection.run("BEGIN IMMEDIATE")
            } catch {
                guard error.code.primary != .busy else { throw error }
            }
            defer { connection.rollBack() }
            return try salvage(damage)
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    // MARK: The damage

    /// What is wrong with the file, in SQLite's words; nil where nothing is.
    private func findDamage(_ connection: Connection, isSuspicious: Bool) throws -> String? {
        let hasLog = FileStatus.size(path + "-wal") > 0
        // Looked at after the log: whoever makes a cache writes to the file first.
        let isEmpty = FileStatus.size(path) == 0
        if isEmpty, !hasLog { return nil }
        if try logHidesCommits(connection) {
            return "commits stand behind a damaged place of the write-ahead log"
        }
        var isInspected = false
        do {
            // An empty file makes SQLite delete its log.
            if isEmpty { return "the file is empty, and its write-ahead log is not" }
            // One view of it: another process may be bringing it to its version just now.
            return try connection.snapshot {
                let runner = SchemaRunner(path: path, migrations: migrations)
                let finding = try runner.inspect(connection)
                isInspected = true
                try connection.execute(script: "PRAGMA cell_size_check = ON")
                guard isSuspicious || FileStatus.size(path) <= Self.quickSize else { return nil }
                return try damage(of: finding, in: connection)
            }
        } catch let error as SQLiteError {
            switch error.code.primary {
            case .corrupt, .notADatabase: break
            // A format of schemas that there is not; no statement of ours is wrong there.
            case .error where !isInspected: break
            default: throw error
            }
            guard try DamagedFile(path).isOurs else { throw error }
            return error.message
        }
    }

    private func damage(
        of finding: SchemaRunner.Finding, in connection: Connection
    ) throws -> String? {
        switch finding {
        case .empty:
            // Nobody has brought it to the first version: he is at it, or was killed. Or it has been
            // there, and its schema is lost: then pages are left that nothing leads to.
            let isOurs = try connection.count("PRAGMA application_id") == SchemaRunner.applicationID
            return isOurs ? try connection.first(Self.glance) { $0.text(0) } : nil
        case .ours(let applied):
            return try connection.first(Self.look) { $0.text(0) }
                ?? changedObject(in: connection, applied: applied)
        }
    }

    /// A view or trigger of ours that is not as its migration wrote it: no check of SQLite reads their
    /// text. Tables are left out, because each version of SQLite words an `ALTER TABLE` its own way.
    private func changedObject(in connection: Connection, applied: Int) throws -> String? {
        let model = try Connection(.memory, access: .readWrite, busyTimeout: .zero)
        let steps = Array(migrations.prefix(applied))
        try SchemaRunner(path: "", migrations: steps)
            .migrate(model, from: .empty, wallMilliseconds: 0)
        let list = "SELECT name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')"
        func objects(of connection: Connection) throws -> Set<[String]> {
            Set(try connection.all(list) { [$0.text(0), $0.text(1)] })
        }
        let changed = try objects(of: model).subtracting(try objects(of: connection))
        return changed.map { $0[0] }.min().map { "'\($0)' is not as it was written" }
    }

    /// The whole file, but the order of entries in indexes.
    private static let glance =
        "SELECT quick_check FROM pragma_quick_check(1) WHERE quick_check <> 'ok'"

    /// The whole file, but the order of entries in indexes only of what holds the queue.
    private static let look = """
        SELECT * FROM (
            SELECT quick_check AS found FROM pragma_quick_check(1)
            UNION ALL SELECT integrity_check FROM pragma_integrity_check('operation')
            UNION ALL SELECT integrity_check FROM pragma_integrity_check('todo')
            UNION ALL SELECT 'an operation has no todo' FROM operation
                WHERE todo_id NOT IN (SELECT id FROM todo))
        WHERE found <> 'ok' LIMIT 1
        """

    /// Read under the write lock; where somebody is writing, the log is at work and not damaged at
    /// its end, and the next start looks again.
    private func logHidesCommits(_ connection: Connection) throws -> Bool {
        connection.setBusyTimeout(.zero)
        defer { connection.setBusyTimeout(.seconds(2)) }
        do throws(SQLiteError) {
            try connection.run("BEGIN IMMEDIATE")
        } catch {
            guard error.code.primary != .busy else { return false }
        }
        defer { connection.rollBack() }
        return try DamagedFile.logHidesCommits(of: path) && DamagedFile(path).isOurs
    }

    // MARK: The new file

    private func salvage(_ damage: String) throws -> SalvageReport {
        let file = try DamagedFile(path)
        let copy = path + ".salvaging"
        defer { unlink(copy) }  // What stays of it is overwritten at the next time.
        let found = try SalvageReading(file: file, copy: copy, now: now).read()
        let name = Self.draft(of: path)
        try Snapshot(name: name).write(mode: FileStatus.mode(path), replaces: true) { draft in
            let made = try Connection(.file(draft), access: .readWrite, busyTimeout: .zero)
            try SchemaRunner(path: "", migrations: migrations)
                .migrate(made, from: .empty, wallMilliseconds: wall.milliseconds)
            try made.transaction { try found.insert(into: made) }
        }
        let aside = freeName()
        let report = SalvageReport(
            damage: damage, movedTo: aside, operations: found.queue.operations.count,
            doubtful: found.queue.operations.values.count { $0.state == .inDoubt },
            losses: found.losses)
        try SalvageNote(of: aside).write(report)
        try switchFiles(movingTo: aside)
        return report
    }

    // MARK: The switch

    /// The damaged file goes first: from then on nobody can write to the queue, until the new one
    /// has its name.
    private func switchFiles(movingTo aside: String) throws {
        for suffix in ["", "-wal", "-shm", "-journal"] where FileStatus.exists(path + suffix) {
            guard rename(path + suffix, aside + suffix) == 0 else {
                throw Snapshot.failure(path + suffix)
            }
            try Snapshot.syncDirectory(of: path)
        }
        guard rename(Self.draft(of: path), path) == 0 else { throw Snapshot.failure(path) }
        try Snapshot.syncDirectory(of: path)
    }

    /// Goes on where a salvage was cut off in the middle of the switch. One that was cut off before
    /// it is begun anew.
    private func finishInterrupted() throws {
        guard FileStatus.exists(Self.draft(of: path)), FileStatus.size(path) == 0 else { return }
        try switchFiles(movingTo: freeName())
    }

    /// A name beside the cache that nothing has.
    private func freeName() -> String {
        let time = wall.description.prefix(19).filter { $0 != ":" }
        let name = "\(path).corrupt-\(time)Z"
        func isFree(_ name: String) -> Bool {
            ["", "-wal", "-shm", "-journal", SalvageNote.suffix].allSatisfy {
                !FileStatus.exists(name + $0)
            }
        }
        let candidates = sequence(first: 2) { $0 + 1 }.lazy.map { "\(name)-\($0)" }
        return isFree(name) ? name : candidates.first(where: isFree) ?? name
    }
}
