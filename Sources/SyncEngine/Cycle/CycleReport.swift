public import Declarations
public import Host
public import Rules
public import Store

/// How a cycle went.
public struct CycleReport: Sendable, Hashable {
    /// What was synced.
    public var list: ListName
    /// How its reading stands after the cycle.
    public var state: SyncState
    /// The state before the cycle: one line in the log for each change.
    public var previousState: SyncState
    /// What went wrong, in one sentence; foreign text in it is escaped.
    public var error: String?
    /// What the person can do about it.
    public var hint: String?
    /// When the next cycle is due.
    public var due: BootTime
    /// Rows the server listed; nil where the pull failed, was skipped, or said "unchanged".
    public var rows: Int64?
    /// Whether a pull was taken; a held one was not.
    public var hasPulled = false
    /// Rows that could not be taken.
    public var skipped = SkippedRows.none
    /// The list is the one that came before: what was skipped of it is not told again.
    public var isUnchanged = false
    /// Operations that the pull decided.
    var decided = 0
    /// What the list is, as this cycle has found it.
    var identity: ListIdentity?
    /// The size of the write-ahead log after the cycle, in bytes.
    public var walBytes = 0
    /// What became of the queue.
    public var replay = ReplayCounts()
    /// What waits to be sent or decided, after the cycle.
    public var changes = WaitingChanges()
    /// Why changes are not sent, though the list is read. It stands until something was sent.
    public var halt: ReplayHalt?
    /// What the person can do about ``halt``; nil where an earlier cycle has found it.
    public var haltHint: String?
    /// Deletes that wait for a person; nil where none does.
    public var heldDeletes: HeldDeletes?

    init(list: ListName, memory: SyncMemory, due: BootTime) {
        self.init(list: list, state: memory.state, due: due)
        halt = memory.halt
    }

    /// A cycle that changed nothing, for tests of what the daemon makes of reports.
    package init(list: ListName, state: SyncState, due: BootTime) {
        self.list = list
        self.state = state
        previousState = state
        self.due = due
    }
}

extension CycleReport {
    /// The pull was taken, an unchanged one too.
    mutating func noteTaken() {
        state = .ok
        error = nil
        hasPulled = true
    }

    /// The cycle ended early.
    mutating func note(_ failure: CycleFailure) {
        state = failure.state
        error = failure.text
        hint = failure.hint
    }

    /// The replay ended early. What was read stands.
    mutating func noteHalt(_ failure: CycleFailure) {
        halt = ReplayHalt(state: failure.state, error: failure.text)
        haltHint = failure.hint
    }

    /// The list had been written to past its triggers; told where nothing else is.
    mutating func note(_ unseen: UnseenWrites, of list: ListName) {
        guard error == nil else { return }
        error =
            "\(list) had been written to while its triggers were missing (\(unseen.parts)): "
            + "new rows are queued, the others are as the server has them"
        hint = "See `syncd outbox list` for what is sent."
    }

    /// The list above is held, and so is this one: nothing is read, and nothing sent.
    mutating func noteHeld(with above: ListName) {
        state = .held
        error = "the list of \(above) is held, and what stands below its rows waits with it"
        hint = "See `syncd status \(above)`."
    }

    /// The pull was held.
    mutating func noteHeld() {
        state = .held
        error = "the server's list misses more than half of the cached \(list.text)"
        hint = """
            Look at the server; if the \(list.text) are really gone, run \
            `syncd sync \(list.text) --accept-removals`.
            """
    }
}
