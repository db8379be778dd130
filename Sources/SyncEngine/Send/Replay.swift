internal import APIClient
internal import Declarations
internal import Host
internal import Rules
internal import Store
internal import Synchronization
internal import Tables

/// Sends the queue. Every intent is on the disk before its request. Every answer is committed
/// together with the next intents. Several requests are under way at once.
struct Replay {
    let engine: Synchronizer
    let source: ListSource
    let writing: ListSource.Writing
    /// What the list is: another credential than its own is not used for its changes.
    let identity: ListIdentity?
    let permission: ReplayPlan.Permission
    /// Ends it before the queue is empty: what has not begun goes in another one.
    var end: StopSignal?
    /// Tokens that this replay logged in for.
    let renewed = RenewedTokens()

    func run() async throws(StoreError) -> ReplayOutcome {
        try await engine.holdDeletes(of: source)
        let plan = try await engine.store.foldWaitingOperations(
            of: source.table, into: ReplayPlan(permission)
        ) { $0.add($1) }
        let result = await withTaskGroup(of: Void.self) { group in
            await send(plan, in: &group)
        }
        return try result.get()
    }

    private func send(
        _ plan: ReplayPlan, in group: inout TaskGroup<Void>
    ) async -> Result<ReplayOutcome, StoreError> {
        var progress = ReplayProgress(plan: plan, limit: source.lanes.most)
        let ended = EndedAttempts()
        do throws(StoreError) {
            while true {
                try await sendNext(&progress, in: &group, ended)
                if progress.underWay > 0 {
                    _ = await group.next()
                    progress.note(ended.takeAll())
                } else if !maySend(progress) || progress.plan.isEmpty {
                    guard progress.release() else { break }
                }
            }
            try await engine.store.noteBlocked(progress.plan.blocked, of: source.name)
            progress.outcome.needsList = progress.plan.needsList
            if let pause = progress.pause {
                progress.outcome.isPaused = true
                try await engine.store.pauseReplay(
                    of: source.name, until: pause.until, askedUntil: pause.askedUntil)
            }
            return .success(progress.outcome)
        } catch {
            if error.isOfOthers {
                await group.waitForAll()
                await keep(ended.takeAll())
            } else {
                // The cache failed: what is under way stays `sending` there, and is in doubt later.
                group.cancelAll()
            }
            return .failure(error)
        }
    }

    /// Sends as many as have a turn at the server.
    private func sendNext(
        _ progress: inout ReplayProgress, in group: inout TaskGroup<Void>, _ ended: EndedAttempts
    ) async throws(StoreError) {
        var turns = try await turns(&progress)
        // What the cache does not take gives its turn back.
        defer { for turn in turns { source.lanes.end(turn, as: .other, by: engine.time) } }
        let intent = engine.time.bootTime()
        let outgoing = try await commit(&progress, atMost: turns.count, at: intent)
        for operation in outgoing {
            let turn = turns.removeLast()
            group.addTask {
                var attempt = await attempt(operation, intent: intent)
                attempt.slowsDown = source.lanes.end(turn, as: attempt.end, by: engine.time)
                if let refused = attempt.refusedSecret {
                    attempt.halt = await renewalFailure(
                        refused: refused.secret, by: refused.error)
                }
                ended.put(attempt)
            }
        }
    }

    private func maySend(_ progress: ReplayProgress) -> Bool {
        progress.maySendMore && !engine.stop.isStopping && end?.isStopping != true
            && !Task.isCancelled
    }

    /// The turns at the server for the next operations. Where it has to be asked slowly, one, which is waited for with
    /// nothing under way and every answer committed.
    private func turns(
        _ progress: inout ReplayProgress
    ) async throws(StoreError) -> [ServerLanes.Turn] {
        guard maySend(progress), !progress.plan.isEmpty else { return [] }
        let lanes = source.lanes
        let most = progress.lanes - progress.underWay
        let turns = lanes.turns(most, for: .write, of: source.name, by: engine.time)
        guard turns.isEmpty, progress.underWay == 0 else { return turns }
        _ = try await commit(&progress, atMost: 0, at: engine.time.bootTime())
        guard !progress.plan.isEmpty else { return [] }
        guard
            let turn = await lanes.turn(
                for: .write, of: source.name, by: engine.time, patience: Pace.patience)
        else {
            progress.close(for: closing())
            return []
        }
        // The turn may have been long in coming.
        guard maySend(progress) else {
            lanes.end(turn, as: .other, by: engine.time)
            return []
        }
        return [turn] + lanes.turns(most - 1, for: .write, of: source.name, by: engine.time)
    }

    /// Why nothing is sent: the server has asked for a longer wait than a replay may take.
    private func closing() -> Postponement {
        let now = engine.time.bootTime()
        let until = now.advanced(by: source.lanes.pace.wait(at: now))
        return Postponement(
            until: until, shown: engine.shown(until), askedUntil: until, status: nil,
            error: "the server's limit is used up, and nothing is sent before it begins anew")
    }

    /// Commits the answers that have come together with the next intents, and returns what those
    /// are for: it is sent now.
    private func commit(
        _ progress: inout ReplayProgress, atMost count: Int, at intent: BootTime
    ) async throws(StoreError) -> [OutgoingOperation] {
        let picks = count > 0 ? progress.plan.next(count, at: intent) : []
        let answers = progress.takeAnswers()
        guard !answers.isEmpty || !picks.isEmpty else { return [] }
        let exchange = try await exchange(answers, taking: picks, at: intent)
        for (answer, settled) in zip(answers, exchange.settled) {
            progress.finish(answer, as: settled)
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

extension Replay {
    /// How long an answer is kept for the cache after a stop was asked for.
    private static let keptAtStop = Duration.seconds(5)

    /// A rule of another program refuses what an answer shows: it is not thrown away.
    private func keep(_ answers: [Attempt]) async {
        await engine.store.keep(
            answers.map { ($0.operation.sequence, $0.settlement) }, of: source.table)
    }

    /// What was received is not thrown away: while the cache is locked or its disk is full, the answers are kept, and
    /// settled when they can be.
    private func exchange(
        _ answers: [Attempt], taking picks: [OperationSequence], at intent: BootTime
    ) async throws(StoreError) -> ReplayCommit {
        var stoppedAt: BootTime?
        while true {
            do throws(StoreError) {
                return try await engine.store.exchange(
                    of: source.table,
                    settling: answers.map { ($0.operation.sequence, $0.settlement) },
                    taking: stoppedAt == nil ? picks : [], for: writing.account, now: intent,
                    settlingTime: writing.settlingTime)
            } catch {
                if error.isOfOthers { await keep(answers) }
                guard error.passes, !answers.isEmpty else { throw error }
                let now = engine.time.bootTime()
                if engine.stop.isStopping || Task.isCancelled {
                    stoppedAt = stoppedAt ?? now
                    if let stoppedAt, now.elapsed(since: stoppedAt) >= Self.keptAtStop {
                        throw error
                    }
                }
                await engine.time.wait(for: .milliseconds(200))
            }
        }
    }
}

extension StoreError {
    /// Another program, or a full disk, stands in the way for a time.
    fileprivate var passes: Bool {
        switch self {
        case .busy, .diskFull: true
        default: false
        }
    }
}

/// Answers that came while a commit was under way; they are committed together.
private final class EndedAttempts: Sendable {
    private let attempts = Mutex<[Attempt]>([])

    func put(_ attempt: Attempt) { attempts.withLock { $0.append(attempt) } }

    func takeAll() -> [Attempt] {
        attempts.withLock { attempts in
            defer { attempts = [] }
            return attempts
        }
    }
}
