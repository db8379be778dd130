internal import APIClient
internal import Host
internal import Store
internal import Synchronization

/// What a replay did, and why it stopped before its plan was empty.
struct ReplayOutcome {
    var counts = ReplayCounts()
    /// Credentials or base URL are wrong: no operation can be sent.
    var halt: CycleFailure?
    /// The server failed several in a row: the rest waits.
    var isPaused = false
}

/// Sends what is queued. Every intent is on the disk before its request, every answer is committed
/// together with the next intents, several requests are under way at once.
struct Replay {
    let engine: Synchronizer
    let source: TodosSource
    let permission: ReplayPlan.Permission
    /// Tokens that this replay logged in for.
    let renewed = RenewedTokens()

    func run() async throws(StoreError) -> ReplayOutcome {
        let plan = try await engine.store.foldWaitingOperations(into: ReplayPlan(permission)) {
            $0.add($1)
        }
        let result = await withTaskGroup(of: Void.self) { group in
            await send(plan, in: &group)
        }
        return try result.get()
    }

    private func send(
        _ plan: ReplayPlan, in group: inout TaskGroup<Void>
    ) async -> Result<ReplayOutcome, StoreError> {
        var progress = ReplayProgress(plan: plan, limit: source.concurrency)
        let mailbox = Mailbox()
        do throws(StoreError) {
            while true {
                let mayTake =
                    progress.maySendMore && !engine.stop.isStopping && !Task.isCancelled
                let intent = engine.time.bootTime()
                let outgoing = try await commit(&progress, mayTake: mayTake, at: intent)
                for operation in outgoing {
                    group.addTask { mailbox.put(await attempt(operation, intent: intent)) }
                }
                guard progress.underWay > 0 else {
                    if mayTake, !progress.plan.isEmpty { continue }
                    break
                }
                _ = await group.next()
                progress.note(mailbox.takeAll())
            }
            if let pause = progress.run.pause {
                progress.outcome.isPaused = true
                try await engine.store.pauseReplay(
                    until: pause.until, askedUntil: pause.askedUntil)
            }
            return .success(progress.outcome)
        } catch {
            // The cache failed: what is under way stays `sending` there, and is in doubt later.
            group.cancelAll()
            return .failure(error)
        }
    }

    /// Commits the answers that have come together with the next intents, and returns what those
    /// are for: it is sent now.
    private func commit(
        _ progress: inout ReplayProgress, mayTake: Bool, at intent: BootTime
    ) async throws(StoreError) -> [OutgoingOperation] {
        let picks = mayTake ? progress.plan.next(source.concurrency - progress.underWay) : []
        let answers = progress.takeAnswers()
        guard !answers.isEmpty || !picks.isEmpty else { return [] }
        let exchange = try await engine.store.exchange(
            settling: answers.map { ($0.operation.sequence, $0.settlement) }, taking: picks,
            for: source.account, now: intent, settlingTime: source.settlingTime)
        for (answer, settled) in zip(answers, exchange.settled) {
            progress.finish(answer.operation.sequence, as: settled)
        }
        let outgoing = Set(exchange.outgoing.map(\.sequence))
        for pick in picks where !outgoing.contains(pick) {
            progress.plan.finish(pick, as: .queued)
        }
        progress.underWay += exchange.outgoing.count
        progress.outcome.counts.sent += exchange.outgoing.count
        engine.tell(.sent(operations: progress.ended, of: progress.total))
        return exchange.outgoing
    }
}

/// A replay between two commits.
private struct ReplayProgress {
    var plan: ReplayPlan
    var outcome = ReplayOutcome()
    var run: FailureRun
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
        run = FailureRun(limit: limit)
    }

    var maySendMore: Bool { outcome.halt == nil && run.pause == nil }

    mutating func note(_ answers: [Attempt]) {
        underWay -= answers.count
        self.answers += answers
        for answer in answers {
            run.note(answer.countsAsOutage ? answer.wait : nil)
            if let halt = answer.halt, outcome.halt == nil { outcome.halt = halt }
        }
    }

    /// Each answer is committed once.
    mutating func takeAnswers() -> [Attempt] {
        defer { answers = [] }
        return answers
    }

    mutating func finish(_ operation: OperationSequence, as settled: Settled) {
        plan.finish(operation, as: settled)
        ended += 1
        switch settled {
        case .done, .withdrawn: outcome.counts.done += 1
        case .rejected: outcome.counts.rejected += 1
        case .inDoubt: outcome.counts.inDoubt += 1
        case .queued: break
        }
    }
}

/// Answers that came while a commit was under way; they are committed together.
private final class Mailbox: Sendable {
    private let attempts = Mutex<[Attempt]>([])

    func put(_ attempt: Attempt) { attempts.withLock { $0.append(attempt) } }

    func takeAll() -> [Attempt] {
        attempts.withLock { attempts in
            defer { attempts = [] }
            return attempts
        }
    }
}

/// Tokens that a login brought: one that is refused as well is no reason for another login.
final class RenewedTokens: Sendable {
    private let tokens = Mutex<Set<String>>([])

    func insert(_ token: String) { tokens.withLock { _ = $0.insert(token) } }

    func contains(_ token: String) -> Bool { tokens.withLock { $0.contains(token) } }
}
