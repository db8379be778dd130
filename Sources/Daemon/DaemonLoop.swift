internal import Declarations
internal import Host
internal import Store
internal import SyncEngine
internal import Text

/// The loop: turns events into facts, and does what the agenda makes of them.
///
/// It never waits for anything but the bell; whatever takes time is a child task that puts its end
/// into the mailbox.
struct DaemonLoop {
    private let daemon: SyncDaemon
    private let mailbox: Mailbox
    private var agenda: Agenda
    private var runner: any CycleRunner
    private var chronicle = Chronicle()
    private var teller: StatusTeller
    /// There was work since the cache rested: its opening, or a cycle.
    private var hasWorked = true
    /// A signal to stop has come, also one that was not looked at any more.
    private(set) var wasAskedToStop = false
    /// Why the daemon ends by itself.
    private(set) var failure: DaemonError?

    init(_ daemon: SyncDaemon, mailbox: Mailbox) {
        self.daemon = daemon
        self.mailbox = mailbox
        runner = daemon.runner
        agenda = Agenda(runner.lists, watchdog: daemon.notify.watchdogInterval)
        teller = StatusTeller(isHeard: daemon.notify.isHeard)
    }

    /// Runs until the agenda says to leave, or the task is cancelled.
    mutating func run(in group: inout DiscardingTaskGroup) async {
        tell(.info, "started")
        send(.ready)
        tellStatus()
        guard carryOut(.started, in: &group) else { return }
        for await _ in mailbox.rings {
            for fact in mailbox.takeAll().flatMap({ facts(of: $0) }) {
                guard carryOut(fact, in: &group) else { return }
            }
            if teller.beginsReading(isBusy: agenda.isCycling) { readStanding(in: &group) }
            if hasWorked, !agenda.isCycling { rest(in: &group) }
            tellStatus()
        }
        daemon.stop.stop()
    }

    /// Returns whether to go on.
    private mutating func carryOut(
        _ fact: Agenda.Fact, in group: inout DiscardingTaskGroup
    ) -> Bool {
        for action in agenda.note(fact, at: daemon.time.bootTime()) {
            switch action {
            case .findRequests(let again, let lists):
                findRequests(again: again, at: lists, in: &group)
            case .start(let list, let cause): start(list, cause, in: &group)
            case .finish(let requests): finish(requests, in: &group)
            case .findWrites(let question): findWrites(question, in: &group)
            case .reload: reload(in: &group)
            case .feedWatchdog: send(.watchdog)
            case .stopCycles: stopCycles()
            case .cancelCycles: group.cancelAll()
            case .endNow(let isOverdue):
                daemon.endNow(isOverdue ? .overdue(failure) : .secondSignal)
            case .arm(let moment): daemon.ticker.arm(at: moment)
            case .disarm: daemon.ticker.disarm()
            case .listenToNetwork: listenToNetwork()
            case .ignoreNetwork: daemon.network.end()
            case .leave: return false
            }
        }
        return true
    }

    // MARK: Events

    private mutating func facts(of event: Event) -> [Agenda.Fact] {
        switch event {
        case .woken(let wake):
            wasAskedToStop = wasAskedToStop || event.asksToStop
            return [.woken(wake)]
        case .foundRequests(.success(let found)):
            // It may only have read: no sign yet that a disk that was full has space again.
            teller.want()
            return [.foundRequests(found)]
        case .foundRequests(.failure(let error)): return trouble(error, ending: .findRequestsFailed)
        case .cycleEnded(let list, .success(let report)):
            hasWorked = true
            tell(chronicle.ended(report, at: daemon.time.bootTime()))
            teller.want()
            let end = Agenda.CycleEnd(
                due: report.due, isFailing: report.isFailing,
                hasProgress: report.replay.done + report.replay.rejected > 0)
            return [.cycleEnded(list, end)]
        case .cycleEnded(let list, .failure(let error)):
            return trouble(error, ending: .cycleFailed(list))
        case .finished(.success): return [.finished]
        case .finished(.failure(let error)): return trouble(error, ending: .finishFailed)
        case .reloaded(let result): return [reloaded(result)]
        case .foundWrites(.success(let sign)):
            if sign.work != nil { teller.want() }
            return [.foundWrites(sign)]
        case .foundWrites(.failure(let error)): return trouble(error, ending: .findWritesFailed)
        case .stood(let result):
            teller.take(result)
            return []
        }
    }

    /// What passes is waited for; anything else ends the daemon.
    private mutating func trouble(_ error: StoreError, ending: Agenda.Fact) -> [Agenda.Fact] {
        if error == .stopped { return [ending] }
        if error.passes {
            tell(chronicle.failed(error))
            return [ending]
        }
        // Whoever opened the cache decides what comes of it, and says so.
        if !error.isReplacement { tell(.error, Sentence.joined(error.description, error.hint)) }
        failure = failure ?? .store(error)
        return [.broke, ending]
    }

    private mutating func reloaded(_ result: Result<any CycleRunner, ReloadError>) -> Agenda.Fact {
        defer { send(.ready) }
        switch result {
        case .success(let new):
            runner = new
            teller.isConfigurationRefused = false
            teller.want()
            tell(.info, "the configuration was read again")
            return .reloaded(new.lists)
        case .failure(let error):
            teller.isConfigurationRefused = true
            let problem = "the old configuration stays: \(error.description)"
            tell(.error, Sentence.joined(problem, error.hint))
            return .reloadRefused
        }
    }

