internal import Declarations
public import Host
package import Rules
internal import SQLite
public import Tables

/// What stands when a cycle of a list that programs write to begins.
public struct CycleOpening: Sendable, Hashable {
    /// What is remembered of the last cycle.
    public let memory: SyncMemory
    /// The queue holds nothing but rejected operations, and no list lacked a row of theirs.
    public let isQueueSettled: Bool
    /// A delete or an update is queued that a list would let go.
    public let needsList: Bool

    init(memory: SyncMemory, isQueueSettled: Bool, needsList: Bool) {
        self.memory = memory
        self.isQueueSettled = isQueueSettled
        self.needsList = needsList
    }

    /// Of a list that programs only read.
    public init(reading memory: SyncMemory) {
        self.init(memory: memory, isQueueSettled: true, needsList: false)
    }
}

/// The version of a URL's content that the cache holds.
public struct StoredValidators: Sendable, Hashable {
    /// The value of `ETag`, as it came.
    public var entityTag: String?
    /// The value of `Last-Modified`, as it came.
    public var lastModified: String?
    /// How many rows its page had if it was the last one, as far as it said; nil where that is not kept.
    public var rowsOfLast: Int64?

    /// Where none came, or none is kept.
    public static let none = StoredValidators(entityTag: nil, lastModified: nil)

