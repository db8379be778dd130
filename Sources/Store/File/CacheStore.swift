internal import Declarations
public import Host
public import Migrations
internal import Rules
public import SQLite
internal import Tables

/// The cache: movies, todos, the outbox and the state of syncing in one SQLite file.
///
/// Owns its connection and runs on its own serial queue, because SQLite may block on the disk.
/// One method is one transaction; a closure handed in runs between BEGIN and COMMIT and cannot
/// wait for anything else. Other programs write to the same file at any time.
public actor CacheStore {
    let connection: Connection
    /// The file; empty for a database in memory.
    public nonisolated let path: String
    nonisolated let pullStop = PullStop()
    private let executor: QueueExecutor
    /// The file that was opened, and its WAL.
    private let identity: FileIdentity?
    /// Another file took its place while it was being opened; ``identity`` may be that one's.
    private let lostItsPlace: Bool
    let migrations: [Migration]
    let isReadOnly: Bool
    /// Whether readers and writers work beside each other: in memory, and in a write-ahead log, but not
    /// where the file system has no shared memory for one.
    public nonisolated let hasWAL: Bool
    /// How long a write waits while another program holds the write lock.
    let patience: Duration
    /// How long SQLite may work on the rows of one list.
    let longestPull: Duration
    /// How long it has, since the pull of the list began.
    var pullWork: [ListName: Duration] = [:]
    private var durability: Durability?
    /// Pages were written which are worth a checkpoint when there is time.
    var writesToCheckpoint = false
    /// Others have committed since the WAL was last emptied, or found to be short.
    var hasCommitsOfOthers = false
    /// What the todos were brought to last, as long as nothing has been sent since.
    var knownLists: [ListName: KnownList] = [:]
    /// How many rows lists of the server were found to have; nothing but statuses were written since.
    var countedRows: [ListName: KnownCount] = [:]
    /// When the last pull of each list began that was taken, whatever its age.
    var listsBegan: [ListName: BootTime] = [:]
    /// The rows that were read one by one in the cycle that goes on, where that read no list.
    var readRows: [ListName: Set<Int64>] = [:]
    /// The rows that the increment of the cycle that goes on has shown, or reads beside it.
    var incrementRows: [ListName: Set<Int64>] = [:]
    /// What the cycle that goes on has found of lists of which only changes are asked for.
    var foundSince: [ListName: SinceFindings] = [:]
    /// Columns with another type, as the cycle that goes on has found them; see ``ColumnMistake``.
    var mistaken: [ListName: String] = [:]
    /// Columns that lists show, as the cycle that goes on has found them.
    var listedColumns: [ListName: ListedColumns] = [:]
    /// Answers that a rule of another program did not let in.
    var keptAnswers: [ListName: [(OperationSequence, Settlement)]] = [:]
    /// How many rows a list had when its deletes were last judged: counted once for all that are sent then.
    var judgedRows: [ListName: Int64] = [:]
    /// What is kept of the lists that are staged.
    var stagedBodies: [ListName: KnownList.Body] = [:]
    /// Transactions that this store has committed; a commit may have written nothing.
    private(set) var ownCommits: Int64 = 0
    /// The schema's version when the table of a list was last found, or made, as it is declared.
    var schemaSeen: [ListName: Int64] = [:]
    /// The same of what names every list.
    var sharedSchemaSeen: Int64?
    /// The lists on whose tables rules of other programs stand: they are swept before each pull.
    var sweptLists: Set<ListName> = []
    /// The lists whose full text and history follow programs, as the schema had them when it was last read.
    var touching: (version: Int64, lists: [(list: ListName, statements: TouchedStatements)])?
    /// The lists whose rows refer to others; nil before a transaction has looked for them.
    var referring: [ReferenceStatements]?
    /// Those of them that are read in parts; known with ``referring``.
    var inParts: [ListTable] = []
    /// Whether the temporary triggers are there that watch those others.
    var isWatchingRows = false

    /// The store's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Where the cache is, and who may write.
    public enum Place: Sendable, Hashable {
        /// A cache of its own that ends with the process.
        case memory
        /// An absolute path; the file exists, made with the right mode before SQLite sees it.
        case file(String)
        /// An absolute path that is only read; a missing file is an error.
        case readOnlyFile(String)
    }

    /// Opens the cache and brings it to the newest schema; a read-only one is only checked. A new one has the
    /// tables of the lists that ship with syncd.
    ///
    /// A file that is not ours, has a newer schema or an edited migration is refused untouched; so
    /// is one with an older schema, where it is only read. While migrations work, `whileMigrating`
    /// is called again and again: a full cache takes long. A write waits for `patience` while another
    /// program holds the write lock. SQLite works on the rows of one list for `longestPull` at most. Whoever has looked at
    /// the file hands over its connection, `examined`.
    public init(
        _ place: Place, migrations: [Migration], maxBodyBytes: Int, executor: QueueExecutor,
        patience: Duration, longestPull: Duration = .seconds(60), now: WallTime,
        examined: sending Connection? = nil, whileMigrating: @Sendable () -> Void
    ) throws(StoreError) {
        self.executor = executor
        self.longestPull = longestPull
        self.migrations = migrations
        self.patience = patience
        isReadOnly = if case .readOnlyFile = place { true } else { false }
        switch place {
        case .memory: path = ""
        case .file(let name), .readOnlyFile(let name): path = name
        }
        do {
            connection = try Self.open(
                place, SchemaRunner(path: path, migrations: migrations), patience: patience,
                now: now, examined, whileMigrating)
            let mode = try connection.first("PRAGMA journal_mode") { $0.text(0) }
            hasWAL = path.isEmpty || mode == "wal"
        } catch let error as SQLiteError where error.code == .sharedMemory {
            throw .cannotOpen(
                path: path, reason: "its file system has no memory that programs can share")
        } catch {
            throw .wrapping(error, path: path)
        }
        identity = FileIdentity.of(path)
        // After that: what comes later shows in the identity.
        lostItsPlace = connection.hasMoved
        // A body is bound whole, and its longest row stands once as its document and once more in
        // its columns.
        connection.limitLength(to: min(maxBodyBytes, Self.longestBody) * 2 + 1_048_576)
        connection.interrupt { [pullStop] in pullStop.isOverdue }
    }

    /// Where the cache stands that is made to take the place of a damaged one at `path`: as long as it is
    /// there, nobody makes another one.
    package static func successor(of path: String) -> String { path + ".salvaged" }

    /// In bytes; the longest row of it still fits SQLite's own limit of 10^9.
    private static let longestBody = 499_000_000

    private static func open(
        _ place: Place, _ runner: SchemaRunner, patience: Duration, now: WallTime,
        _ examined: Connection?, _ whileMigrating: @Sendable () -> Void
    ) throws -> Connection {
        let connection: Connection
        let path = runner.path
        switch place {
        case .memory:
            connection = try Connection(.memory, access: .readWrite, busyTimeout: patience)
        case .file:
            guard !PathStatus.exists(Self.successor(of: path)) else {
                throw StoreError.corrupt("a damaged file is being replaced")
            }
            connection =
                try examined
                ?? Connection(.file(path), access: .readWrite, busyTimeout: patience)
            connection.setBusyTimeout(patience)
        case .readOnlyFile:
            guard PathStatus.exists(path) else { throw StoreError.missing(path: path) }
            connection = try Connection(.file(path), access: .readOnly, busyTimeout: patience)
            guard case .ours(let applied) = try runner.inspect(connection), applied > 0 else {
                throw StoreError.missing(path: path)
            }
            guard applied == runner.migrations.count else {
                throw StoreError.olderSchema(
                    path: path, found: applied, known: runner.migrations.count)
            }
            try connection.execute(script: "PRAGMA temp_store = MEMORY")
            return connection
        }
        let finding = try runner.inspect(connection)
        connection.keepWALOnClose()
        // Automatic checkpoints would run beside other connections' commits (the WAL-reset race
        // of SQLite before 3.51.3); ours run under the write lock, see `checkpoint`.
        try enterWALMode(connection)
        try connection.execute(
            script: """
                PRAGMA wal_autocheckpoint = 0;
                PRAGMA journal_size_limit = 0;
                PRAGMA foreign_keys = ON;
                PRAGMA cell_size_check = ON;
                PRAGMA mmap_size = 0;
                PRAGMA temp_store = FILE;
                PRAGMA synchronous = FULL;
                """)
        try connection.telling(whileMigrating) {
            try runner.migrate(connection, from: finding, wallMilliseconds: now.milliseconds)
        }
        try connection.execute(script: StagingTables.script)
        // A file that came without a log, as a backup does, has one from the first read on: what is
        // there then are the files that must stay the same.
        _ = try connection.count("SELECT count(*) FROM sqlite_schema")
        return connection
    }

    /// If several processes open a new file at once, SQLite can say *busy* here without waiting.
    /// Then this waits for the write lock and tries again. A file in WAL mode is left as it is.
    ///
    /// A file system without shared memory, as some network ones, has no WAL. There readers and
    /// writers wait for each other, and nothing else changes. The journal is truncated, not
    /// deleted: a deleted journal could be back after a power loss. If only the kernel refuses to
    /// map the log's memory, SQLite has already marked the file as WAL, and nobody could read it
    /// there. So that is an error. Source: https://www.sqlite.org/wal.html#noshm
    private static func enterWALMode(_ connection: Connection) throws {
        for _ in 0..<5 {
            do throws(SQLiteError) {
                let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
                guard mode != "wal", mode != "memory" else { return }
                return try connection.execute(script: "PRAGMA journal_mode = TRUNCATE")
            } catch {
                guard error.code.primary == .busy else { throw error }
                try connection.transaction {}
            }
        }
        throw StoreError.busy
    }

    /// Runs `body` in one transaction that holds the write lock. What it changes may be the rows of any list, unless
    /// it writes a status alone.
    @discardableResult
    func write<Result>(
        _ durability: Durability, isStatus: Bool = false, _ body: () throws -> Result
    ) throws(StoreError) -> Result {
        let before = connection.totalChanges
        defer { if !isStatus, connection.totalChanges != before { countedRows = [:] } }
        do {
            if self.durability != durability {
                try connection.execute(script: "PRAGMA synchronous = \(durability.rawValue)")
                self.durability = durability
            }
            let result = try connection.transaction {
                try watchRows()
                let result = try body()
                try followRows()
                try followTouched()
                return result
            }
            ownCommits += 1
            return result
        } catch {
            // What it has made beside the file is gone with the transaction.
            isWatchingRows = false
            throw .wrapping(error, path: path)
        }
    }

    /// Runs `body` on one consistent view of the cache.
    func read<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try connection.snapshot(body)
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// A door for tests: what stands in the cache, and settings of its one connection.
    package func withConnection<Result: Sendable>(
        _ body: @Sendable (Connection) throws -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body(connection)
        } catch {
            throw .wrapping(error, path: path)
        }
    }

    /// Throws ``StoreError/replaced(path:)`` where the path leads to another file than the one that
    /// is open: what is written to the old one, nobody would ever read.
    public func requireSameFile() throws(StoreError) {
        guard !lostItsPlace, FileIdentity.of(path) == identity else {
            throw .replaced(path: path)
        }
    }

    /// Whether the path leads to the database that is open, whatever became of its write-ahead log.
    public func hasSameDatabase() -> Bool {
        !lostItsPlace && FileIdentity.of(path)?.database == identity?.database
    }

    /// Looks at the file again, as a cycle does first: ``requireSameFile()``, and
    /// ``StoreError/newerSchema(path:found:known:)`` where a newer syncd has migrated it meanwhile.
    func requireUnchangedFile() throws(StoreError) {
        try requireSameFile()
        let found = try read { try connection.count("SELECT max(version) FROM migration") }
        guard found <= migrations.count else {
            throw .newerSchema(path: path, found: Int(found), known: migrations.count)
        }
    }

    /// Gives back the memory that work has left: a daemon waits for an hour after a second of it.
    public func rest() {
        connection.releaseMemory()
        Heap.giveBack()
    }
}
