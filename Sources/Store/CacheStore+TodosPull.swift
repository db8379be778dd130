internal import Declarations
public import Host
internal import SQLite

/// What stands when a cycle of the todos begins.
public struct CycleOpening: Sendable, Hashable {
    /// What is remembered of the last cycle.
    public let memory: SyncMemory
    /// The queue holds nothing but rejected operations, and no list lacked a row of theirs.
    public let isQueueSettled: Bool
    /// A delete is queued that a list would let go.
    public let hasSendableDelete: Bool
    /// The version that the last pull named; nil if there is none to ask for.
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
    public func openTodosCycle(url: String, now: BootTime) throws(StoreError) -> CycleOpening {
        try requireUnchangedFile()
        let cutOff = try read {
            try connection.count(
                """
                SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'sending' AND \(TodoRows.isOperation))
                    OR EXISTS (SELECT 1 FROM withdrawn WHERE \(TodoRows.isOperation))
                """)
        }
        if cutOff == 1 {
            try write(.normal) {
                try connection.run(
                    """
                    UPDATE operation SET state = 'in doubt', undecided = 1,
                        last_status = NULL, last_error = 'syncd stopped before the answer'
                    WHERE state = 'sending' AND \(TodoRows.isOperation)
                    """)
                // Whoever wrote a row again has done so by now.
                try connection.run("DELETE FROM withdrawn WHERE \(TodoRows.isOperation)")
            }
        }
        return try read {
            CycleOpening(
                memory: try recall(.todos),
                isQueueSettled: try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM operation WHERE \(TodoRows.isOperation)
                        AND (state <> 'rejected' OR missed_ms IS NOT NULL))
                    """) == 0,
                hasSendableDelete: try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM operation WHERE kind = 'delete'
                        AND state = 'queued' AND missed_ms IS NULL AND \(TodoRows.isOperation)
                        AND (wait_ms IS NULL OR wait_boot <> ?1 OR wait_ms <= ?2))
                    """, .text(now.boot), .integer(now.milliseconds)) == 1,
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

    /// Stages the rows of `body`, and reconciles the cache with them as `decide` says, in one
    /// transaction; the validators of a complete pull are kept unless `decide` returns
    /// ``Reconciled/isHeld``.
    ///
    /// The list is read and compared with the cache before that transaction. So other programs wait
    /// only for the changes. If they commit meanwhile, the transaction sees that and compares
    /// again.
    ///
    /// `body` must have passed the byte check. If the body is not a list, or none of its rows could
    /// be a todo, it throws ``StoreError/unusableBody(_:)`` and changes nothing.
    /// ``StoreError/stopped`` changes nothing, either. An unchanged list writes nothing.
    public func reconcileTodos(
        body: [UInt8], url: String, validators: StoredValidators, now: WallTime,
        decide: @Sendable (TodosPull) throws -> Reconciled
    ) throws(StoreError) -> Reconciled {
        try pulling { () throws(StoreError) in
            try reconcile(body, url, validators, now: now, decide)
        }
    }

    private func reconcile(
        _ body: [UInt8], _ url: String, _ validators: StoredValidators, now: WallTime,
        _ decide: (TodosPull) throws -> Reconciled
    ) throws(StoreError) -> Reconciled {
        knownList = nil
        let staging = TodosStaging(connection: connection)
        // Frees memory early; what stays after a failure, the next pull deletes.
        defer { _ = try? staging.clear() }
        let pull: TodosPull
        let compared: Int64
        do {
            pull = try staging.stage(body, now: now)
            compared = try staging.compare()
        } catch {
            throw .wrapping(error, path: path)
        }
        var version: Int64 = 0
        let reconciled = try write(.normal) {
            version = try staging.compareAgain(unlessStill: compared)
            try connection.run("DELETE FROM unconfirmed")
            let staged = connection.totalChanges
            let reconciled = try decide(pull)
            if !reconciled.isHeld {
                try noteUnconfirmed()
                try keep(
                    reconciled.isComplete
                        ? validators : StoredValidators(entityTag: nil, lastModified: nil),
                    of: url)
            }
            try ChangeLog(connection: connection).resume()
            if connection.totalChanges > staged { noteDataWritten() }
            return reconciled
        }
        if !reconciled.isHeld, reconciled.isComplete {
            knownList = KnownList(
                body: body, url: url, validators: validators, rows: reconciled.rows,
                version: version)
        }
        return reconciled
    }

    /// Takes a list that is byte for byte the last list that was taken whole, with the same
    /// validators. If nothing was sent and nobody else has written since, reading it would change
    /// nothing. Like an "unchanged" answer it confirms every row, so it is allowed only when such
    /// an answer is. Returns the number of rows; nil if the list has to be read.
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

    /// What this pull does not show, no DELETE is for: it may be another's by now.
    private func noteUnconfirmed() throws {
        try connection.run(
            """
            INSERT INTO unconfirmed SELECT id FROM s_todos
            WHERE id IN (SELECT todo_id FROM differing_todo)
                AND NOT EXISTS (SELECT 1 FROM pulled_todo
                    WHERE pulled_todo.id = s_todos.server_id)
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
    /// Rows that were not taken.
    public var skipped: SkippedRows
    /// Whether the list counts as the whole one.
    public var isComplete: Bool
    /// The pull would remove too much, and changed nothing.
    public var isHeld = false
    /// Operations that the pull decided.
    public var decided = 0
    /// What the person should know of a list that was taken, in one sentence, and what to do about it.
    public var notice: String?
    /// See ``notice``.
    public var hint: String?

    /// A pull that did nothing yet.
    public init(rows: Int64, skipped: SkippedRows, isComplete: Bool) {
        self.rows = rows
        self.skipped = skipped
        self.isComplete = isComplete
    }
}