    /// The two validators of an answer.
    public init(entityTag: String?, lastModified: String?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

extension CacheStore {
    /// The largest list that is taken, in rows.
    public static let maxRows: Int64 = 2_000_000

    /// Begins a cycle of a list that programs write to: an operation that is found sending was cut off, and is in
    /// doubt.
    ///
    /// Throws what a rule of another program refuses of an answer that is kept,
    /// ``StoreError/replaced(path:)`` where the file is not the one that was opened, and
    /// ``StoreError/newerSchema(path:found:known:)`` where a newer syncd has migrated it meanwhile.
    public func openCycle(
        of table: ListTable, now: BootTime
    ) throws(StoreError) -> CycleOpening {
        try requireUnchangedFile()
        try settleKept(of: table)
        let name = table.declaration.name
        let listName = Value.text(name.text)
        let isInterrupted = try read {
            try connection.count(
                """
                SELECT EXISTS (SELECT 1 FROM operation WHERE state = 'sending' AND list = ?1)
                    OR EXISTS (SELECT 1 FROM withdrawn WHERE list = ?1)
                """, listName)
        }
        readRows[name] = nil
        incrementRows[name] = nil
        let edits = RowEdits(connection: connection, table: table)
        let isUntidy = try read { try edits?.isUntidy() } ?? false
        if isInterrupted == 1 || isUntidy {
            try write(.normal) {
                let cutOff = try connection.all(
                    """
                    UPDATE operation SET state = 'in doubt', undecided = 1,
                        last_status = NULL, last_error = 'syncd stopped before the answer'
                    WHERE state = 'sending' AND list = ? RETURNING row_id
                    """, listName
                ) { $0.integer(0) }
                let rows = ListRows(connection: connection, table: table)
                for row in cutOff { try rows.follow(row) }
                // What another program has done by now counts, too.
                try edits?.tidy()
                // Whoever wrote a row again has done so by now.
                try connection.run("DELETE FROM withdrawn WHERE list = ?", listName)
            }
        }
        return try read {
            CycleOpening(
                memory: try recall(name),
                isQueueSettled: try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM operation WHERE list = ?1
                            AND (state <> 'rejected' OR missed_ms IS NOT NULL))
                        OR EXISTS (SELECT 1 FROM trail WHERE list = ?1
                            AND iif(answered_boot = ?2, answered_ms, 0) <= ?3)
                    """, listName, .text(now.boot),
                    .integer(now.milliseconds - Witness.memory.wholeMilliseconds)) == 0,
                needsList: try connection.count(
                    """
                    SELECT EXISTS (SELECT 1 FROM operation WHERE kind <> 'create'
                        AND state = 'queued' AND missed_ms IS NULL AND list = ?3
                        AND NOT \(Self.isHeldDelete)
                        AND (wait_ms IS NULL OR wait_boot <> ?1 OR wait_ms <= ?2))
                    """, .text(now.boot), .integer(now.milliseconds), listName) == 1)
        }
    }

    /// Takes an "unchanged" answer: every row of the cache is confirmed by it.
    public func confirm(_ table: ListTable) throws(StoreError) {
        do {
            try connection.run(
                "DELETE FROM unconfirmed WHERE list = ?", .text(table.declaration.name.text))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Reconciles the cache with the staged `pages`, in one transaction, unless `wipeGuard` holds them. The
    /// validators of a complete pull of one page are kept unless it is held. What was sent may take effect for
    /// `settlingTime`.
    ///
    /// The list is compared with the cache before that transaction. So other programs wait only for the changes.
    /// If they commit meanwhile, the transaction sees that and compares again.
    ///
    /// The `rows` beside it were read one by one, and count as shown for their edits and deletes. Those that are
    /// unknown count neither as shown nor as absent.
    ///
    /// If creates were sent while the pages came, `pagesBeforeCreates` had come by then.
    ///
    /// ``StoreError/stopped`` changes nothing. An unchanged list writes nothing.
    package func reconcile(
        _ pages: [PublishedPage], of table: ListTable, scope: PullScope = .whole,
        parts: PartsPull? = nil, beside rows: RowsBeside, now: WallTime,
        guardedBy wipeGuard: WipeGuard, settlingTime: Duration, pagesBeforeCreates: Int = 0
    ) throws(StoreError) -> Reconciled {
        let reconciled = try reconcile(
            pages, of: table, scope: scope, parts: parts, beside: rows, now: now
        ) { staged in
            var pull = staged
            pull.pagesBeforeCreates = pagesBeforeCreates
            return try pull.reconcile(
                pages.map(\.facts), guardedBy: wipeGuard, settlingTime: settlingTime)
        }
        listsBegan[table.declaration.name] = wipeGuard.pullBegan
        return reconciled
    }

    /// The same by steps of a test's own.
    package func reconcile(
        _ pages: [PublishedPage], of table: ListTable, scope: PullScope = .whole,
        parts: PartsPull? = nil, beside rows: RowsBeside = RowsBeside(), now: WallTime,
        decide: @Sendable (RowsPull) throws -> Reconciled
    ) throws(StoreError) -> Reconciled {
        try pulling(table.declaration.name) { () throws(StoreError) in
            try reconcile(pages, table, scope, parts, beside: rows, now: now, decide)
        }
    }

    private func reconcile(
        _ pages: [PublishedPage], _ table: ListTable, _ scope: PullScope, _ asked: PartsPull?,
        beside rows: RowsBeside, now: WallTime, _ decide: (RowsPull) throws -> Reconciled
    ) throws(StoreError) -> Reconciled {
        let name = table.declaration.name
        let body = stagedBodies.removeValue(forKey: name)
        guard let staging = RowsStaging(connection: connection, table: table) else {
            return Reconciled(rows: 0, skipped: .none, isComplete: false)
        }
        // Frees memory early; what stays after a failure, the next pull deletes.
        defer { _ = try? staging.clear() }
        let found: RowsPull?
        let parts: PartsCommit?
        let compared: Int64
        let keys: [String: String]
        var beside = rows
        do {
            if rows.shown.contains(where: \.isOut) {
                beside = rows.withoutDeleted(try rowsOfAcknowledgedDeletes(of: name))
            }
            found = try staging.pull(of: pages, now: now)
            parts = asked.flatMap {
                partsCommit($0.judged(by: table, without: found?.pagesOfDiffering ?? []), of: table)
            }
            let columns = try connection.staging { try staging.layKnown() }
            if let columns { listedColumns[name] = columns }
            try connection.staging { try parts?.noteRead() }
            compared = try staging.compare(scope)
            keys =
                scope.asksForPages
                ? try connection.staging { try self.keys(of: pages, table) } : [:]
            if scope.isWhole { try judgeTypes(of: table) }
            try connection.staging { try findSince(of: table, pages, scope: scope, now: now) }
            beside.unknown.formUnion(try staging.skippedRows())
        } catch {
            throw .wrapping(error, path: path)
        }
        guard var pull = found else {
            return Reconciled(rows: 0, skipped: .none, isComplete: false)
        }
        beside.notFound.formUnion(pull.beside.notFound)
        pull.beside = beside
        pull.isWhole = scope.isWhole
        pull.parts = parts
        var version: Int64 = 0
        // If a row is missing that stays for now, the next list has to be read, be it the same: it decides.
        var isWhole = false
        let reconciled = try toleratingForeignKeys { () throws(StoreError) in
            try write(.normal) {
                try ListSchema(connection: connection).requireMade(from: table)
                version = try staging.compareAgain(scope, unlessStill: compared)
                try connection.run("DELETE FROM unconfirmed WHERE list = ?", pull.listName)
                let staged = connection.totalChanges
                try RowEdits(connection: connection, table: table)?.takeBackDropped()
                let reconciled = try decide(pull)
                if reconciled.decided > 0 {
                    try letGo(behind: nil, isDone: false, of: table)
                }
                if let note = table.knownStatements?.noteUnread, !reconciled.isHeld {
                    try connection.run(note)
                }
                if !reconciled.isHeld, !scope.isWhole {
                    let shown = try rowsShown(by: pull).union(rows.shown.map(\.row))
                    // A cycle can read the parts of a list in several pulls.
                    incrementRows[name] =
                        parts == nil
                        ? shown : shown.union(incrementRows[name] ?? [])
                    if let parts {
                        try parts.write(now: now)
                        try keep(parts.pull, keys, of: table)
                    }
                    // Another answer of the whole list is to be expected.
                    if table.declaration.isOneAnswer, connection.totalChanges > staged {
                        try forgetPages(of: table)
                    }
                } else if !reconciled.isHeld {
                    incrementRows[name] = nil
                    // What this pull does not show, no DELETE is for: it may be another's by now.
                    try connection.run(
                        "INSERT INTO unconfirmed (list, row_id) SELECT ?, id FROM (\(pull.sql.unconfirmed))",
                        pull.listName)
                    for row in pull.beside.shown {
                        try connection.run(
                            "DELETE FROM unconfirmed WHERE list = ? AND row_id = ?",
                            pull.listName, .integer(row.row))
                    }
                    // A row that was read beside the list leaves with the next one, be that as it was or not.
                    isWhole =
                        try reconciled.isComplete && rows.isEmpty && !pull.keepsRowsOut
                        && connection.count(
                            "SELECT EXISTS (SELECT 1 FROM unconfirmed WHERE list = ?)",
                            pull.listName) == 0
                    // Of a list that is not whole, the next one has to be read, be it the same.
                    try keep(pages, isWhole ? keys : [:], of: table)
                }
                try ChangeLog(connection: connection).resume()
                if connection.totalChanges > staged { noteDataWritten() }
                return reconciled
            }
        }
        if isWhole, let page = pages.first, let body {
            knownLists[name] = KnownList(
                body: body, url: page.url, validators: page.validators, rows: reconciled.rows,
                version: version)
        }
        return reconciled
    }

    /// Takes a list that is byte for byte the last list that was taken whole, with the same
    /// validators. If nothing was sent and nobody else has written since, reading it would change
    /// nothing. Like an "unchanged" answer it confirms every row, so it is allowed only when such
    /// an answer is. Returns the number of rows; nil if the list has to be read.
    public func confirm(
        _ table: ListTable, body: [UInt8], url: String, validators: StoredValidators
    ) throws(StoreError) -> Int64? {
        let name = table.declaration.name
        guard let list = knownLists[name],
            list.isSame(body, url: url, validators: validators)
        else { return nil }
        guard try dataVersion() == list.version else {
            knownLists[name] = nil
            return nil
        }
        try confirm(table)
        return list.rows
    }
}
