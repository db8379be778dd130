public import Declarations
public import Host
internal import SQLite
internal import Tables

/// How far a store has seen: moves when somebody commits.
public struct WriteMark: Sendable, Hashable {
    /// Another connection's commits move it, our own do not.
    public let version: Int64
    /// Our own commits.
    public let ownCommits: Int64
    /// The number of the newest operation in the queue; 0 where there is none.
    public let newestOperation: Int64

    /// A mark from its parts, for tests of what the daemon makes of it.
    package init(version: Int64, ownCommits: Int64, newestOperation: Int64 = 0) {
        self.version = version
        self.ownCommits = ownCommits
        self.newestOperation = newestOperation
    }
}

/// What waits in the cache for a daemon.
public struct WaitingWork: Sendable, Hashable {
    /// A sync request that nobody has taken.
    public let hasRequests: Bool
    /// The lists of which an operation could be sent now, in the order of their names.
    public let sendable: [ListName]

    /// A value from its parts, for tests of what the daemon makes of it.
    package init(hasRequests: Bool, sendable: [ListName]) {
        self.hasRequests = hasRequests
        self.sendable = sendable
    }
}

/// What others have done to the cache, as far as it can be seen at one moment.
public struct WriteSign: Sendable, Hashable {
    /// For the next look.
    public let mark: WriteMark
    /// Whether another process is in the middle of writing; nil where nobody looked. False says
    /// that everything whose first byte was written before this look can be seen in it.
    public let isWriterActive: Bool?
    /// What waits; nil where nobody else has committed, no operation is new, and nobody asked.
    public let work: WaitingWork?

    /// A sign from its parts, for tests of what the daemon makes of it.
    package init(mark: WriteMark, isWriterActive: Bool?, work: WaitingWork?) {
        self.mark = mark
        self.isWriterActive = isWriterActive
        self.work = work
    }
}

/// What a look for the writes of others is about.
public struct WriteQuestion: Sendable, Hashable {
    /// What was seen before; nil at the first look.
    public let mark: WriteMark?
    /// Whether to find out in any case if a writer is active.
    public let asksForWriter: Bool
    /// Whether to say in any case what waits.
    public let asksForWork: Bool

    /// A question after `mark`.
    public init(since mark: WriteMark?, asksForWriter: Bool, asksForWork: Bool) {
        self.mark = mark
        self.asksForWriter = asksForWriter
        self.asksForWork = asksForWork
    }
}

extension CacheStore {
    /// A number that moves with every commit of another connection that this one can see, and never
    /// with our own. Source: https://www.sqlite.org/pragma.html#pragma_data_version
    public func dataVersion() throws(StoreError) -> Int64 {
        do {
            return try connection.count("PRAGMA data_version")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether another connection holds the write lock; where that cannot be told, one may.
    public func isWriterActive() -> Bool {
        guard !path.isEmpty else { return false }
        return connection.isWriterActive(hasWAL: hasWAL) ?? true
    }

    /// Looks whether others have committed, and if so, what waits. Brings the full text and the history of the lists
    /// to what they wrote. Writes nothing else, unless their commits have made the WAL longer than ``longestWAL``: that
    /// is emptied.
    ///
    /// A commit's bytes come to the WAL before the commit can be seen, and its writer holds the
    /// write lock in between. So the lock is looked at where the version alone may say too little:
    /// it has moved (the next writer may be at work already), or we have committed ourselves
    /// (the WAL's change may be ours). In between, the version is enough.
    ///
    /// Our own commits are news if a new operation came with them: while we brought one list up to date, a
    /// program's own trigger has written to another one. And where rows refer to rows, our commit may have let
    /// operations of another list go.
    ///
    /// Throws ``StoreError/replaced(path:)`` where the path leads to another file or WAL now.
    public func look(
        for question: WriteQuestion, now: BootTime
    ) throws(StoreError) -> WriteSign {
        try requireSameFile()
        var version = try dataVersion()
        let hasOwn = question.mark.map { $0.ownCommits != ownCommits } ?? true
        var isWriterActive: Bool?
        if question.asksForWriter || hasOwn || version != question.mark?.version {
            isWriterActive = self.isWriterActive()
            // Whoever held the lock a moment ago has committed, or has given up.
            version = try dataVersion()
        }
        let isOfOthers = question.asksForWork || version != question.mark?.version
        if isOfOthers { hasCommitsOfOthers = true }
        let seen = question.mark?.newestOperation ?? 0
        let newest = hasOwn || isOfOthers ? try newestOperation() : seen
        // Its writer keeps the lock for a moment after a commit can be seen: the next look comes then.
        if hasCommitsOfOthers, isWriterActive != true, !isReadOnly {
            hasCommitsOfOthers = false
            try followWritesOfOthers()
            try emptyLongWAL()
        }
        return WriteSign(
            mark: WriteMark(
                version: version, ownCommits: ownCommits, newestOperation: newest),
            isWriterActive: isWriterActive,
            work: isOfOthers || newest > seen || hasOwn && referring?.isEmpty == false
                ? try waitingWork(now: now) : nil)
    }

    private func newestOperation() throws(StoreError) -> Int64 {
        try read { try connection.count("SELECT coalesce(max(seq), 0) FROM operation") }
    }

    /// Nothing is sent while a pull of the todos is held, nor in a pause whose end is the next cycle.
    private func waitingWork(now: BootTime) throws(StoreError) -> WaitingWork {
        try read {
            WaitingWork(
                hasRequests: try connection.count(
                    "SELECT EXISTS (SELECT 1 FROM sync_request WHERE taken = 0)") == 1,
                sendable: isReadOnly ? [] : try sendable(now: now))
        }
    }

    private func sendable(now: BootTime) throws -> [ListName] {
        let names = try connection.all("SELECT name FROM declared_list ORDER BY name") {
            $0.text(0)
        }
        var sendable: [ListName] = []
        for name in names.map(ListName.init(kept:))
        where try mayReplay(name, now: now) {
            guard try hasSendable(of: name, now: now) else { continue }
            sendable.append(name)
        }
        // New rows of another list can have parts.
        for table in try ListSchema(connection: connection).inParts()
        where try !sendable.contains(table.declaration.name)
            && mayReplay(table.declaration.name, now: now)
            && hasPartToRead(of: table)
        {
            sendable.append(table.declaration.name)
        }
        return sendable
    }

    private func mayReplay(_ name: ListName, now: BootTime) throws(SQLiteError) -> Bool {
        try connection.count(
            """
            SELECT NOT EXISTS (SELECT 1 FROM hold WHERE list = ?3)
                AND NOT EXISTS (SELECT 1 FROM sync_state WHERE list = ?3
                    AND pause_boot = ?1 AND pause_ms > ?2 AND due_boot = ?1 AND due_ms <= pause_ms)
            """, .text(now.boot), .integer(now.milliseconds), .text(name.text)) == 1
    }
}
