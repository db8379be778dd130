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
        _ firstPlan: ReplayPlan, in group: inout TaskGroup<Void>
    ) async -> Result<ReplayOutcome, StoreError> {
        var plan = firstPlan
        var outcome = ReplayOutcome()
        var run = FailureRun(limit: source.concurrency)
        let mailbox = Mailbox()
        var underWay = 0
        var answers: [Attempt] = []
        do throws(StoreError) {
            while true {
                let mayTake = outcome.halt == nil && run.pause == nil && !engine.stop.isStopping
                let picks = mayTake ? plan.next(source.concurrency - underWay) : []
                if !answers.isEmpty || !picks.isEmpty {
                    let intent = engine.time.bootTime()
                    let outgoing = try await commit(
                        answers, taking: picks, at: intent, plan: &plan, counts: &outcome.counts)
                    underWay += outgoing.count
                    for operation in outgoing {
                        group.addTask {
                            mailbox.put(await attempt(operation, intent: intent))
                        }
                    }
                }
                guard underWay > 0 else {
                    if mayTake, !plan.isEmpty { continue }
                    break
                }
                _ = await group.next()
                answers = mailbox.takeAll()
                underWay -= answers.count
                for answer in answers { note(answer, run: &run, outcome: &outcome) }
            }
            if let pause = run.pause {
                outcome.isPaused = true
                try await engine.store.pauseReplay(
                    until: pause.until, askedByServer: pause.askedByServer)
            }
            return .success(outcome)
        } catch {
            // The cache failed: what is under way stays `sending` there, and is in doubt later.
            group.cancelAll()
            return .failure(error)
        }
    }

    private func commit(
        _ answers: [Attempt], taking picks: [OperationSequence], at intent: BootTime,
        plan: inout ReplayPlan, counts: inout ReplayCounts
    ) async throws(StoreError) -> [OutgoingOperation] {
        let exchange = try await engine.store.exchange(
            settling: answers.map { ($0.operation.sequence, $0.settlement) }, taking: picks,
            for: source.account, now: intent)
        for (answer, settled) in zip(answers, exchange.settled) {
            plan.finish(answer.operation.sequence, as: settled)
            switch settled {
            case .done, .withdrawn: counts.done += 1
            case .rejected: counts.rejected += 1
            case .inDoubt: counts.inDoubt += 1
            case .queued: break
            }
        }
        let outgoing = Set(exchange.outgoing.map(\.sequence))
        for pick in picks where !outgoing.contains(pick) { plan.finish(pick, as: .queued) }
        counts.sent += exchange.outgoing.count
        return exchange.outgoing
    }

    private func note(_ answer: Attempt, run: inout FailureRun, outcome: inout ReplayOutcome) {
        run.note(answer.countsAsOutage ? answer.wait : nil)
        if let halt = answer.halt, outcome.halt == nil { outcome.halt = halt }
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
