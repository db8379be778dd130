internal import Host
internal import Rules
internal import Store

/// A replay between two commits.
struct ReplayProgress {
    var plan: ReplayPlan
    var outcome = ReplayOutcome()
    private let limit: Int
    private var run: FailureRun
    /// The kind of which nothing more is sent, because the server has failed too many of it in a row.
    private var suspect: OperationKind?
    /// One operation of another kind shows whether it fails them, too.
    private var isProbing = false
    /// Times in a row that the server was asked too often.
    private var throttled = 0
    private var refusals = RefusalRuns<Attempt>()
    /// Requests whose answer has not been taken.
    var underWay = 0
    /// Those that had their turn, whatever came of it.
    private(set) var ended = 0
    /// All that there were at the beginning.
    let total: Int
    /// Taken, and not committed.
    private var answers: [Attempt] = []

    init(plan: ReplayPlan, limit: Int) {
        self.plan = plan
        total = plan.count
        self.limit = limit
        run = FailureRun(limit: limit)
    }

    /// So many requests may be under way.
    var lanes: Int { isProbing ? 1 : limit }

    var maySendMore: Bool { outcome.halt == nil && pause == nil }

    /// Why nothing more is sent for now, though nothing is wrong with the configuration.
    private(set) var pause: Postponement?

    mutating func note(_ answers: [Attempt]) {
        for answer in answers {
            underWay -= 1
            take(
                refusals.note(
                    answer, of: answer.operation.kind, refusal: answer.refusal,
                    isAccepted: answer.isAccepted, isRefused: answer.isRefused))
            noteOutage(answer)
            notePace(answer)
            if let halt = answer.halt, outcome.halt == nil { outcome.halt = halt }
            if let failure = answer.closing { close(answer.operation.kind, because: failure) }
        }
        for (kind, status) in refusals.closed where outcome.closed[kind] == nil {
            close(
                kind,
                because: CycleFailure(refusedByService: status, operations: RefusalRun.length))
        }
    }

    private mutating func take(_ known: [RefusalRuns<Attempt>.Known]) {
        answers += known.map { $0.isOfRun ? $0.answer.asOfRun : $0.answer }
    }

    private mutating func close(_ kind: OperationKind, because failure: CycleFailure) {
        if outcome.closed[kind] == nil { outcome.closed[kind] = failure }
        outcome.isPartial = true
        plan.close(kind)
    }

    private mutating func noteOutage(_ answer: Attempt) {
        let kind = answer.operation.kind
        // What was in flight beside the run says no more about the kind.
        guard kind != suspect else { return }
        guard answer.countsAsOutage else {
            if isProbing { run = FailureRun(limit: limit) }
            isProbing = false
            return run.note(nil, of: kind)
        }
        run.note(answer.wait, of: kind)
        pause(until: run.pause, suspecting: run.suspect)
    }

    /// Ends the replay. No operation waits behind the failures of others: if all were of one kind, an operation of
    /// another kind is tried first.
    private mutating func pause(until wait: Postponement?, suspecting kind: OperationKind?) {
        guard pause == nil, let wait else { return }
        guard suspect == nil, let kind, plan.hasOthers(than: kind) else {
            pause = wait
            return
        }
        suspect = kind
        isProbing = true
        outcome.isPartial = true
        plan.close(kind)
        run = FailureRun(limit: 1)
    }

    /// A long wait that the server asks for, or too many refusals in a row, end the replay.
    private mutating func notePace(_ answer: Attempt) {
        if answer.isAccepted { throttled = 0 }
        guard answer.isThrottled else { return }
        if answer.slowsDown { throttled += 1 }
        guard pause == nil, let wait = answer.wait else { return }
        if answer.asked ?? .zero > Pace.patience {
            pause = wait
        } else if throttled >= Pace.refusalsAtMost, answer.operation.kind != suspect {
            pause(until: wait, suspecting: answer.operation.kind)
        }
    }

    /// Nothing more is sent before the end of `wait`.
    mutating func close(for wait: Postponement) { if pause == nil { pause = wait } }

    /// Hands over what was withheld; whether there was something.
    mutating func release() -> Bool {
        let released = refusals.end()
        take(released)
        return !released.isEmpty
    }

    /// Each answer is committed once.
    mutating func takeAnswers() -> [Attempt] {
        defer { answers = [] }
        return answers
    }

    mutating func finish(_ answer: Attempt, as settled: Settled) {
        let operation = answer.operation
        if settled == .queued || settled == .inDoubt, answer.goesAgain {
            plan.putBack(
                operation.sequence, kind: operation.kind, attempts: operation.attempts)
            return
        }
        plan.finish(operation.sequence, as: settled)
        ended += 1
        switch settled {
        case .done, .acknowledged, .withdrawn: outcome.counts.done += 1
        case .rejected: outcome.counts.rejected += 1
        case .inDoubt: outcome.counts.inDoubt += 1
        case .queued, .behind: break
        }
    }
}
