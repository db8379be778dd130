public import Declarations
public import Host
public import Rules
internal import SQLite

/// What the store remembers of a list between cycles, in the terms of decisions.
public struct SyncMemory: Sendable, Hashable {
    /// How the last cycle's reading ended.
    public var state: SyncState
    /// Why changes are not sent, though the list is read.
    public var halt: ReplayHalt?
    /// Cycles in a row that failed.
    public var failures: Int
    /// When the last pull that was taken began.
    public var pulledAt: BootTime?
    /// When the next cycle is due.
    public var due: BootTime?
    /// The part of the wait for ``due`` that the server asked for: no person's wish comes before it.
    public var dueAskedUntil: BootTime?
    /// Nothing is replayed before this moment.
    public var pause: BootTime?
    /// The part of ``pause`` that the server asked for: no person's wish comes before it.
    public var pauseAskedUntil: BootTime?
    /// Since when a pull has been held; nil when none is.
    public var heldSince: BootTime?
    /// So long after a pull a local write causes the next one, at least; nil where none has.
    public var pullGap: Duration?
    /// The kinds of operations that made the last cycle fail, if that was because the server refuses them whatever
    /// their rows.
    public var refusedKinds: Set<OperationKind> = []
}

/// What a pull that was taken says of itself.
public struct PullFacts: Sendable, Hashable {
    /// When its request was made.
    public var began: BootTime
    /// Rows on the server, as far as they were taken; nil where the answer was "unchanged".
    public var rows: Int64?
    /// Whether it held every row; nil where the answer was "unchanged".
    public var complete: Bool?
    /// Rows that were not taken; nil where the answer was "unchanged".
    public var skipped: Int64?
    /// So long after it a local write causes the next one, at least; nil leaves it as it was.
    public var gap: Duration?
    /// It asked for changes alone: what there is to say of the list stays.
    public var isIncrement = false

    /// An increment that began at `began`.
    public init(incrementAt began: BootTime) {
        self.init(began: began, rows: nil, complete: nil)
        isIncrement = true
    }

    /// A pull that began at `began`.
    public init(began: BootTime, rows: Int64?, complete: Bool?, skipped: Int64? = nil) {
        self.began = began
        self.skipped = skipped
        self.rows = rows
        self.complete = complete
    }
}

/// How a cycle ended, as the status row shows it.
public struct CycleRecord: Sendable, Hashable {
    /// What was synced.
    public var list: ListName
    /// How the cycle's reading ended.
    public var state: SyncState
    /// When the cycle began, for people.
    public var attemptedAt: WallTime
    /// The pull that was taken, an unchanged one too; nil when none was.
    public var pull: PullFacts?
    /// Cycles in a row that failed, this one included; 0 after a success.
    public var failures: Int
    /// What went wrong, or what there is to say of a list that was taken, in one sentence. Without a pull
    /// that is left as it was.
    public var error: String?
    /// When the next cycle is due.
    public var due: BootTime
    /// The same moment as ``due``, for people.
    public var dueShown: WallTime
    /// The part of the wait for ``due`` that the server asked for.
    public var dueAskedUntil: BootTime?
    /// How long the cycle took.
    public var durationMilliseconds: Int64
    /// When it ended.
    public var endedAt: BootTime?
    /// Why changes are not sent, though the list is read.
    public var halt: ReplayHalt?
    /// What the cycle has replayed.
    public var replay = ReplayCounts()
    /// The kinds of operations that made it fail, if that was because the server refuses them whatever their rows.
    public var refusedKinds: Set<OperationKind> = []

    /// A record of one cycle.
    public init(
        list: ListName, state: SyncState, attemptedAt: WallTime, pull: PullFacts?,
        failures: Int,
        error: String?, due: BootTime, dueShown: WallTime, dueAskedUntil: BootTime?,
        durationMilliseconds: Int64
    ) {
        self.list = list
        self.state = state
        self.attemptedAt = attemptedAt
        self.pull = pull
        self.failures = failures
        self.error = error
        self.due = due
        self.dueShown = dueShown
        self.dueAskedUntil = dueAskedUntil
        self.durationMilliseconds = durationMilliseconds
    }
}

