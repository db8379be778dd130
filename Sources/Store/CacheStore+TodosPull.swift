public import Host
internal import SQLite

/// What stands when a cycle of the todos begins.
public struct CycleOpening: Sendable, Hashable {
    /// What is remembered of the last cycle.
    public let memory: SyncMemory
    /// The queue holds nothing but rejected operations.
    public let isQueueSettled: Bool
    /// The queue holds nothing but creates that were never sent, and rejected operations.
    public let holdsOnlyNewCreates: Bool
    /// What the last pull said of its version; nil where there is none to ask for.
    public let validators: StoredValidators?
}

/// The version of a URL's content that the cache holds.
public struct StoredValidators: Sendable, Hashable {
    /// The value of `ETag`, as it came.
    public var entityTag: String?
    /// The value of `Last-Modified`, as it came.
    public var lastModified: String?

    /// The two validators of an answer.
    public init(entityTag: String?, lastModified: String?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

extension CacheStore {
    /// The largest list that is taken, in rows.
    public static let maxRows: Int64 = 2_000_000

    /// Begins a cycle: an operation that is found sending was cut off, and is in doubt.
    ///
    /// Throws ``StoreError/replaced(path:)`` where the file is not the one that was opened, and
    /// ``StoreError/newerSchema(path:found:known:)`` where a newer syncd has migrated it meanwhile.
    public func openTodosCycle(url: String) throws(StoreError) -> CycleOpening {
        try requireUnchangedFile()
        let cutOff = try read {
            try connection.count("SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'sending')")
        }
        if cutOff == 1 {
            try write(.normal) {
                try connection.run(
                    """
                    UPDATE operation SET state = 'in doubt', undecided = 1,
                        last_status = NULL, last_error = 'syncd stopped before the answer'
                    WHERE state = 'sending'
                    """)
            }
        }
        return try read {
            CycleOpening(
                memory: try recall(.todos),
                isQueueSettled: try connection.count(
                    "SELECT EXISTS (SELECT 1 FROM operation WHERE state <> 'rejected')") == 0,
                holdsOnlyNewCreates: try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM operation WHERE state <> 'rejected'
                        AND (kind <> 'create' OR state <> 'queued'))
                    """) == 0,
                validators: try validators(of: url))
        }
    }

    /// Takes an "unchanged" answer: every row of the cache is confirmed by it.
    public func confirmTodos() throws(StoreError) {
        do {
            try connection.run("DELETE FROM unconfirmed")
        } catch {
            throw StoreError(error, path: path)
        }
    }

    func validators(of url: String) throws(SQLiteError) -> StoredValidators? {
        try connection.first(
            "SELECT entity_tag, last_modified FROM validator WHERE url = ?", .text(url)
        ) { StoredValidators(entityTag: $0.textOrNil(0), lastModified: $0.textOrNil(1)) }
    }

    /// Stages the rows of `body` and reconciles the cache with them as `decide` says, all in one
    /// transaction; the validators of a complete pull are kept unless `decide` returns
    /// ``Reconciled/isHeld``.
    ///
    /// `body` must have passed the byte check. A body that is no list, or holds an id twice, throws
    /// ``StoreError/unusableBody(_:)`` and changes nothing. An unchanged list writes nothing.
    public func reconcileTodos(
        body: [UInt8], url: String, validators: StoredValidators, now: WallTime,
        decide: @Sendable (TodosPull) throws -> Reconciled
    ) throws(StoreError) -> Reconciled {
        knownList = nil
        var version: Int64 = 0
        let reconciled = try write(.normal) {
            version = try connection.count("PRAGMA data_version")
            try connection.run("DELETE FROM unconfirmed")
            let pull = try stageTodos(body, now: now)
            let staged = connection.totalChanges
            let reconciled = try decide(pull)
            if !reconciled.isHeld {
                if !pull.isComplete { try noteUnconfirmed() }
                try keep(
                    pull.isComplete
                        ? validators : StoredValidators(entityTag: nil, lastModified: nil),
                    of: url)
            }
            try ChangeLog(connection: connection).resume()
            if connection.totalChanges > staged { noteDataWritten() }
            // In here, where pages of this transaction's own need no journal: behind it, the rows
            // would stand in memory a second time.
            try connection.run("DELETE FROM pulled_todo")
            return reconciled
        }
        if !reconciled.isHeld, reconciled.skipped.count == 0 {
            knownList = KnownList(
                body: body, url: url, validators: validators, rows: reconciled.rows,
                version: version)
        }
        return reconciled
    }

    /// Takes a list that is byte for byte the last one that was taken whole, with the same
    /// validators, where nothing was sent and nobody else has written since: then reading it would
    /// change nothing. Like an "unchanged" answer it confirms every row, and may be asked for only
    /// where such an answer may be. Returns the number of rows; nil where the list has to be read.
    public func confirmTodos(
        body: [UInt8], url: String, validators: StoredValidators
    ) throws(StoreError) -> Int64? {
        guard let list = knownList, list.isSame(body, url: url, validators: validators) else {
            return nil
        }
        guard try dataVersion() == list.version else {
            knownList = nil
            return nil
        }
        try confirmTodos()
        return list.rows
    }

    private func stageTodos(_ body: [UInt8], now: WallTime) throws -> TodosPull {
        try connection.run("DELETE FROM pulled_todo")
        let (rows, skipped) = try body.withUnsafeBufferPointer { bytes in
            try JSONStaging(connection: connection, body: bytes).stageTodos()
        }
        return TodosPull(connection: connection, rows: rows, skipped: skipped, now: now)
    }

    /// A pull with skipped rows may have missed others: what it does not show, no DELETE is for.
    private func noteUnconfirmed() throws {
        try connection.run(
            """
            INSERT INTO unconfirmed SELECT id FROM todo
            WHERE server_id IS NOT NULL AND server_id NOT IN (SELECT id FROM pulled_todo)
            """)
    }

    func keep(_ validators: StoredValidators, of url: String) throws(SQLiteError) {
        if validators.entityTag == nil, validators.lastModified == nil {
            try connection.run("DELETE FROM validator WHERE url = ?", .text(url))
        } else {
            try connection.run(
                """
                INSERT INTO validator (url, resource, entity_tag, last_modified)
                VALUES (?1, 'todos', ?2, ?3)
                ON CONFLICT (url) DO UPDATE SET entity_tag = ?2, last_modified = ?3
                WHERE entity_tag IS NOT ?2 OR last_modified IS NOT ?3
                """, .text(url), .text(validators.entityTag), .text(validators.lastModified))
        }
    }
}

/// How a pull was reconciled.
public struct Reconciled: Sendable, Hashable {
    /// Rows that were taken.
    public var rows: Int64
    /// Rows that have no usable id or title.
    public var skipped: SkippedRows
    /// The pull would remove too much, and changed nothing.
    public var isHeld: Bool
    /// Operations in doubt that the pull decided.
    public var decided: Int

    /// What a pull did.
    public init(rows: Int64, skipped: SkippedRows, isHeld: Bool, decided: Int) {
        self.rows = rows
        self.skipped = skipped
        self.isHeld = isHeld
        self.decided = decided
    }
}
