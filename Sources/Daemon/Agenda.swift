package import Declarations
package import Host
package import Store
package import SyncEngine

/// Decides when to do what: facts in, actions out. A value without clock, queue or chance of its
/// own, so that every order of facts can be tried.
///
/// Laws, after each fact:
/// - a list has at most one cycle under way, the daemon one look of each kind, one reload;
/// - all requests during a cycle become one next cycle of the list;
/// - the moment that is armed lies in the future, or none is armed: nothing polls.
package struct Agenda: Sendable {
    /// What happened.
    package enum Fact: Sendable, Hashable {
        /// The loop runs.
        case started
        /// A source told something.
        case woken(Wake)
        /// This was found in the cache.
        case foundRequests(FoundRequests)
        /// The cache could not be read for now.
        case findRequestsFailed
        /// A cycle ended, its status is written.
        case cycleEnded(ListName, CycleEnd)
        /// A cycle ended because the cache failed for now; nothing is known of the server.
        case cycleFailed(ListName)
        /// The requests of the batch that was finished are answered.
        case finished
        /// They could not be answered for now.
        case finishFailed
        /// A new configuration syncs these lists.
        case reloaded([ListName])
        /// The configuration was not taken.
        case reloadRefused
        /// This is what others have written.
        case foundWrites(WriteSign)
        /// It could not be read for now.
        case findWritesFailed
        /// The cache cannot be used any more. What ended by it is told next, as a failure.
        case broke
    }

    /// Requests of people and programs, and how the lists stand.
    package struct FoundRequests: Sendable, Hashable {
        /// Requests that were taken just now.
        package var requests: TakenRequests?
        /// When the lists that were asked about are due.
        package var dues: [ListName: BootTime] = [:]
        /// How they stand.
        package var states: [ListName: SyncState] = [:]

        /// Nothing was found.
        package init() {}
    }

    /// What the end of a cycle means for the next one.
    package struct CycleEnd: Sendable, Hashable {
        package var due: BootTime
        package var isFailing: Bool
        /// Whether the outbox became shorter.
        package var hasProgress: Bool

        /// An end with the next cycle due at `due`.
        package init(due: BootTime, isFailing: Bool, hasProgress: Bool) {
            self.due = due
            self.isFailing = isFailing
            self.hasProgress = hasProgress
        }
    }

    /// What is to be done, in this order.
    package enum Action: Sendable, Hashable {
        /// Take the requests (with `again`, also those of a daemon that ended), and tell when these
        /// lists are due.
        case findRequests(again: Bool, at: [ListName])
        case start(ListName, CycleCause)
        case finish(TakenRequests)
        /// Look for the writes of others.
        case findWrites(WriteQuestion)
        case reload
        case feedWatchdog
        /// Cycles shall start no further request.
        case stopCycles
        /// What is under way shall end now.
        case cancelCycles
        case endNow(isOverdue: Bool)
        case arm(BootTime)
        case disarm
        /// Tell from now on when the network comes up.
        case listenToNetwork
        case ignoreNetwork
        /// Nothing is under way any more.
        case leave
    }

    enum Phase: Sendable {
        case running
        /// Requests in flight may go on until `cancelAt`, the process until `endAt`.
        case stopping(cancelAt: BootTime?, endAt: BootTime)
        case left
    }

    /// What is known of the next cycle of one list.
    struct Plan: Sendable {
        /// Nil until a look tells.
        var due: BootTime?
        /// What asked for a cycle since the last one began.
        var asked: CycleCause?
        /// The cache failed: no cycle before this moment.
        var retryAt: BootTime?
        /// Ends in a row that brought nothing and left the list due at once.
        var stumbles = 0
        var isFailing = false
    }

    /// Requests that were taken together, and the lists whose cycles they still wait for.
    struct Batch: Sendable {
        let requests: TakenRequests
        var waiting: Set<ListName>
        /// The lists in ``waiting`` whose cycle began after the requests were taken.
        var begun: Set<ListName> = []
    }

    /// How long requests in flight may go on after a signal to stop.
    package static let grace = Duration.seconds(3)
    /// How long they have to end after they were cancelled.
    package static let cancelling = Duration.milliseconds(1500)
    /// After the cache failed for now, and after cycles that came to nothing: 1 s up to 60 s.
    static let backoff = Backoff(base: .seconds(1), cap: .seconds(60))

    var phase = Phase.running
    /// Nothing is written to the cache any more.
    var isBroken = false
    /// A signal to stop has come.
    var isAskedToStop = false
    var plans: [ListName: Plan]
    var running: [ListName: CycleCause] = [:]
    /// Running cycles of the configuration before the last reload.
    var outdated: Set<ListName> = []
    var batches: [Batch] = []
    var finishing = Errand()
    /// What ``finishing`` is under way with.
    var finishingRequests: TakenRequests?
    var look = LookState()
    var watch = WriteWatch()
    var network = NetworkWait()
    /// Lists that others wrote to during a cycle: whether it has taken that in is to be found out.
    var writtenMeanwhile: Set<ListName> = []
    var isReloading = false
    var wantsReload = false
    private let pingEvery: Duration?
    private var nextPing: BootTime?
    /// A ping was left out, because something was stuck.
    private var owesPing = false
    private var armed: BootTime?

    /// An agenda of `lists`. With a watchdog, it sends a ping in each half of `watchdog`, but
    /// none while a call of the cache has been under way for that long.
    package init(_ lists: [ListName], watchdog: Duration?) {
        plans = Dictionary(uniqueKeysWithValues: lists.map { ($0, Plan()) })
        pingEvery = watchdog.map { $0 / 2 }
    }

    /// Takes in what happened by `now`, and returns what is to be done about it.
    package mutating func note(_ fact: Fact, at now: BootTime) -> [Action] {
        if case .left = phase { return [] }
        var actions = take(in: fact, at: now)
        switch phase {
        case .running: actions += proceed(at: now)
        case .stopping(let cancelAt, let endAt):
            actions += wind(down: (cancelAt, endAt), at: now)
        case .left: break
        }
        if case .left = phase { return actions + [.disarm, .leave] }
        return actions + ping(at: now) + arm(after: now)
    }

    private mutating func take(in fact: Fact, at now: BootTime) -> [Action] {
        switch fact {
        case .started:
            look.isWanted = true
            // What was written while no daemon ran gave no event.
            watch.askForWork()
        case .woken(let wake): return take(in: wake, at: now)
        case .foundRequests(let found): take(in: found)
        case .findRequestsFailed: look.fail(at: now)
        case .cycleEnded(let list, let end): take(end, of: list, at: now)
        case .cycleFailed(let list): takeFailure(of: list, at: now)
        case .finished: takeFinished()
        case .finishFailed: finishing.fail(at: now)
        case .reloaded(let lists): takeReload(lists)
        case .reloadRefused: isReloading = false
        case .foundWrites(let sign): take(sign, at: now)
        case .findWritesFailed: watch.fail(at: now)
        case .broke: return stopForGood(at: now)
        }
        return []
    }

    private mutating func take(in wake: Wake, at now: BootTime) -> [Action] {
        switch wake {
        case .moment:
            armed = nil
            // A request that came without a signal is served before the cycle that is due anyway.
            if plans.contains(where: { running[$0] == nil && $1.isReady(at: now) }) {
                look.isWanted = true
            }
        case .cacheTouched: watch.noteTouch(at: now)
        case .networkUp: if isAnyFailing { network.noteUp() }
        case .syncNow: look.askFromOutside()
        case .reload: wantsReload = true
        case .stop: return stop(at: now)
        }
        return []
    }

    /// The work of the running phase that can begin now.
    private mutating func proceed(at now: BootTime) -> [Action] {
        var actions = listen()
        askAfterNetwork(at: now)
        if look.mayBegin(at: now) {
            let again = look.begin(at: now)
            let unknown = order.filter { plans[$0]?.due == nil }
            actions.append(.findRequests(again: again, at: unknown))
        }
        if watch.mayBegin(at: now) { actions.append(.findWrites(watch.begin(at: now))) }
        for list in order {
            if let cause = begin(list, at: now) { actions.append(.start(list, cause)) }
        }
        if finishing.mayBegin(at: now), let requests = nextAnswered(at: now) {
            actions.append(.finish(requests))
        }
        if wantsReload, !isReloading {
            wantsReload = false
            isReloading = true
            actions.append(.reload)
        }
        return actions
    }

    /// One order for everything, so that the same facts give the same actions.
    var order: [ListName] { plans.keys.sorted { $0.text < $1.text } }

    private mutating func ping(at now: BootTime) -> [Action] {
        guard let pingEvery else { return [] }
        let isDue = nextPing.map { $0.hasCome(by: now) } ?? true
        guard isDue || owesPing else { return [] }
        if isDue { nextPing = now.advanced(by: pingEvery) }
        owesPing = [look.errand, watch.errand, finishing].contains {
            $0.isStuck(at: now, after: pingEvery)
        }
        return owesPing ? [] : [.feedWatchdog]
    }

    private mutating func arm(after now: BootTime) -> [Action] {
        let next = moments.min { $0.milliseconds < $1.milliseconds }
        guard next != armed else { return [] }
        armed = next
        return [next.map { .arm($0) } ?? .disarm]
    }

    /// Every moment at which something is to be done, all of them to come.
    private var moments: [BootTime] {
        var moments = nextPing.map { [$0] } ?? []
        switch phase {
        case .running:
            // A look that is under way comes back and decides.
            if !look.errand.isUnderWay {
                moments += order.filter { running[$0] == nil }.compactMap { plans[$0]?.readyAt }
            }
            if look.isWanted, let moment = look.errand.waitsUntil { moments.append(moment) }
            if hasAnswered, let moment = finishing.waitsUntil { moments.append(moment) }
            moments += watch.moments + [network.moment].compactMap { $0 }
        case .stopping(let cancelAt, let endAt): moments += [cancelAt, endAt].compactMap { $0 }
        case .left: break
        }
        return moments
    }
}