extension CacheStore {
    /// The rows of the view `sync_status`, in the order of their names.
    public func status() throws(StoreError) -> [StatusRow] {
        try read { try statusRows() }
    }

    /// How everything stands at one moment.
    public func standing() throws(StoreError) -> Standing {
        try read { Standing(lists: try statusRows(), queue: try countQueue(nil)) }
    }

    func statusRows() throws(SQLiteError) -> [StatusRow] {
        try connection.all(
            """
            SELECT list, shown.state, shown.last_attempt_at, shown.last_success_at,
                shown.next_due_at, shown.failures, shown.last_error, rows, shown.duration_ms, shown.complete, kept.last_success_at,
                sent, done, rejected, in_doubt, shown.skipped, mistaken, excerpt, marks,
                shown.waiting, shown.stuck, shown.stuck_error, halt, halt_error,
                shown.pages_read, shown.pages_told, shown.mark, shown.whole_at, shown.missed, kept.missed_why,
                (SELECT min(read_at) FROM part WHERE part.list = shown.list),
                EXISTS (SELECT 1 FROM part WHERE part.list = shown.list)
            FROM sync_status AS shown LEFT JOIN sync_state AS kept USING (list)
            ORDER BY list
            """
        ) { row in
            var replayed = ReplayCounts()
            replayed.sent = Self.count(row, 11)
            replayed.done = Self.count(row, 12)
            replayed.rejected = Self.count(row, 13)
            replayed.inDoubt = Self.count(row, 14)
            return StatusRow(
                list: row.text(0), state: row.text(1), lastAttemptAt: row.textOrNil(2),
                lastSuccessAt: row.textOrNil(3),
                lastSuccess: row.wallTime(10), oldestPart: row.wallTime(30),
                isInParts: row.integer(31) == 1,
                nextDueAt: row.textOrNil(4), failures: row.integer(5),
                lastError: row.textOrNil(6), rows: row.integerOrNil(7),
                durationMilliseconds: row.integerOrNil(8),
                complete: row.integerOrNil(9).map { $0 == 1 },
                replayed: replayed, skipped: row.integer(15),
                mistakes: (row.textOrNil(16) ?? "").split(separator: "\n")
                    .compactMap(ColumnMistake.init(line:)),
                excerpt: ListedColumns.names(row.textOrNil(17)).sorted(),
                marks: MarkKeeping(rawValue: row.text(18)),
                changes: WaitingChanges(
                    waiting: row.integer(19), stuck: row.integer(20), error: row.textOrNil(21)),
                halt: Self.halt(row, 22),
                progress: row.integerOrNil(24).map {
                    PullProgress(pages: $0, of: row.integerOrNil(25))
                }, mark: row.textOrNil(26), wholeAt: row.textOrNil(27), missed: row.integer(28),
                whyMissed: row.textOrNil(29))
        }
    }

    /// What waits of `list` to be sent or decided.
    public func waitingChanges(of list: ListName) throws(StoreError) -> WaitingChanges {
        try read {
            try connection.first(
                "SELECT waiting, stuck, stuck_error FROM sync_status WHERE list = ?",
                .text(list.text)
            ) { row in
                WaitingChanges(
                    waiting: row.integer(0), stuck: row.integer(1), error: row.textOrNil(2))
            } ?? WaitingChanges()
        }
    }

    /// What is remembered of `list`.
    public func memory(of list: ListName) throws(StoreError) -> SyncMemory {
        try read { try recall(list) }
    }

    func recall(_ list: ListName) throws(SQLiteError) -> SyncMemory {
        let memory = try connection.first(
            """
            SELECT state, failures, pulled_boot, pulled_ms, due_boot, due_ms,
                iif(due_asked, due_boot, NULL), coalesce(due_asked_ms, due_ms),
                pause_boot, pause_ms,
                iif(pause_asked, pause_boot, NULL), coalesce(pause_asked_ms, pause_ms),
                since_boot, since_ms, pull_gap_ms, halt, halt_error, refused_kinds
            FROM sync_state LEFT JOIN hold USING (list) WHERE list = ?
            """, .text(list.text)
        ) { row in
            var memory = SyncMemory(
                state: SyncState(rawValue: row.text(0)) ?? .waiting,
                failures: Int(row.integer(1).within(0...1_000_000)), pulledAt: row.bootTime(2),
                due: row.bootTime(4),
                dueAskedUntil: row.bootTime(6), pause: row.bootTime(8),
                pauseAskedUntil: row.bootTime(10), heldSince: row.bootTime(12),
                pullGap: row.integerOrNil(14).map { .milliseconds($0.within(0...Self.longestGap)) },
                refusedKinds: Set(
                    row.text(17).split(separator: " ")
                        .compactMap { OperationKind(rawValue: String($0)) }))
            memory.halt = Self.halt(row, 15)
            return memory
        }
        return memory
            ?? SyncMemory(state: .waiting, failures: 0)
    }

