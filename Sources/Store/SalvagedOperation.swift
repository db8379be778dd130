internal import Host
internal import SQLite

/// An operation as it was read from a damaged cache.
struct SalvagedOperation {
    let sequence: Int64
    let kind: OperationKind
    let todo: Int64
    private(set) var state: OperationState
    private(set) var attempts: Int64
    /// Nil where it could not be read: then a new one is made.
    let key: String?
    let queuedAt: Int64
    private(set) var sent: BootTime?
    private(set) var firstSent: BootTime?
    private(set) var wait: Wait?
    private(set) var lastStatus: Int64?
    private(set) var lastError: String?

    struct Wait {
        let until: BootTime
        let shown: Int64
        let isAsked: Bool
    }

    static let columns = """
        kind, todo_id, state, attempts, idempotency_key, queued_at, sent_boot, sent_ms,
        first_sent_boot, first_sent_ms, wait_boot, wait_ms, wait_shown, wait_asked, last_status,
        last_error, undecided
        """

    /// From the values of ``columns``; nil where nobody can tell what was to be done to which todo.
    /// What does not fit its state is in doubt since `now`.
    init?(sequence: Int64, _ row: [Value], queuedBy standard: Int64, now: BootTime) {
        guard row.count == 17, let kind = row[0].string.flatMap({ OperationKind(rawValue: $0) }),
            let todo = row[1].number
        else { return nil }
        self.sequence = sequence
        self.kind = kind
        self.todo = todo
        let known = row[2].string.flatMap { OperationState(rawValue: $0) }
        state = known ?? .inDoubt
        attempts = max(row[3].number ?? 0, 0)
        key = row[4].string.flatMap { Self.isKey($0) ? $0 : nil }
        queuedAt = row[5].number ?? standard
        sent = Self.moment(row[6], row[7])
        firstSent = Self.moment(row[8], row[9])
        // No wait is longer than an hour from its attempt.
        let latest = now.advanced(by: .seconds(3600))
        wait = Self.moment(row[10], row[11]).flatMap {
            $0.boot == now.boot && $0.milliseconds > latest.milliseconds
                ? nil : Wait(until: $0, shown: row[12].number ?? 0, isAsked: row[13].number == 1)
        }
        lastStatus = row[14].number
        lastError = row[15].string
        let isAhead = [sent, firstSent].compactMap(\.self).contains {
            now.elapsed(since: $0) < .zero
        }
        if known == nil || key == nil || isAhead || !isLawful(isUndecided: row[16].number == 1) {
            putInDoubt(since: now)
        } else if state == .sending {
            // Its process has ended: the next cycle would say the same.
            state = .inDoubt
        }
    }

    /// A create that must have been there, in doubt since `now`.
    init(createOf todo: Int64, sequence: Int64, queuedAt: Int64, now: BootTime) {
        self.sequence = sequence
        kind = .create
        self.todo = todo
        state = .inDoubt
        attempts = 0
        key = nil
        self.queuedAt = queuedAt
        putInDoubt(since: now)
    }

    /// Whether this can be a key of ours: 16 bytes as hexadecimal digits. Anything else might not be fit for
    /// a header.
    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func moment(_ boot: Value, _ milliseconds: Value) -> BootTime? {
        guard let boot = boot.string, let milliseconds = milliseconds.number else { return nil }
        return BootTime(boot: boot, milliseconds: milliseconds)
    }

    /// Whether the columns fit the state, as the laws of the cache say.
    private func isLawful(isUndecided: Bool) -> Bool {
        switch state {
        case .queued: !isUndecided && firstSent == nil
        case .rejected: !isUndecided && firstSent == nil && wait == nil && lastError != nil
        case .sending: attempts > 0 && sent != nil && firstSent != nil && wait == nil
        case .inDoubt: attempts > 0 && sent != nil && firstSent != nil && isUndecided
        }
    }

    /// It may be under way at this moment. Its first attempt is of no boot at all, so that its key is
    /// not relied on: pulls decide.
    mutating func putInDoubt(since now: BootTime) {
        state = .inDoubt
        attempts = max(attempts, 1)
        sent = now
        firstSent = BootTime(boot: "before the damage", milliseconds: 0)
        wait = nil
        lastStatus = nil
        lastError = "the cache was damaged, so that nobody knows whether this was sent"
    }

    /// It has not been sent, because it waits for another one.
    mutating func queue() {
        state = .queued
        firstSent = nil
    }

    /// Writes it to a new cache.
    func insert(into connection: Connection) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO operation (seq, kind, todo_id, state, attempts, idempotency_key, queued_at,
                sent_boot, sent_ms, first_sent_boot, first_sent_ms, undecided, wait_boot, wait_ms,
                wait_shown, wait_asked, last_status, last_error)
            VALUES (?, ?, ?, ?, ?, coalesce(?, lower(hex(randomblob(16)))), ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?, ?)
            """,
            .integer(sequence), .text(kind.rawValue), .integer(todo), .text(state.rawValue),
            .integer(attempts), .text(key), .integer(queuedAt), .text(sent?.boot),
            .integer(sent?.milliseconds), .text(firstSent?.boot),
            .integer(firstSent?.milliseconds), .flag(state == .inDoubt), .text(wait?.until.boot),
            .integer(wait?.until.milliseconds), .integer(wait?.shown),
            .flag(wait?.isAsked ?? false), .integer(lastStatus), .text(lastError))
    }
}

extension Value {
    /// The text; nil for anything else.
    var string: String? { if case .text(let text) = self { text } else { nil } }

    /// The integer; nil for anything else.
    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}