    // MARK: Actions

    private func findRequests(
        again: Bool, at lists: [ListName], in group: inout DiscardingTaskGroup
    ) {
        let (store, runner, mailbox) = (daemon.store, runner, mailbox)
        group.addTask {
            do throws(StoreError) {
                var found = Agenda.FoundRequests()
                for list in lists {
                    found.dues[list] = try await runner.due(list)
                    let memory = try await store.memory(of: list)
                    found.states[list] = memory.halt?.state ?? memory.state
                }
                // Last, because what is taken must not be forgotten.
                found.requests = try await store.takeRequests(again: again)
                mailbox.put(.foundRequests(.success(found)))
            } catch {
                mailbox.put(.foundRequests(.failure(error)))
            }
        }
    }

    private func start(
        _ list: ListName, _ cause: CycleCause, in group: inout DiscardingTaskGroup
    ) {
        let (runner, mailbox) = (runner, mailbox)
        group.addTask {
            do throws(StoreError) {
                let report = try await runner.cycle(list, because: cause)
                mailbox.put(.cycleEnded(list, .success(report)))
            } catch {
                mailbox.put(.cycleEnded(list, .failure(error)))
            }
        }
    }

    private func finish(_ requests: TakenRequests, in group: inout DiscardingTaskGroup) {
        let (store, mailbox) = (daemon.store, mailbox)
        group.addTask {
            do throws(StoreError) {
                try await store.finish(requests)
                mailbox.put(.finished(.success(())))
            } catch {
                mailbox.put(.finished(.failure(error)))
            }
        }
    }

    private func findWrites(_ question: WriteQuestion, in group: inout DiscardingTaskGroup) {
        let (store, time, mailbox) = (daemon.store, daemon.time, mailbox)
        group.addTask {
            do throws(StoreError) {
                let sign = try await store.look(for: question, now: time.bootTime())
                mailbox.put(.foundWrites(.success(sign)))
            } catch {
                mailbox.put(.foundWrites(.failure(error)))
            }
        }
    }

    private func readStanding(in group: inout DiscardingTaskGroup) {
        let (store, mailbox) = (daemon.store, mailbox)
        group.addTask {
            do throws(StoreError) {
                mailbox.put(.stood(.success(try await store.standing())))
            } catch {
                mailbox.put(.stood(.failure(error)))
            }
        }
    }

    /// After the last cycle for now; it waits its turn behind what the loop has asked for before.
    private mutating func rest(in group: inout DiscardingTaskGroup) {
        hasWorked = false
        group.addTask { [store = daemon.store] in await store.rest() }
    }

    private func reload(in group: inout DiscardingTaskGroup) {
        send(.reloading)
        let (reload, mailbox) = (daemon.reload, mailbox)
        group.addTask {
            do throws(ReloadError) {
                mailbox.put(.reloaded(.success(try await reload())))
            } catch {
                mailbox.put(.reloaded(.failure(error)))
            }
        }
    }

    /// Without it, a cycle that failed is tried again when its backoff ends.
    private func listenToNetwork() {
        do throws(SystemError) {
            try daemon.network.begin { [mailbox] in mailbox.put(.woken($0)) }
        } catch {
            tell(.debug, "the network cannot be watched: \(error.description)")
        }
    }

    private func stopCycles() {
        daemon.stop.stop()
        // Whoever opened the cache may go on with the new file: the service stays.
        if case .store(let error) = failure, error.isReplacement { return }
        send(.stopping)
        tell(.info, "stopping")
    }

    // MARK: Telling

    private func tell(_ lines: [Chronicle.Line]) {
        for line in lines { tell(line.level, line.text) }
    }

    private func tell(_ level: LogLevel, _ text: String) { daemon.log(level, text) }

    private mutating func tellStatus() {
        let news = teller.news(
            of: runner.lists, trouble: chronicle.trouble, now: daemon.time.wallTime())
        if let news { send(.status(news.description)) }
    }

    /// A manager that does not listen changes nothing about the work.
    private func send(_ message: NotifySocket.Message) {
        do throws(SystemError) {
            try daemon.notify.send(message)
        } catch {
            tell(.debug, "the service manager was not told: \(error.description)")
        }
    }
}

extension StoreError {
    /// Whether another file has taken the place of the one that was opened.
    var isReplacement: Bool {
        if case .replaced = self { true } else { false }
    }

    /// Whether the cause goes away while the daemon waits.
    var passes: Bool {
        switch self {
        case .busy, .diskFull: true
        case .missing, .cannotOpen, .notADatabase, .foreignDatabase, .newerSchema, .olderSchema,
            .editedMigration, .otherAccount, .replaced, .inputOutput, .corrupt, .readOnly, .refused,
            .foreignKey, .constraint, .foreignTable, .changedTable, .changesWait, .conflictsWait,
            .unusableBody, .unknownRow,
            .unknownOperation, .unknownConflict, .unseenWrites, .occupied, .statement, .longWork,
            .stopped:
            false
        }
    }
}