    /// Longer than any interval, in milliseconds.
    private static let longestGap: Int64 = 30 * 86_400_000

    /// Writes the one small status row of a cycle; no sync to disk, the next pull brings it again.
    public func record(_ record: CycleRecord) throws(StoreError) {
        let columns = listedColumns.removeValue(forKey: record.list)
        try write(.normal, isStatus: true) {
            try recordSince(of: record)
            try connection.run(
                """
                UPDATE sync_state SET state = ?2, last_attempt_at = ?3,
                    last_success_at = iif(?4 IS NULL, last_success_at, ?3), failures = ?5,
                    -- What there is to say of a list holds until the next one.
                    last_error = iif(?2 = 'ok' AND state = 'ok' AND (?4 IS NULL OR ?28), last_error, ?6),
                    due_boot = ?7, due_ms = ?8, due_shown = ?9, due_asked = ?10,
                    duration_ms = ?11, pulled_boot = coalesce(?4, pulled_boot),
                    pulled_ms = coalesce(?12, pulled_ms), row_count = coalesce(?13, row_count),
                    complete = coalesce(?14, complete), due_asked_ms = ?15,
                    pull_gap_ms = coalesce(?16, pull_gap_ms), sent = sent + ?17,
                    done = done + ?18, rejected = rejected + ?19, in_doubt = in_doubt + ?20,
                    skipped = coalesce(?21, skipped), mistaken = coalesce(?22, mistaken),
                    listed = coalesce(?23, listed), excerpt = coalesce(?24, excerpt),
                    halt = ?25, halt_error = ?26, refused_kinds = ?27,
                    pages_read = NULL, pages_told = NULL
                WHERE list = ?1
                """, .text(record.list.text), .text(record.state.rawValue),
                .integer(record.attemptedAt.milliseconds), .text(record.pull?.began.boot),
                .integer(record.failures), .text(record.error), .text(record.due.boot),
                .integer(record.due.milliseconds), .integer(record.dueShown.milliseconds),
                .flag(record.dueAskedUntil != nil), .integer(record.durationMilliseconds),
                .integer(record.pull?.began.milliseconds), .integer(record.pull?.rows),
                .integer(record.pull?.complete.map { $0 ? 1 : 0 }),
                .integer(record.dueAskedUntil?.milliseconds),
                .integer(record.pull?.gap?.wholeMilliseconds), .integer(record.replay.sent),
                .integer(record.replay.done), .integer(record.replay.rejected),
                .integer(record.replay.inDoubt), .integer(record.pull?.skipped),
                .text(mistaken.removeValue(forKey: record.list)),
                .text(columns.map { ListedColumns.text(of: $0.listed) }),
                .text(columns.map { ListedColumns.text(of: $0.excerpt) }),
                .text(record.halt?.state.rawValue), .text(record.halt?.error),
                .text(
                    record.refusedKinds.isEmpty
                        ? nil : record.refusedKinds.map(\.rawValue).sorted().joined(separator: " ")),
                .flag(record.pull?.isIncrement ?? false))
        }
    }

    /// The columns `index` (state) and `index + 1` (sentence).
    private static func halt(_ row: Statement, _ index: Int) -> ReplayHalt? {
        row.textOrNil(index).flatMap(SyncState.init).map {
            ReplayHalt(state: $0, error: row.text(index + 1))
        }
    }

    /// A number of requests; another program can have written any.
    private static func count(_ row: Statement, _ index: Int) -> Int {
        Int(row.integer(index).within(0...1 << 53))
    }
}
